import { describe, expect, test } from 'vitest';
import { whereText } from '../../../workers/web/chart/search-list.ts';
import { findNames, foundText } from '../../../workers/web/chart/search-names.ts';
import { type UnrolledBounds, viewOf } from '../../../workers/web/chart/search-view.ts';
import { createClient } from '../../../workers/web/client/index.ts';
import { clientWithAnswers, json, noNetwork, problem } from '../../support/fetch-double.ts';

const BUOY = {
  name: 'Wick Fairway',
  objectClass: 'BOYSAW',
  objectClassName: 'Buoy, safe water',
  cell: 'ZZ5WICK1',
  position: { longitude: -19.98, latitude: -30.06 },
  zoom: 13,
};

/** A map that renders `features`. Its centre is about 160° west. */
const mapThatShows = (features: readonly object[]) =>
  ({
    getCenter: () => ({ wrap: () => ({ lng: -160.123456789, lat: 1e-9 }) }),
    queryRenderedFeatures: () => features,
  }) as never;
const shown = (properties: object, type: string, coordinates: unknown) => ({
  properties,
  geometry: { type, coordinates },
});
const signal = () => new AbortController().signal;

describe('findNames', () => {
  test('sends the wrapped centre of the map, rounded to about a metre', async () => {
    const { client, requests } = clientWithAnswers([json({ names: [BUOY], isComplete: false })]);
    const found = await findNames(mapThatShows([]), client.charts, 'wick', signal());
    expect(found).toEqual({ text: 'wick', names: [BUOY], isComplete: false });
    expect(Object.fromEntries(requests[0]!.query)).toEqual({ q: 'wick', near: '-160.12346,0' });
    expect(foundText(found)).toBe('1 name found (more names match).');
  });

  test('finds the names in view if the service fails: each point, other names once, the nearest first', async () => {
    const map = mapThatShows([
      shown({ nm: 'Wick Bay' }, 'Polygon', [[[1, 2]]]),
      shown({ nm: 'Wick Bay' }, 'Polygon', [[[3, 4]]]),
      shown({ nm: '2', nn: 'Wick Ost' }, 'Point', [5, 6]),
      shown({ nm: '2', nn: 'Wick Ost' }, 'Point', [5.00001, 6]),
      shown({ nm: '2', nn: 'Wick Ost' }, 'Point', [7, 8]),
      shown({ nm: 'WICK Road' }, 'Point', [9, 10]),
      shown({ nm: 'WICK Road' }, 'MultiPolygon', [[[[11, 12]]]]),
      shown({ cell: 'US5WICKM' }, 'LineString', [[13, 14]]),
      shown({ nm: 'Candle' }, 'Point', [15, 16]),
      shown({}, 'Point', [17, 18]),
    ]);
    const { client } = clientWithAnswers([problem(503, 'charts_unavailable')], { retries: 0 });
    const { names, isComplete } = await findNames(map, client.charts, 'wick', signal());
    expect(isComplete).toBe(true);
    expect(names.map(({ name, position }) => `${name} ${Object.values(position)}`)).toEqual([
      'Wick Bay 1,2',
      'Wick Ost 5.00001,6',
      'Wick Ost 7,8',
      'WICK Road 9,10',
      'US5WICKM 13,14',
    ]);
  });

  test.each([
    [noNetwork(), 'the service cannot be reached'],
    [problem(401, 'token_expired'), 'the token of this page is no longer valid'],
    [problem(403, 'scope_required'), 'the token of this page does not allow searches'],
    [problem(400, 'bad_query'), 'the service rejected this search text'],
    [problem(404, 'not_found'), 'the search service is not available right now'],
    [problem(429, 'too_many_requests'), 'there were too many searches in a short time'],
    [problem(503, 'charts_unavailable'), 'the search service is not available right now'],
  ])('reports that only the names in view were searched, and why: case %#', async (answer, why) => {
    const { client } = clientWithAnswers([answer], { retries: 0 });
    const found = await findNames(mapThatShows([]), client.charts, 'wick', signal());
    expect(foundText(found)).toBe(
      `No results in view for “wick”. Only the chart in view was searched: ${why}.`,
    );
  });

  test('limits the number of names in view and reports that there are more', async () => {
    const all = Array.from({ length: 300 }, (_, i) => shown({ nm: `No. ${i}` }, 'Point', [i, 0]));
    const { client } = clientWithAnswers([noNetwork()], { retries: 0 });
    const found = await findNames(mapThatShows(all), client.charts, 'no', signal());
    expect(found.names).toHaveLength(20);
    expect(foundText(found)).toMatch(
      /^20 names found \(more names match\)\. Only the chart in view/,
    );
  });

  test('rejects with the abort reason if the search is aborted before the request fails', async () => {
    const controller = new AbortController();
    const { charts } = createClient({
      address: 'https://charts.example',
      token: 'the-token',
      retries: 0,
      fetch: async () => {
        controller.abort(new Error('aborted'));
        throw new TypeError('fetch failed');
      },
    });
    const result = findNames(mapThatShows([]), charts, 'wick', controller.signal);
    await expect(result).rejects.toThrow('aborted');
  });

  test.each([
    [0, 'No results for “wick”.'],
    [1, '1 name found.'],
    [5, '5 names found.'],
  ])('states the number of names: %i', (count, text) => {
    const names = Array(count).fill(BUOY);
    expect(foundText({ text: 'wick', names, isComplete: true })).toBe(text);
  });
});

