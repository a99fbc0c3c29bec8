// Searches in a circle: bounds of distances are correct, so that skipping a feature never loses a result.

import geodesic from 'geographiclib-geodesic';
import { expect, test } from 'vitest';
import { daysAt } from '../../../shared/chart/in-force.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { BucketWriter } from '../../../shared/query/bucket-writer.ts';
import { viewsOf } from '../../../shared/query/circle.ts';
import { DistanceBounds } from '../../../shared/query/distance-bounds.ts';
import { groundOf, isGroundClass } from '../../../shared/query/ground.ts';
import { GRID, type QueryRecord } from '../../../shared/query/record.ts';
import { searchBuckets } from '../../../shared/query/search.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_127;
const TODAY = daysAt(Date.UTC(2026, 10, 23));

test('DistanceBounds of a box contain the distance to each place of the box', () => {
  const random = seededRandom(SEED);
  for (let i = 0; i < 2000; i++) {
    const latitude = (random() * 2 - 1) * (i % 3 === 0 ? 84 : 70);
    const longitude = random() * 300 - 150;
    const radiusMeters = 10 ** (1 + random() * 3.3);
    const [view] = viewsOf({ longitude, latitude, radiusMeters });
    const bounds = new DistanceBounds(view!);
    const there = geodesic.Geodesic.WGS84.Direct(
      latitude,
      longitude,
      random() * 360,
      radiusMeters * random(),
    );
    const [x, y] = [there.lon2! * GRID, there.lat2! * GRID];
    const size = () => random() * (radiusMeters / 110_000) * GRID;
    const box = [x - size(), y - size(), x + size(), y + size()] as const;
    expect(bounds.atLeast(...box)).toBeLessThanOrEqual(there.s12! + 0.001);
    const farthest = bounds.atMost(...box);
    if (farthest <= radiusMeters) expect(farthest).toBeGreaterThanOrEqual(there.s12! - 0.001);
    expect(bounds.atMost(x, y, x, y)).toBeGreaterThanOrEqual(there.s12! - 0.001);
  }
});

test.each([
  [42, '{"drval1":2,"drval2":5}', ['water', 2, 5, 'DEPARE']],
  [42, '{"drval1":10,"drval2":3.4}', ['water', 3.4, 10, 'DEPARE']],
  [42, '{"drval2":5}', ['water', null, 5, 'DEPARE']],
  [17_003, '{"drval1":2,"drval2":5}', ['water', 2, 5, 'depare']],
  [17_021, '{}', ['structure', null, null, 'ponton']],
])('groundOf describes an area of class %i with %s', (classCode, attributes, expected) => {
  const facts = { classCode, cell: 'ZZ5DEMO1.3', agency: 1, number: 1, subdivision: 1, attributes };
  const square = [-10, -10, 10, -10, 10, 10, -10, 10].map((degrees) => (degrees * GRID) / 100);
  const [view] = viewsOf({ longitude: 0, latitude: 0, radiusMeters: 1 });
  const writer = new BucketWriter(view!.box);
  writer.add({ ...facts, shape: { type: 'area', polygons: [[square]] } });
  const { found } = searchBuckets([{ bucket: new Bucket(writer.finish()), view: view! }], {
    ...{ radiusMeters: 1, limit: 9, isWanted: isGroundClass, days: TODAY },
  });
  const { surface, minDepth, maxDepth, layerId } = groundOf(found);
  expect([surface, minDepth, maxDepth, layerId]).toEqual(expected);
});

const FACTS = { cell: 'ZZ5DEMO1.3', agency: 1, number: 1, subdivision: 1, attributes: '{}' };

