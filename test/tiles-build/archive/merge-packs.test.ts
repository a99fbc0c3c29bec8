// Tests pack files (written, read, damaged), and compares `mergeRecords` with a sort in memory.

import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeRecords } from '../../../tiles-build/archive/merge-packs.ts';
import {
  blocksInRange,
  createPackWriter,
  openPack,
  type Pack,
  readPack,
} from '../../../tiles-build/archive/pack.ts';
import { readRecordList } from '../../../tiles-build/archive/record-list.ts';
import { DamagedFile } from '../../../tiles-build/archive/system-error.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const folder = scratchFolder();

function writePack(name: string, records: readonly (readonly [number, string])[]): Pack {
  const writer = createPackWriter(join(folder, name));
  for (const [tileId, text] of records) {
    writer.add({ tileId, bytes: new TextEncoder().encode(text) });
  }
  return writer.finish();
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
/** Texts of the records by tile. */
function merged(
  packs: readonly Pack[],
  options: { from?: number; to?: number; fanIn?: number },
): (number | string)[][] {
  const tiles: (number | string)[][] = [];
  for (const { tileId, bytes } of mergeRecords(packs, { scratch: folder, ...options })) {
    if (tiles.at(-1)?.[0] === tileId) tiles.at(-1)!.push(textOf(bytes));
    else tiles.push([tileId, textOf(bytes)]);
  }
  return tiles;
}

it('a pack returns the records that were written', () => {
  const records = Array.from({ length: 5000 }, (_, i) => [i * 3, `record ${i}`] as const);
  const written = writePack('plain.pack', records);
  expect(openPack(written.path)).toEqual(written);
  const read = [...readPack(written)].map((record) => [record.tileId, textOf(record.bytes)]);
  expect(read).toEqual(records);
  const list = readRecordList(openPack(written.path));
  expect([...list.tileIds]).toEqual(records.map(([tileId]) => tileId));
  expect([...list.sizes]).toEqual(records.map(([, text]) => text.length));
});

it('readPack reads only the blocks of a range', () => {
  const long = 'x'.repeat(40_000);
  const pack = writePack(
    'blocks.pack',
    Array.from({ length: 20 }, (_, i) => [i, long] as const),
  );
  const [first, end] = blocksInRange(pack, 10, 12);
  expect(end - first).toBeLessThanOrEqual(2);
  expect([...readPack(pack, 10, 12)].map((record) => record.tileId)).toEqual([10, 11]);
  expect([...readPack(pack, 20, 30)]).toEqual([]);
});

it('readPack returns all records of a tile when they span several blocks', () => {
  const long = 'x'.repeat(70_000);
  const pack = writePack('equal.pack', [
    [5, long],
    [5, long],
    [5, long],
    [6, 'end'],
  ]);
  expect([...readPack(pack, 5, 6)]).toHaveLength(3);
});

it('openPack rejects and removes a truncated pack', () => {
  const pack = writePack('cut.pack', [[1, 'one']]);
  truncateSync(pack.path, readFileSync(pack.path).length - 3);
  expect(() => openPack(pack.path)).toThrow('was damaged');
  expect(existsSync(pack.path)).toBe(false);
  writeFileSync(join(folder, 'tiny.pack'), 'no');
  expect(() => openPack(join(folder, 'tiny.pack'))).toThrow(DamagedFile);
});

it('a pack with any flipped bit is rejected and removed (seed 20261123)', () => {
  const random = seededRandom(20_261_123);
  const { path } = writePack(
    'flipped.pack',
    Array.from({ length: 40 }, (_, i) => [i >> 1, 'x'.repeat(1 + i * 300)] as const),
  );
  const whole = readFileSync(path);
  for (let i = 0; i < 300; i++) {
    // Checksums and index are a small part at the end of a pack.
    const from = i % 2 === 0 ? 0 : whole.length - 1500;
    const at = from + Math.floor(random() * (whole.length - from));
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 1 << Math.floor(random() * 8);
    writeFileSync(path, flipped);
    const readAll = () => {
      const pack = openPack(path);
      readRecordList(pack);
      return [...readPack(pack)];
    };
    expect(readAll, `byte ${at} of ${whole.length}`).toThrow(DamagedFile);
    expect(existsSync(path)).toBe(false);
  }
});

it('an abandoned pack leaves no file', () => {
  const writer = createPackWriter(join(folder, 'abandoned.pack'));
  writer.add({ tileId: 1, bytes: new Uint8Array(10) });
  writer.abandon();
  expect(readdirSync(folder).filter((name) => name.includes('abandoned'))).toEqual([]);
});

it('mergeRecords keeps the order of the packs for each tile', () => {
  const packs = [
    writePack('a.pack', [
      [1, 'a1'],
      [4, 'a4'],
    ]),
    writePack('b.pack', [
      [1, 'b1'],
      [2, 'b2'],
    ]),
    writePack('c.pack', []),
    writePack('d.pack', [
      [0, 'd0'],
      [1, 'd1'],
      [4, 'd4'],
    ]),
  ];
  expect(merged(packs, {})).toEqual([
    [0, 'd0'],
    [1, 'a1', 'b1', 'd1'],
    [2, 'b2'],
    [4, 'a4', 'd4'],
  ]);
  expect(merged(packs, { from: 1, to: 4 })).toEqual([
    [1, 'a1', 'b1', 'd1'],
    [2, 'b2'],
  ]);
});

it('mergeRecords returns the order of a sort in memory, with one or several passes', () => {
  const pack = fc.array(fc.tuple(fc.nat(40), fc.string({ maxLength: 8 })), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(pack, { maxLength: 12 }), fc.integer({ min: 2, max: 5 }), (lists, k) => {
      const sorted = lists.map((list) => [...list].sort((a, b) => a[0] - b[0]));
      const packs = sorted.map((list, i) => writePack(`p${i}.pack`, list));
      const expected = new Map<number, string[]>();
      for (const [id, text] of sorted.flat().sort((a, b) => a[0] - b[0])) {
        expected.set(id, [...(expected.get(id) ?? []), textOf(new TextEncoder().encode(text))]);
      }
      const wanted = [...expected].map(([id, texts]) => [id, ...texts]);
      expect(merged(packs, {})).toEqual(wanted);
      expect(merged(packs, { fanIn: k })).toEqual(wanted);
    }),
    { seed: 57, numRuns: 60 },
  );
  expect(readdirSync(folder).filter((name) => name.startsWith('merge-'))).toEqual([]);
});
