// The first process of `leadline serve`: it starts the supervisor and starts it again whenever it dies,
// so that every part but this one comes back by itself. This one is small enough not to fail, and
// whoever started it (systemd, a container's restart policy) looks after it.

import { type ChildProcess, spawn } from 'node:child_process';
import { logLine } from '../database/json-log.ts';

const KEPT = 'LEADLINE_KEPT';
const PAUSE_MS = { first: 100, most: 5000 } as const;
/** The supervisor's own limit, and a moment. */
const STOP_LIMIT_MS = 4800;

/** Whether this process is one that a keeper started. */
export const isKept = (): boolean => process.env[KEPT] !== undefined;

/** Tell the keeper that everything is served, at which port. */
export function tellReady(port: number): void {
  process.send?.({ port });
}

/**
 * Start this very program again, kept, until it ends of its own will or somebody asks it to.
 * @param port the port that was asked for; a supervisor started again takes the one it had
 * @returns the exit code
 */
export async function keepServing(port: number): Promise<number> {
  let child: ChildProcess | undefined;
  let isStopping = false;
  let current = port;
  let wasEverReady = false;
  const end = (signal: NodeJS.Signals) => {
    isStopping = true;
    child?.kill(signal);
    setTimeout(() => child?.kill('SIGKILL'), STOP_LIMIT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal));
  process.on('SIGHUP', () => child?.kill('SIGHUP'));
  // npm passes SIGTERM to the shell between it and us, which is gone then.
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] !== undefined) {
    setInterval(() => process.ppid !== parent && !isStopping && end('SIGTERM'), 1000).unref();
  }

  let pauseMs: number = PAUSE_MS.first;
  for (;;) {
    const [script, ...words] = process.argv.slice(1);
    child = spawn(process.execPath, [...process.execArgv, script as string, ...words], {
      env: { ...process.env, [KEPT]: '1', LEADLINE_KEPT_PORT: String(current) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => {
      wasEverReady = true;
      pauseMs = PAUSE_MS.first;
      current = (message as { readonly port: number }).port;
    });
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) => {
      child?.on('exit', (...how) => done(how));
      child?.on('error', () => done([1, null]));
    });
    if (isStopping || code === 0) return code ?? 0;
    // What never began to serve is for the operator to mend, not for us to repeat.
    if (!wasEverReady) return code ?? 1;
    logLine({ kind: 'part', part: 'supervisor', state: 'ended', code, signal, pauseMs });
    await new Promise((done) => setTimeout(done, pauseMs));
    pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most);
  }
}
