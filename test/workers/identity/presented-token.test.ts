// Where a request carries its token, and what of the token decides at its limits: every rule by a request
// that just keeps it and one that just breaks it.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { SCOPES, type Scope } from '../../../shared/contract/scopes.ts';
import { isTokenText } from '../../../shared/contract/token-text.ts';
import {
  type KeyStore,
  mintToken,
  newKey,
  publicKeySet,
  type TokenRequest,
} from '../../../workers/host/admin/keys.ts';
import { authenticate, presentedToken } from '../../../workers/service/identity/auth.ts';
import { areTokenKeysSound, verifyToken } from '../../../workers/service/identity/token.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';

const NOW = Date.parse('2030-06-01T12:00:00Z');
const ADDRESS = 'https://leadline.test/x';

let keys: KeyStore;
beforeAll(async () => {
  keys = { keys: [await newKey()] };
});

const envOf = (bindings: object = {}) =>
  ({ TOKEN_KEYS: JSON.stringify(publicKeySet(keys)), ...bindings }) as unknown as Env;
const mint = async (wanted: Partial<TokenRequest> = {}) => {
  const all = { subject: 'me', account: 'acme', plan: 'standard', pilot: false } as const;
  const request = { ...all, scopes: SCOPES, origins: [], expiresInSeconds: 3600, ...wanted };
  return (await mintToken(keys, request, NOW)).token;
};
const carried = (query: string, authorization?: string) =>
  presentedToken(
    new Request(ADDRESS + query, authorization === undefined ? {} : { headers: { authorization } }),
  );
