// Compares the OpenAPI document with responses: the order and units of values. The demo port is at
// 30° south and 20° west, so each coordinate is recognizable as a latitude or a longitude.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { NamesAnswer } from '../../shared/contract/names.ts';
import { distanceMeters } from '../../shared/geo/earth.ts';
import type { OpenApi } from '../../workers/service/http/openapi.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { withInlineSchemas } from '../support/openapi.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

/** A value of a response: its path and the nearest matching description. */
interface Described {
  readonly at: string;
  readonly value: unknown;
  readonly words: string;
}

const PLACE = { longitude: -19.99, latitude: -30.01 };
const WAYPOINTS = [
  [-30.005, -20.012],
  [-30.02, -19.96],
];
const SPEED_KNOTS = 6;
const EDGES = { west: -20.1, south: -30.1, east: -19.9, north: -29.9 };
const isLatitude = (value: number) => Math.abs(value + 30) < 2;
const isLongitude = (value: number) => Math.abs(value + 20) < 2;

let service: ServiceWithDatabase;
let operations: ReadonlyMap<string, Operation>;
const answers = new Map<string, unknown>();

const post = async (path: string, body: unknown) =>
  (await service.get(path, { method: 'POST', body: JSON.stringify(body) })).json();
const get = async (path: string) => (await service.get(path)).json();

beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  const { paths, components } = (await get('/openapi.json')) as OpenApi;
  operations = new Map(
    Object.values(withInlineSchemas(paths, components.schemas))
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation as Operation]),
  );
  const token = await service.token();
  const time = 1_780_000_000_000;
  const made = (await post('/api/v1/user-reports/bathymetry', {
    platform: { uniqueId: 'claims' },
    soundings: [0, 1].map((i) => ({ ...PLACE, depth: 7 + i, time: time + i * 1000 })),
  })) as { tracks: { id: string }[] };
  const report = await post('/api/v1/user-reports', {
    reportType: 'hazard',
    position: PLACE,
    properties: {},
  });
  const style = { name: 'claims', baseTheme: 'day' };
  const near = { position: PLACE, radius: 1500, zoom: 16 };
  const coordinates = WAYPOINTS.map(([latitude, longitude]) => [longitude, latitude]);
  const line = { geometry: { type: 'LineString', coordinates }, numSamples: 20 };
  const tracks = '/api/v1/user-reports/bathymetry';
  const box = Object.values(EDGES).join(',');
  const route = {
    waypoints: WAYPOINTS,
    vessel: { draft: 2, speed: SPEED_KNOTS },
    departureTime: time,
    include: ['geojson'],
  };
  for (const [id, answer] of [
    ['createUserReport', report],
    ['listUserReports', await get('/api/v1/user-reports')],
    ['getTrack', await get(`${tracks}/${made.tracks[0]!.id}`)],
    ['listTracks', await get(tracks)],
    ['getSoundingsNear', await get(`${tracks}/soundings?bbox=${box}&zoom=12`)],
    ['createSavedStyle', await post('/api/portal/v1/styles', style)],
    ['queryFeatures', await post('/api/v1/enc_query?extras=true', near)],
    ['getDepthProfile', await post('/api/v1/depth-profile', line)],
    ['findNames', await get('/api/v1/names?q=wick')],
    ['planRoute', await post(`/api/v1/routing/route?token=${token}`, route)],
    ['planRegion', await get(`/api/v1/regions/plan?bbox=${box}&maxZoom=12`)],
    ['getTileJson', await get('/api/v2/tiles/enc-v2.json')],
    ['getGeojsonTile', await get('/api/v2/tiles/data-geojson-v1/14/7282/9623.json')],
  ] as const) {
    answers.set(id, answer);
  }
});
afterAll(() => service?.stop());

const alternatives = (schema: Schema): readonly Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(alternatives),
];

/** Every value below this one, each with the nearest matching description. */
function described(
  value: unknown,
  schemas: readonly Schema[],
  fits: RegExp,
  words = '',
  at = '',
): Described[] {
  const here = schemas.flatMap(alternatives);
  const own = here.find(({ description = '' }) => fits.test(description))?.description ?? words;
  const below = Array.isArray(value)
    ? value.flatMap((one, i) => {
        const next = here.flatMap(({ prefixItems, items }) => prefixItems?.[i] ?? items ?? []);
        return described(one, next, fits, own, `${at}[]`);
      })
    : Object.entries(typeof value === 'object' ? (value ?? {}) : {}).flatMap(([name, one]) => {
        const next = here.flatMap(({ properties }) => properties?.[name] ?? []);
        return described(one, next, fits, own, `${at}.${name}`);
      });
  return [{ at, value, words: own }, ...below];
}

const valuesOf = (id: string, fits: RegExp): Described[] => {
  const schemas = Object.entries(operations.get(id)!.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.values(content).map(({ schema }) => schema));
  return described(answers.get(id), schemas, fits).map((one) => ({ ...one, at: id + one.at }));
};

