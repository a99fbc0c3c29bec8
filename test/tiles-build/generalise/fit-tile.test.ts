// Vector tiles that are too large: what remains, and that the shoalest point represents the others.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { decodeTile } from '../../../shared/mvt/decode.ts';
import {
  encodeTile,
  LayerBuilder,
  lineCommands,
  pointCommands,
  polygonCommands,
  type TileValue,
} from '../../../shared/mvt/encode.ts';
import { fitTile, MAX_TILE_BYTES } from '../../../tiles-build/generalise/fit-tile.ts';
import { seededRandom } from '../../support/seeded-random.ts';

type Point = readonly [x: number, y: number, properties: Record<string, TileValue>];

function pointLayer(name: string, points: readonly Point[]): LayerBuilder {
  const layer = new LayerBuilder(name);
  points.forEach(([x, y, properties], i) => {
    layer.add(i + 1, 1, properties, pointCommands([x, y]));
  });
  return layer;
}

const place = (random: () => number): number => Math.floor(random() * 4096);

/** Random dangers with depths, for a tile far above its limit. */
function dangers(seed: number, count: number): Point[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const dd = Math.floor(random() * 200) / 10 - 2;
    const ud = random() < 0.5 ? Math.floor(random() * 20) : -100;
    return [place(random), place(random), { sy: 'UWTROC04', dd, ud, mz: 5 + random() }] as const;
  });
}

const featuresOf = (bytes: Uint8Array, name: string) =>
  decodeTile(bytes, (layer) => layer === name).flatMap(({ features }) => features);

test('fitTile returns a tile that fits unchanged', () => {
  const bytes = encodeTile([pointLayer('UWTROC', dangers(1, 50))]);
  expect(fitTile(bytes)).toEqual({ bytes, removedParts: 0 });
});

describe.each([1, 2, 3])('fitTile for too many dangers and soundings (seed %d)', (seed) => {
  const LIMIT = 20_000;
  const rocks = dangers(seed, 4000);
  const random = seededRandom(seed + 100);
  const soundings = Array.from({ length: 6000 }, () => {
    const d = Math.floor(random() * 300) / 10;
    return [place(random), place(random), { d, dm: d * 10 }] as const;
  });
  const bytes = encodeTile([pointLayer('UWTROC', rocks), pointLayer('SOUNDG', soundings)]);
  const fitted = fitTile(bytes, LIMIT);

  test('makes the tile fit', () => {
    expect(gzipSync(bytes).length).toBeGreaterThan(LIMIT);
    expect(gzipSync(fitted.bytes).length).toBeLessThanOrEqual(LIMIT);
  });

  test('keeps the order of soundings, the shallowest last', () => {
    const depths = featuresOf(fitted.bytes, 'SOUNDG').map(({ properties }) =>
      Number(properties['d']),
    );
    expect(depths.length).toBeGreaterThan(50);
    expect(depths).toEqual(depths.toSorted((a, b) => b - a));
  });

  test('counts every danger in the one that represents it', () => {
    const kept = featuresOf(fitted.bytes, 'UWTROC');
    const counted = kept.reduce((sum, { properties }) => sum + Number(properties['n'] ?? 1), 0);
    expect(counted).toBe(rocks.length);
    expect(fitted.removedParts).toBe(
      rocks.length + soundings.length - kept.length - featuresOf(fitted.bytes, 'SOUNDG').length,
    );
  });

  test('keeps the shoalest point, and an isolated danger for every safety contour that had one', () => {
    const kept = featuresOf(fitted.bytes, 'UWTROC').map(({ properties }) => properties);
    const least = (of: readonly Record<string, TileValue>[], key: string) =>
      Math.min(...of.map((properties) => Number(properties[key])));
    const all = rocks.map(([, , properties]) => properties);
    expect(least(kept, 'dd')).toBe(least(all, 'dd'));
    expect(
      least(
        featuresOf(fitted.bytes, 'SOUNDG').map(({ properties }) => properties),
        'd',
      ),
    ).toBe(
      least(
        soundings.map(([, , properties]) => properties),
        'd',
      ),
    );
    const hasIsolated = (of: readonly Record<string, TileValue>[], limit: number) =>
      of.some(({ dd, ud }) => Number(dd) <= limit && Number(ud) >= limit);
    for (let limit = 0; limit <= 20; limit++) {
      expect(hasIsolated(kept, limit)).toBe(hasIsolated(all, limit));
    }
  });
});

