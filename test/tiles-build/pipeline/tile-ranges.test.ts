// Ranges of tile ids: contain every record once, have a bounded size, and do not move.

import { join } from 'node:path';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { createPackWriter, type Pack, readPack } from '../../../tiles-build/archive/pack.ts';
import { readRecordList } from '../../../tiles-build/archive/record-list.ts';
import { type Span, tileRanges } from '../../../tiles-build/pipeline/tile-ranges.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const folder = scratchFolder();

/** A pack with one record of 20 kB at each tile id. */
function packAt(name: string, tileIds: readonly number[]): Pack {
  const writer = createPackWriter(join(folder, name));
  for (const tileId of [...tileIds].sort((a, b) => a - b)) {
    writer.add({ tileId, bytes: new Uint8Array(20_000) });
  }
  return writer.finish();
}

const rangesOf = (packs: readonly Pack[], targetBytes = 8 << 20) =>
  tileRanges(packs.map(readRecordList), targetBytes);

const packsOf = ({ spans }: { readonly spans: readonly Span[] }): number[] =>
  spans.map(({ pack }) => pack);

/** A list of records without a file. */
const listOf = (records: readonly (readonly [tileId: number, size: number])[]) => ({
  tileIds: Float64Array.from(records, ([tileId]) => tileId),
  sizes: Float64Array.from(records, ([, size]) => size),
});

/** The tile ids of a square of tiles at a zoom. */
function square(z: number, x: number, y: number, size: number): number[] {
  const ids: number[] = [];
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) ids.push(zxyToTileId(z, x + i, y + j));
  return ids;
}

describe('tileRanges', () => {
  it('contain every record exactly once, in order', () => {
    const west = packAt('west.pack', [0, ...square(9, 100, 150, 12), ...square(12, 800, 1200, 9)]);
    const east = packAt('east.pack', [0, ...square(9, 400, 150, 12)]);
    const packs = [west, east];
    const ranges = rangesOf(packs, 300_000);
    expect(ranges.length).toBeGreaterThan(8);
    ranges.forEach((range, i) => {
      if (i > 0) expect(range.from).toBeGreaterThanOrEqual(ranges[i - 1]!.to);
    });
    packs.forEach((pack, place) => {
      const inRanges = ranges
        .filter((range) => packsOf(range).includes(place))
        .flatMap((range) => [...readPack(pack, range.from, range.to)].map((r) => r.tileId));
      expect(inRanges).toEqual([...readPack(pack)].map((record) => record.tileId));
    });
  });

  it('cover one zoom below one ancestor each', () => {
    for (const { from, to } of rangesOf([packAt('a.pack', square(11, 700, 900, 10))], 200_000)) {
      const [z] = tileIdToZxy(from);
      expect(tileIdToZxy(to - 1)[0]).toBe(z);
      expect(Number.isInteger(Math.log2(to - from) / 2)).toBe(true);
      expect((from - zxyToTileId(z, 0, 0)) % (to - from)).toBe(0);
    }
  });

  it('do not move if nothing changed', () => {
    const here = packAt('here.pack', square(11, 700, 900, 10));
    const far = packAt('far.pack', square(11, 100, 100, 3));
    const grown = packAt('grown.pack', square(11, 100, 100, 14));
    const nearHere = (packs: readonly Pack[]) =>
      rangesOf(packs, 200_000)
        .filter((range) => packsOf(range).includes(0))
        .map(({ from, to }) => ({ from, to }));
    // Ranges small enough to contain only one of the two are the same with either neighbour.
    const small = (range: { from: number; to: number }) => range.to - range.from <= 4 ** 6;
    expect(nearHere([here, grown]).filter(small)).toEqual(nearHere([here, far]).filter(small));
  });

  it('are empty for no packs or empty packs', () => {
    expect(rangesOf([])).toEqual([]);
    expect(rangesOf([packAt('none.pack', [])])).toEqual([]);
  });

  it('are no more than the tiles if single records exceed the size and are far apart', () => {
    const here = zxyToTileId(12, 0, 0);
    const far = here + 4 ** 11;
    const heavy = listOf([
      [here, 20_000_000],
      [far, 20_000_000],
    ]);
    expect(tileRanges([heavy], 8 << 20)).toEqual([
      { from: here, to: here + 1, spans: [{ pack: 0, first: 0, end: 1 }] },
      { from: far, to: far + 1, spans: [{ pack: 0, first: 1, end: 2 }] },
    ]);
  });

  it('list only packs with records in them, with thousands of small packs at all zooms', () => {
    const chains = Array.from({ length: 3000 }, (_, i) =>
      listOf(
        Array.from({ length: 17 }, (_, z) => {
          const at = Math.floor((i / 3000) * 2 ** z);
          return [zxyToTileId(z, at, at), 4000] as const;
        }),
      ),
    );
    const ranges = tileRanges(chains, 8 << 20);
    expect(ranges.length).toBeLessThan(100);
    for (const { from, to, spans } of ranges) {
      const holding = chains.flatMap(({ tileIds }, place) =>
        tileIds.some((id) => id >= from && id < to) ? [place] : [],
      );
      expect(packsOf({ spans })).toEqual(holding);
    }
  });
});
