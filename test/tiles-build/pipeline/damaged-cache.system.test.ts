// A cache with damaged files: either the charts are correct, or the build names and removes the file and
// the next build is correct.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { buildFiles } from '../../support/build-files.ts';
import { keptThread } from '../../support/build-threads.ts';
import { copyFolder } from '../../support/copy-folder.ts';
import { isLong } from '../../support/long-run.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';

const SEED = 20_261_124;
/** The kinds of files that the next build reads; it reads the others only if no cell was added. */
const KINDS = ['packs', 'scans', 'plans', 'parts'];
const TURNED = isLong ? 120 : 4;
const CORNERS = latticeOf(2, 1, [10, 50]);

const scratch = scratchFolder();
const cells = join(scratch, 'cells');
const background = join(scratch, 'background');
/** Charts of the first cell, with their cache. */
const before = join(scratch, 'before');
/** The files of charts of both cells, built without a cache. */
let right: ReturnType<typeof buildFiles>;

const build = (out: string) =>
  buildCharts({
    enc: [cells],
    background,
    out,
    cache: join(out, '.cache'),
    jobs: 1,
    pool: keptThread(),
  });

beforeAll(async () => {
  writeSmallBackground(background, [10.05, 50]);
  writeSmallCells(cells, CORNERS.slice(0, 1));
  await build(before);
  writeSmallCells(cells, CORNERS.slice(1), 1);
  const fresh = join(scratch, 'fresh');
  await build(fresh);
  right = buildFiles(fresh);
});

it(`builds correct charts with one flipped bit in a cache file, or names the file and succeeds the next time (${TURNED} files, seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  let named = 0;
  for (let i = 0; i < TURNED; i++) {
    const out = join(scratch, `turned-${i}`);
    copyFolder(before, out);
    // Not part of the cache; must not cause an error.
    writeFileSync(join(out, '.cache', 'notes.txt'), 'not ours');
    const folder = join(out, '.cache', KINDS[i % KINDS.length]!);
    const files = readdirSync(folder).sort();
    const path = join(folder, files[Math.floor(random() * files.length)]!);
    const bytes = readFileSync(path);
    bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
    writeFileSync(path, bytes);
    const error = await build(out).then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    if (error !== undefined) {
      named++;
      expect(error.message).toContain(path);
      expect(error.message).toContain('has been removed');
      await build(out);
    }
    expect(buildFiles(out), path).toEqual(right);
    rmSync(out, { recursive: true });
  }
  // Damage in a file that the build does not read has no effect, but most files are read.
  expect(named).toBeGreaterThan(0);
});
