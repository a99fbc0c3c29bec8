// Predicted heights of the tide through the service, compared with a table that NOAA published.

import { describe, expect } from 'vitest';
import { demoTest as test } from '../support/fixtures.ts';

/** Heights that NOAA published for Craney Island Light (8638596): local time, feet above MLLW. */
const PUBLISHED = [
  ['2020-11-04T04:40', 0.378],
  ['2020-11-04T11:19', 3.046],
  ['2020-11-05T18:22', 0.518],
] as const;
const STATION = '-76.3383,36.8917';

describe('water-level', () => {
  test.for(PUBLISHED)('agrees with NOAA at %s', async ([local, feet], { service, check }) => {
    const time = Date.parse(`${local}-05:00`);
    for (const text of [new Date(time).toISOString(), String(time)]) {
      const path = `/api/v1/water-level?position=${STATION}&time=${text}`;
      const response = await service.get(path);
      expect(await check('GET', path, response.clone())).toEqual([]);
      const body = (await response.json()) as { height: number };
      expect(body).toMatchObject({
        time,
        datum: 'MLLW',
        station: { id: 'noaa/8638596' },
        distance: 0,
        notice: expect.stringContaining('Not for navigation'),
      });
      expect(Math.abs(body.height - feet * 0.3048)).toBeLessThan(0.02);
    }
  });

  test('has the next high and low water that NOAA published', async ({ service }) => {
    const start = Date.parse('2020-11-04T02:00-05:00');
    const response = await service.get(`/api/v1/water-level?position=${STATION}&time=${start}`);
    const { next } = (await response.json()) as {
      next: { isHigh: boolean; time: number; height: number }[];
    };
    expect(next.map(({ isHigh }) => isHigh)).toEqual([false, true]);
    for (const [i, [local, feet]] of PUBLISHED.slice(0, 2).entries()) {
      expect(Math.abs(next[i]!.time - Date.parse(`${local}-05:00`))).toBeLessThan(600_000);
      expect(Math.abs(next[i]!.height - feet * 0.3048)).toBeLessThan(0.02);
    }
  });

  test('is for now without a time, with an error that grows with the distance', async ({
    service,
  }) => {
    const before = Date.now();
    const at = async (position: string) =>
      (await (await service.get(`/api/v1/water-level?position=${position}`)).json()) as Record<
        string,
        number
      >;
    const near = await at(STATION);
    expect(near['time']! - before).toBeLessThan(60_000);
    const far = await at('-75.7,36.7');
    expect(far['distance']).toBeGreaterThan(10_000);
    expect(far['error']).toBeGreaterThan(0.3);
  });

  test('is 404 with the expected range in the middle of an ocean', async ({ service }) => {
    const response = await service.get('/api/v1/water-level?position=-30,30');
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { code: 'no_tide_station', expectedRange: expect.any(Number) },
    ]);
  });

  test.for([
    '',
    'position=1',
    'position=x,y',
    'position=0,91',
    `position=${STATION}&time=yesterday`,
    `position=${STATION}&time=9e15`,
    `position=${STATION}&time=2100-01-01`,
  ])('is 400 for ?%s', async (query, { service }) => {
    const response = await service.get(`/api/v1/water-level?${query}`);
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'bad_query' }]);
  });
});
