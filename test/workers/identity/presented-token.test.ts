// The place of a token in a request, and the limits of each rule: one request just within the
// limit, and one just beyond it.

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

describe('the format of a token', () => {
  test('allows at most 1,024 characters', () => {
    expect(isTokenText(`AA.AAAA.${'A'.repeat(1016)}`)).toBe(true);
    expect(isTokenText(`AAA.AAAA.${'A'.repeat(1016)}`)).toBe(false);
  });

  test('forbids parts that are invalid base64: one character after a multiple of four', () => {
    expect(isTokenText('AAAA.AAAA.AAAA')).toBe(true);
    for (const text of ['A.AAAA.AAAA', 'AAAA.AAAAA.AAAA', 'AAAA.AAAA.A']) {
      expect(isTokenText(text)).toBe(false);
    }
  });
});

describe('the place of a token', () => {
  test('is the header, with any case of the scheme and any blanks', () => {
    for (const text of ['Bearer a.b', 'bEARER a.b', 'Bearer    a.b', ' Bearer a.b ']) {
      expect(carried('', text)).toEqual({ token: 'a.b', from: 'header' });
    }
  });

  test('is not a header with another scheme or format', () => {
    for (const text of ['a.b', 'Bearer', 'Bearer a b', 'Basic a.b', 'XBearer a.b', 'Bearera.b']) {
      expect([text, codeOf(() => carried('?token=c', text))]).toEqual([text, 'token_invalid']);
    }
  });

  test('is the query, once or repeated with the same value, and an empty value is ignored', () => {
    expect(carried('')).toBeUndefined();
    expect(carried('?')).toBeUndefined();
    expect(carried('?token=')).toBeUndefined();
    expect(carried('?other=a')).toBeUndefined();
    expect(carried('', ' ')).toBeUndefined();
    expect(carried('?token=a', '')).toEqual({ token: 'a', from: 'query' });
    for (const query of ['?token=a', '?x=1&token=a', '?token=a&token=a', '?token=&token=a']) {
      expect(carried(query)).toEqual({ token: 'a', from: 'query' });
    }
    expect(codeOf(() => carried('?token=a&token=b'))).toBe('token_invalid');
  });

  test('is both if they have the same token', () => {
    expect(carried('?token=a', 'Bearer a')).toEqual({ token: 'a', from: 'both' });
    expect(carried('?token=', 'Bearer a')).toEqual({ token: 'a', from: 'header' });
  });

  test('is refused if the query has different tokens, also with a token in the header', () => {
    expect(codeOf(() => carried('?token=a&token=b', 'Bearer a'))).toBe('token_invalid');
  });

  test('is the header before the query, unless only the query is allowed', () => {
    const request = new Request(`${ADDRESS}?token=q`, { headers: { authorization: 'Bearer h' } });
    expect(presentedToken(request)).toEqual({ token: 'h', from: 'header' });
    expect(presentedToken(request, 'query')).toEqual({ token: 'q', from: 'query' });
  });
});

describe('the effect of a token', () => {
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

  test('is a 401 that requests one if the token is missing', async () => {
    const asked = authenticate(new Request(ADDRESS), envOf(), NOW, () => undefined);
    expect(await refusal(asked)).toBe('token_required');
  });

  test('is a public, anonymous caller for a public token', async () => {
    const publicScopes: Scope[] = ['tiles', 'reports:write'];
    const shown = await callerOf(await mint({ scopes: publicScopes }));
    expect([shown.isPublic, shown.isKnown]).toEqual([true, false]);
    const kept = await callerOf(await mint());
    expect([kept.isPublic, kept.isKnown]).toEqual([false, true]);
  });

  test('ends a minute after the expiry, to the second, in the first or a later request', async () => {
    const token = await mint();
    const ends = NOW + 3_660_000;
    for (const env of [envOf(), undefined]) {
      const seen = env ?? envOf();
      if (env !== undefined) await callerOf(token, {}, ends - 1000, seen);
      expect(await refusal(callerOf(token, {}, ends - 1000, seen))).toBe('none');
      expect(await refusal(callerOf(token, {}, ends, seen))).toBe('token_expired');
    }
  });

  test('is restricted to its origins, and rejected if the request has no origin', async () => {
    const token = await mint({ origins: ['https://a.example', 'https://b.example'] });
    const from = (headers: object) => refusal(callerOf(token, headers));
    expect(await from({ origin: 'https://b.example' })).toBe('none');
    expect(await from({ referer: 'https://a.example/page?x' })).toBe('none');
    expect(await from({ origin: 'https://c.example' })).toBe('origin_not_allowed');
    expect(await from({ referer: 'https://c.example/' })).toBe('origin_not_allowed');
    expect(await from({ referer: 'no address' })).toBe('origin_not_allowed');
    expect(await from({})).toBe('origin_not_allowed');
    // The Origin header takes precedence over the Referer header.
    const both = { origin: 'https://c.example', referer: 'https://a.example/' };
    expect(await from(both)).toBe('origin_not_allowed');
    expect(await refusal(callerOf(await mint(), { origin: 'https://c.example' }))).toBe('none');
  });
});

describe('keys', () => {
  test('verify a signature at most once a minute, and again after a failure', async () => {
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

  test('are valid if each configured key can be read and there is at least one', async () => {
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
