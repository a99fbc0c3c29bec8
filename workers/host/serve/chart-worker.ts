// Runs `charts work`, which processes uploads of charts, as a part of the service.

import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Log, passLines } from '../database/json-log.ts';
import { keepRunning, type Running, type SupervisedPart } from '../database/keep-running.ts';
import { toolScript } from '../database/tool-script.ts';
import type { ServeOptions } from './options.ts';
import { ROOT } from './root.ts';
import { chartsStore } from './state-folder.ts';

const NAME = 'chart worker';
const TOOL = 'tiles-build/cli.ts';
/** The worker needs no more: another continues its job. */
const STOP_LIMIT_MS = 2000;
const HEAP = '--max-old-space-size=768';
/** Settings of the service that are not for a process that reads uploaded files. */
const SECRETS = {
  ...{ DATABASE_OWNER_URL: undefined, INITIAL_ADMIN_PASSWORD: undefined, TOKEN_SECRET: undefined },
  ...{
    PROVISIONING_DEFAULT_TOKEN: undefined,
    DEMO_TOKEN: undefined,
    SATELLITE_TILE_URL: undefined,
  },
};

/**
 * Start the worker and keep it running. @returns `undefined` if the settings turn it off, there is no
 * database, or the installation has no build tools, as in the container
 * @param databaseUrl with the login of the service; read at each start
 */
export async function keepChartWorker(
  options: ServeOptions,
  databaseUrl: () => string | undefined,
  log: Log,
): Promise<SupervisedPart | undefined> {
  if (!options.hasChartWorker || databaseUrl() === undefined) return undefined;
  if (!existsSync(join(ROOT, TOOL))) return undefined;
  return keepRunning(NAME, async () => startWorker(options, databaseUrl()), log);
}

function startWorker(
  { data, charts, cells, background }: ServeOptions,
  databaseUrl: string | undefined,
): Running {
  const args = [
    ...['work', '--store', chartsStore(data), '--cache', join(data, 'chart-work')],
    // The service keeps a core.
    ...['--jobs', String(Math.max(1, availableParallelism() - 1))],
    ...(cells.length === 0 ? [] : ['--enc', ...cells]),
    ...(charts === undefined ? [] : ['--reuse', join(charts, '.cache')]),
    ...(background === undefined ? [] : ['--background', background]),
  ];
  const program = [HEAP, ...toolScript(ROOT, TOOL)];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: ROOT,
    // In the environment, because other users can read the arguments of a process.
    env: {
      ...{ ...process.env, ...SECRETS },
      ...{ DATABASE_URL: databaseUrl, LEADLINE_STOPS_WITH_PARENT: '1' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  passLines(NAME, child.stderr as Readable);
  const ended = new Promise<string>((done) => {
    child.on('error', (error) => done(error.message));
    child.on('exit', (code, signal) => done(signal === null ? `ended with ${code}` : signal));
  });
  return {
    pid: child.pid as number,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Tiles come first. If memory runs out, the system ends the worker before the runtimes and the database. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // The process may have ended, or the system lacks it or does not permit it.
  }
}
