// GeoJSON tiles that are too large: positions are rounded, then features hidden by SCAMIN and small ones removed.

import { describe, expect, test } from 'vitest';
import { ALWAYS_DRAWN_CLASSES } from '../../../shared/chart/always-drawn.ts';
import { CLASS_RULES } from '../../../tiles-build/portray/portray-cell.ts';
import { fitRaw, NOT_DRAWN } from '../../../tiles-build/slice/fit-raw.ts';
import { DataTiles } from '../../support/data-tiles.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

interface Collection {
  readonly leftOut?: number;
  readonly features: readonly {
    readonly id: string;
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
  }[];
}

const read = (bytes: Uint8Array): Collection =>
  JSON.parse(new TextDecoder().decode(bytes)) as Collection;

/** A winding line whose vertices are a thousandth of a pixel of zoom 11 apart. */
function windingLine(id: string, vertices: number, seed: number): string {
  const random = seededRandom(seed);
  const coordinates = Array.from({ length: vertices }, (_, i) => [
    10 + i * 1e-6 + random() * 1e-6,
    50 + Math.sin(i / 500) * 0.01 + random() * 1e-6,
  ]);
  const geometry = { type: 'LineString', coordinates };
  return JSON.stringify({ type: 'Feature', id, properties: { layerId: 'DEPCNT' }, geometry });
}

const pointOf = (id: string, layerId: string, coordinates: unknown, attributes = {}): string =>
  JSON.stringify({
    ...{ type: 'Feature', id, properties: { layerId, attributes } },
    geometry: { type: 'Point', coordinates },
  });

