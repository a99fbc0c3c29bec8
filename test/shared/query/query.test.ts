// The parts of the feature query: distances, buckets, and responses that are too large.

import geodesic from 'geographiclib-geodesic';
import { describe, expect, test } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { geodesicMeters } from '../../../shared/geo/geodesic.ts';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { archiveTile } from '../../../shared/query/bucket-layers.ts';
import { BucketWriter } from '../../../shared/query/bucket-writer.ts';
import { viewsOf } from '../../../shared/query/circle.ts';
import { describeFeature, METERS } from '../../../shared/query/describe.ts';
import { DrawnShape } from '../../../shared/query/drawn-shape.ts';
import { fitAnswer, keptShape } from '../../../shared/query/fit-answer.ts';
import { geometryText } from '../../../shared/query/geometry-text.ts';
import { mergeBuckets } from '../../../shared/query/merge-buckets.ts';
import { Nearness } from '../../../shared/query/nearness.ts';
import { GRID, type QueryRecord } from '../../../shared/query/record.ts';
import { attributeByAcronym } from '../../../shared/s57/vocabulary/attributes.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_126;
const BOX = { left: 0, top: 0, right: 1_000_000, bottom: 1_000_000 };

test('geodesicMeters agrees with another library at all distances', () => {
  const random = seededRandom(SEED);
  for (let i = 0; i < 2000; i++) {
    const reach = 10 ** (-6 + 8 * random());
    const [longitude, latitude] = [random() * 360 - 180, random() * 176 - 88];
    const x = longitude + (random() * 2 - 1) * reach;
    const y = Math.max(-89, Math.min(89, latitude + (random() * 2 - 1) * reach));
    const theirs = geodesic.Geodesic.WGS84.Inverse(latitude, longitude, y, x).s12!;
    expect(Math.abs(geodesicMeters(longitude, latitude, x, y) - theirs)).toBeLessThan(1e-3);
  }
});

test('geodesicMeters returns 0 for equal places, and the shorter way around the globe', () => {
  expect(geodesicMeters(12.3, 45.6, 12.3, 45.6)).toBe(0);
  expect(geodesicMeters(179.9, 0, -179.9, 0)).toBeCloseTo(geodesicMeters(0, 0, 0.2, 0), 6);
});

