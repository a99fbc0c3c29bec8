// The caller that a token gives: rows of the decisions that no single endpoint shows. The tests pass in
// the time and the list of revoked tokens.

import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { SCOPES } from '../../../shared/contract/scopes.ts';
import {
  isSignedByOne,
  type KeyStore,
  mintToken,
  newKey,
  publicKeySet,
  type TokenRequest,
} from '../../../workers/host/admin/keys.ts';
import { authenticate, type Caller } from '../../../workers/service/identity/auth.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import { memoryNamespace } from '../../support/style-assets.ts';
import { otherSpellings } from '../../support/token-spellings.ts';

const NOW = Date.parse('2030-06-01T12:00:00Z');
const SECRET = 'a secret of forty characters, at a minimum';
const WISH: TokenRequest = {
  subject: 'me',
  account: 'acme',
  plan: 'enterprise',
  pilot: true,
  scopes: SCOPES,
  origins: [],
  expiresInSeconds: 3600,
};

let keys: KeyStore;
beforeAll(async () => {
  keys = { keys: [await newKey()] };
});

const mint = async (options: Partial<TokenRequest> = {}, at = NOW, signedBy = keys) =>
  (await mintToken(signedBy, { ...WISH, ...options }, at)).token;

interface Asked {
  readonly inQuery?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: number;
  readonly keySet?: KeyStore;
  readonly bindings?: object;
}

