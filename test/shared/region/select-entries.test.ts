// Selects entries of an archive by ranges of ids from directories of several levels. Runs are cut
// at the ends of a range.

import type { Entry } from 'pmtiles';
import { expect, test } from 'vitest';
import { selectEntries } from '../../../shared/region/select-entries.ts';

const entry = (tileId: number, runLength = 1, offset = tileId * 10, length = 10): Entry => ({
  tileId,
  runLength,
  offset,
  length,
});

const LEAVES = 1000;
const HEADER = {
  rootDirectoryOffset: 127,
  rootDirectoryLength: 10,
  leafDirectoryOffset: LEAVES,
  tileDataOffset: 5000,
  tileDataLength: 1_000_000,
};

/** Ids 0 to 99 in ten leaves of ten, but 40 to 59 as one run in the root. */
function directories(read: number[] = []) {
  const root = [0, 10, 20, 30].map((id) => entry(id, 0, id, 1));
  root.push(entry(40, 20, 400));
  for (const id of [60, 70, 80, 90]) root.push(entry(id, 0, id, 1));
  return async (offset: number) => {
    read.push(offset);
    if (offset === HEADER.rootDirectoryOffset) return root;
    return Array.from({ length: 10 }, (_, i) => entry(offset - LEAVES + i));
  };
}

test('selectEntries returns entries in order and reads only the leaves it needs', async () => {
  const read: number[] = [];
  const ranges = [
    { from: 5, to: 12 },
    { from: 55, to: 57 },
    { from: 95, to: 96 },
  ];
  const found = await selectEntries(HEADER, directories(read), ranges);
  expect(found!.map(({ tileId }) => tileId)).toEqual([5, 6, 7, 8, 9, 10, 11, 55, 95]);
  expect(read).toEqual([127, LEAVES, LEAVES + 10, LEAVES + 90]);
});

test('selectEntries sorts entries if the root has tiles between its leaves', async () => {
  const found = await selectEntries(HEADER, directories(), [{ from: 0, to: 100 }]);
  const ids = found!.map(({ tileId }) => tileId);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test('selectEntries clips a run to one or two ranges', async () => {
  const ranges = [
    { from: 38, to: 42 },
    { from: 50, to: 52 },
    { from: 58, to: 61 },
  ];
  const found = await selectEntries(HEADER, directories(), ranges);
  const runs = found!.filter(({ offset }) => offset === 400);
  expect(runs.map(({ tileId, runLength }) => [tileId, runLength])).toEqual([
    [40, 2],
    [50, 2],
    [58, 2],
  ]);
});

test('selectEntries returns undefined above a limit', async () => {
  const all = [{ from: 0, to: 100 }];
  expect(await selectEntries(HEADER, directories(), all, 80)).toBeUndefined();
  expect(await selectEntries(HEADER, directories(), all, 81)).toHaveLength(81);
});

test('selectEntries rejects entries outside the tile data and endless directories', async () => {
  const short = { ...HEADER, tileDataLength: 500 };
  const all = [{ from: 0, to: 100 }];
  await expect(selectEntries(short, directories(), all)).rejects.toThrow(/outside the tile data/);
  const endless = async () => [entry(0, 0, 0, 1)];
  await expect(selectEntries(HEADER, endless, all)).rejects.toThrow(/nested too deeply/);
});
