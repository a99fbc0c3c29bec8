// The first process of `leadline serve`. It starts the supervisor and restarts it after a crash. This
// process is small enough not to fail; systemd or the container's restart policy restarts it.

import { type ChildProcess, spawn } from 'node:child_process';
import { logLine } from '../database/json-log.ts';

const KEPT = 'LEADLINE_KEPT';
const PAUSE_MS = { first: 100, most: 5000 } as const;
/** Slightly longer than the supervisor's own limit. */
const STOP_LIMIT_MS = 4800;

/** Whether a keeper started this process. */
export const isSupervised = (): boolean => process.env[KEPT] !== undefined;

/** Notify the keeper that the service is ready. */
export function notifyReady(port: number): void {
  process.send?.({ port });
}

/**
 * Run this program as a child process, and restart it until it exits with 0 or a signal stops it.
 * @param port the requested port; a restarted supervisor reuses the port it had
 * @returns the exit code
 */
export async function superviseService(port: number): Promise<number> {
  let child: ChildProcess | undefined;
  let isStopping = false;
  /** Ends the pause before a restart. */
  let wake: () => void = () => undefined;
  let current = port;
  let wasEverReady = false;
  const end = (signal: NodeJS.Signals) => {
    isStopping = true;
    wake();
    child?.kill(signal);
    setTimeout(() => child?.kill('SIGKILL'), STOP_LIMIT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal));
  process.on('SIGHUP', () => child?.kill('SIGHUP'));
  // npm sends SIGTERM only to the shell that it started. If that shell exits, stop.
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] !== undefined) {
    setInterval(() => process.ppid !== parent && !isStopping && end('SIGTERM'), 1000).unref();
  }

  let pauseMs: number = PAUSE_MS.first;
  for (;;) {
    const [script, ...args] = process.argv.slice(1);
    child = spawn(process.execPath, [...process.execArgv, script as string, ...args], {
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
    // The service never started: the operator must fix the cause.
    if (!wasEverReady) return code ?? 1;
    logLine({ kind: 'part', part: 'supervisor', state: 'ended', code, signal, pauseMs });
    await new Promise<void>((done) => {
      const timer = setTimeout(done, pauseMs);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    if (isStopping) return 0;
    pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most);
  }
}