test('viewsOf contains every place within the radius, across 180° and near the poles', () => {
  const random = seededRandom(SEED + 1);
  for (let i = 0; i < 3000; i++) {
    const latitude = (random() * 2 - 1) * (i % 3 === 0 ? 84.9 : 70);
    const longitude = i % 2 === 0 ? 179.95 + random() * 0.1 : random() * 360 - 180;
    const radiusMeters = 10 ** (random() * 4.3);
    const bearing = random() * 360;
    const far = radiusMeters * random();
    const there = geodesic.Geodesic.WGS84.Direct(latitude, longitude, bearing, far);
    const [x, y] = [there.lon2! * GRID, there.lat2! * GRID];
    const views = viewsOf({ longitude, latitude, radiusMeters });
    const isSeen = views.some(
      ({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom,
    );
    expect(isSeen, JSON.stringify({ longitude, latitude, radiusMeters, bearing, far })).toBe(true);
  }
});

test('viewsOf is empty beyond the latitudes of the map', () => {
  expect(viewsOf({ longitude: 0, latitude: 90, radiusMeters: 20_000 })).toEqual([]);
  expect(viewsOf({ longitude: 0, latitude: -90, radiusMeters: 20_000 })).toEqual([]);
});

test('Nearness returns the distance to long and to short segments', () => {
  const random = seededRandom(SEED + 2);
  for (let i = 0; i < 150; i++) {
    const latitude = (random() * 2 - 1) * 72;
    const [view] = viewsOf({ longitude: 10, latitude, radiusMeters: 20_000 });
    const size = 10 ** (-3 + 4 * random());
    const ends = [0, 1].map(() => [
      10 + (random() * 2 - 1) * size,
      latitude + (random() * 2 - 1) * Math.min(size, 10),
    ]) as [[number, number], [number, number]];
    const line: Flat = ends.flat().map((degrees) => Math.round(degrees * GRID));
    const ours = new Nearness(view!, 20_000).toLines([line]);
    const theirs = leastBySampling(latitude, line);
    if (theirs <= 20_000) expect(Math.abs(ours - theirs)).toBeLessThan(0.01 + theirs * 1e-6);
    else expect(ours).toBeGreaterThan(20_000 - 1);
  }
});

/** The least distance to many places of the segment, and then to many places near the best one. */
function leastBySampling(latitude: number, [x0, y0, x1, y1]: Flat): number {
  const at = (t: number) =>
    geodesic.Geodesic.WGS84.Inverse(
      latitude,
      10,
      (y0! + (y1! - y0!) * t) / GRID,
      (x0! + (x1! - x0!) * t) / GRID,
    ).s12!;
  let [low, high] = [0, 1];
  for (let round = 0; round < 9; round++) {
    const steps = round === 0 ? 400 : 12;
    const ts = Array.from({ length: steps + 1 }, (_, i) => low + ((high - low) * i) / steps);
    const best = ts.reduce((a, b) => (at(b) < at(a) ? b : a));
    const step = (high - low) / steps;
    [low, high] = [Math.max(0, best - step), Math.min(1, best + step)];
  }
  return at((low + high) / 2);
}

const record = (shape: QueryRecord['shape'], number = 1): QueryRecord => ({
  classCode: 42,
  cell: 'ZZ5DEMO1.3',
  agency: 65_534,
  number,
  subdivision: 7,
  attributes: '{"objnam":"Кабель","colour":[3,4],"drval1":-0.5}',
  shape,
});

const RECORDS: readonly QueryRecord[] = [
  record({ type: 'point', x: -1_519_999_999, y: 899_999_999 }),
  record({ type: 'point', x: 0, y: 0, depth: -1.2 }, 4_294_967_295),
  record({
    type: 'line',
    lines: [
      [0, 0, 10, -10],
      [1_800_000_000, 5, -1_800_000_000, 6, 7, 8],
    ],
  }),
  record({
    type: 'area',
    polygons: [
      [
        [0, 0, 9, 0, 9, 9],
        [3, 3, 4, 4, 4, 3],
      ],
      [[50, 50, 60, 50, 60, 60]],
    ],
  }),
  record({ type: 'part', of: 'line', home: { z: 15, x: 3, y: 32_767 }, lines: [[5, 5, 6, 6]] }),
  record({
    type: 'part',
    of: 'area',
    home: { z: 9, x: 0, y: 0 },
    reference: { x: 500_000, y: 17, inside: true },
    lines: [],
  }),
];

const bucketOf = (records: readonly QueryRecord[]): Uint8Array => {
  const writer = new BucketWriter(BOX);
  for (const one of records) writer.add(one);
  return writer.finish();
};
const recordsOf = (bytes: Uint8Array): QueryRecord[] => {
  const bucket = new Bucket(bytes);
  return Array.from({ length: bucket.count }, (_, i) => bucket.record(i));
};

test('Bucket returns every record that BucketWriter wrote', () => {
  expect(recordsOf(bucketOf(RECORDS))).toEqual(RECORDS);
  expect(recordsOf(bucketOf([]))).toEqual([]);
});

test('Bucket finds a record by its feature', () => {
  const bucket = new Bucket(bucketOf(RECORDS));
  expect(bucket.find(RECORDS[1]!)).toBe(1);
  expect(bucket.find({ ...RECORDS[1]!, cell: 'ZZ5DEMO2.3' })).toBeUndefined();
});

test('mergeBuckets returns the records of all buckets in order', () => {
  const fragments = [RECORDS.slice(0, 2), RECORDS.slice(2, 5), RECORDS.slice(5)].map(bucketOf);
  expect(recordsOf(mergeBuckets(fragments))).toEqual(RECORDS);
});

test('Bucket rejects truncated bytes and other versions', () => {
  const bytes = bucketOf(RECORDS);
  for (let length = 0; length < bytes.length; length += 3) {
    expect(() => new Bucket(bytes.slice(0, length)), `${length} bytes`).toThrow();
  }
  expect(() => new Bucket(bytes.map((byte, i) => (i === 0 ? 99 : byte)))).toThrow(RangeError);
});

test('archiveTile returns a different tile for each layer and bucket', () => {
  const names = [0, 1, 2, 3, 4, 5].flatMap((tier) =>
    (['near', 'whole'] as const).flatMap((kind) =>
      [
        [0, 0],
        [127, 0],
        [0, 127],
        [127, 127],
      ].map(([x, y]) => JSON.stringify(archiveTile({ tier, kind }, { z: 7, x: x!, y: y! }))),
    ),
  );
  expect(new Set(names).size).toBe(names.length);
});

describe('fitAnswer', () => {
  const zigzag = (vertices: number, height: number): DrawnShape =>
    new DrawnShape({
      type: 'line',
      lines: [
        Array.from({ length: vertices }, (_, i) => [i * 10, i % 2 === 0 ? 0 : height]).flat(),
      ],
    });

  test('keeps the full resolution if there are few vertices', () => {
    const shapes = [zigzag(50, 5), zigzag(50, 5)];
    expect(fitAnswer(shapes, 100)).toEqual(shapes);
  });

  test('simplifies the farthest shapes, and no more of them than necessary', () => {
    const shapes = [zigzag(50, 5), zigzag(50, 5), zigzag(50, 5)];
    const fitted = fitAnswer(shapes, 110);
    expect(fitted.map(({ simplifiedBy }) => simplifiedBy)).toEqual([undefined, undefined, 1]);
    expect(fitted.map(({ vertices }) => vertices)).toEqual([50, 50, 2]);
    expect(fitted[2]!.bounds).toEqual(shapes[2]!.bounds);
  });

  test('keeps bends of more than a metre', () => {
    // 300 units are about three metres.
    const corners: Flat = [0, 0, 1000, 300, 2000, 0, 3000, 300, 4000, 0];
    const shape = new DrawnShape({ type: 'line', lines: [corners] });
    expect(fitAnswer([shape, shape], 1)).toEqual([shape, shape]);
  });

  test('answers equally from a kept shape, which takes less memory if no answer has it in full', () => {
    const answerOf = (shape: DrawnShape) =>
      fitAnswer([shape], 40).map(({ text, bounds, simplifiedBy }) => [text, bounds, simplifiedBy]);
    const kept = keptShape(zigzag(50, 5), 40);
    expect(answerOf(kept)).toEqual(answerOf(zigzag(50, 5)));
    expect(kept.weight).toBeLessThan(zigzag(50, 5).weight / 10);
    // Nothing of this one can be left out, so its answer is not marked as simplified.
    expect(answerOf(keptShape(zigzag(50, 300), 40))).toEqual(answerOf(zigzag(50, 300)));
    const small = zigzag(30, 5);
    expect(keptShape(small, 40)).toBe(small);
  });
});

test.each<[name: string, outer: Flat, hole: Flat]>([
  ['anticlockwise outer rings', [0, 0, 9, 0, 9, 9], [4, 1, 8, 1, 8, 5]],
  ['clockwise outer rings', [0, 0, 9, 9, 9, 0], [4, 1, 8, 5, 8, 1]],
  ['outer rings and holes of the same winding', [0, 0, 9, 9, 9, 0], [4, 1, 8, 1, 8, 5]],
])('geometryText writes anticlockwise outer rings and clockwise holes: %s', (_, outer, hole) => {
  const onGrid = (ring: Flat) => ring.map((value) => value * GRID);
  const polygons = [[onGrid(outer), onGrid(hole)], [onGrid(outer)]];
  const { type, coordinates } = JSON.parse(geometryText({ type: 'area', polygons })) as {
    readonly type: string;
    readonly coordinates: readonly (readonly (readonly [number, number])[])[][];
  };
  expect(type).toBe('MultiPolygon');
  expect(coordinates.map((rings) => rings.map((ring) => doubleArea(ring.flat())))).toEqual([
    [81, -16],
    [81],
  ]);
  for (const ring of coordinates.flat()) expect(ring.at(-1)).toEqual(ring[0]);
});

test('describeFeature replaces codes by names, and adds units to numbers and hyphens to dates', () => {
  const { title, attributes } = describeFeature(17, {
    objnam: 'No. 1',
    boyshp: 4,
    colour: [3, 1],
    verlen: 2.5,
    verccl: 6.1,
    radius: 50,
    sordat: '20190501',
    persta: '--0401',
    inform: '',
  });
  expect(title).toMatch(/: No\. 1$/);
  expect(Object.fromEntries(attributes.map(({ id, value }) => [id, value]))).toEqual({
    objnam: 'No. 1',
    boyshp: 'pillar',
    colour: 'red, white',
    verlen: '2.5 m',
    verccl: '6.1 m',
    radius: '50 m',
    sordat: '2019-05-01',
    persta: '04-01 of every year',
    inform: 'unknown',
  });
});

test.each([
  ['colour', ['3', '', 4], 'red, green'],
  ['restrn', ['', 7], 'entry prohibited'],
  ['natsur', [4, '', '1/9'], 'sand, mud over rock'],
  ['tecsou', [''], 'unknown'],
  ['persta', '20200401', '04-01 of every year'],
  ['datsta', '20200401', '2020-04-01'],
  ['sursta', '--', '--'],
  ['curvel', 1, '1 knot'],
  ['valnmr', 2.5, '2.5 nautical miles'],
  ['valmag', -3.5, '-3.5°'],
  ['vallma', 4, '4°'],
  ['valacm', 8, '8′'],
  ['sigfrq', 300, '300 Hz'],
  ['lifcap', 12.5, '12.5 t'],
])('describeFeature puts %s %j into words', (id, value, words) => {
  expect(describeFeature(17, { [id]: value }).attributes[0]!.value).toBe(words);
});

test.each([
  [4, 'anchorage for a limited period of time'],
  [17_001, 'anchorage for pushing-navigation vessels'],
])('describeFeature puts a value of class %d into its own words', (classCode, words) => {
  expect(describeFeature(classCode, { catach: [10] }).attributes[0]!.value).toBe(words);
});

test('every attribute in metres is a number of the catalogue', () => {
  const types = [...METERS].map((id) => {
    const found = attributeByAcronym(id.toUpperCase()) ?? attributeByAcronym(id);
    return [id, found?.type];
  });
  expect(types.filter(([, type]) => type !== 'F' && type !== 'I')).toEqual([]);
});

test('describeFeature gives the national name to an object without another name', () => {
  expect(describeFeature(17, { nobjnm: 'Nordtonne' }).title).toMatch(/: Nordtonne$/);
});

test('describeFeature keeps codes that are not in the catalogue', () => {
  expect(describeFeature(999, { $12345: 'x', boyshp: 77 })).toEqual({
    title: 'Object class 999',
    attributes: [
      { id: '$12345', name: '$12345', value: 'x' },
      { id: 'boyshp', name: 'Buoy shape', value: '77' },
    ],
  });
});
