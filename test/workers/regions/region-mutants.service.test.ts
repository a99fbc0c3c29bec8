// Region files that were damaged on the device: each answer equals that of the intact file, or reports
// the damage. It must not be a wrong or a missing chart.

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
/**
 * Bytes at the start of the file, with the note and the header of the archive, and at its end, with
 * the directory.
 */
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
  'a tile made from its ancestor': tile(15, 14_565, 19_247),
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

/** Damaged alternately at the start, at the end, or anywhere. */
function damagedFile(number: number): { damage: string; source: RegionSource } {
  const anywhere = Math.floor(seededRandom(number)() * (whole.length - EDGE_BYTES));
  const places = [
    [0, EDGE_BYTES],
    [whole.length - EDGE_BYTES, whole.length],
    // Elsewhere: tiles, symbols, glyphs and styles.
    [anywhere, anywhere + EDGE_BYTES],
  ] as const;
  const [from, to] = places[Math.floor(number / 8) % places.length]!;
  const { harm: damage, bytes } = mutant(whole.subarray(from, to), BYTE_HARMS, number);
  const parts = [whole.subarray(0, from), bytes, whole.subarray(to)];
  const file = Buffer.concat(parts);
  const read = async (offset: number, length: number) => file.subarray(offset, offset + length);
  return { damage, source: { size: file.length, read } };
}

const ifWhole = (error: unknown, place: string): undefined => {
  expect(error, place).toBeInstanceOf(RegionFileError);
  return undefined;
};

test(`${MUTANTS} damaged files of a region give the same answers as the intact file, or report the damage`, async () => {
  let refused = 0;
  for (let number = 0; number < MUTANTS; number++) {
    const { damage, source } = damagedFile(number);
    const region = await openRegion(source).catch((error) =>
      ifWhole(error, `${number}, ${damage}`),
    );
    if (region === undefined) refused++;
    for (const [name, ask] of region === undefined ? [] : Object.entries(ASKS)) {
      const place = `${name}, mutant ${number}, ${damage}`;
      const answer = await ask(region!).catch((error) => ifWhole(error, place));
      if (answer !== undefined) expect(answer, place).toEqual(sound.get(name));
      else refused++;
    }
  }
  expect(refused).toBeGreaterThan(MUTANTS / 2);
});
