// Measures the wall and processor time of a command, including the start of its process.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../..');

export interface Cost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Run a command, on the first cores if `taskset` is installed. The shell measures its times. */
export function timed(command: readonly string[], cores: number): Cost {
  const pinned = hasTool('taskset') ? ['taskset', '-c', cores === 1 ? '0' : `0-${cores - 1}`] : [];
  const quoted = [...pinned, ...command].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const script = `TIMEFORMAT='%R %U %S'; time ${quoted.join(' ')} >/dev/null 2>/dev/null`;
  const env = { ...process.env, GDAL_NUM_THREADS: `${cores}` };
  const shell = spawnSync('bash', ['-c', script], { env, cwd: REPOSITORY, encoding: 'utf8' });
  const [wall, user, system] = shell.stderr.trim().split(' ').map(Number);
  if (shell.status !== 0 || wall === undefined || user === undefined || system === undefined) {
    throw new Error(`${command.join(' ')} exited with status ${shell.status}: ${shell.stderr}`);
  }
  return { wallSeconds: wall, cpuSeconds: user + system };
}

/** Total cost of two commands that run in sequence. */
export function sum(a: Cost, b: Cost): Cost {
  return {
    wallSeconds: a.wallSeconds + b.wallSeconds,
    cpuSeconds: a.cpuSeconds + b.cpuSeconds,
  };
}

/** Whether a command is in `PATH`. */
export function hasTool(name: string): boolean {
  return spawnSync('bash', ['-c', `command -v ${name}`]).status === 0;
}