test('searchBuckets finds each line with a repeated FOID, in two buckets, once', () => {
  const line = (classCode: number, x: number): QueryRecord => ({
    ...{ ...FACTS, classCode },
    shape: { type: 'line', lines: [[x, 0, x + 9, 9]] },
  });
  const part = (classCode: number, y: number): QueryRecord => ({
    ...{ ...FACTS, classCode },
    shape: { type: 'part', of: 'line', home: { z: 9, x: 1, y }, lines: [[0, 0, 5, 5]] },
  });
  const records = [line(30, 0), line(30, 4), line(43, 0), part(30, 1), part(30, 2), part(43, 1)];
  const writer = new BucketWriter({ left: 0, top: 0, right: 9, bottom: 9 });
  for (const record of records) writer.add(record);
  const bucket = new Bucket(writer.finish());
  const [view] = viewsOf({ longitude: 0, latitude: 0, radiusMeters: 9 });
  const open = { bucket, view: view! };
  const search = { radiusMeters: 9, limit: 9, isWanted: () => true, days: TODAY };
  expect(searchBuckets([open, open], search).total).toBe(records.length);
  expect(bucket.find({ ...FACTS, classCode: 43 })).toBe(5);
  expect(bucket.find({ ...FACTS, classCode: 30 })).toBe(4);
});

test('searchBuckets with radius 0 finds a point at its position', () => {
  const random = seededRandom(SEED + 2);
  const [view] = viewsOf({ longitude: 1, latitude: 1, radiusMeters: 1 });
  for (let i = 0; i < 200; i++) {
    const x = Math.round((random() * 2 - 1) * 179 * GRID);
    const y = Math.round((random() * 2 - 1) * 80 * GRID);
    const writer = new BucketWriter(view!.box);
    writer.add({ ...FACTS, classCode: 75, shape: { type: 'point', x, y } });
    const circle = { longitude: x / GRID, latitude: y / GRID, radiusMeters: 0 };
    const open = { bucket: new Bucket(writer.finish()), view: viewsOf(circle)[0]! };
    const search = { radiusMeters: 0, limit: 9, isWanted: () => true, days: TODAY };
    expect(searchBuckets([open], search).total).toBe(1);
  }
});

/** Points, lines and areas within a degree; some are in two buckets, like features on a border. */
function someBuckets(random: () => number, latitude: number): Uint8Array[] {
  const around = (degrees: number, reach: number) =>
    Math.round((degrees + (random() * 2 - 1) * reach) * GRID);
  const shapeOf = (i: number): QueryRecord['shape'] => {
    const [x, y] = [around(10, 0.5), around(latitude, 0.5)];
    if (i % 3 === 0) return { type: 'point', x, y };
    const [dx, dy] = [around(0, 0.2), around(0, 0.2)];
    if (i % 3 === 1) return { type: 'line', lines: [[x, y, x + dx, y + dy, x + 2 * dx, y]] };
    return { type: 'area', polygons: [[[x, y, x + Math.abs(dx), y, x, y + Math.abs(dy)]]] };
  };
  const records = Array.from({ length: 300 }, (_, i): QueryRecord => {
    const facts = {
      classCode: 42,
      cell: 'ZZ5DEMO1.3',
      agency: 1,
      subdivision: 1,
      attributes: '{}',
    };
    return { ...facts, number: i, shape: shapeOf(i) };
  });
  return [0, 1, 2].map((bucket) => {
    const writer = new BucketWriter({ left: 0, top: 0, right: 0, bottom: 0 });
    for (const [i, record] of records.entries()) {
      if (i % 3 === bucket || (i % 7 === 0 && i % 3 > 0)) writer.add(record);
    }
    return writer.finish();
  });
}

test('searchBuckets finds the same nearest features, distances and total with any limit', () => {
  const random = seededRandom(SEED + 1);
  for (const latitude of [0, -33, 58, 78]) {
    const buckets = someBuckets(random, latitude).map((bytes) => new Bucket(bytes));
    for (const radiusMeters of [300, 3000, 20_000, 60_000]) {
      const [view] = viewsOf({ longitude: 10, latitude, radiusMeters });
      const open = buckets.map((bucket) => ({ bucket, view: view! }));
      const search = { radiusMeters, isWanted: () => true, days: TODAY };
      const all = searchBuckets(open, { ...search, limit: 1000 });
      expect(all.total).toBe(all.found.length);
      for (const limit of [1, 10, 50]) {
        const few = searchBuckets(open, { ...search, limit });
        expect(few.total).toBe(all.total);
        expect(few.found.map(placeOf)).toEqual(all.found.slice(0, limit).map(placeOf));
      }
    }
  }
});

const placeOf = ({
  bucket,
  index,
  distanceMeters,
}: ReturnType<typeof searchBuckets>['found'][number]) => [bucket.identity(index), distanceMeters];