const codeOf = (act: () => unknown) => {
  try {
    act();
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('how a token is spelt', () => {
  test('a token has 1,024 characters at the most', () => {
    expect(isTokenText(`AA.AAAA.${'A'.repeat(1016)}`)).toBe(true);
    expect(isTokenText(`AAA.AAAA.${'A'.repeat(1016)}`)).toBe(false);
  });

  test('a token has no part that base64 cannot have: one letter beyond whole fours', () => {
    expect(isTokenText('AAAA.AAAA.AAAA')).toBe(true);
    for (const text of ['A.AAAA.AAAA', 'AAAA.AAAAA.AAAA', 'AAAA.AAAA.A']) {
      expect(isTokenText(text)).toBe(false);
    }
  });
});

describe('where a token is', () => {
  test('a token is found in the header, in any case of its scheme and with any blanks', () => {
    for (const text of ['Bearer a.b', 'bEARER a.b', 'Bearer    a.b', ' Bearer a.b ']) {
      expect(carried('', text)).toEqual({ token: 'a.b', from: 'header' });
    }
  });

  test('a token is not found in a header that is none of its own', () => {
    for (const text of [
      'a.b',
      'Bearer',
      'Bearer a b',
      'Basic a.b',
      'XBearer a.b',
      'Bearera.b',
      '',
    ]) {
      expect([text, codeOf(() => carried('?token=c', text))]).toEqual([text, 'token_invalid']);
    }
  });

  test('a token is found in the query, once or the same again, and an empty one is none', () => {
    expect(carried('')).toBeUndefined();
    expect(carried('?')).toBeUndefined();
    expect(carried('?token=')).toBeUndefined();
    expect(carried('?other=a')).toBeUndefined();
    for (const query of ['?token=a', '?x=1&token=a', '?token=a&token=a', '?token=&token=a']) {
      expect(carried(query)).toEqual({ token: 'a', from: 'query' });
    }
    expect(codeOf(() => carried('?token=a&token=b'))).toBe('token_invalid');
  });

  test('a token in the header goes before one in the query, unless the query alone is asked about', () => {
    const request = new Request(`${ADDRESS}?token=q`, { headers: { authorization: 'Bearer h' } });
    expect(presentedToken(request)).toEqual({ token: 'h', from: 'header' });
    expect(presentedToken(request, 'query')).toEqual({ token: 'q', from: 'query' });
  });
});

describe('what a token decides', () => {
  const callerOf = async (token: string, headers = {}, at = NOW, env = envOf()) =>
    authenticate(
      new Request(ADDRESS, { headers: { authorization: `Bearer ${token}`, ...headers } }),
      env,
      at,
      () => undefined,
    );
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => 'none',
      (error: { code: string }) => error.code,
    );

  test('a request without a token is asked for one', async () => {
    const asked = authenticate(new Request(ADDRESS), envOf(), NOW, () => undefined);
    expect(await refusal(asked)).toBe('token_required');
  });

  test('a token that pages show is public, and who is behind it is not known', async () => {
    const publicScopes: Scope[] = ['tiles', 'reports:write'];
    const shown = await callerOf(await mint({ scopes: publicScopes }));
    expect([shown.isPublic, shown.isKnown]).toEqual([true, false]);
    const kept = await callerOf(await mint());
    expect([kept.isPublic, kept.isKnown]).toEqual([false, true]);
  });

  test('a token ends a minute after its time, to the second, seen before or not', async () => {
    const token = await mint();
    const ends = NOW + 3_660_000;
    for (const env of [envOf(), undefined]) {
      const seen = env ?? envOf();
      if (env !== undefined) await callerOf(token, {}, ends - 1000, seen);
      expect(await refusal(callerOf(token, {}, ends - 1000, seen))).toBe('none');
      expect(await refusal(callerOf(token, {}, ends, seen))).toBe('token_expired');
    }
  });

  test('a token for some origins is for no other, and for none where none is named', async () => {
    const token = await mint({ origins: ['https://a.example', 'https://b.example'] });
    const from = (headers: object) => refusal(callerOf(token, headers));
    expect(await from({ origin: 'https://b.example' })).toBe('none');
    expect(await from({ referer: 'https://a.example/page?x' })).toBe('none');
    expect(await from({ origin: 'https://c.example' })).toBe('origin_not_allowed');
    expect(await from({ referer: 'https://c.example/' })).toBe('origin_not_allowed');
    expect(await from({ referer: 'no address' })).toBe('origin_not_allowed');
    expect(await from({})).toBe('origin_not_allowed');
    // What a page says of itself goes before where it came from.
    const both = { origin: 'https://c.example', referer: 'https://a.example/' };
    expect(await from(both)).toBe('origin_not_allowed');
    expect(await refusal(callerOf(await mint(), { origin: 'https://c.example' }))).toBe('none');
  });
});

describe('keys', () => {
  test('a signature is verified at most once a minute, and again after a failure', async () => {
    const env = envOf();
    const token = await mint();
    const verify = vi.spyOn(crypto.subtle, 'verify');
    try {
      for (const at of [0, 30_000, 59_000]) await verifyToken(token, env, NOW + at);
      expect(verify).toHaveBeenCalledTimes(1);
      await verifyToken(token, env, NOW + 60_001);
      expect(verify).toHaveBeenCalledTimes(2);
    } finally {
      verify.mockRestore();
    }
  });

  test('keys are sound where all that were given can be read, and there is one', async () => {
    const fault = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const good = publicKeySet(keys).keys[0]!;
    const sound = (TOKEN_KEYS: string | undefined, more = {}) =>
      areTokenKeysSound({ TOKEN_KEYS, ...more } as unknown as Env);
    try {
      expect(await sound(JSON.stringify({ keys: [good] }))).toBe(true);
      expect(await sound(JSON.stringify({ keys: [] }))).toBe(false);
      expect(await sound(undefined)).toBe(false);
      expect(await sound('')).toBe(false);
      expect(await sound('no JSON')).toBe(false);
      expect(await sound('{}')).toBe(false);
      const { kid: _, ...nameless } = good;
      for (const bad of [nameless, { ...good, crv: 'X25519' }]) {
        expect(await sound(JSON.stringify({ keys: [good, bad] }))).toBe(false);
      }
      expect(fault).toHaveBeenCalled();
      const secret = (length: number) => ({ TOKEN_SECRET: 'x'.repeat(length) });
      expect(await sound('', secret(32))).toBe(true);
      expect(await sound('', secret(31))).toBe(false);
      const listed = JSON.stringify({ keys: [good] });
      expect(await sound(listed, secret(31))).toBe(false);
      expect(await sound(listed, secret(32))).toBe(true);
    } finally {
      fault.mockRestore();
    }
  });
});
