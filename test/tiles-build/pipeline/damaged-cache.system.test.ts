// A cache with damaged files: either the charts are correct, or the build names and removes the file and
// the next build is correct.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { buildFiles } from '../../support/build-files.ts';
import { keptThread } from '../../support/build-threads.ts';
import { copyFolder } from '../../support/copy-folder.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';

const SEED = 20_261_124;
/** The kinds of files that the next build reads; it reads the others only if no cell was added. */
const KINDS = ['packs', 'scans', 'plans'];
const TURNED = isLong ? 120 : 3;
const CORNERS = latticeOf(3, 1, [10, 50]);

let scratch: string;
let cells: string;
let background: string;
/** Charts of the first two cells, with their cache. */
let before: string;
/** The files of charts of all three cells, built without a cache. */
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
  scratch = mkdtempSync(join(tmpdir(), 'leadline-damaged-'));
  [cells, background, before] = ['cells', 'background', 'before'].map((name) =>
    join(scratch, name),
  ) as [string, string, string];
  writeSmallBackground(background, [10.05, 50]);
  writeSmallCells(cells, CORNERS.slice(0, 2));
  await build(before);
  writeSmallCells(cells, CORNERS.slice(2), 2);
  const fresh = join(scratch, 'fresh');
  await build(fresh);
  right = buildFiles(fresh);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

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
