// A cache whose files do not hold any more what was written into them: the charts come out right, or the
// build says which file it was and removes it, and the next one comes out right.

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
/** What the next build reads again; files of the other kinds it reads only where no cell was added. */
const KINDS = ['packs', 'scans', 'plans'];
const TURNED = isLong ? 120 : 3;
const CORNERS = latticeOf(3, 1, [10, 50]);

let scratch: string;
let cells: string;
let background: string;
/** Charts of the first two cells, with their cache. */
let before: string;
/** What charts of all three are made of, built without any cache. */
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

it(`charts are right though one bit of the cache was turned over, in ${TURNED} files, or the build names the file and the next is right (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  let named = 0;
  for (let i = 0; i < TURNED; i++) {
    const out = join(scratch, `turned-${i}`);
    copyFolder(before, out);
    // No part of the cache, and no reason to end.
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
  // What no build reads again may be damaged, and most is read.
  expect(named).toBeGreaterThan(0);
});
