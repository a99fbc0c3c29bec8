// A part of the service that must run: started again whenever it ends, at once at first, later after
// growing pauses, and for as long as it takes.

import { type Log, reasonOf } from './json-log.ts';

/** A part that runs. */
export interface Running {
  readonly pid: number;
  /** Settled when it has ended, with what is known of why. */
  readonly ended: Promise<string>;
  /** Ask it to end; settled when it has. */
  stop(): Promise<void>;
}

export interface Kept {
  readonly name: string;
  /** How often it had to be started again. */
  readonly restarts: number;
  readonly isUp: boolean;
  readonly pid: number | undefined;
  /** End it and start it anew, with what its start reads then. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = { first: 50, most: 5000 } as const;
/** Who ran so long did not fail for how it was started. */
const STEADY_MS = 30_000;

/**
 * Start a part, and keep it running. @throws whatever the first start throws
 * @param told called after each change
 */
export async function keepRunning(
  name: string,
  start: () => Promise<Running>,
  log: Log,
  told: (kept: Kept) => void = () => undefined,
): Promise<Kept> {
  let running: Running | undefined = await start();
  let isStopping = false;
  let restarts = 0;
  let isRenewal = false;
  const kept: Kept = {
    name,
    get restarts() {
      return restarts;
    },
    get isUp() {
      return running !== undefined;
    },
    get pid() {
      return running?.pid;
    },
    renew: async () => {
      isRenewal = true;
      await running?.stop();
    },
    stop: async () => {
      isStopping = true;
      await running?.stop();
      // Not for its end: a server that another process goes on with does not end.
      await starting;
    },
  };

  let starting: Promise<void> | undefined;
  const again = async (): Promise<void> => {
    let pauseMs: number = PAUSE_MS.first;
    while (!isStopping) {
      try {
        running = await start();
        log({ kind: 'part', part: name, state: 'up', pid: running.pid, restarts });
        told(kept);
        // Asked to stop while it was being started.
        if (isStopping) await running.stop();
        return;
      } catch (error) {
        log({ kind: 'part', part: name, state: 'down', message: reasonOf(error), pauseMs });
        await new Promise((done) => setTimeout(done, pauseMs));
        pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most);
      }
    }
  };

  const watch = async (): Promise<void> => {
    let quickEnds = 0;
    while (!isStopping && running !== undefined) {
      const since = Date.now();
      const reason = await running.ended;
      running = undefined;
      if (isStopping) return;
      if (isRenewal) isRenewal = false;
      else {
        restarts++;
        log({ kind: 'part', part: name, state: 'ended', message: reason, restarts });
        told(kept);
        quickEnds = Date.now() - since < STEADY_MS ? quickEnds + 1 : 0;
        // One that comes up and falls down again must not keep the machine busy with it.
        const pauseMs =
          quickEnds < 3 ? 0 : Math.min(PAUSE_MS.first * 2 ** quickEnds, PAUSE_MS.most);
        await new Promise((done) => setTimeout(done, pauseMs));
      }
      starting = again();
      await starting;
    }
  };
  log({ kind: 'part', part: name, state: 'up', pid: running.pid, restarts });
  void watch();
  return kept;
}
