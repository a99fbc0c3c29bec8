// Ranges of tile ids must hold everything once, be of bounded weight, and stay put.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPackWriter, type Pack, readPack } from '../../../tiles-build/archive/pack.ts';
import { packsInRange, tileRanges } from '../../../tiles-build/pipeline/tile-ranges.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-ranges-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A pack with one record of 20 kB at each tile id. */
function packAt(name: string, tileIds: readonly number[]): Pack {
  const writer = createPackWriter(join(folder, name));
  for (const tileId of [...tileIds].sort((a, b) => a - b)) {
    writer.add({ tileId, bytes: new Uint8Array(20_000) });
  }
  return writer.finish();
}

/** The tiles of a square of a zoom. */
function square(z: number, x: number, y: number, size: number): number[] {
  const ids: number[] = [];
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) ids.push(zxyToTileId(z, x + i, y + j));
  return ids;
}

describe('tile ranges', () => {
  it('hold every record exactly once, in order', () => {
    const west = packAt('west.pack', [0, ...square(9, 100, 150, 12), ...square(12, 800, 1200, 9)]);
    const east = packAt('east.pack', [0, ...square(9, 400, 150, 12)]);
    const ranges = tileRanges([west, east], 300_000);
    expect(ranges.length).toBeGreaterThan(8);
    ranges.forEach((range, i) => {
      if (i > 0) expect(range.from).toBeGreaterThanOrEqual(ranges[i - 1]!.to);
    });
    for (const pack of [west, east]) {
      const inRanges = ranges
        .filter((range) => packsInRange([pack], range).length > 0)
        .flatMap((range) => [...readPack(pack, range.from, range.to)].map((r) => r.tileId));
      expect(inRanges).toEqual([...readPack(pack)].map((record) => record.tileId));
    }
  });

  it('are each one zoom below one ancestor', () => {
    for (const { from, to } of tileRanges([packAt('a.pack', square(11, 700, 900, 10))], 200_000)) {
      const [z] = tileIdToZxy(from);
      expect(tileIdToZxy(to - 1)[0]).toBe(z);
      expect(Number.isInteger(Math.log2(to - from) / 2)).toBe(true);
      expect((from - zxyToTileId(z, 0, 0)) % (to - from)).toBe(0);
    }
  });

  it('do not move where nothing changed', () => {
    const here = packAt('here.pack', square(11, 700, 900, 10));
    const far = packAt('far.pack', square(11, 100, 100, 3));
    const grown = packAt('grown.pack', square(11, 100, 100, 14));
    const nearHere = (packs: readonly Pack[]) =>
      tileRanges(packs, 200_000).filter((range) => packsInRange([here], range).length > 0);
    // Ranges deep enough to hold only one of the two are the same with either neighbour.
    const small = (range: { from: number; to: number }) => range.to - range.from <= 4 ** 6;
    expect(nearHere([here, grown]).filter(small)).toEqual(nearHere([here, far]).filter(small));
  });

  it('are none for no packs or empty ones', () => {
    expect(tileRanges([])).toEqual([]);
    expect(tileRanges([packAt('none.pack', [])])).toEqual([]);
  });
});
