// Plans of regions from given entries, without archives: whether a chart covers the box, and the middle of a map.

import { bytesToHeader, type Entry, zxyToTileId } from 'pmtiles';
import { expect, test } from 'vitest';
import type { GeoBounds } from '../../../shared/chart/bounds.ts';
import type { Manifest, ManifestCell } from '../../../shared/chart/manifest.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { archiveTile, type BucketKind } from '../../../shared/query/bucket-layers.ts';
import { planRegion } from '../../../shared/region/plan-region.ts';
import { UNCHARTED_NOTICE } from '../../../shared/region/region-note.ts';

const entry = ({ z, x, y }: TileId): Entry => ({
  tileId: zxyToTileId(z, x, y),
  offset: 0,
  length: 10,
  runLength: 1,
});

/** The plan of a box, in the bounding box of a cell. @param kinds kinds of the buckets in the region box */
function plan(bounds: GeoBounds, kinds: readonly BucketKind[]) {
  const cell = { name: 'ZZ500000', status: 'used', bounds } as unknown as ManifestCell;
  const manifest = { buildId: 'x', cells: [cell], datasets: [] } as unknown as Manifest;
  const bucket = { z: 13, x: 4096, y: 5000 };
  return planRegion(
    {
      request: { bounds, maxZoom: 15 },
      manifest,
      artwork: { hash: 'x', bytes: 0, members: [] },
      chart: [entry({ z: 0, x: 0, y: 0 }), entry({ z: 8, x: 1, y: 1 })],
      query: kinds.map((kind) => entry(archiveTile({ tier: 5, kind }, bucket))),
      archiveZoom: 15,
    },
    async (bytes) => String(bytes.length),
  );
}

test.each<[BucketKind[], boolean]>([
  [['near'], true],
  [['near', 'whole'], true],
  // Only the centre of a feature is in the box.
  [['whole'], false],
  [[], false],
])(
  'a region in the bounding box of a cell with buckets of %j is charted: %s',
  async (kinds, charted) => {
    const { note } = await plan([10, 50, 11, 51], kinds);
    expect([note.charted, note.notices.includes(UNCHARTED_NOTICE)]).toEqual([charted, !charted]);
    expect(note.cells.map(({ name }) => name)).toEqual(['ZZ500000']);
  },
);

test('reads of the styles do not make them again while they are in memory', async () => {
  const { pieces } = await plan([10, 50, 11, 51], []);
  const styles = pieces.find((piece) => piece.source === 'made' && piece.name === 'styles');
  if (styles?.source !== 'made') throw new Error('The plan has no styles.');
  expect(styles.bytes()).toBe(styles.bytes());
});

test.each<[GeoBounds, number, GeoBounds]>([
  [[177, -19, -178, -16], 179.5, [-180, -19, 180, -16]],
  [[179, -19, -176, -16], -178.5, [-180, -19, 180, -16]],
  [[10, -19, 15, -16], 12.5, [10, -19, 15, -16]],
])(
  'the archives of the region %j have their center at longitude %d',
  async (box, longitude, bounds) => {
    const { chart, query } = await plan(box, ['near']);
    const headers = [chart, query!].map(({ head }) => bytesToHeader(Uint8Array.from(head).buffer));
    for (const { minLon, minLat, maxLon, maxLat, centerLon, centerLat } of headers) {
      expect([minLon, minLat, maxLon, maxLat]).toEqual(bounds);
      expect([centerLon, centerLat]).toEqual([longitude, -17.5]);
    }
    expect(headers[0]!.centerZoom).toBe(6);
  },
);
