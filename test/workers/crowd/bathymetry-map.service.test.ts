// The caller's own soundings on a map: boxes, zooms, thinning and limits.

import { describe, expect, test } from 'vitest';
import { sendSoundings, soundingAfter, voyage } from '../../support/soundings.ts';
import { useTrackService } from '../../support/track-service.ts';

const { ask, json, keep, query, service } = useTrackService();

describe('soundings for a map', () => {
  const at = (longitude: number, latitude: number, depth: number, seconds = 0) => ({
    ...soundingAfter(seconds, depth),
    longitude,
    latitude,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const near = async (bbox: string, zoom: number): Promise<any[]> =>
    (await json(`/soundings?bbox=${bbox}&zoom=${zoom}`)).features;

  test('soundings for a map that are close together are one point with their number and least depth', async () => {
    await keep([at(10, 50, 4.5), at(10.0001, 50.0001, 3, 1), at(10.5, 50, 20, 2)]);
    const features = await near('9,49,11,51', 8);
    expect(features).toEqual([
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [10.00005, 50.00005] },
        properties: { count: 2, depth: 3, meanDepth: 3.75 },
      },
      expect.objectContaining({ properties: { count: 1, depth: 20, meanDepth: 20 } }),
    ]);
    expect(await near('9,49,11,51', 22)).toHaveLength(3);
    expect(await near('9,49,11,51', 0)).toHaveLength(1);
  });

  test('soundings for a map are those within the box, also of tracks that were appended to', async () => {
    const platform = { uniqueId: 'm' };
    await keep([at(10, 50, 1)], { platform });
    await keep([at(12, 50, 2, 1)], { platform });
    const counts = async (bbox: string) =>
      (await near(bbox, 10)).map((f) => f.properties.depth).sort();
    expect(await counts('9,49,13,51')).toEqual([1, 2]);
    expect(await counts('11.5,49,13,51')).toEqual([2]);
    expect(await counts('10.5,49,11.5,51')).toEqual([]);
    expect(await counts('9,50.1,13,51')).toEqual([]);
  });

  test('soundings for a map are found on both sides of 180°', async () => {
    await keep([at(179.9, 0, 1), at(-179.9, 0, 2, 1), at(0, 0, 3, 2)]);
    const depths = (await near('179,-1,-179,1', 12)).map((f) => f.properties.depth);
    expect(depths.sort()).toEqual([1, 2]);
  });

  test('soundings for a map add up to all, for any zoom', async () => {
    const soundings = voyage(5000, 3);
    await keep(soundings);
    for (const zoom of [0, 7.9, 12, 15, 18, 22]) {
      const features = await near('-180,-90,180,90', zoom);
      const total = features.reduce((sum, { properties }) => sum + properties.count, 0);
      expect(total).toBe(5000);
      const least = Math.min(...features.map(({ properties }) => properties.depth));
      expect(least).toBe(Math.min(...soundings.map(({ depth }) => depth)));
    }
  });

  test('soundings for a map report that there are more than the limit, and show the newest', async () => {
    const batch = (seed: number) => sendSoundings(service(), { soundings: voyage(45_000, seed) });
    await batch(1);
    await batch(2);
    const answer = await json('/soundings?bbox=-180,-90,180,90&zoom=10');
    expect(answer.truncation).toEqual({ found: 90_000, returned: 75_000 });
    const total = answer.features.reduce(
      (sum: number, { properties }: { properties: { count: number } }) => sum + properties.count,
      0,
    );
    expect(total).toBe(answer.truncation.returned);
  });

  test('soundings for a map are the first of a track with more than the limit', async () => {
    await keep([at(10, 50, 1)]);
    await keep([at(10, 50, 2)]);
    await query(`
      UPDATE track SET point_count = 80000,
        points = decode(repeat(encode(points, 'hex'), 80000), 'hex')`);
    const { features, truncation } = await json('/soundings?bbox=9,49,11,51&zoom=10');
    expect(features).toMatchObject([{ properties: { count: 75_000, depth: 2 } }]);
    expect(truncation).toEqual({ found: 160_000, returned: 75_000 });
  });

  test('soundings for a map are found among very many tracks that the database has not counted yet', async () => {
    await keep([at(10, 50, 1)]);
    await query('ALTER TABLE track SET (autovacuum_enabled = off)');
    await query(`
      INSERT INTO track SELECT account_id, subject, gen_random_uuid(), about_id, NULL, start_time,
        end_time, point_count, byte_size, -170, -80, 170, 80, points, created_at, updated_at
      FROM track, generate_series(1, 20000)`);
    await query(`
      INSERT INTO track_chunk SELECT account_id, subject, id, 1, points FROM track LIMIT 10000`);
    const features = await near('9,49,11,51', 10);
    expect(features).toMatchObject([{ properties: { count: 30_001, depth: 1 } }]);
  });

  test.each([
    ['', 'bbox'],
    ['?bbox=1,2,3&zoom=3', 'bbox'],
    ['?bbox=1,2,3,x&zoom=3', 'bbox'],
    ['?bbox=1,5,3,2&zoom=3', 'bbox'],
    ['?bbox=1,2,3,4', 'zoom'],
    ['?bbox=1,2,3,4&zoom=-1', 'zoom'],
    ['?bbox=1,2,3,4&zoom=23', 'zoom'],
    ['?bbox=1,2,3,4&zoom=x', 'zoom'],
  ])('soundings for a map refuse %s', async (query, path) => {
    const response = await ask(`/soundings${query}`);
    const body = (await response.json()) as { code: string; errors: { path: string }[] };
    expect([response.status, body.code, body.errors[0]?.path]).toEqual([400, 'bad_query', path]);
  });
});