const allValues = (fits: RegExp) => [...answers.keys()].flatMap((id) => valuesOf(id, fits));

/** Whether the numbers are in the order that the description names. */
function isInOrder(numbers: readonly number[], words: string): boolean {
  const [pair = words] = /\[[^\]]*\]/.exec(words) ?? [];
  const named = pair.match(/latitude|longitude|west|south|east|north/gi);
  return numbers.every((value, i) =>
    /latitude|south|north/i.test(named?.[i] ?? '') ? isLatitude(value) : isLongitude(value),
  );
}

const ORDER = /latitude.*longitude|longitude.*latitude|west.*south/i;
const isPosition = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  (value.length === 2 || value.length === 4) &&
  value.every((one) => typeof one === 'number') &&
  value.some(isLatitude) &&
  value.some(isLongitude);

describe('the OpenAPI document', () => {
  it('names the order of every position in an answer, and it is that order', () => {
    const positions = allValues(ORDER).filter(({ value }) => isPosition(value));
    const wrong = positions.filter(({ value, words }) => !isInOrder(value as number[], words));
    expect([...new Set(wrong.map(({ at, words }) => `${at}: ${words}`))]).toEqual([]);
    for (const part of ['queryFeatures.results[].position', 'queryFeatures.results[].bbox[]']) {
      expect(positions.map(({ at }) => at)).toContain(part);
    }
    for (const part of ['planRoute.route[]', 'planRegion.bounds', 'getTrack.bbox[]']) {
      expect(positions.map(({ at }) => at)).toContain(part);
    }
  });

  it('finds a field with the wrong order', () => {
    expect(isInOrder([-30, -20], '[latitude, longitude], degrees')).toBe(true);
    expect(isInOrder([-30, -20], '[longitude, latitude], degrees')).toBe(false);
    expect(isInOrder([-30, -20, -29, -19], 'West, south, east, north')).toBe(false);
    expect(isInOrder([-30, -20], '')).toBe(false);
  });

  it('describes the order of the fields of enc_query correctly', () => {
    const { description = '' } = operations.get('queryFeatures')!;
    const positions = valuesOf('queryFeatures', ORDER).filter(({ value }) => isPosition(value));
    const claims = [...description.matchAll(/`position` is `\[(\w+), (\w+)\]`/g)];
    expect(claims).toHaveLength(1);
    for (const { at, value } of positions) {
      const [first] = value as number[];
      if (at.endsWith('.position')) expect(isInOrder(value as number[], claims[0]![0])).toBe(true);
      else expect([at, isLongitude(first!)]).toEqual([at, true]);
    }
    expect(description).toContain('in `geometry` and `bbox` the longitude comes first');
  });

  it('describes latitudes and longitudes correctly by their names', () => {
    const named = allValues(/^(Latitude|Longitude), degrees$/).filter(({ at }) =>
      /\.(latitude|longitude)$/.test(at),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const { at, value, words } of named) {
      const isRight = at.endsWith('latitude') ? isLatitude : isLongitude;
      expect([at, isRight(value as number), words.toLowerCase()]).toEqual([
        at,
        true,
        `${at.split('.').at(-1)}, degrees`,
      ]);
    }
  });

  it('describes each time as epoch milliseconds', () => {
    const times = allValues(/milliseconds/).filter(
      ({ at, value }) => /(Time|At|\.time|\.eta)$/.test(at) && typeof value === 'number',
    );
    expect(times.length).toBeGreaterThan(10);
    for (const { at, value, words } of times) {
      const year = new Date(value as number).getUTCFullYear();
      expect([at, words]).toEqual([at, expect.stringMatching(/epoch milliseconds\b/i)]);
      expect([at, year >= 2000 && year < 2100]).toEqual([at, true]);
    }
  });

  it('names the order of `bbox` and `near`', async () => {
    const values = { ...PLACE, ...EDGES };
    const claims = [...operations.values()].flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ name }) => name === 'bbox' || name === 'near')
        // The demo charts have no crowdsourced depths; crowd-depths.service.test.ts exports boxes.
        .filter(() => !operationId.startsWith('exportCrowdDepths'))
        .map(({ name, description }) => [operationId, name, description] as const),
    );
    expect(claims.map(([id, name]) => `${id} ${name}`).sort()).toEqual([
      'findNames near',
      'getRegion bbox',
      'getSoundingsNear bbox',
      'listUserReports bbox',
      'planRegion bbox',
    ]);
    for (const [id, name, description] of claims) {
      const [words = ''] = /^[\w,]+/.exec(description) ?? [];
      const inOrder = (place: Readonly<Record<string, number>>) =>
        words.split(',').map((word) => place[word]!);
      if (id === 'findNames') {
        expect([id, await findsNearest((place) => inOrder(place))]).toEqual([id, true]);
        expect([id, await findsNearest((place) => swapped(inOrder(place)))]).toEqual([id, false]);
        continue;
      }
      const value = inOrder(values);
      expect([id, description, value.every(Number.isFinite)]).toEqual([id, description, true]);
      expect([id, await found(id, name, value)]).toEqual([id, true]);
      expect([id, await found(id, name, swapped(value))]).toEqual([id, false]);
    }
  });
});

