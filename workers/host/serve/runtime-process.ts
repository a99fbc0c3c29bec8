// Starts the runtime (workerd) as a process, checks that it is alive, and stops it.

import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { passLines } from '../database/json-log.ts';
import type { Running } from '../database/keep-running.ts';
import { variableOf } from './runtime-config.ts';
import { printFailures } from './terminal-lines.ts';

const START_LIMIT_MS = 30_000;
const START_LOOK_MS = 20;
const PROBE_EVERY_MS = 5000;
/** A runtime that does not answer for this long is killed. */
const HUNG_MS = 30_000;

/** Path of workerd: LEADLINE_WORKERD, or the one from npm. @throws Error if workerd is not installed */
export function runtimeProgram(): string {
  const configured = process.env['LEADLINE_WORKERD'];
  if (configured !== undefined && configured !== '') return configured;
  const found = createRequire(import.meta.url)('workerd') as { readonly default: string };
  return found.default;
}

/** Options of a runtime process. */
export interface RuntimeProcess {
  /** Name in the log. */
  readonly name: string;
  /** Path of its configuration. */
  readonly config: string;
  /** Path of the socket for liveness checks. */
  readonly supervisorSocket: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Time that requests in progress have to finish after SIGTERM. */
  readonly stopLimitMs: number;
  /** Do not print a line for successful requests. */
  readonly printsFailures?: boolean;
}

/** Start a runtime and wait until it answers. @throws Error with its error output if it does not start */
export async function startRuntime(runtime: RuntimeProcess): Promise<Running> {
  const { name, config, supervisorSocket, settings, stopLimitMs, printsFailures = false } = runtime;
  const named = Object.entries(settings).map(([name, value]) => [variableOf(name), value]);
  const child = spawn(runtimeProgram(), ['serve', config], {
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...Object.fromEntries(named) },
    // The runtime writes JSON lines, so its output needs no conversion.
    stdio: ['ignore', printsFailures ? 'pipe' : 'inherit', 'pipe'],
  });
  if (child.stdout !== null) printFailures(child.stdout, process.stdout);
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000);
  });
  passLines(name, child.stderr as Readable);
  const ended = new Promise<string>((done) => {
    child.on('error', (error) => done(error.message));
    child.on('exit', (code, signal) => done(signal === null ? `ended with ${code}` : signal));
  });
  let reason: string | undefined;
  void ended.then((how) => {
    reason = how;
  });
  // Not `Date.now()`, because the clock may be set while the machine boots.
  const since = performance.now();
  while (!(await isAlive(supervisorSocket))) {
    if (reason === undefined && performance.now() - since > START_LIMIT_MS) {
      reason = 'no answer within 30 seconds';
      child.kill('SIGKILL');
    }
    if (reason !== undefined) {
      throw new Error(`The ${name} did not start: ${complaint.trim() || reason}`);
    }
    await pause(START_LOOK_MS);
  }
  const stopProbing = probe(supervisorSocket, () => child.kill('SIGKILL'));
  void ended.then(stopProbing);
  return {
    pid: child.pid as number,
    ended,
    stop: async () => {
      stopProbing();
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await ended;
      clearTimeout(late);
    },
  };
}

const isAlive = (supervisorSocket: string): Promise<boolean> =>
  askRuntime(supervisorSocket, '/live').then(
    () => true,
    () => false,
  );

function probe(socket: string, kill: () => void): () => void {
  let aliveAt = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - aliveAt > HUNG_MS) return kill();
    void askRuntime(socket, '/live', { limitMs: HUNG_MS }).then(
      () => {
        aliveAt = performance.now();
      },
      () => undefined,
    );
  }, PROBE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Send a request to the supervisor's socket. @throws Error if the answer is not 200 or is late */
export function askRuntime(
  socketPath: string,
  path: string,
  { limitMs = 10_000, body }: { readonly limitMs?: number; readonly body?: unknown } = {},
): Promise<string> {
  return new Promise((done, fail) => {
    const method = body === undefined ? 'GET' : 'POST';
    // An open connection would prevent the runtime from stopping.
    const sentRequest = request(
      { socketPath, path, method, timeout: limitMs, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () =>
          answer.statusCode === 200 ? done(text) : fail(new Error(`${path}: ${answer.statusCode}`)),
        );
        answer.on('error', fail);
      },
    );
    sentRequest.on('timeout', () =>
      sentRequest.destroy(new Error(`${path}: no answer in ${limitMs} ms`)),
    );
    sentRequest.on('error', fail);
    sentRequest.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