test('fitTile makes half a million bytes of land and coast fit and keeps islets as specks', () => {
  const random = seededRandom(5);
  const land = new LayerBuilder('LNDARE');
  const coast = new LayerBuilder('COALNE');
  for (let i = 1; i <= 40_000; i++) {
    const [x, y] = [place(random), place(random)];
    const ring = [0, 1, 2, 3, 4, 5].flatMap((k) => [
      Math.round(x + 3 * Math.cos(k) + random()),
      Math.round(y + 3 * Math.sin(k) + random()),
    ]);
    land.add(i, 3, { bn: 5 }, polygonCommands([[ring]]));
    coast.add(i, 2, { bn: 5 }, lineCommands([ring]));
  }
  const bytes = encodeTile([land, coast]);
  expect(gzipSync(bytes).length).toBeGreaterThan(MAX_TILE_BYTES);
  const { bytes: small, removedParts } = fitTile(bytes);
  expect(gzipSync(small).length).toBeLessThanOrEqual(MAX_TILE_BYTES);
  expect(removedParts).toBeGreaterThan(0);
  const rings = featuresOf(small, 'LNDARE').flatMap(({ paths }) => paths);
  expect(rings.length).toBeGreaterThan(1000);
  expect(rings.every((ring) => doubleArea(ring) > 0)).toBe(true);
});

/** What remains of a few points next to each other, or of a short line, in a tile that is too large. */
function keptBeside(layer: LayerBuilder) {
  const random = seededRandom(9);
  const others = Array.from({ length: 3000 }, () => [place(random), place(random), {}] as const);
  const bytes = encodeTile([layer, pointLayer('PILPNT', others)]);
  return featuresOf(fitTile(bytes, bytes.length / 4).bytes, layer.name);
}

test.each([
  [{ rz: 9.9 }, {}, undefined],
  [{ rz: 9.9 }, { rz: 8.5 }, 8.5],
])('fitTile shows a danger as early as the first that it represents', (a, b, rz) => {
  const danger = (dd: number, more: Record<string, TileValue>) => ({
    sy: 'OBSTRN01',
    dd,
    ud: 50,
    ...more,
  });
  const kept = keptBeside(
    pointLayer('OBSTRN', [
      [100, 100, danger(1, a)],
      [101, 101, danger(2, b)],
    ]),
  );
  expect(kept.map(({ properties }) => [properties['dd'], properties['rz']])).toEqual([[1, rz]]);
});

test.each([
  ['LIGHTS', { vn: 2 }, { vn: 25, mj: 1 }],
  ['LIGHTS', { vn: 2 }, { vn: 9 }],
  ['LNDMRK', {}, { cv: 1 }],
  ['LNDMRK', { el: 10 }, { el: 50 }],
])('fitTile keeps the more important of two points of %s', (name, less, more) => {
  const kept = keptBeside(
    pointLayer(name, [
      [100, 100, { sy: 'A', ...less }],
      [105, 101, { sy: 'A', ...more }],
      [106, 102, { sy: 'A', ...less }],
    ]),
  );
  expect(kept.map(({ properties }) => properties)).toEqual([{ sy: 'A', ...more, n: 3 }]);
});

test.each([{}, { ds: 20250101 }])(
  'fitTile keeps a point with a symbol next to a more important one without: %j',
  (dates) => {
    const points: Point[] = [
      [100, 100, { el: 50, ...dates }],
      [105, 101, { sy: 'A', ...dates }],
    ];
    expect(keptBeside(pointLayer('LNDMRK', points))).toHaveLength(2);
  },
);

test.each(['LNDARE', 'SLCONS', 'OFSPLF', 'PYLONS', 'HULKES'])(
  'fitTile keeps small areas of %s',
  (name) => {
    const layer = new LayerBuilder(name);
    layer.add(1, 3, { bn: 5 }, polygonCommands([[[100, 100, 102, 100, 102, 102, 100, 102]]]));
    expect(keptBeside(layer).map(({ type }) => type)).toEqual([3]);
  },
);

test('fitTile keeps islands that are lines', () => {
  const layer = new LayerBuilder('LNDARE');
  layer.add(1, 2, { bn: 5 }, lineCommands([[100, 100, 101, 101]]));
  expect(keptBeside(layer).map(({ type }) => type)).toEqual([2]);
});
