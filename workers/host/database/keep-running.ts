// Keeps a part of the service running: restarts it whenever it ends, first at once, then after growing
// pauses, without a limit of attempts.

import { setTimeout as pause } from 'node:timers/promises';
import { type Log, reasonOf } from './json-log.ts';

/** A part that runs. */
export interface Running {
  readonly pid: number;
  /** Resolves with the reason when the part has ended. */
  readonly ended: Promise<string>;
  /** Stop the part; resolves when it has ended. */
  stop(): Promise<void>;
}

export interface SupervisedPart {
  readonly name: string;
  /** Number of restarts after unexpected ends. */
  readonly restarts: number;
  readonly isUp: boolean;
  readonly pid: number | undefined;
  /** Restart the part with current settings; resolves when it runs again. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = { first: 50, most: 5000 } as const;
/** A part that ran this long did not fail at its start. */
const STEADY_MS = 30_000;

/**
 * Start a part and keep it running.
 * @param onChange called after each change
 * @throws the error of the first start
 */
export async function keepRunning(
  name: string,
  start: () => Promise<Running>,
  log: Log,
  onChange: (kept: SupervisedPart) => void = () => undefined,
): Promise<SupervisedPart> {
  let running: Running | undefined = await start();
  const halt = new AbortController();
  const { signal } = halt;
  /** Ends early if the part is stopped. */
  const pauseFor = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  let restarts = 0;
  let isRenewal = false;
  const kept: SupervisedPart = {
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
      // A start in progress may have read the settings before they changed.
      await starting;
      // The next start reads the current settings.
      if (running === undefined) return;
      isRenewal = true;
      const { ended } = running;
      await running.stop();
      await ended;
      // `watch` waits for `ended` longer, so it has begun the start.
      await starting;
    },
    stop: async () => {
      halt.abort();
      await running?.stop();
      // Do not wait for `ended`: a server that another process uses does not end.
      await starting;
    },
  };

  let starting: Promise<void> | undefined;
  /** A caller that fails must not affect the part. */
  const report = (): void => {
    try {
      onChange(kept);
    } catch (error) {
      log({ kind: 'fault', where: name, message: reasonOf(error) });
    }
  };
  const again = async (): Promise<void> => {
    let pauseMs: number = PAUSE_MS.first;
    while (!signal.aborted) {
      try {
        running = await start();
      } catch (error) {
        log({ kind: 'part', part: name, state: 'down', message: reasonOf(error), pauseMs });
        await pauseFor(pauseMs);
        pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most);
        continue;
      }
      log({ kind: 'part', part: name, state: 'up', pid: running.pid, restarts });
      report();
      // `stop` may have been called during the start.
      if (signal.aborted) await running.stop();
      return;
    }
  };

  const watch = async (): Promise<void> => {
    let quickEnds = 0;
    while (!signal.aborted && running !== undefined) {
      const since = Date.now();
      const reason = await running.ended;
      running = undefined;
      if (signal.aborted) return;
      let pauseMs = 0;
      if (isRenewal) isRenewal = false;
      else {
        restarts++;
        log({ kind: 'part', part: name, state: 'ended', message: reason, restarts });
        report();
        quickEnds = Date.now() - since < STEADY_MS ? quickEnds + 1 : 0;
        // Do not restart in a tight loop.
        if (quickEnds >= 3) pauseMs = Math.min(PAUSE_MS.first * 2 ** quickEnds, PAUSE_MS.most);
      }
      // With the pause, so that `renew` waits until the part runs.
      starting = pauseFor(pauseMs).then(again);
      await starting;
    }
  };
  log({ kind: 'part', part: name, state: 'up', pid: running.pid, restarts });
  void watch();
  return kept;
}
