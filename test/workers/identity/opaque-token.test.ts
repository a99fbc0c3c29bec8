// Opaque tokens in the Worker: accepted tokens, reads of the key-value store, and failures of that
// store.

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { authenticate, type Caller } from '../../../workers/service/identity/auth.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import { memoryNamespace } from '../../support/style-assets.ts';

const NOW = Date.parse('2030-06-01T12:00:00Z');
const TOKEN = '0123456789abcdef0123456789abcdef';
const CLAIMS = {
  jti: 'j',
  acc: 'acme',
  sub: 'me',
  typ: 'sk',
  plan: 'enterprise',
  scp: ['tiles', 'routing', 'reports:admin'],
  gen: 2,
  iat: NOW / 1000,
};

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

let KV: ReturnType<typeof memoryNamespace>;
let asked: string[];
beforeEach(() => {
  const memory = memoryNamespace();
  asked = [];
  KV = {
    ...memory,
    get: async (key, type) => {
      asked.push(key);
      return memory.get(key, type);
    },
  };
});

const publish = (claims: object = {}, token = TOKEN) =>
  KV.put(opaqueTokenKey(hashOf(token)), JSON.stringify({ ...CLAIMS, ...claims }));

function caller(
  token: string,
  { at = NOW, headers = {}, inQuery = false, env = {} } = {},
): Promise<Caller> {
  const request = inQuery
    ? new Request(`https://leadline.test/x?token=${token}`, { headers })
    : new Request('https://leadline.test/x', {
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
  return authenticate(request, { KV, ...env } as unknown as Env, at, () => undefined);
}

const expectRefused = (made: Promise<Caller>, status = 401, code = 'token_invalid') =>
  expect(made).rejects.toMatchObject({ status, code });

const tokenReads = () => asked.filter((key) => key.startsWith('token-'));

async function silenced(run: () => Promise<void>): Promise<string> {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    await run();
    return log.mock.calls.flat().join('\n');
  } finally {
    log.mockRestore();
  }
}

describe('an opaque token', () => {
  test('gives the caller of its claims, in header and query, with one read by its hash', async () => {
    await publish();
    expect(await caller(TOKEN)).toMatchObject({
      tokenId: 'j',
      account: 'acme',
      subject: 'me',
      generation: 2,
      plan: 'enterprise',
      isPublic: false,
      scopes: new Set(CLAIMS.scp),
    });
    expect((await caller(TOKEN, { inQuery: true })).queryToken).toBe(TOKEN);
    expect(tokenReads()).toEqual([opaqueTokenKey(hashOf(TOKEN))]);
    expect(JSON.stringify([asked, [...KV.texts]])).not.toContain(TOKEN);
  });

  test.each([
    ['in capital letters', TOKEN.toUpperCase()],
    ['that is too short', TOKEN.slice(1)],
    ['that is too long', `${TOKEN}0`],
    ['with another letter', `${TOKEN.slice(1)}g`],
  ])('%s is 401 and is not looked up', async (_, token) => {
    await publish();
    await expectRefused(caller(token, { env: { TOKEN_SECRET: 'x'.repeat(40) } }));
    expect(tokenReads()).toEqual([]);
  });

  test('that is unknown is 401 for ten seconds without another read', async () => {
    await expectRefused(caller(TOKEN));
    await publish();
    await expectRefused(caller(TOKEN, { at: NOW + 9_999 }));
    expect(tokenReads()).toHaveLength(1);
    expect((await caller(TOKEN, { at: NOW + 10_000 })).account).toBe('acme');
  });

  test('is 403 from another origin, and accepted from its own', async () => {
    await publish({ org: ['https://app.example'] });
    await expectRefused(caller(TOKEN), 403, 'origin_not_allowed');
    const headers = { origin: 'https://app.example' };
    expect((await caller(TOKEN, { headers })).isRestrictedToOrigins).toBe(true);
  });

  test('is 401 after its expiry, also from the cache', async () => {
    await publish({ exp: NOW / 1000 + 1 });
    await caller(TOKEN);
    await expectRefused(caller(TOKEN, { at: NOW + 61_000 }), 401, 'token_expired');
    await expectRefused(caller(TOKEN, { at: NOW + 3_600_000 }), 401, 'token_expired');
  });

  test.each([
    ['tokens', { tokens: ['j'] }],
    ['suspended', { suspended: ['acme'] }],
    ['generations', { generations: { acme: 3 } }],
  ])('is 401 if the list of revoked tokens names it in %s', async (_, list) => {
    await publish();
    const whole = { tokens: [], suspended: [], generations: {}, ...list };
    await KV.put('revoked-v1', JSON.stringify(whole));
    await expectRefused(caller(TOKEN));
  });

  test('whose claims are damaged is 503 and never accepted', async () => {
    await publish({ typ: 'pk' });
    const log = await silenced(() => expectRefused(caller(TOKEN), 503, 'tokens_unavailable'));
    expect(log).toContain('opaque tokens');
    expect(log).not.toContain(TOKEN);
  });

  test('is 503 with Retry-After while the store is down, unless its claims are cached', async () => {
    await publish();
    const { get } = KV;
    const goDown = () => {
      KV.get = () => Promise.reject(new Error('unreachable'));
    };
    goDown();
    const log = await silenced(async () => {
      await expect(caller(TOKEN)).rejects.toMatchObject({
        status: 503,
        headers: expect.objectContaining({ 'retry-after': expect.any(String) }),
      });
      KV.get = get;
      await caller(TOKEN, { at: NOW + 1 });
      goDown();
      expect((await caller(TOKEN, { at: NOW + 120_000 })).account).toBe('acme');
      await expectRefused(caller('f'.repeat(32), { at: NOW }), 503, 'tokens_unavailable');
    });
    expect(log).not.toContain(TOKEN);
  });
});