/** A square much smaller than a pixel. */
function speck(id: string): string {
  const ring = [
    [10, 50],
    [10.0000005, 50],
    [10.0000005, 50.0000005],
    [10, 50],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  return JSON.stringify({ type: 'Feature', id, properties: { layerId: 'LNDARE' }, geometry });
}

describe('fitRaw', () => {
  const lines = [windingLine('a', 2000, 1), NOT_DRAWN + windingLine('b', 2000, 2), speck('c')];
  const light = pointOf('d', 'LIGHTS', [10.1234567, 50.7654321]);
  const raw = [windingLine('a', 2000, 1), windingLine('b', 2000, 2), speck('c')];

  test('leaves a tile that fits unchanged, including features hidden by SCAMIN', () => {
    const { bytes, removedParts } = fitRaw(lines, { zoom: 10 });
    expect(removedParts).toBe(0);
    const collection = read(bytes);
    expect(collection.leftOut).toBeUndefined();
    expect(collection.features).toEqual(raw.map((line) => JSON.parse(line)));
  });

  test('rounds positions to a quarter of a pixel before it removes features', () => {
    const { bytes, removedParts } = fitRaw([...lines, light], { zoom: 10, bytes: 50_000 });
    expect(bytes.length).toBeLessThanOrEqual(50_000);
    expect(removedParts).toBe(0);
    const { features, leftOut } = read(bytes);
    expect(features.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(features[3]).toEqual(JSON.parse(light));
    expect(leftOut).toBeUndefined();
    const line = features[0]!.geometry.coordinates as [number, number][];
    expect(line.length).toBeGreaterThan(2);
    expect(line.length).toBeLessThan(200);
    for (const position of line) {
      for (const degrees of position) expect(degrees).toBe(Math.round(degrees * 1e4) / 1e4);
    }
  });

  test('then removes and counts features hidden by SCAMIN', () => {
    const drawn = Array.from({ length: 10 }, (_, i) => windingLine(`drawn${i}`, 50, i));
    const hidden = Array.from({ length: 100 }, (_, i) => NOT_DRAWN + windingLine(`${i}`, 50, i));
    const { bytes, removedParts } = fitRaw([...drawn, ...hidden], { zoom: 10, bytes: 3000 });
    expect(bytes.length).toBeLessThanOrEqual(3000);
    expect(removedParts).toBe(100);
    expect(read(bytes).leftOut).toBe(100);
    expect(read(bytes).features).toHaveLength(10);
  });

  test('then removes only features smaller than a pixel', () => {
    const large = Array.from({ length: 20 }, (_, i) => windingLine(`large${i}`, 5000, i));
    const small = Array.from({ length: 200 }, (_, i) => windingLine(`small${i}`, 20, i));
    const { bytes, removedParts } = fitRaw([...small, ...large], { zoom: 10, bytes: 20_000 });
    expect(bytes.length).toBeLessThanOrEqual(20_000);
    expect(removedParts).toBe(200);
    const { features, leftOut } = read(bytes);
    expect(leftOut).toBe(200);
    expect(features.map(({ id }) => id)).toEqual(large.map((_, i) => `large${i}`));
  });

  /** Adjacent harbours without a coarser chart: rocks, piers, islets, lights and soundings. */
  function harbours(count: number, seed: number): string[] {
    const random = seededRandom(seed);
    const near = (i: number) => [
      10 + (i % 40) * 0.006 + random() * 0.004,
      50 + Math.floor(i / 40) * 0.006 + random() * 0.004,
    ];
    const feature = (id: string, layerId: string, geometry: unknown, attributes = {}) =>
      JSON.stringify({ type: 'Feature', id, properties: { layerId, attributes }, geometry });
    return Array.from({ length: count }, (_, i) => i).flatMap((i) => {
      const [x, y] = near(i) as [number, number];
      const ring = [[x, y], [x + 1e-4, y], [x, y + 1e-4], [x, y]]; // biome-ignore format: one ring
      const depths = Array.from({ length: 20 }, () => [
        ...near(i),
        Math.round(random() * 200) / 10,
      ]);
      const VALSOU = Math.round(random() * 200) / 10;
      return [
        // Classes of inland charts can be in small letters.
        feature(
          `rock${i}`,
          i % 2 ? 'UWTROC' : 'uwtroc',
          { type: 'Point', coordinates: [x, y] },
          { VALSOU },
        ),
        feature(`pier${i}`, 'SLCONS', { type: 'LineString', coordinates: ring.slice(0, 3) }),
        feature(`islet${i}`, 'LNDARE', { type: 'Polygon', coordinates: [ring] }),
        feature(`light${i}`, 'LIGHTS', { type: 'Point', coordinates: [x, y] }),
        feature(`depths${i}`, 'SOUNDG', { type: 'MultiPoint', coordinates: depths }),
      ];
    });
  }

  test.each([100_000, 40_000, 20_000])(
    'keeps thousands of crowded features within %d bytes, with the shoalest rock and sounding near each removed one',
    (bytes) => {
      const lines = harbours(500, 7);
      const made = fitRaw(lines, { zoom: 10, bytes });
      expect(made.bytes.length).toBeLessThanOrEqual(bytes);
      const kept = read(made.bytes);
      expect(kept.leftOut).toBe(made.removedParts);
      type Kept = { properties: { layerId: string; attributes: { VALSOU?: number } } };
      const features = kept.features as unknown as (Kept & Collection['features'][number])[];
      // The diagonal of a square of the coarsest tolerance, plus the size of features in it.
      const reach = (3 * 128 * 360) / 2 ** 10 / 512;
      const isRock = (of: Kept) => of.properties.layerId.toUpperCase() === 'UWTROC';
      const rocks = features.filter(isRock);
      const soundings = features.flatMap(({ properties, geometry }) =>
        properties.layerId === 'SOUNDG' ? (geometry.coordinates as number[][]) : [],
      );
      for (const line of lines) {
        const { properties, geometry } = JSON.parse(line) as (typeof features)[number];
        if (isRock({ properties })) {
          const [x, y] = geometry.coordinates as [number, number];
          const stands = rocks.some((rock) => {
            const at = rock.geometry.coordinates as [number, number];
            const isNear = Math.abs(at[0] - x) <= reach && Math.abs(at[1] - y) <= reach;
            return isNear && rock.properties.attributes.VALSOU! <= properties.attributes.VALSOU!;
          });
          expect(stands).toBe(true);
        } else if (properties.layerId === 'SOUNDG') {
          for (const [x, y, depth] of geometry.coordinates as number[][]) {
            const stands = soundings.some(
              ([kx, ky, kept]) =>
                Math.abs(kx! - x!) <= reach && Math.abs(ky! - y!) <= reach && kept! <= depth!,
            );
            if (!stands) throw new Error(`${depth} m at ${x}, ${y} is not represented`);
          }
        }
      }
      expect(features.some(({ properties }) => properties.layerId === 'LNDARE')).toBe(true);
    },
  );

  test('does not represent a danger by one of other dates', () => {
    const expired = pointOf('a', 'WRECKS', [10.1, 50], { VALSOU: 1, DATEND: '20200101' });
    const valid = pointOf('b', 'WRECKS', [10.1, 50], { VALSOU: 9 });
    const deeper = pointOf('c', 'WRECKS', [10.1, 50], { VALSOU: 10 });
    const { features } = read(fitRaw([expired, valid, deeper], { zoom: 10, bytes: 10 }).bytes);
    expect(features.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('removes the longest features at last, but no dangers', () => {
    const INFORM = 'x'.repeat(5000);
    const at = [10, 50];
    const lines = [
      pointOf('a', 'LIGHTS', at, { INFORM }),
      pointOf('b', 'BOYLAT', at),
      pointOf('c', 'WRECKS', at, { INFORM }),
    ];
    const { bytes, removedParts } = fitRaw(lines, { zoom: 10, bytes: 6000 });
    expect(bytes.length).toBeLessThanOrEqual(6000);
    expect(read(bytes).features.map(({ id }) => id)).toEqual(['b', 'c']);
    expect([removedParts, read(bytes).leftOut]).toEqual([1, 1]);
  });

  test('keeps small areas as areas', () => {
    const { features } = read(fitRaw([speck('c')], { zoom: 10, bytes: 10 }).bytes);
    expect(features[0]!.geometry).toEqual(JSON.parse(speck('c')).geometry);
  });
});

test('features that may be removed are in no vector tile of the zooms that the tile serves', async () => {
  const box = [5.01, 43.01, 5.09, 43.09] as const;
  const random = seededRandom(4);
  const classes = ['BOYSPP', 'PILPNT', 'UWTROC', 'LNDMRK', 'BUISGL', 'OBSTRN', 'LIGHTS'];
  const plan: WrittenPlan = {
    name: 'ZZ5HARBR',
    usageBand: 5,
    scaleDenominator: 12_000,
    areas: [
      ['M_COVR', box, { CATCOV: 1 }],
      ['DEPARE', box, { DRVAL1: 5, DRVAL2: 10 }],
    ],
    points: Array.from({ length: 200 }, (_, i) => {
      const at = [5.012 + random() * 0.07, 43.012 + random() * 0.07] as const;
      const scamin = Math.round(4000 * 2 ** (random() * 6));
      return [classes[i % classes.length]!, at, { SCAMIN: scamin, OBJNAM: `${i}` }] as const;
    }),
    soundings: [[5.05, 43.05, 7]],
    soundingWords: { SCAMIN: 4000 },
  };
  const cell = writtenCell(plan);
  const chart = await WrittenChart.of([cell]);
  // Limits that require removing all features hidden by SCAMIN, and no others.
  for (const [stored, served, limit] of [
    [10, [10], 16_000],
    [11, [11], 18_000],
    [12, [12, 13], 24_000],
  ] as const) {
    const tiles = await DataTiles.raw([cell], limit);
    let leftOut = 0;
    let soundings = 0;
    for (const tile of tiles.storedAt(stored)) {
      const { features, leftOut: count = 0 } = tiles.read(tile) as unknown as Collection;
      leftOut += count;
      soundings += features.filter(({ geometry }) => geometry.type === 'MultiPoint').length;
      const named = new Set(
        (features as unknown as { properties: { attributes: { OBJNAM?: string } } }[]).map(
          ({ properties }) => properties.attributes.OBJNAM,
        ),
      );
      for (const z of served) {
        const up = 2 ** (z - stored);
        for (let i = 0; i < up * up; i++) {
          const inner = { z, x: tile.x * up + (i % up), y: tile.y * up + Math.floor(i / up) };
          for (const layer of classes) {
            for (const { properties } of chart.tile(layer, inner)) {
              expect(named, `${layer} at zoom ${z}`).toContain(properties['nm']);
            }
          }
        }
      }
    }
    expect(leftOut, `left out at zoom ${stored}`).toBeGreaterThan(20);
    // A neighbouring chart may show soundings before their SCAMIN does.
    expect(soundings, `soundings at zoom ${stored}`).toBe(1);
  }
});

test('the classes that are always drawn are dangers and those of the display base', () => {
  const base = Object.keys(CLASS_RULES).filter(
    (acronym) => CLASS_RULES[acronym]!.isDisplayBase === true,
  );
  expect([...ALWAYS_DRAWN_CLASSES].sort()).toEqual([...base, 'UWTROC', 'OBSTRN', 'WRECKS'].sort());
});