function caller(token: string, asked: Asked = {}): Promise<Caller> {
  const { inQuery = false, headers = {}, at = NOW, keySet = keys, bindings = {} } = asked;
  const env = { TOKEN_KEYS: JSON.stringify(publicKeySet(keySet)), ...bindings } as unknown as Env;
  const request = inQuery
    ? new Request(`https://leadline.test/x?token=${token}`, { headers })
    : new Request('https://leadline.test/x', {
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
  return authenticate(request, env, at, () => undefined);
}

/** Runs a function that must log exactly one fault, and keeps that line out of the test output. */
async function expectFault(where: string, run: () => Promise<void>): Promise<void> {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    await run();
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    expect(lines).toEqual([expect.objectContaining({ kind: 'fault', where })]);
  } finally {
    log.mockRestore();
  }
}

const expectRefused = (asked: Promise<Caller>, status = 401, code = 'token_invalid') =>
  expect(asked).rejects.toMatchObject({ status, code });

/** A token with any claims, signed with the given header. */
const signed = (claims: object, header: object = {}) =>
  import('jose').then(async ({ importJWK }) =>
    new SignJWT({
      acc: 'acme',
      typ: 'sk',
      plan: 'standard',
      scp: ['tiles'],
      sub: 'me',
      jti: 'j',
      iat: NOW / 1000,
      exp: NOW / 1000 + 3600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'EdDSA', kid: keys.keys[0]!.kid!, ...header })
      .sign(await importJWK(keys.keys[0]!, 'EdDSA')),
  );

describe('a caller', () => {
  test('has the identity of the token, and owns by subject only', async () => {
    const token = await mint({ generation: 3, votesForUsers: true });
    expect(await caller(token)).toEqual({
      tokenId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account: 'acme',
      generation: 3,
      subject: 'me',
      endUser: undefined,
      isPublic: false,
      isKnown: true,
      plan: 'enterprise',
      pilot: true,
      scopes: new Set(SCOPES),
      votesForUsers: true,
      isRestrictedToOrigins: false,
    });
  });

  test('is an administrator by header or query', async () => {
    const token = await mint();
    expect((await caller(token)).scopes).toContain('reports:admin');
    expect([...(await caller(token, { inQuery: true })).scopes]).toEqual(SCOPES);
  });

  test('is an administrator by the header only if ADMIN_TOKEN_IN_QUERY=off, even with a token in the query', async () => {
    const token = await mint();
    const bindings = { ADMIN_TOKEN_IN_QUERY: 'off' };
    expect((await caller(token, { bindings })).scopes).toContain('reports:admin');
    const byQuery = await caller(token, { inQuery: true, bindings });
    expect([...byQuery.scopes]).toEqual(SCOPES.filter((scope) => scope !== 'reports:admin'));
    expect(byQuery.queryToken).toBe(token);
    const both = await caller(token, {
      inQuery: true,
      headers: { authorization: `Bearer ${token}` },
      bindings,
    });
    expect(both.scopes).toContain('reports:admin');
    expect(both.queryToken).toBe(token);
    const other = await caller(token, {
      inQuery: true,
      headers: { authorization: `Bearer ${await mint()}` },
    });
    expect(other.queryToken).toBeUndefined();
  });

  test('is neither administrator nor may plan routes if the list of revoked tokens is unavailable', async () => {
    const KV = { ...memoryNamespace(), get: () => Promise.reject(new Error('unreachable')) };
    await expectFault('denylist', async () => {
      const { scopes } = await caller(await mint(), { bindings: { KV } });
      expect([...scopes]).toEqual(
        SCOPES.filter((scope) => scope !== 'reports:admin' && scope !== 'routing'),
      );
    });
  });
});

test('a clock may be wrong by a minute, at either end of the life of a token', async () => {
  const token = await mint();
  const at = (seconds: number) => caller(token, { at: NOW + seconds * 1000 });
  for (const seconds of [-60, 0, 3599, 3659]) expect((await at(seconds)).subject).toBe('me');
  for (const seconds of [-61, -3600]) await expectRefused(at(seconds));
  for (const seconds of [3660, 9999]) await expectRefused(at(seconds), 401, 'token_expired');
});

test('only the bearer of an expired token learns that it expired, on the first or a later request', async () => {
  const at = NOW + 7200_000;
  const token = await mint({ origins: ['https://app.example'] });
  await expectRefused(caller(token, { at }), 401, 'token_expired');
  const seen = await mint();
  expect((await caller(seen)).subject).toBe('me');
  await expectRefused(caller(seen, { at }), 401, 'token_expired');
  // Signed with other keys, changed, or with invalid claims.
  await expectRefused(caller(await mint({}, NOW, { keys: [await newKey()] }), { at }));
  const [head, body, signature] = (await mint()).split('.') as [string, string, string];
  const changed = Buffer.from(body, 'base64url').toString().replace('"me"', '"me2"');
  const forged = `${head}.${Buffer.from(changed).toString('base64url')}.${signature}`;
  await expectRefused(caller(forged, { at }));
  await expectRefused(caller(await signed({ scp: ['everything'] }), { at }));
});

test('rotated keys verify tokens until they are retired', async () => {
  const [old] = keys.keys;
  const both = { keys: [old!, await newKey()] };
  const [before, after] = [await mint(), await mint({}, NOW, both)];
  expect((await caller(before, { keySet: both })).subject).toBe('me');
  expect((await caller(after, { keySet: both })).subject).toBe('me');
  await expectRefused(caller(after));
  const retired = { keys: [both.keys[1]!] };
  await expectRefused(caller(before, { keySet: retired }));
  expect((await caller(after, { keySet: retired })).subject).toBe('me');
});

test('keys are selected by ID and for one algorithm, whatever the token contains', async () => {
  expect((await caller(await signed({}))).subject).toBe('me');
  await expectRefused(caller(await signed({}, { kid: 'another' })));
  await expectRefused(caller(await signed({}, { kid: undefined })));
  const secret = new TextEncoder().encode(SECRET);
  const bySecret = (header: object) =>
    new SignJWT({ acc: 'acme', typ: 'sk', plan: 'standard', scp: ['tiles'], sub: 'me', jti: 'j' })
      .setProtectedHeader({ alg: 'HS256', ...header })
      .setIssuedAt(NOW / 1000)
      .setExpirationTime(NOW / 1000 + 3600)
      .sign(secret);
  const bindings = { TOKEN_SECRET: SECRET };
  expect((await caller(await bySecret({}), { bindings })).subject).toBe('me');
  await expectRefused(caller(await bySecret({}), {}));
  // A token with the ID of a public key, signed with that key as a shared secret.
  await expectRefused(caller(await bySecret({ kid: keys.keys[0]!.kid! }), { bindings }));
  const publicKey = Buffer.from(keys.keys[0]!.x!, 'base64url');
  const confused = new SignJWT({
    acc: 'acme',
    typ: 'sk',
    plan: 'standard',
    scp: [],
    sub: 'me',
    jti: 'j',
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(NOW / 1000)
    .setExpirationTime(NOW / 1000 + 3600);
  await expectRefused(caller(await confused.sign(publicKey), { bindings }));
});

test('keys verify only the signed spelling of a token, not another spelling of the same bytes', async () => {
  const token = await mint();
  expect((await caller(token, { inQuery: true })).subject).toBe('me');
  for (const [what, text] of otherSpellings(token)) {
    const asked = caller(encodeURIComponent(text), { inQuery: true });
    await expect(asked, what).rejects.toMatchObject({ status: 401, code: 'token_invalid' });
    expect([what, await isSignedByOne(text, keys, undefined)]).toEqual([what, false]);
  }
  expect(await isSignedByOne(token, keys, undefined)).toBe(true);
});

test('unreadable keys are a 503, not an error of the client', async () => {
  const none = { TOKEN_KEYS: 'nonsense' };
  await expectFault('token keys', async () => {
    await expectRefused(caller(await mint(), { bindings: none }), 503, 'tokens_unavailable');
  });
});

test.each([
  ['an unknown scope', { scp: ['tiles', 'everything'] }],
  ['no scopes', { scp: undefined }],
  ['an unknown plan', { plan: 'gold' }],
  ['an unknown kind', { typ: 'xk' }],
  ['no account', { acc: undefined }],
  ['an empty account', { acc: '' }],
  ['an account of 65 characters', { acc: 'a'.repeat(65) }],
  ['no subject', { sub: undefined }],
  ['no id', { jti: undefined }],
  ['a negative generation', { gen: -1 }],
  ['a generation in words', { gen: 'one' }],
  ['pilot in words', { pilot: 'yes' }],
  ['too many origins', { org: Array.from({ length: 17 }, () => 'https://a') }],
  ...['jti', 'acc', 'sub'].flatMap((claim): [string, object][] => [
    [`NUL in ${claim}`, { [claim]: 'a\0b' }],
    [`NUL alone as ${claim}`, { [claim]: '\0' }],
    [`half of a surrogate pair in ${claim}`, { [claim]: 'a\ud800' }],
    [`the other half in ${claim}`, { [claim]: '\udfffa' }],
    [`a line break in ${claim}`, { [claim]: 'a\nb' }],
    [`a number as ${claim}`, { [claim]: 7 }],
    [`a list as ${claim}`, { [claim]: ['a'] }],
  ]),
  ['an account that the registry cannot create', { acc: 'A B' }],
  ['an id with a blank', { jti: 'a b' }],
  ['NUL in an origin', { org: ['https://a.example', 'a\0'] }],
  ['a generation beyond the integers of the database', { gen: 2 ** 31 }],
  ['an issue before 1970', { iat: -1 }],
  ['an expiry after the year 9999', { exp: 2 ** 53 - 1 }],
])('claims with %s are rejected', async (_, claims) => {
  await expectRefused(caller(await signed(claims)));
});

test.each([
  [{ scp: ['tiles', 'routing'] }],
  [{ scp: ['bathymetry:write'] }],
  [{ scp: ['styles:write'] }],
  [{ scp: ['reports:admin'] }],
  [{ scp: ['tiles'], ext: true }],
])('claims of a public token may not contain a secret: %j', async (claims) => {
  await expectRefused(caller(await signed({ ...claims, typ: 'pk' })));
  expect((await caller(await signed({ ...claims, typ: 'sk' }))).account).toBe('acme');
  const open = { scp: ['tiles', 'styles', 'query', 'reports:write'], typ: 'pk' };
  expect((await caller(await signed(open))).scopes.size).toBe(4);
});

describe('an expiry', () => {
  const endless = {
    typ: 'pk',
    scp: ['tiles', 'reports:write'],
    org: ['https://app.example'],
    exp: undefined,
  };
  const headers = { origin: 'https://app.example' };
  const later = { headers, at: NOW + 50 * 366 * 86_400_000 };

  test('may be absent from a public token that is restricted to origins, which stays valid', async () => {
    const token = await signed(endless);
    for (const asked of [{ headers }, later, { ...later, at: later.at + 30_000 }]) {
      expect((await caller(token, asked)).subject).toBe('me');
    }
    await expectRefused(caller(token, { ...later, headers: {} }), 403, 'origin_not_allowed');
    const minted = await mint({
      scopes: ['tiles'],
      origins: endless.org,
      expiresInSeconds: undefined,
    });
    expect((await caller(minted, later)).subject).toBe('me');
  });

  test.each([
    ['a secret token', { typ: 'sk' }],
    ['a token with secret scopes', { typ: 'sk', scp: ['routing'] }],
    ['a public token for every origin', { org: undefined }],
    ['a public token with an empty list of origins', { org: [] }],
    ['a token that votes for users', { typ: 'sk', ext: true }],
    ['a token whose expiry is null', { exp: null }],
    ['a token whose expiry is a text', { exp: '2031-01-01' }],
  ])('is required for %s', async (_, claims) => {
    await expectRefused(caller(await signed({ ...endless, ...claims }), { headers }));
  });

  test('applies to a public token if present, restricted to origins or not', async () => {
    const token = await signed({ ...endless, exp: NOW / 1000 + 3600 });
    expect((await caller(token, { headers })).subject).toBe('me');
    await expectRefused(caller(token, later), 401, 'token_expired');
  });

  test('may be absent from a revoked token, which stays revoked', async () => {
    const KV = memoryNamespace();
    await KV.put('revoked-v1', JSON.stringify({ tokens: ['j'], suspended: [], generations: {} }));
    await expectRefused(caller(await signed(endless), { ...later, bindings: { KV } }));
  });
});

test('claims longer than 1,024 characters are not read', async () => {
  const filler = (length: number) => signed({ filler: 'x'.repeat(length) });
  const spare = 1024 - (await filler(0)).length;
  expect((await filler(Math.floor((spare * 3) / 4) - 2)).length).toBeLessThanOrEqual(1024);
  expect((await caller(await filler(Math.floor((spare * 3) / 4) - 2))).account).toBe('acme');
  await expectRefused(caller(await filler(spare)));
});

test.each([
  [{ origin: 'https://app.example' }, true],
  [{ referer: 'https://app.example/chart?x=1#y' }, true],
  [{ origin: 'https://app.example', referer: 'https://evil.example/' }, true],
  [{ origin: 'https://evil.example', referer: 'https://app.example/' }, false],
  [{ origin: 'http://app.example' }, false],
  [{ origin: 'https://app.example:8443' }, false],
  [{ origin: 'https://sub.app.example' }, false],
  [{ origin: 'null' }, false],
  [{ referer: 'https://app.example.evil/' }, false],
  [{ referer: 'nonsense' }, false],
  // A GET of a page of the service, which sends neither Origin nor Referer.
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  [{ 'sec-fetch-site': 'same-origin', referer: 'https://evil.example/' }, false],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{}, false],
])('a request with the origin headers %j: allowed is %s', async (headers, isAllowed) => {
  const token = await mint({ origins: ['https://app.example', 'https://leadline.test'] });
  for (const inQuery of [false, true]) {
    const asked = caller(token, { headers, inQuery });
    if (isAllowed) expect((await asked).subject).toBe('me');
    else await expectRefused(asked, 403, 'origin_not_allowed');
  }
});

test('a revoked token is rejected before its origins are checked', async () => {
  const KV = memoryNamespace();
  const list = { tokens: [], suspended: ['acme'], generations: {} };
  await KV.put('revoked-v1', JSON.stringify(list));
  const token = await mint({ origins: ['https://app.example'] });
  await expectRefused(caller(token, { bindings: { KV } }));
});
