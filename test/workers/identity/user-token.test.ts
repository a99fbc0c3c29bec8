// Tokens of end users, signed and checked.

import { expect, test } from 'vitest';
import { readUserTokenRequest } from '../../../shared/contract/user-token.ts';
import { endUserOf, signUserToken } from '../../../workers/service/identity/user-token.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import { otherSpellings } from '../../support/token-spellings.ts';

const SECRET = 'a secret of thirty-two characters';
const env: Env = { TILES: {} as never, USER_TOKEN_SECRET: SECRET };
const NOW_S = 2_000_000_000;

const signed = (secret = SECRET, more = {}) =>
  signUserToken(new TextEncoder().encode(secret), {
    ...{ acc: 'marina', sub: 'device:1', iat: NOW_S, exp: NOW_S + 100 },
    ...more,
  });
const ask = (token: string, atSeconds: number, account = 'marina', here = env) =>
  endUserOf(
    new Request('http://leadline.test/', { headers: { 'leadline-user': token } }),
    account,
    here,
    atSeconds * 1000,
  );
const INVALID = { status: 401, code: 'user_token_invalid' };

test('a user token names its end user until a minute after its expiry, because clocks differ', async () => {
  const token = await signed();
  expect(await ask(token, NOW_S + 159)).toBe('device:1');
  await expect(ask(token, NOW_S + 161)).rejects.toMatchObject(INVALID);
});

test('a user token of another secret, another account or another kind of subject is rejected', async () => {
  const other = await signed('another secret of so many characters');
  await expect(ask(other, NOW_S)).rejects.toMatchObject(INVALID);
  await expect(ask(await signed(), NOW_S, 'harbour')).rejects.toMatchObject(INVALID);
  await expect(ask(await signed(SECRET, { sub: 'anna' }), NOW_S)).rejects.toMatchObject(INVALID);
});

test.each(['user:a\0b', 'device:\0', 'user:\ud800', `user:${'a'.repeat(124)}`])(
  'a user token of %j is rejected',
  async (sub) => {
    await expect(ask(await signed(SECRET, { sub }), NOW_S)).rejects.toMatchObject(INVALID);
  },
);

test('a user token of an account with an invalid id is rejected', async () => {
  const token = await signed(SECRET, { acc: 'a\0b' });
  await expect(ask(token, NOW_S, 'a\0b')).rejects.toMatchObject(INVALID);
});

test('a user token in another spelling of its bytes is rejected', async () => {
  const token = await signed();
  expect(await ask(token, NOW_S)).toBe('device:1');
  for (const [what, text] of otherSpellings(token)) {
    // HTTP removes blanks around the value of a header.
    if (text.trim() === token) continue;
    await expect(ask(text, NOW_S), what).rejects.toMatchObject(INVALID);
  }
});

test('a user token is rejected if the secret of the service is too short or missing', async () => {
  const token = await signed('short');
  for (const secret of [{ USER_TOKEN_SECRET: 'short' }, {}]) {
    const here: Env = { TILES: {} as never, ...secret };
    await expect(ask(token, NOW_S, 'marina', here)).rejects.toMatchObject(INVALID);
  }
});

test('a request without a user token names no end user', async () => {
  const request = new Request('http://leadline.test/');
  expect(await endUserOf(request, 'marina', env, 0)).toBeUndefined();
});

test.each([['\u0001'.repeat(120)], ['a\nb'], ['a\0'], ['\ud800'], ['a'.repeat(121)]])(
  'a user token is not made for %j, which no token could carry',
  (externalUserId) => {
    expect(readUserTokenRequest({ externalUserId })).toMatchObject({
      faults: [{ path: 'externalUserId' }],
    });
  },
);

test.each([['海'.repeat(120)], ['"'.repeat(120)], ['\\'.repeat(120)], ['⛵'.repeat(60)]])(
  'a user token for %j is accepted, also with the longest account name',
  async (externalUserId) => {
    expect(readUserTokenRequest({ externalUserId })).toMatchObject({ externalUserId });
    const acc = 'a'.repeat(64);
    const token = await signed(SECRET, { acc, sub: `user:${externalUserId}` });
    expect(await ask(token, NOW_S, acc)).toBe(`user:${externalUserId}`);
  },
);
