// Maritime boundaries of a background: over charts and outside of them, at every zoom of the tiles.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { zxyToTileId } from 'pmtiles';
import { beforeAll, describe, expect, test } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { cutPathAtAntimeridian } from '../../../tiles-build/background/antimeridian.ts';
import { backgroundDrawables } from '../../../tiles-build/background/background-drawables.ts';
import {
  findBackground,
  readBackground,
} from '../../../tiles-build/background/background-layers.ts';
import { cutBackground } from '../../../tiles-build/pipeline/cut-background.ts';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { BACKGROUND, computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { areaFeature, boxRing, lineFeature, writeLayer } from '../../support/background-files.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { buildGrounds, PLACES } from '../../support/four-grounds.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { openTiles, type TileReader } from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';
import { schemaFaults } from '../portray/schema-conformance.ts';

const INDICATOR = 'ne_10m_admin_0_boundary_lines_maritime_indicator';

/** Features of a source layer in a tile. */
const featuresIn = (tile: VectorTile | undefined, name: string) => {
  const layer = tile?.layers[name];
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i));
};

const tileOf = (z: number, [longitude, latitude]: readonly [number, number]) =>
  [z, Math.floor(mercatorX(longitude) * 2 ** z), Math.floor(mercatorY(latitude) * 2 ** z)] as const;

const folder = scratchFolder();

describe('boundaries of a background folder', () => {
  let tiles: TileReader;
  beforeAll(async () => {
    const background = join(folder, 'background');
    const { chartedWater, unchartedWater } = PLACES;
    writeLayer(background, INDICATOR, [
      lineFeature([unchartedWater, chartedWater], {
        featurecla: 'Marine Indicator Median',
        min_zoom: 5,
      }),
      lineFeature(
        [
          [179, -20],
          [-179, -22],
        ],
        { featurecla: 'Marine Indicator Treaty', min_zoom: 5 },
      ),
    ]);
    writeLayer(background, 'maritime_boundaries', [
      areaFeature([boxRing(-26, 9.9, -24.3, 11.1)], { name: 'Zone of Nowhere' }),
    ]);
    tiles = openTiles(wholeArchive(await buildGrounds(folder), 'enc-v2'));
  });

  test.each([
    ['on charted ground at the deepest zoom of the cell', 11, PLACES.chartedWater],
    ['on charted ground at the background’s zooms', 6, PLACES.chartedWater],
    ['outside of the chart at the background’s deepest zoom', 6, PLACES.unchartedWater],
  ] as const)('draw a line %s', async (_, zoom, place) => {
    const tile = await tiles.read(...tileOf(zoom, place));
    const lines = featuresIn(tile, 'bg_maritime_line').map(({ properties }) => properties);
    expect(lines).toContainEqual({ k: 'median', tx: 'Median line' });
  });

  test('draw area, outline and name of a zone', async () => {
    const tile = await tiles.read(...tileOf(8, PLACES.chartedWithoutDepths));
    const zone = { k: 'boundary', nm: 'Zone of Nowhere' };
    expect(featuresIn(tile, 'bg_maritime_area').map(({ properties }) => properties)).toEqual([
      zone,
    ]);
    expect(featuresIn(tile, 'bg_maritime_line').map(({ properties }) => properties)).toContainEqual(
      zone,
    );
    const label = await tiles.read(...tileOf(6, [-25.15, 10.5]));
    expect(featuresIn(label, 'bg_maritime_label').map(({ properties }) => properties)).toEqual([
      zone,
    ]);
  });

  test('do not remove chart and land from the tile', async () => {
    const tile = await tiles.read(...tileOf(6, PLACES.chartedWater));
    expect(Object.keys(tile?.layers ?? {})).toEqual(
      expect.arrayContaining(['bg_land', 'coverage', 'DEPARE', 'LNDARE', 'bg_maritime_line']),
    );
  });

  test.each([179.5, -179.5])('are cut at 180°: %d', async (at) => {
    const latitude = at > 0 ? -20.5 : -21.5;
    const tile = await tiles.read(...tileOf(6, [at, latitude]));
    const lines = featuresIn(tile, 'bg_maritime_line');
    expect(new Set(lines.map(({ properties }) => properties['k']))).toEqual(new Set(['treaty']));
    // No line runs around the world.
    const far = await tiles.read(...tileOf(6, [0, -21]));
    expect(featuresIn(far, 'bg_maritime_line')).toEqual([]);
  });
});

test('are cut at the crossing point', () => {
  const parts = cutPathAtAntimeridian([
    [178, 0],
    [-179, 3],
    [-178, 3],
    [179, 6],
  ]);
  expect(parts).toEqual([
    [
      [178, 0],
      [180, 2],
    ],
    [
      [-180, 2],
      [-179, 3],
      [-178, 3],
      [-180, 5],
    ],
    [
      [180, 5],
      [179, 6],
    ],
  ]);
});

describe.runIf(hasEncData)('Natural Earth’s maritime boundaries', () => {
  test('all become lines of the schema', () => {
    const layers = readBackground(findBackground(encData('background')));
    const maritime = layers.filter(({ layer }) => layer === 'bg_maritime');
    const path = join(encData('background'), `${INDICATOR}.geojson`);
    const given = JSON.parse(readFileSync(path, 'utf8')) as { features: unknown[] };
    const drawables = backgroundDrawables(maritime);
    expect(given.features.length).toBeGreaterThan(200);
    expect(drawables.length).toBe(given.features.length);
    expect(drawables.flatMap(schemaFaults)).toEqual([]);
    expect(new Set(drawables.map(({ properties }) => properties['k']))).toEqual(
      new Set(['disputed', 'treaty', 'median', 'limit']),
    );
  });

  test('are in the tiles between Cuba and Florida and off Japan', async () => {
    const clipper = await loadClipper();
    const layers = readBackground(findBackground(encData('background'))).filter(
      ({ layer }) => layer === 'bg_maritime',
    );
    const world = computeOwnership([], clipper).get(BACKGROUND)!;
    const tiles = new Map(
      [...cutBackground(layers, world, clipper).vector].map(({ tileId, bytes }) => [
        tileId,
        new VectorTile(new PbfReader(bytes)),
      ]),
    );
    for (const place of [
      [-82.5, 23.8],
      [129.3, 34.7],
    ] as const) {
      const tile = tiles.get(zxyToTileId(...tileOf(5, place)));
      expect(featuresIn(tile, 'bg_maritime_line').length, String(place)).toBeGreaterThan(0);
    }
    // No boundary is shown below its minimum zoom.
    expect(featuresIn(tiles.get(0), 'bg_maritime_line')).toEqual([]);
  });
});
