// A client above its limit receives 429 with Retry-After. Other clients are not affected.

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { enforceRateLimit } from '../../workers/service/http/rate-limit.ts';
import { readSettings } from '../../workers/service/runtime/env.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { sendHttp } from '../support/http-client.ts';
import { type Service, startService, tokenFor } from '../support/service.ts';

const TILE = '/api/v2/tiles/enc-v2/0/0/0.mvt';
const VOTE = '/api/v1/user-reports/3f2504e0-4f89-41d3-9a0c-0305e82c3301/votes';
const ROUTE = '/api/v1/routing/route';
const TRIP = JSON.stringify({
  waypoints: [
    [-30.005, -20.012],
    [-30.02, -19.96],
  ],
});

describe('a service with limits', () => {
  let service: Service;
  beforeAll(async () => {
    const settings = {
      ...{ RATE_LIMIT_READS: '5', RATE_LIMIT_WRITES: '3' },
      ...{ RATE_LIMIT_HEAVY: '1', RATE_LIMIT_REFUSALS: '20', RATE_LIMIT_USERS: '2' },
    };
    service = await startService({ charts: inject('demoCharts'), settings });
  });
  afterAll(() => service?.stop());

  test('allows a number of reads per token and minute, counts down in its headers, then answers 429 with Retry-After', async () => {
    const authorization = `Bearer ${await service.token()}`;
    const statuses: number[] = [];
    const remaining: (string | null)[] = [];
    for (let i = 0; i < 7; i++) {
      const answer = await service.get(TILE, { headers: { authorization } });
      statuses.push(answer.status);
      expect(answer.headers.get('ratelimit-limit')).toBe('5');
      remaining.push(answer.headers.get('ratelimit-remaining'));
      const reset = Number(answer.headers.get('ratelimit-reset'));
      expect(reset > 0 && reset <= 60).toBe(true);
      if (answer.status !== 429) continue;
      expect(answer.headers.get('retry-after')).toBe(`${reset}`);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const exposed = answer.headers.get('access-control-expose-headers') ?? '';
      for (const part of ['Limit', 'Remaining', 'Reset']) {
        expect(exposed).toContain(`RateLimit-${part}`);
      }
      expect(await answer.json()).toMatchObject({ code: 'too_many_requests', status: 429 });
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(remaining).toEqual(['4', '3', '2', '1', '0', '0', '0']);
    const other = await service.get(TILE, {
      headers: { authorization: `Bearer ${await service.token()}` },
    });
    expect(other.status).toBe(200);
  });

  test('counts writes separately from reads', async () => {
    const headers = { authorization: `Bearer ${await service.token()}` };
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await service.get(VOTE, { method: 'POST', headers, body: '{}' })).status);
    }
    // The empty bodies are invalid, but the requests count.
    expect(statuses).toEqual([400, 400, 400, 429]);
    expect((await service.get(TILE, { headers })).status).toBe(200);
  });

  test('applies a lower limit to route requests than to writes', async () => {
    const token = await service.token();
    const answers: (readonly [number, ...(string | null)[]])[] = [];
    // An invalid body is refused before the work and does not count.
    for (const body of ['{}', TRIP, TRIP]) {
      const answer = await service.get(`${ROUTE}?token=${token}`, { method: 'POST', body });
      const header = (name: string) => answer.headers.get(`ratelimit-${name}`);
      answers.push([answer.status, header('limit'), header('remaining')]);
    }
    // `service.get` sends a token of its own in the header, which takes precedence over the query.
    expect(answers).toEqual([
      [400, '1', '1'],
      [200, '1', '0'],
      [429, '1', '0'],
    ]);
  });

  test('counts no refused upload as heavy work', async () => {
    const authorization = `Bearer ${await service.token()}`;
    const soundings = Array.from({ length: 50_001 }, () => ({}));
    const statuses: number[] = [];
    for (const body of [null, '{}', JSON.stringify({ soundings })]) {
      const path = '/api/v1/user-reports/bathymetry';
      const answer = await service.get(path, { method: 'POST', headers: { authorization }, body });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([400, 400, 413]);
  });

  test('counts a small upload without a Content-Length as light', async () => {
    const path = `/api/v1/user-reports/bathymetry?token=${await service.token()}`;
    const headers = { 'transfer-encoding': 'chunked' };
    const limitOf = async (body: string) =>
      (await sendHttp(service.port, path, { method: 'POST', headers, body })).headers[
        'ratelimit-limit'
      ];
    expect([await limitOf('{}'), await limitOf(`{}${' '.repeat(70_000)}`)]).toEqual(['3', '1']);
  });

  test('limits the user tokens that a public token can request per minute and IP address, but not those of a secret token', async () => {
    const scopes = ['reports:write'] as const;
    const requestUserToken = async (token: string) =>
      (
        await service.get('/api/v1/user-tokens', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: '{}',
        })
      ).status;
    const publicToken = await service.token({ scopes, plan: 'standard', pilot: false });
    expect([
      await requestUserToken(publicToken),
      await requestUserToken(publicToken),
      await requestUserToken(publicToken),
    ]).toEqual([201, 201, 429]);
    const secret = await service.token();
    expect([
      await requestUserToken(secret),
      await requestUserToken(secret),
      await requestUserToken(secret),
    ]).toEqual([201, 201, 201]);
  });

  test('ignores an IP address that the client states in a header', async () => {
    const token = await service.token();
    const statuses = [];
    for (let i = 0; i < 7; i++) {
      const status = await statusOf(service.port, `${TILE}?token=${token}`, {
        'cf-connecting-ip': `203.0.113.${i}`,
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test('answers the first requests without a token with 401, then 429, and still accepts valid tokens from the same IP address', async () => {
    const statuses = new Set<number>();
    for (let i = 0; i < 25; i++) statuses.add((await fetch(`${service.address}${TILE}`)).status);
    expect([...statuses]).toEqual([401, 429]);
    const authorization = `Bearer ${await service.token()}`;
    expect((await service.get(TILE, { headers: { authorization } })).status).toBe(200);
  });
});

/** The status of a GET with headers that fetch cannot send. */
function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((done, fail) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode!));
    });
    outgoing.on('error', fail);
    outgoing.end();
  });
}

