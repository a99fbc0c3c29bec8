// Builds that are killed at random moments: the next run continues from there, and the result equals that
// of an undisturbed build, byte for byte.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildFiles } from '../../support/build-files.ts';
import { isLong } from '../../support/long-run.ts';
import { scriptOf } from '../../support/programs.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';

const KILLS = isLong ? 20 : 2;

const scratch = scratchFolder();
const cells = join(scratch, 'cells');
const background = join(scratch, 'background');
beforeAll(() => {
  writeSmallCells(cells, latticeOf(2, isLong ? 2 : 1, [10, 50]));
  writeSmallBackground(background, [10.05, 50]);
});

function run(out: string, step: number, turns: number) {
  const script = scriptOf('test/tiles-build/pipeline/support/killed-build.ts');
  const args = [script, cells, background, out, `${step}`, `${turns}`];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

function whole(out: string) {
  const { status, stdout, stderr } = run(out, 0, 0);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as {
    readonly steps: number;
    readonly work: Record<'scanned' | 'sliced' | 'merged' | 'written', readonly string[]>;
  };
}

test(`a build killed at ${KILLS} moments continues each time and writes the same bytes as an undisturbed build (seed 2026)`, () => {
  const undisturbed = join(scratch, 'undisturbed');
  const { steps, work } = whole(undisturbed);
  expect(work.sliced.length).toBe(work.scanned.length + 1);

  const killed = join(scratch, 'killed');
  const random = seededRandom(2026);
  // In order, so that each run gets further than the one before it.
  const moments = Array.from({ length: KILLS }, () => 1 + Math.floor(random() * steps)).sort(
    (a, b) => a - b,
  );
  for (const moment of moments) {
    const { signal } = run(killed, moment, Math.floor(random() * 3));
    expect(signal, `killed at step ${moment} of ${steps}`).toBe('SIGKILL');
  }
  // No process has this number: Linux has at most four million.
  mkdirSync(join(killed, 'parts'), { recursive: true });
  writeFileSync(join(killed, 'parts', 'enc-v2.pmtiles.4999999.part'), 'half');
  const rest = whole(killed);
  expect(buildFiles(killed)).toEqual(buildFiles(undisturbed));
  // Work completed before the last kill was not done again.
  expect(moments.at(-1)).toBeGreaterThan(work.scanned.length);
  expect(rest.work.scanned).toEqual([]);
  const leftovers = readdirSync(join(killed, '.cache'), { recursive: true }).filter((name) =>
    `${name}`.includes('.part'),
  );
  expect(leftovers).toEqual([]);
});
