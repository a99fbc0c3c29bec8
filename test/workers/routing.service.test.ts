// The route endpoint, row by row of the contract and of its decisions: permissions, and errors in
// their order. Every response is compared with the service's own OpenAPI document.

import { describe, expect, inject } from 'vitest';
import { demoTest as test } from '../support/fixtures.ts';
import type { ResponseCheck } from '../support/openapi.ts';
import { type Service, startService } from '../support/service.ts';

const PATH = '/api/v1/routing/route';
/** Off the demo's port of Wick, in deep water. */
const SOUND = {
  waypoints: [
    [-30.05, -19.95],
    [-30.06, -19.9],
  ],
};

let service: Service;
let check: ResponseCheck;
let token: string;

test.beforeAll(async ({ service: sharedService, check: sharedCheck }) => {
  service = sharedService;
  check = sharedCheck;
  token = await service.token();
});

const post = async (body: unknown, query = `?token=${token}`, init: RequestInit = {}) => {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(service.address + PATH + query, {
    method: 'POST',
    body: sent as BodyInit,
    ...init,
  });
  expect(await check('POST', PATH, response)).toEqual([]);
  return response;
};

const codeOf = async (response: Response) =>
  [response.status, ((await response.json()) as { code: string }).code] as const;

describe('who may ask', () => {
  test.each([
    ['nobody', () => '', {}],
    ['an empty token', () => '?token=', {}],
    ['a token in the header alone', () => '', { authorization: () => `Bearer ${token}` }],
  ])('%s: 401 token_required', async (_who, query, headers) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value()]),
    );
    const response = await post(SOUND, query(), { headers: sent });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await codeOf(response)).toEqual([401, 'token_required']);
  });

  test.each([
    ['a bad token in the query', () => '?token=x.y.z', {}],
    ['two that differ', () => `?token=${token}&token=x.y.z`, {}],
    [
      'a bad one in the query and a good header',
      () => '?token=x.y.z',
      { authorization: () => `Bearer ${token}` },
    ],
    [
      'a good one in the query and a bad header',
      () => `?token=${token}`,
      { authorization: () => 'Bearer x.y.z' },
    ],
  ])('%s: 401 token_invalid', async (_who, query, headers) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value()]),
    );
    expect(await codeOf(await post(SOUND, query(), { headers: sent }))).toEqual([
      401,
      'token_invalid',
    ]);
  });

  test('a token in both places is one token', async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect(await codeOf(await post({}, undefined, { headers }))).toEqual([400, 'bad_route']);
  });

  test('a token without the scope: 403 scope_required', async () => {
    const other = await service.token({ scopes: ['tiles', 'query'] });
    expect(await codeOf(await post(SOUND, `?token=${other}`))).toEqual([403, 'scope_required']);
  });

  test('no pilot: 403 pilot_required, whatever the plan', async () => {
    for (const plan of ['standard', 'enterprise'] as const) {
      const other = await service.token({ pilot: false, plan });
      expect(await codeOf(await post(SOUND, `?token=${other}`))).toEqual([403, 'pilot_required']);
    }
  });

  test('routing rejects accounts without a pilot before it reads the body', async () => {
    const other = await service.token({ pilot: false });
    const large = 'x'.repeat(70_000);
    const parts = { headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    expect((await post(large, `?token=${other}`)).status).toBe(403);
    expect((await post('{', `?token=${other}`, parts)).status).toBe(403);
    expect((await post(large, '')).status).toBe(401);
  });

  test('all tokens with the scope, if the deployment opens routing', async () => {
    const open = await startService({
      charts: inject('demoCharts'),
      settings: { ROUTING_GATE: 'off', ROUTING_MAX_WAYPOINTS: '3' },
    });
    try {
      const other = await open.token({ pilot: false, plan: 'standard' });
      const ask = async (waypoints: unknown) =>
        codeOf(
          await fetch(`${open.address}${PATH}?token=${other}`, {
            method: 'POST',
            body: JSON.stringify({ waypoints }),
          }),
        );
      expect(await ask([])).toEqual([400, 'bad_route']);
      // Three is the most here.
      expect(await ask(Array.from({ length: 4 }, () => [0, 0]))).toEqual([400, 'bad_route']);
    } finally {
      await open.stop();
    }
  });
});

