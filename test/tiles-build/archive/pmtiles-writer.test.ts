// Reads written archives with the `pmtiles` package.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { beforeAll, describe, expect, it } from 'vitest';
import { FIRST_READ_BYTES } from '../../../shared/pmtiles/directory.ts';
import { openArchive } from '../../../tiles-build/archive/file-source.ts';
import { createArchiveWriter } from '../../../tiles-build/archive/pmtiles-writer.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const folder = scratchFolder();

const CENTER = { longitude: -151.5, latitude: 59.5, zoom: 9 };
const BOUNDS = [-152.5, 59.25, -151, 60] as const;
const METADATA = { name: 'test', vector_layers: [{ id: 'DEPARE', fields: {} }] };

/** Compressed contents, cached by text. */
const stored = new Map<string, Uint8Array>();
function storedBytes(text: string): Uint8Array {
  const known = stored.get(text);
  if (known !== undefined) return known;
  const bytes = gzipSync(text);
  stored.set(text, bytes);
  return bytes;
}

/** Write tiles given as [tileId, text]. */
function write(name: string, tiles: Iterable<readonly [number, string]>) {
  const path = join(folder, name);
  const writer = createArchiveWriter({
    path,
    content: 'mvt',
    bounds: BOUNDS,
    center: CENTER,
    metadata: () => METADATA,
  });
  for (const [tileId, text] of tiles) writer.add(tileId, storedBytes(text));
  return { path, summary: writer.finish() };
}

async function textAt(path: string, tileId: number): Promise<string | undefined> {
  const { archive, close } = await openArchive(path);
  const tile = await archive.getZxy(...tileIdToZxy(tileId));
  await close();
  return tile === undefined ? undefined : new TextDecoder().decode(tile.data);
}

/** Tiles, entries and contents in the header. */
async function countsOf(path: string) {
  const { archive, close } = await openArchive(path);
  const header = await archive.getHeader();
  await close();
  return [header.numAddressedTiles, header.numTileEntries, header.numTileContents];
}

it('a small archive returns its tiles and nothing for others', async () => {
  const { path } = write('small.pmtiles', [
    [0, 'world'],
    [zxyToTileId(3, 1, 2), 'a'],
    [zxyToTileId(16, 65_535, 65_535), 'far corner'],
  ]);
  expect(await textAt(path, 0)).toBe('world');
  expect(await textAt(path, zxyToTileId(3, 1, 2))).toBe('a');
  expect(await textAt(path, zxyToTileId(16, 65_535, 65_535))).toBe('far corner');
  expect(await textAt(path, zxyToTileId(3, 2, 2))).toBeUndefined();
});

it('a small archive states its counts, zooms, bounds and metadata', async () => {
  const ids = [zxyToTileId(5, 3, 9), zxyToTileId(9, 40, 150)].sort((a, b) => a - b);
  const { path } = write('header.pmtiles', [
    [ids[0]!, 'a'],
    [ids[1]!, 'b'],
  ]);
  const { archive, close } = await openArchive(path);
  const header = await archive.getHeader();
  expect(header).toMatchObject({
    specVersion: 3,
    clustered: true,
    tileType: 1,
    tileCompression: 2,
    internalCompression: 2,
    numAddressedTiles: 2,
    numTileEntries: 2,
    numTileContents: 2,
    minZoom: 5,
    maxZoom: 9,
    minLon: -152.5,
    minLat: 59.25,
    maxLon: -151,
    maxLat: 60,
    centerLon: -151.5,
    centerLat: 59.5,
    centerZoom: 9,
  });
  expect(await archive.getMetadata()).toEqual(METADATA);
  await close();
});

it('a small archive stores equal tiles once and joins consecutive ones to a run', async () => {
  const { path, summary } = write('runs.pmtiles', [
    [10, 'sea'],
    [11, 'sea'],
    [12, 'sea'],
    [13, 'coast'],
    [20, 'sea'],
  ]);
  expect(summary.tiles).toBe(5);
  expect(await countsOf(path)).toEqual([5, 3, 2]);
});

it('the head equals the first bytes of the file', () => {
  const { path, summary } = write('head.pmtiles', [[7, 'x']]);
  expect(readFileSync(path).subarray(0, summary.head.length).equals(summary.head)).toBe(true);
});

it('the writer rejects tiles out of order', () => {
  expect(() =>
    write('disorder.pmtiles', [
      [8, 'a'],
      [7, 'b'],
    ]),
  ).toThrow('Tile ids must increase: 7 follows 8.');
});

it('an archive can be empty', async () => {
  const { path, summary } = write('empty.pmtiles', []);
  expect(summary.tiles).toBe(0);
  expect(await countsOf(path)).toEqual([0, 0, 0]);
  expect(await textAt(path, 0)).toBeUndefined();
});

describe('an archive of 40,000 tiles', () => {
  // Every fifth tile repeats one content, gaps of 1 to 3 ids, from a fixed generator.
  function* manyTiles(): Generator<readonly [number, string]> {
    let state = 57;
    let tileId = zxyToTileId(9, 0, 0);
    for (let i = 0; i < 40_000; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      tileId += 1 + ((state >>> 16) % 3);
      yield [tileId, i % 5 === 0 ? 'open sea' : `tile ${tileId} ${'.'.repeat(state % 50)}`];
    }
  }
  let path: string;
  let summary: ReturnType<typeof write>['summary'];
  beforeAll(() => {
    ({ path, summary } = write('large.pmtiles', manyTiles()));
  });

  it('has leaf directories and a root within the first 16 KiB', async () => {
    const { archive, close } = await openArchive(path);
    const header = await archive.getHeader();
    await close();
    expect(header.leafDirectoryLength).toBeGreaterThan(0);
    const { rootDirectoryOffset, rootDirectoryLength } = header;
    expect(rootDirectoryOffset + rootDirectoryLength).toBeLessThanOrEqual(FIRST_READ_BYTES);
    expect(summary.head.length).toBe(header.leafDirectoryOffset + header.leafDirectoryLength!);
    expect(summary.tiles).toBe(40_000);
    expect((await countsOf(path))[2]).toBe(32_001);
  });

  it('returns the right bytes for random tiles and nothing for gaps', async () => {
    const tiles = new Map(manyTiles());
    const ids = [...tiles.keys()];
    const { archive, close } = await openArchive(path);
    for (let i = 0; i < ids.length; i += 37) {
      const id = ids[(i * 7919) % ids.length]!;
      const tile = await archive.getZxy(...tileIdToZxy(id));
      expect(new TextDecoder().decode(tile!.data)).toBe(tiles.get(id));
      if (!tiles.has(id + 1)) {
        expect(await archive.getZxy(...tileIdToZxy(id + 1))).toBeUndefined();
      }
    }
    await close();
  });

  it('is byte-identical when it is written again', () => {
    const again = write('again.pmtiles', manyTiles());
    const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(digest(again.path)).toBe(digest(path));
  });
});
