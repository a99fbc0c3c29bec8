// Runs programs to their end, and lists the processes of running programs.

import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Ended } from './captured.ts';
import { type Program, scriptOf } from './programs.ts';
import { ROOT } from './source-files.ts';

/** Variables of a developer's own service, and of the npm command that runs the tests. */
const NOT_INHERITED = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'LEADLINE_DATA',
  'LEADLINE_ACTOR',
  'npm_lifecycle_event',
];

/** The environment of a program: this process's without the settings of a service. */
export function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.includes(name));
  return { ...Object.fromEntries(inherited), ...more };
}

/** A file that cannot be written because its disk is full, on Linux, and what programs say of it. */
export const FULL_DISK = '/dev/full';
export const DISK_IS_FULL =
  'The output cannot be written: the disk is full. Free space, then run the command again.\n';

/** Runs a program of the project to its end. @param output file for its output, instead of `out` */
export function runProgram(
  program: Program,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
  output?: string,
): Promise<Ended> {
  return new Promise((done, fail) => {
    const file = output === undefined ? undefined : openSync(output, 'w');
    const child = spawn(process.execPath, [scriptOf(program), ...words], {
      cwd: ROOT,
      env: environmentWith(environment),
      stdio: ['pipe', file ?? 'pipe', 'pipe'],
    });
    if (file !== undefined) closeSync(file);
    let [out, complaint] = ['', ''];
    child.stdout?.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      complaint += chunk;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, out, complaint }));
    // A program that ends without reading its input closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Ids of a process's children. */
export function childrenOf(parent: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', `${parent}`])
      .toString()
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** Whether a process runs; one that ended, and that its parent has not looked at yet, does not. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Sends a signal to a process and its children, except those that have ended. */
export function signalFamily(parent: number, name: NodeJS.Signals): void {
  for (const pid of [parent, ...childrenOf(parent)]) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended on its own.
    }
  }
}