const big = JSON.stringify({ ...SOUND, more: 'x'.repeat(65_536) });
const deep = '['.repeat(20_000) + ']'.repeat(20_000);

/** The error, the body, the status, the code, and the field in the message. */
type Refusal = readonly [line: string, body: unknown, status: number, code: string, field?: string];

const REFUSALS: readonly Refusal[] = [
  ['no body', '', 400, 'bad_json'],
  ['a list', '[]', 400, 'bad_json'],
  ['nothing', 'null', 400, 'bad_json'],
  ['half an object', '{"waypoints":', 400, 'bad_json'],
  ['junk behind it', `${JSON.stringify(SOUND)} x`, 400, 'bad_json'],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'bad_json'],
  ['lists within lists', deep, 400, 'bad_json'],
  ['lists within lists as waypoints', `{"waypoints":${deep}}`, 400, 'bad_json'],
  ['more than 64 KiB', big, 413, 'body_too_large'],
  ['no waypoints', {}, 400, 'bad_route', 'waypoints'],
  ['one waypoint', { waypoints: [[0, 0]] }, 400, 'bad_route', 'waypoints'],
  ['26 waypoints', { waypoints: Array(26).fill([0, 0]) }, 400, 'bad_route', 'waypoints'],
  [
    'texts for numbers',
    {
      waypoints: [
        ['1', '2'],
        [0, 0],
      ],
    },
    400,
    'bad_route',
    'waypoints.0.0',
  ],
  ['an infinite place', '{"waypoints":[[0,0],[0,1e400]]}', 400, 'bad_route', 'waypoints.1.1'],
  ['a draft as a text', { ...SOUND, draft: '2' }, 400, 'bad_route', 'draft'],
  ['a negative draft', { ...SOUND, vessel: { draft: -2 } }, 400, 'bad_route', 'vessel.draft'],
  [
    'an open avoid area',
    {
      ...SOUND,
      options: {
        avoidAreas: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 1],
              [1, 0],
              [5, 5],
            ],
          ],
        },
      },
    },
    400,
    'bad_route',
    'options.avoidAreas.coordinates.0',
  ],
];

test('a misspelt token of the query is ignored, and a refusal has the fields of a route', async () => {
  const response = await post({}, `?token=${token}&TOKEN=x`);
  const problem = { code: 'bad_route', success: false, route: [] };
  expect([response.status, await response.json()]).toMatchObject([400, problem]);
});

describe('a body is refused for', () => {
  test.each(REFUSALS)('%s', async (_line, body, status, code, field) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const problem = (await response.json()) as {
      code: string;
      errors?: { path: string }[];
      messages: string[];
    };
    // The contract's three fields are there for who looks at them alone.
    expect(problem).toMatchObject({ code, success: false, route: [] });
    expect(problem.messages.length).toBeGreaterThan(0);
    if (field !== undefined) {
      expect(problem.errors!.map(({ path }) => path)).toContain(field);
      expect(problem.messages.join()).toContain(field);
    }
  });

  test('the first ten of a hundred faults', async () => {
    const response = await post({ waypoints: Array(25).fill(['a', 'b']) });
    const text = await response.text();
    expect(JSON.parse(text).errors).toHaveLength(10);
    expect(JSON.parse(text).messages).toHaveLength(10);
    expect(text.length).toBeLessThan(4096);
  });

  test('being encoded, or of several parts', async () => {
    const encoded = await post(SOUND, undefined, { headers: { 'content-encoding': 'gzip' } });
    const parts = await post(SOUND, undefined, {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect([await codeOf(encoded), await codeOf(parts)]).toEqual([
      [415, 'unsupported_media_type'],
      [415, 'unsupported_media_type'],
    ]);
  });
});

test('other methods get a list of the allowed methods', async () => {
  const response = await fetch(`${service.address}${PATH}?token=${token}`);
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});