describe('visitors of one page, who share its public token', () => {
  let app: DirectApp;
  let token: string;
  beforeEach(async () => {
    app = await freshApp(inject('demoCharts'), { RATE_LIMIT_READS: '3', RATE_LIMIT_REFUSALS: '3' });
    token = await tokenFor(app.keys, { scopes: ['tiles'], plan: 'standard', pilot: false });
  });
  afterAll(() => vi.unstubAllGlobals());
  const statusFrom = async (address: string, usedToken = token) =>
    (await app.fetch(`${TILE}?token=${usedToken}`, { headers: { 'cf-connecting-ip': address } }))
      .status;

  test('are counted separately: one above the limit does not block another', async () => {
    const mine: number[] = [];
    for (let i = 0; i < 5; i++) mine.push(await statusFrom('203.0.113.1'));
    expect(mine).toEqual([200, 200, 200, 429, 429]);
    expect(await statusFrom('203.0.113.2')).toBe(200);
  });

  test('are limited if they request the API description with other host names', async () => {
    const statuses: number[] = [];
    for (const host of ['a', 'b', 'b', 'c', 'd', 'e']) {
      const headers = { 'cf-connecting-ip': '203.0.113.9', 'accept-encoding': 'gzip' };
      const answer = await app.fetch(`http://${host}.example/openapi.json`, { headers });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  test('are counted as one if their IPv6 addresses share a /64 network', async () => {
    const mine: number[] = [];
    for (let i = 0; i < 5; i++) mine.push(await statusFrom(`2001:db8:1:2::${i + 1}`));
    expect(mine).toEqual([200, 200, 200, 429, 429]);
    expect(await statusFrom('2001:db8:1:3::1')).toBe(200);
    // The same network in another notation.
    expect(await statusFrom('2001:0DB8:0001:0002::7')).toBe(429);
  });

  test('are counted by IP address if they guess tokens', async () => {
    const tries: number[] = [];
    for (let i = 0; i < 5; i++) tries.push(await statusFrom('203.0.113.1', `made.up.${i}`));
    expect(tries).toEqual([401, 401, 401, 429, 429]);
    expect(await statusFrom('203.0.113.2', 'made.up.x')).toBe(401);
    expect(await statusFrom('203.0.113.1')).toBe(200);
  });

  test('are counted by IP address if they guess tokens where none is required', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.1' };
    const statusWith = async (query: string) => {
      const answer = await app.fetch(`/api/v1/datasets/attributions${query}`, { headers });
      expect(answer.headers.has('ratelimit-limit')).toBe(answer.status === 429);
      return answer.status;
    };
    const tries: number[] = [];
    for (let i = 0; i < 5; i++) tries.push(await statusWith(`?token=made.up.${i}`));
    expect(tries).toEqual([200, 200, 200, 429, 429]);
    expect([await statusWith(''), await statusWith(`?token=${token}`)]).toEqual([200, 200]);
  });
});

test('if the rate limiter of the platform fails, charts are served and writes are rejected', async () => {
  const broken = { limit: () => Promise.reject(new Error('away')) };
  const env = { LIMIT_READS: broken, LIMIT_WRITES: broken };
  const settings = readSettings({});
  const context = {
    env,
    get: (name: string) => (name === 'settings' ? settings : undefined),
    req: { header: () => undefined },
  };
  const endpointOf = (method: string, scope: string) => ({
    method,
    access: { kind: 'token', scope },
  });
  const enforce = (method: string, scope: string) =>
    enforceRateLimit(
      context as never,
      { tokenId: 't' } as never,
      endpointOf(method, scope) as never,
    );
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await enforce('get', 'tiles');
  await expect(enforce('post', 'reports:write')).rejects.toMatchObject({
    status: 503,
    code: 'limits_unavailable',
  });
  vi.restoreAllMocks();
});

test('limits are on by default, and wrangler.toml has the same numbers', () => {
  const settings = readSettings({});
  const limits = (['Reads', 'Writes', 'Heavy', 'Refusals', 'Users'] as const).map(
    (name) => [name.toLowerCase(), settings[`rateLimit${name}`]] as const,
  );
  expect(limits.every(([, limit]) => limit > 0)).toBe(true);
  const text = readFileSync(resolve(import.meta.dirname, '../../wrangler.toml'), 'utf8');
  const counters = [
    ...text.matchAll(/ratelimits\]\]\nname = "LIMIT_(\w+)"\nnamespace_id = "\d+"\n(.*)\n/g),
  ].map(([, name, words]) => [name!.toLowerCase(), words]);
  const expected = limits.map(([name, limit]) => [
    name,
    `simple = { limit = ${limit}, period = 60 }`,
  ]);
  // The local configuration, staging and production.
  expect(counters).toEqual([...expected, ...expected, ...expected]);
});
