// Files of regions that were harmed where an app keeps them: what is read of them is what was written, or
// it is said that the file is damaged. Never another chart, nor none where there is one.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { extractRegion } from '../../../tiles-build/extract/extract-region.ts';
import {
  openRegion,
  type Region,
  RegionFileError,
  type RegionSource,
} from '../../../workers/web/client/region.ts';
import { isLong } from '../../support/long-run.ts';
import { BYTE_HARMS, mutant } from '../../support/mutants.ts';
import { blobOf } from '../../support/region-charts.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const MUTANTS = isLong ? 20_000 : 60;
/** Of the file's beginning, where the note and the archive's header are, and of its end, its directory. */
const EDGE_BYTES = 4096;

const digest = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

type Ask = (region: Region) => Promise<unknown>;

const tile =
  (z: number, x: number, y: number): Ask =>
  async (region) =>
    digest((await region.tile({ z, x, y })) ?? new Uint8Array(0));

const ASKS: Readonly<Record<string, Ask>> = {
  'its note': async ({ note }) => note,
  'a tile of the port': tile(14, 7282, 9623),
  'a tile of the coast': tile(9, 227, 300),
  'a tile that is made from another': tile(15, 14_565, 19_247),
  'a style': (region) => region.style('dusk', { live: true }),
  'its symbols': async (region) => digest((await region.file('sprites/day.png'))!),
};

const folder = scratchFolder();
let whole: Uint8Array;
const sound = new Map<string, unknown>();

beforeAll(async () => {
  const path = join(folder, 'region');
  const request = { bounds: [-20.03, -30.02, -19.97, -29.97], maxZoom: 14 } as const;
  await extractRegion({ charts: inject('demoCharts'), assets: inject('assets'), request }, path);
  whole = readFileSync(path);
  const region = await openRegion(blobOf(whole));
  for (const [name, ask] of Object.entries(ASKS)) sound.set(name, await ask(region));
});

/** Harmed at its beginning, at its end, or anywhere, in turns. */
function harmedFile(number: number): { harm: string; source: RegionSource } {
  const anywhere = Math.floor(seededRandom(number)() * (whole.length - EDGE_BYTES));
  const places = [
    [0, EDGE_BYTES],
    [whole.length - EDGE_BYTES, whole.length],
    // Elsewhere: tiles, symbols, letters and styles.
    [anywhere, anywhere + EDGE_BYTES],
  ] as const;
  const [from, to] = places[Math.floor(number / 8) % places.length]!;
  const { harm, bytes } = mutant(whole.subarray(from, to), BYTE_HARMS, number);
  const parts = [whole.subarray(0, from), bytes, whole.subarray(to)];
  const file = Buffer.concat(parts);
  const read = async (offset: number, length: number) => file.subarray(offset, offset + length);
  return { harm, source: { size: file.length, read } };
}

const ifWhole = (error: unknown, place: string): undefined => {
  expect(error, place).toBeInstanceOf(RegionFileError);
  return undefined;
};

test(`${MUTANTS} damaged files of a region give the same answers as the intact file, or report the damage`, async () => {
  let refused = 0;
  for (let number = 0; number < MUTANTS; number++) {
    const { harm, source } = harmedFile(number);
    const region = await openRegion(source).catch((error) => ifWhole(error, `${number}, ${harm}`));
    if (region === undefined) refused++;
    for (const [name, ask] of region === undefined ? [] : Object.entries(ASKS)) {
      const place = `${name}, mutant ${number}, ${harm}`;
      const answer = await ask(region!).catch((error) => ifWhole(error, place));
      if (answer !== undefined) expect(answer, place).toEqual(sound.get(name));
      else refused++;
    }
  }
  expect(refused).toBeGreaterThan(MUTANTS / 2);
});
