// enc_query, row by row of the contract and of the decisions on it, through the real runtime. Each
// response is checked against the OpenAPI document.

import { describe, expect, inject } from 'vitest';
import { demoTest as test } from '../support/fixtures.ts';
import type { ResponseCheck } from '../support/openapi.ts';
import { type Service, startService } from '../support/service.ts';

const PATH = '/api/v1/enc_query';
/** The port of Wick in the demo charts. */
const WICK = { longitude: -19.988, latitude: -29.987 };
const FIELDS = [
  'attributes',
  'bbox',
  'geometry',
  'id',
  'layerId',
  'layerName',
  'parentCellName',
  'parentId',
  'position',
  'rawAttributes',
];

interface Result {
  readonly id: string;
  readonly parentId: string;
  readonly parentCellName: string;
  readonly layerId: string;
  readonly layerName: string;
  readonly position: readonly [number, number] | null;
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] };
  readonly attributes: { readonly objectName?: string };
  readonly rawAttributes: Readonly<Record<string, unknown>>;
  readonly bbox: readonly (readonly number[])[];
  readonly extras?: { readonly distance: number; readonly light?: string };
}

interface Answer {
  readonly results: readonly Result[];
  readonly truncation?: Readonly<Record<string, number>>;
}

let service: Service;
let check: ResponseCheck;

test.beforeAll(({ service: sharedService, check: sharedCheck }) => {
  service = sharedService;
  check = sharedCheck;
});

const post = async (body: unknown, query = '', init: RequestInit = {}): Promise<Response> => {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const path = PATH + query;
  const response = await service.get(path, { method: 'POST', body: text as BodyInit, ...init });
  expect(await check('POST', path, response)).toEqual([]);
  return response;
};

const ask = async (body: object, query = ''): Promise<Answer> => {
  const response = await post(body, query);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};

const near = (radius: number, zoom?: number) => ({
  position: WICK,
  radius,
  ...(zoom === undefined ? {} : { zoom }),
});
const classes = ({ results }: Answer) => new Set(results.map(({ layerId }) => layerId));

/** The name of the row, the body, the expected status and code, and the field in the error. */
type Refusal = readonly [line: string, body: unknown, status: number, code: string, field?: string];

const position = WICK;
const REFUSALS: readonly Refusal[] = [
  ['radius missing', { position }, 400, 'bad_query', 'radius'],
  ['radius a text', { position, radius: '50' }, 400, 'bad_query', 'radius'],
  ['radius null', { position, radius: null }, 400, 'bad_query', 'radius'],
  ['radius a boolean', { position, radius: true }, 400, 'bad_query', 'radius'],
  ['radius a list', { position, radius: [50] }, 400, 'bad_query', 'radius'],
  ['radius below zero', { position, radius: -1 }, 400, 'bad_query', 'radius'],
  ['radius infinite', '{"position":{"longitude":0,"latitude":0},"radius":1e400}', 400, 'bad_query'],
  ['position missing', { radius: 50 }, 400, 'bad_query', 'position'],
  ['position null', { position: null, radius: 50 }, 400, 'bad_query', 'position'],
  ['position a pair', { position: [-30, -20], radius: 50 }, 400, 'bad_query', 'position'],
  ['position a text', { position: '-30,-20', radius: 50 }, 400, 'bad_query', 'position'],
  ['latitude missing', { position: { longitude: 1 }, radius: 50 }, 400, 'bad_query'],
  ['longitude missing', { position: { latitude: 1 }, radius: 50 }, 400, 'bad_query'],
  ['longitude a text', { position: { longitude: '1', latitude: 1 }, radius: 5 }, 400, 'bad_query'],
  [
    'latitude beyond a pole',
    { position: { longitude: 1, latitude: 90.1 }, radius: 5 },
    400,
    'bad_query',
  ],
  ['zoom a text', { ...near(50), zoom: '12' }, 400, 'bad_query', 'zoom'],
  ['zoom a boolean', { ...near(50), zoom: false }, 400, 'bad_query', 'zoom'],
  [
    'zoom infinite',
    '{"position":{"longitude":0,"latitude":0},"radius":1,"zoom":1e999}',
    400,
    'bad_query',
  ],
  ['no body', '', 400, 'bad_json'],
  ['a list', '[]', 400, 'bad_json'],
  ['a number', '7', 400, 'bad_json'],
  ['nothing', 'null', 400, 'bad_json'],
  ['an incomplete object', '{"radius":', 400, 'bad_json'],
  ['text after it', `${JSON.stringify(near(50))} x`, 400, 'bad_json'],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'bad_json'],
  ['UTF-16', new Uint8Array(Buffer.from(JSON.stringify(near(50)), 'utf16le')), 400, 'bad_json'],
  [
    'more than 4 KiB',
    JSON.stringify({ ...near(50), more: 'x'.repeat(4096) }),
    413,
    'body_too_large',
  ],
];

