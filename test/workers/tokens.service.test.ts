// Access control: the matrix of tokens, where a request carries them, and what they allow.

import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, inject } from 'vitest';
import { newKey } from '../../workers/host/admin/keys.ts';
import { demoTest as test } from '../support/fixtures.ts';
import { type Service, startService, tokenFor } from '../support/service.ts';

const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
const GEOJSON = '/api/v2/tiles/data-geojson-v1/14/7282/9623.json';
const SECRET = 'a secret of forty characters, at a minimum';

let service: Service;
let gated: Service;

test.beforeAll(async ({ service: sharedService }) => {
  service = sharedService;
  gated = await startService({
    charts: inject('demoCharts'),
    settings: { CONTRACT_PROFILE: 'enterprise', ATTRIBUTIONS_AUTH: 'required' },
  });
});
afterAll(async () => {
  await gated.stop();
});

const ask = (path: string, headers: Record<string, string> = {}, at = service) =>
  fetch(at.address + path, { headers });
const withHeader = async (token: string, path = TILE) =>
  (await ask(path, { authorization: `Bearer ${token}` })).status;

describe('a token', () => {
  test('is required', async () => {
    const response = await ask(TILE);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ code: 'token_required' });
  });

  test('is accepted in the header and in the query', async () => {
    const token = await service.token();
    expect(await withHeader(token)).toBe(200);
    expect((await ask(`${TILE}?token=${token}`)).status).toBe(200);
  });

  test('in the header takes precedence over one in the query', async () => {
    const token = await service.token();
    expect((await ask(`${TILE}?token=wrong`, { authorization: `Bearer ${token}` })).status).toBe(
      200,
    );
    const wrong = { authorization: 'Bearer wrong' };
    expect((await ask(`${TILE}?token=${token}`, wrong)).status).toBe(401);
  });

  test('may occur twice in the query if both values are equal', async () => {
    const token = await service.token();
    expect((await ask(`${TILE}?token=${token}&token=${token}`)).status).toBe(200);
    expect((await ask(`${TILE}?token=${token}&token=x`)).status).toBe(401);
  });

  test('is accepted with its scheme in any case, and with no other scheme', async () => {
    const token = await service.token();
    expect((await ask(TILE, { authorization: `bEaReR ${token}` })).status).toBe(200);
    for (const scheme of ['Basic', 'Token', '']) {
      const response = await ask(TILE, { authorization: `${scheme} ${token}`.trim() });
      expect(response.status, scheme).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('is checked before any other part of the request', async () => {
    expect((await ask('/api/v2/tiles/enc-v2/99/0/0.mvt')).status).toBe(401);
    expect((await ask('/api/v2/nowhere')).status).toBe(404);
    expect((await fetch(service.address + TILE, { method: 'POST' })).status).toBe(405);
  });
});

test('a token is refused if it expired more than a minute ago, the allowed clock difference', async () => {
  expect(await withHeader(await service.token({ expiresInSeconds: -30 }))).toBe(200);
  expect(await withHeader(await service.token({ expiresInSeconds: -120 }))).toBe(401);
});

test('a token is refused if it was signed with another key, under any key ID', async () => {
  const [own] = service.keys.keys;
  const stranger = await newKey();
  expect(await withHeader(await tokenFor({ keys: [stranger] }))).toBe(401);
  const posing = { ...stranger, kid: own!.kid! };
  expect(await withHeader(await tokenFor({ keys: [posing] }))).toBe(401);
});

test('a token is refused if it is not signed', async () => {
  const claims = { acc: 'a', typ: 'pk', plan: 'enterprise', scp: ['tiles'] };
  const unsigned = new UnsecuredJWT(claims)
    .setSubject('x')
    .setJti('y')
    .setIssuedAt()
    .setExpirationTime('1h')
    .encode();
  expect(await withHeader(unsigned)).toBe(401);
});

test('a token is refused if the public key was used as a secret', async () => {
  const [own] = service.keys.keys;
  const secret = Buffer.from(own!.x!, 'base64url');
  const forged = await new SignJWT({ acc: 'a', typ: 'pk', plan: 'enterprise', scp: ['tiles'] })
    .setProtectedHeader({ alg: 'HS256', kid: own!.kid! })
    .setSubject('x')
    .setJti('y')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(secret);
  expect(await withHeader(forged)).toBe(401);
});

test('a token is refused if any part of it was changed', async () => {
  const token = await service.token();
  const [head, body, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
  const other = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
  for (const forged of [
    `${head}.${other}.${signature}`,
    `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    `${head}.${body}`,
    `${token}.x`,
    token.slice(1),
    '....',
    'x'.repeat(5000),
  ]) {
    expect(await withHeader(forged), forged.slice(0, 20)).toBe(401);
  }
});

test('a token without the scope is refused with 403', async () => {
  const token = await service.token({ scopes: ['reports:write'] });
  const response = await ask(TILE, { authorization: `Bearer ${token}` });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'scope_required' });
});

test('a token restricted to another origin is refused with 403', async () => {
  const authorization = `Bearer ${await service.token({ origins: ['https://app.example'] })}`;
  const from = async (headers: Record<string, string>) =>
    (await ask(TILE, { authorization, ...headers })).status;
  expect(await from({ origin: 'https://app.example' })).toBe(200);
  expect(await from({ referer: 'https://app.example/map?x' })).toBe(200);
  expect(await from({ origin: 'https://app.example.evil' })).toBe(403);
  expect(await from({ origin: 'null' })).toBe(403);
  expect(await from({ referer: 'nonsense' })).toBe(403);
  expect(await from({})).toBe(403);
});

test('a token is refused after its revocation, the suspension of its account, or the end of its generation', async () => {
  const token = await service.token({ account: 'gone' });
  const other = await service.token({ account: 'stays' });
  const { startService: start } = await import('../support/service.ts');
  const fresh = await start({ charts: inject('demoCharts') });
  try {
    const kv = await fresh.runtime.getKVNamespace('KV');
    const list = { tokens: [], suspended: ['gone'], generations: { old: 1 } };
    await kv.put('revoked-v1', JSON.stringify(list));
    const status = async (account: string) => {
      const made = await fresh.token({ account });
      return (await ask(TILE, { authorization: `Bearer ${made}` }, fresh)).status;
    };
    expect(await status('gone')).toBe(401);
    expect(await status('old')).toBe(401);
    expect(await status('stays')).toBe(200);
  } finally {
    await fresh.stop();
  }
  expect(await withHeader(token)).toBe(200);
  expect(await withHeader(other)).toBe(200);
});

describe('the enterprise interpretation of the contract', () => {
  const askGated = async (path: string, plan: 'standard' | 'enterprise') =>
    ask(path, { authorization: `Bearer ${await gated.token({ plan })}` }, gated);

  test('limits data tiles to the enterprise plan', async () => {
    const refused = await askGated(GEOJSON, 'standard');
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'plan_required' });
    expect((await askGated(GEOJSON, 'enterprise')).status).toBe(200);
    expect((await askGated(TILE, 'standard')).status).toBe(200);
  });

  test('checks the plan before the tile', async () => {
    const bad = '/api/v2/tiles/data-geojson-v1/99/0/0.json';
    expect((await askGated(bad, 'standard')).status).toBe(403);
  });

  test('starts GeoJSON tiles at zoom 12', async () => {
    const path = (tile: string) => `/api/v2/tiles/data-geojson-v1/${tile}.json`;
    expect((await askGated(path('11/910/1202'), 'enterprise')).status).toBe(400);
    expect((await askGated(path('12/1820/2405'), 'enterprise')).status).toBe(200);
  });

  test('returns the shoreline as a bare geometry', async () => {
    const path = (tile: string) => `/api/v2/tiles/data-shoreline-v1/${tile}.json`;
    const land = await (await askGated(path('14/7282/9623'), 'enterprise')).json();
    expect(land).toMatchObject({ type: expect.stringMatching(/^(Multi)?Polygon$/) });
    const water = await (await askGated(path('10/300/600'), 'enterprise')).json();
    expect(water).toEqual({ type: 'MultiPolygon', coordinates: [] });
  });

  test('may require a token for the attributions', async () => {
    const path = '/api/v1/datasets/attributions';
    expect((await ask(path, {}, gated)).status).toBe(401);
    expect((await askGated(path, 'standard')).status).toBe(200);
  });

  test('attributions that require a token return the reason of a rejection, and are not in shared caches', async () => {
    const path = '/api/v1/datasets/attributions';
    const refused = await ask(path, { authorization: 'Bearer nonsense' }, gated);
    expect(await refused.json()).toMatchObject({ status: 401, code: 'token_invalid' });
    const elsewhere = {
      authorization: `Bearer ${await gated.token({ origins: ['https://app.example'] })}`,
    };
    const fromOther = await ask(path, { ...elsewhere, origin: 'https://other.example' }, gated);
    expect(await fromOther.json()).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    const answer = await askGated(path, 'standard');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=300');
  });
});

test('the shared secret of a self-hosted service can sign tokens', async () => {
  const hosted = await startService({
    charts: inject('demoCharts'),
    settings: { TOKEN_SECRET: SECRET },
  });
  try {
    const token = await new SignJWT({ acc: 'a', typ: 'pk', plan: 'standard', scp: ['tiles'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('x')
      .setJti('y')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SECRET));
    const response = await ask(TILE, { authorization: `Bearer ${token}` }, hosted);
    expect(response.status).toBe(200);
  } finally {
    await hosted.stop();
  }
});