describe('the units in the OpenAPI document', () => {
  type Leg = { readonly distance: number; readonly bearing: number };
  type Answer = {
    readonly route: readonly (readonly [latitude: number, longitude: number])[];
    readonly legs: readonly Leg[];
    readonly distance: number;
    readonly duration: number;
  };
  const statedAs = (id: string, words: RegExp, end: RegExp) =>
    valuesOf(id, words).filter(({ at, words: found }) => end.test(at) && words.test(found));

  it('are correct for a route', () => {
    const { route, legs, distance, duration } = answers.get('planRoute') as Answer;
    expect(statedAs('planRoute', /metres$/, /^planRoute\.distance$/)).toHaveLength(1);
    expect(statedAs('planRoute', /^Seconds\b/, /\.duration$/)).toHaveLength(1);
    expect(statedAs('planRoute', /degrees$/, /\.bearing$/)).toHaveLength(legs.length);
    const knots = statedAs('planRoute', /knots\b/, /\.speed$/);
    expect(knots.map(({ value }) => value)).toEqual([SPEED_KNOTS]);
    legs.forEach((leg, i) => {
      const [from, to] = [route[i]!, route[i + 1]!];
      const metres = distanceMeters(from[1], from[0], to[1], to[0]);
      expect(leg.distance / metres).toBeCloseTo(1, 2);
      const east = (to[1] - from[1]) * Math.cos((from[0] * Math.PI) / 180);
      const course = (Math.atan2(east, to[0] - from[0]) * 180) / Math.PI;
      expect(Math.abs(((leg.bearing - course + 540) % 360) - 180)).toBeLessThan(1);
    });
    expect(duration).toBeCloseTo((distance / 1852 / SPEED_KNOTS) * 3600, 0);
  });

  it('are metres for the distances of enc_query and the depths of a track', () => {
    const { results } = answers.get('queryFeatures') as {
      results: {
        position: readonly [number, number] | null;
        extras: { distance: number };
      }[];
    };
    const points = results.filter(({ position }) => position !== null);
    expect(points.length).toBeGreaterThan(3);
    expect(statedAs('queryFeatures', /metres;/, /\.distance$/)).toHaveLength(results.length);
    for (const { position, extras } of points) {
      const [latitude, longitude] = position!;
      const metres = distanceMeters(PLACE.longitude, PLACE.latitude, longitude, latitude);
      // A sphere instead of the ellipsoid: half a percent.
      expect(Math.abs(extras.distance - metres)).toBeLessThan(0.006 * metres + 0.2);
    }
    const depths = statedAs('getTrack', /^Metres, positive downwards$/, /\.depth$/).map(
      ({ value }) => value,
    );
    expect(depths).toEqual([7, 8]);
  });
});

/** Whether a search near each of the two buoys returns that buoy first. */
async function findsNearest(
  written: (place: { longitude: number; latitude: number }) => readonly number[],
): Promise<boolean> {
  const { names } = answers.get('findNames') as NamesAnswer;
  const buoys = names.filter(({ name }) => name === 'Wick 3' || name === 'Wick 4');
  expect(buoys).toHaveLength(2);
  for (const { name, position } of buoys) {
    const path = `/api/v1/names?q=wick&near=${written(position).join(',')}`;
    const found = ((await get(path)) as NamesAnswer).names.filter((one) =>
      /^Wick [34]$/.test(one.name),
    );
    if (found[0]?.name !== name) return false;
  }
  return true;
}

/** The same position with latitude and longitude swapped. */
const swapped = ([a, b, c, d]: readonly number[]): number[] =>
  c === undefined ? [b!, a!] : [b!, a!, d!, c];

/** Whether an operation finds a feature of the demo port. */
async function found(id: string, name: string, value: readonly number[]): Promise<boolean> {
  const query = `${name}=${value.join(',')}`;
  if (id === 'listUserReports') {
    const { reports } = (await get(`/api/v1/user-reports?${query}`)) as { reports: unknown[] };
    return reports.length > 0;
  }
  if (id === 'getSoundingsNear') {
    const path = `/api/v1/user-reports/bathymetry/soundings?zoom=12&${query}`;
    return ((await get(path)) as { features: unknown[] }).features.length > 0;
  }
  const path = `/api/v1/regions/plan?maxZoom=8&${query}`;
  return ((await get(path)) as { charted: boolean }).charted;
}