describe('enc_query refuses', () => {
  test.each(REFUSALS)('%s', async (_line, body, status, code, field) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const problem = (await response.json()) as { code: string; errors?: { path: string }[] };
    expect(problem.code).toBe(code);
    if (field !== undefined) expect(problem.errors!.map(({ path }) => path)).toContain(field);
  });

  test('a request with no token, an invalid token, or a token without the scope', async () => {
    const body = JSON.stringify({});
    const bare = await fetch(service.address + PATH, { method: 'POST', body });
    // The token is checked before the body.
    expect([bare.status, ((await bare.json()) as { code: string }).code]).toEqual([
      401,
      'token_required',
    ]);
    const bad = await post({}, '', { headers: { authorization: 'Bearer x.y.z' } });
    expect(bad.status).toBe(401);
    const other = await service.token({ scopes: ['tiles'] });
    const unscoped = await post({}, '', { headers: { authorization: `Bearer ${other}` } });
    expect([unscoped.status, ((await unscoped.json()) as { code: string }).code]).toEqual([
      403,
      'scope_required',
    ]);
  });

  test('other methods, with a list of the allowed ones', async () => {
    const response = await service.get(PATH);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('encoded bodies and multipart bodies', async () => {
    const encoded = await post(near(50), '', { headers: { 'content-encoding': 'gzip' } });
    const parts = await post(near(50), '', {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect([encoded.status, parts.status]).toEqual([415, 415]);
  });

  test('a flag other than true and false', async () => {
    expect((await post(near(50), '?extras=yes')).status).toBe(400);
  });
});

describe('enc_query accepts', () => {
  const accepted: readonly (readonly [line: string, body: unknown, init: RequestInit])[] = [
    ['an unknown field', { ...near(50), layers: ['x'] }, {}],
    ['zoom null as absent', { ...near(50), zoom: null }, {}],
    ['a byte order mark', `\uFEFF${JSON.stringify(near(50))}`, {}],
    [
      'a repeated field, with its last value',
      '{"radius":"x","position":{"longitude":-19.988,"latitude":-29.987},"radius":50}',
      {},
    ],
    ['any content type', near(50), { headers: { 'content-type': 'text/plain' } }],
  ];
  test.each(accepted)('%s', async (_line, body, init) => {
    const response = await post(body, '', init);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(await ask(near(50)));
  });

  test('a token in the query', async () => {
    const token = await service.token({ scopes: ['query'] });
    const response = await fetch(`${service.address}${PATH}?token=${token}`, {
      method: 'POST',
      body: JSON.stringify(near(50)),
    });
    expect(response.status).toBe(200);
  });

  test('longitudes beyond 180°, as from maps that cross the antimeridian', async () => {
    const turned = await ask({
      ...near(300),
      position: { ...WICK, longitude: WICK.longitude + 720 },
    });
    expect(turned.results.map(({ id }) => id)).toEqual(
      (await ask(near(300))).results.map(({ id }) => id),
    );
    expect(turned.results.length).toBeGreaterThan(0);
  });
});

describe('enc_query answers', () => {
  test('exactly the fields of the contract', async () => {
    const { results, truncation } = await ask(near(800, 14));
    expect(truncation).toBeUndefined();
    expect(results.length).toBeGreaterThan(20);
    for (const result of results) {
      expect(Object.keys(result).sort()).toEqual(FIELDS);
      const name = result.rawAttributes['objnam'];
      expect(result.attributes).toStrictEqual(name === undefined ? {} : { objectName: name });
      expect(result.id.startsWith(`${result.parentCellName}.`)).toBe(true);
      expect(result.parentId).toMatch(new RegExp(`^${result.parentCellName}\\.\\d+$`));
      for (const key of Object.keys(result.rawAttributes)) expect(key).toBe(key.toLowerCase());
    }
  });

  test('positions with latitude first for points, and null for others', async () => {
    const { results } = await ask(near(800, 14));
    const kinds = new Set(results.map(({ geometry }) => geometry.type));
    expect([...kinds].sort()).toEqual(expect.arrayContaining(['LineString', 'Point', 'Polygon']));
    for (const { position: at, geometry, bbox } of results) {
      if (geometry.type !== 'Point') expect(at).toBeNull();
      else {
        const [longitude, latitude] = geometry.coordinates as number[];
        expect(at).toEqual([latitude, longitude]);
        expect(bbox).toEqual([
          [longitude, latitude],
          [longitude, latitude],
        ]);
      }
    }
  });

  test('names in both languages without changes', async () => {
    const { results } = await ask(near(5000, 14));
    const bay = results.find(({ attributes }) => attributes.objectName === 'Wick Bay')!;
    expect(bay.rawAttributes).toMatchObject({
      objnam: 'Wick Bay',
      nobjnm: 'Κόλπος Φανάρι',
      catsea: 5,
    });
    expect(bay).toMatchObject({ layerId: 'SEAARE', layerName: 'Sea area / named water area' });
  });

  test('numbers as numbers, lists as lists, strings as strings', async () => {
    const { results } = await ask(near(3000, 14));
    const buoy = results.find(({ layerId }) => layerId === 'BOYLAT')!;
    expect(buoy.rawAttributes['boyshp']).toBeTypeOf('number');
    expect(Array.isArray(buoy.rawAttributes['colour'])).toBe(true);
    expect(buoy.rawAttributes['objnam']).toBeTypeOf('string');
  });

  test('soundings separately, each with its depth', async () => {
    const { results } = await ask(near(2000, 14));
    const soundings = results.filter(({ layerId }) => layerId === 'SOUNDG');
    expect(soundings.length).toBeGreaterThan(3);
    for (const { geometry } of soundings) {
      expect(geometry.type).toBe('Point');
      expect(geometry.coordinates).toHaveLength(3);
    }
    expect(new Set(soundings.map(({ id }) => id)).size).toBe(soundings.length);
  });

  test('no meta classes, and depths only above zoom 12', async () => {
    for (const [zoom, hasDepths] of [
      [12, false],
      [12.7, false],
      [13, true],
      [undefined, true],
    ] as const) {
      const found = classes(await ask(near(3000, zoom)));
      for (const never of ['M_NSYS', 'M_QUAL', 'M_NPUB', 'MAGVAR']) {
        expect(found.has(never), `${never} at ${zoom}`).toBe(false);
      }
      expect(found.has('M_COVR')).toBe(true);
      expect([found.has('SOUNDG'), found.has('DEPCNT')], `zoom ${zoom}`).toEqual([
        hasDepths,
        hasDepths,
      ]);
    }
  });

  test('from the usage band that the tiles show at the zoom', async () => {
    const cellsAt = async (zoom: number) =>
      new Set((await ask(near(200, zoom))).results.map(({ parentCellName }) => parentCellName[2]));
    expect(await cellsAt(16)).toEqual(new Set(['5']));
    expect(await cellsAt(13)).toEqual(new Set(['5']));
    expect(await cellsAt(9)).toEqual(new Set(['3']));
    expect(await cellsAt(3)).toEqual(new Set(['1']));
  });

  test.each([
    ['missing', {}, { zoom: 16 }],
    ['fractions floor', { zoom: 12.99 }, { zoom: 12 }],
    ['below 0', { zoom: -3 }, { zoom: 0 }],
    ['above 16', { zoom: 99 }, { zoom: 16 }],
  ])('zoom: %s', async (_line, given, same) => {
    const base = { position: WICK, radius: 400 };
    expect(await ask({ ...base, ...given })).toEqual(await ask({ ...base, ...same }));
  });

  test('with the areas that contain the position, and points exactly there, for radius 0', async () => {
    const { results } = await ask(near(0, 16));
    expect(results.length).toBeGreaterThan(0);
    for (const { geometry } of results) expect(geometry.type).toMatch(/Polygon$/);
    const [point] = (await ask(near(2000, 16))).results.filter(({ position: at }) => at !== null);
    const [latitude, longitude] = point!.position!;
    const there = await ask({ position: { latitude, longitude }, radius: 0, zoom: 16 });
    expect(there.results.map(({ id }) => id)).toContain(point!.id);
  });

  test('with the nearest results first, and reports if results were omitted', async () => {
    const { results, truncation } = await ask({ ...near(1e9, 14) }, '?extras=true');
    expect(truncation).toMatchObject({ radius: 20_000, returned: results.length });
    expect(truncation!['found']).toBeGreaterThanOrEqual(results.length);
    expect(results.length).toBeLessThanOrEqual(500);
    const distances = results.map(({ extras }) => extras!.distance);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(distances.at(-1)).toBeLessThanOrEqual(20_000);
  });

  test('with texts only on request, in addition to the fields of the contract', async () => {
    const plain = await ask(near(3000, 14));
    const worded = await ask(near(3000, 14), '?extras=true');
    expect(worded.results.map(({ extras: _, ...rest }) => rest)).toEqual(plain.results);
    const green = worded.results.find(
      ({ layerId, rawAttributes }) => layerId === 'LIGHTS' && rawAttributes['sectr1'] === 322,
    )!;
    expect(green.extras).toMatchObject({
      title: 'Light',
      light: 'Dir Oc G 5s 14m',
      sentence: expect.stringMatching(
        /^Light, .*occulting every 5 s, .*; sectors, .*green from 322° to/,
      ),
      attributes: expect.arrayContaining([
        { id: 'colour', name: 'Colour', value: 'green' },
        { id: 'height', name: 'Height', value: '14 m' },
        { id: 'sigper', name: 'Signal period', value: '5 s' },
        { id: 'sectr1', name: 'Sector limit one', value: '322° true, from seaward' },
      ]),
    });
  });

  test.each([
    ['the north pole', 0, 90],
    ['the south pole', 0, -90],
    ['the antimeridian', 180, 0],
    ['the other side of it', -180, 0],
    ['open water without a chart', -100, -50],
  ])('with no results at %s, which is not an error', async (_line, longitude, latitude) => {
    const answer = await ask({ position: { longitude, latitude }, radius: 20_000, zoom: 14 });
    expect(answer).toEqual({ results: [] });
  });

  test('from memory for a repeated position', async () => {
    const readsOf = async (radius: number) => {
      const response = await post(near(radius, 15));
      return Number(/desc="(\d+) reads"/.exec(response.headers.get('server-timing')!)![1]);
    };
    await readsOf(300);
    expect(await readsOf(300)).toBe(0);
    expect(await readsOf(250)).toBe(0);
  });
});

test('a deployment may set the maximum radius and the default zoom', async () => {
  const other = await startService({
    charts: inject('demoCharts'),
    settings: { QUERY_MAX_RADIUS_METERS: '100', QUERY_DEFAULT_ZOOM: '9' },
  });
  try {
    const response = await other.get(PATH, { method: 'POST', body: JSON.stringify(near(500)) });
    const answer = (await response.json()) as Answer;
    expect(answer.truncation).toMatchObject({ radius: 100 });
    expect(new Set(answer.results.map(({ parentCellName }) => parentCellName[2]))).toEqual(
      new Set(['3']),
    );
  } finally {
    await other.stop();
  }
});