describe('whereText', () => {
  const at = (longitude: number, latitude: number) => ({ longitude, latitude });
  test.each([
    // A minute of latitude at 45° is 1,852.2 metres long.
    [at(0, 44.99), at(0, 45.0066667), '1.00 NM, 000° T'],
    [at(-20, -30), at(-20, -31), '59.9 NM, 180° T'],
    [at(179.9, 0), at(-179.9, 0), '12.0 NM, 090° T'],
    [at(-20, -30), at(-20.00001, -30), 'at the centre'],
  ])('returns the distance and course from the map centre: case %#', (from, to, text) => {
    expect(whereText(from, to)).toBe(text);
  });
});

describe('viewOf', () => {
  const fitAtZoom = (zoom: number) => (bounds: UnrolledBounds, maxZoom: number) => ({
    center: [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2] as [number, number],
    zoom: Math.min(zoom, maxZoom),
  });
  const center = [BUOY.position.longitude, BUOY.position.latitude];

  test.each([
    [4, 13],
    [13.4, 13.4],
    [18, 14],
  ])('changes the zoom %d to %d for a point that is drawn from zoom 13', (zoom, seen) => {
    expect(viewOf(BUOY, zoom, fitAtZoom(0))).toEqual({ center, zoom: seen });
  });

  test('fits the whole area, also across 180°, at most one zoom beyond its first zoom', () => {
    const strait = { ...BUOY, bounds: [179, -2, -179, 2] as UnrolledBounds };
    expect(viewOf(strait, 4, fitAtZoom(13.5))).toEqual({ center: [180, 0], zoom: 13.5 });
    expect(viewOf(strait, 4, fitAtZoom(20))).toEqual({ center: [180, 0], zoom: 14 });
  });

  test('centres on the name if the area is hidden at the zoom that fits it', () => {
    const cable = { ...BUOY, bounds: [-60, -40, 10, 40] as UnrolledBounds };
    expect(viewOf(cable, 4, fitAtZoom(3))).toEqual({ center, zoom: 13 });
    expect(viewOf(cable, 4, fitAtZoom(12.9))).toEqual({ center, zoom: 13 });
    expect(viewOf(cable, 4, () => undefined)).toEqual({ center, zoom: 13 });
  });

  test('keeps the zoom for a name found in view, but at least 13', () => {
    const { name, position } = BUOY;
    expect(viewOf({ name, position }, 16, fitAtZoom(3))).toEqual({ center, zoom: 16 });
    expect(viewOf({ name, position }, 9, fitAtZoom(3))).toEqual({ center, zoom: 13 });
  });
});
