// Helpers for commands that start several processes: progress, child processes, free ports, shutdown.

import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { toolScript } from './tool-script.ts';

/** Run one step, printing its name at the start and its time at the end. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  process.stdout.write(`${name} … `);
  const result = await work().catch((error: unknown) => {
    process.stdout.write('failed\n');
    throw error;
  });
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  return result;
}

/**
 * Run one of the project's TypeScript tools. Its output is shown only if it fails; on a terminal, its
 * standard error is shown as progress.
 */
export const runTool = (root: string, script: string, args: readonly string[]): Promise<void> =>
  runProgram([...toolScript(root, script), ...args], root);

/** Run a script with Node, in the same way. @throws Error with its output if it fails */
export function runProgram(args: readonly string[], cwd = process.cwd()): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', process.stderr.isTTY ? 'inherit' : 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', fail);
    child.on('close', (code) => {
      if (code === 0) done();
      else fail(new Error(`${args.join(' ')} ended with code ${code}.\n${output}`));
    });
  });
}

/**
 * The program and the arguments of a process, separated by spaces. Empty if there is no such process.
 * Process ids are reused: check the command before you use a stored id.
 */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      // The ids of threads also have these files.
      const isProcess = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nTgid:\t${pid}\n`);
      if (!isProcess) return '';
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    }
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

/** When a process was started, after its machine. Empty if there is no such process, and on other systems than Linux. */
export function startOf(pid: number): string {
  // The name of the program, in parentheses, may contain spaces. The start time is the 22nd field.
  const fields = readIfThere(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields[19] ?? '';
}

/** The text of a file; empty if it cannot be read. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

// Below the ports that systems give to outgoing connections: none of those takes a port before its server does.
const SERVER_PORTS = { first: 20_000, end: 32_000 };
const MOST_TRIES = 20;

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.on('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });

/** @returns `wanted`, or any free port for 0 @throws Error if the port is in use */
export async function freePort(wanted: number): Promise<number> {
  if (wanted !== 0) {
    if (await isFree(wanted)) return wanted;
    throw new Error(`Port ${wanted} is in use. Set PORT to another, or PORT=0 for any free one.`);
  }
  for (let tried = 0; tried < MOST_TRIES; tried++) {
    const port = randomInt(SERVER_PORTS.first, SERVER_PORTS.end);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${MOST_TRIES} ports that were tried is free.`);
}

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Time from the signal to the exit. */
const STOP_LIMIT_MS = 4500;
const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Call `undo` once when the process is asked to end, or when its parent has gone: npm passes SIGTERM to
 * the shell that it starts, and no further, so the scripts of `package.json` start Node itself, without
 * `tsx` between. Returns a function that does the same on purpose.
 */
export function onceOnStop(undo: () => Promise<void>): (exitCode: number) => Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number) => {
    // Exit before the caller sends SIGKILL, even if the cleanup is not complete.
    stopping ??= Promise.race([undo(), after(STOP_LIMIT_MS)]).finally(() => process.exit(exitCode));
    return stopping;
  };
  for (const signal of SIGNALS) process.on(signal, () => void stop(0));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(0), 1000).unref();
  return stop;
}
