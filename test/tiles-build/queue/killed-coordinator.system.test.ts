// Kills a build process whose jobs run on the queue. After a restart, the output is byte-identical to that of a single process.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { openPackStore } from '../../../tiles-build/queue/pack-store.ts';
import { openQueuePool } from '../../../tiles-build/queue/queue-pool.ts';
import { workOnQueue } from '../../../tiles-build/queue/work-on-queue.ts';
import { buildFiles } from '../../support/build-files.ts';
import { keptThread } from '../../support/build-threads.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { isLong } from '../../support/long-run.ts';
import { scriptOf } from '../../support/programs.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';

const KILLS = isLong ? 20 : 2;

const scratch = scratchFolder();
const cells = join(scratch, 'cells');
const background = join(scratch, 'background');
let database: TestDatabase;
let expectedFiles: Record<string, string>;
let steps = 0;

beforeAll(async () => {
  writeSmallCells(cells, latticeOf(2, 1, [10, 50]));
  writeSmallBackground(background, [10.05, 50]);
  const out = join(scratch, 'alone');
  const progress = {
    start: () => undefined,
    step: () => {
      steps++;
    },
  };
  await buildCharts({ enc: [cells], background, out, jobs: 1, pool: keptThread(), progress });
  expectedFiles = buildFiles(out);
  database = await freshDatabase();
});
afterAll(() => database?.stop());

/** Runs a build process (coordinator) that kills itself at a step of its progress. Resolves to the signal that ended it. */
function runUntilKilled(step: number, out: string, packs: string): Promise<NodeJS.Signals | null> {
  const script = scriptOf('test/tiles-build/queue/support/killed-coordinator.ts');
  const args = [script, cells, background, out, database.ownerUrl, packs, String(step)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
}

test(`a queued build that is killed ${KILLS} times makes the same archives as a single process`, async () => {
  const [out, packs] = [join(scratch, 'charts'), join(scratch, 'packs')];
  const store = await openPackStore(packs, {});
  const url = database.ownerUrl;
  const ignoreMessage = () => undefined;
  const [folder, threads] = [join(scratch, 'work'), keptThread()];
  const work = await workOnQueue({ url, store, folder, jobs: 2, note: ignoreMessage, threads });
  const random = seededRandom(2028);
  let kills = 0;
  for (let tries = 0; kills < KILLS && tries < 3 * KILLS; tries++) {
    const step = 1 + Math.floor(random() * (steps - 1));
    if ((await runUntilKilled(step, out, packs)) === 'SIGKILL') kills++;
    else {
      // The build reused earlier results and ended before the step. Delete its output and try again.
      rmSync(out, { recursive: true });
    }
  }
  expect(kills).toBe(KILLS);
  const pool = await openQueuePool({ url, store, onMessage: ignoreMessage, threads });
  const { manifest } = await buildCharts({ enc: [cells], background, out, jobs: 1, pool });
  expect(manifest.cells.map(({ status }) => status)).toEqual(['used', 'used']);
  expect(buildFiles(out)).toEqual(expectedFiles);
  await work.stop();
  await work.ended;
});
