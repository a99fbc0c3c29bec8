// Tokens of the maps in the portal, signed and checked.

import { expect, test } from 'vitest';
import { mapTokenClaims, signMapToken } from '../../../workers/service/identity/map-token.ts';
import { signUserToken } from '../../../workers/service/identity/user-token.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import { otherSpellings } from '../../support/token-spellings.ts';

const SECRET = new TextEncoder().encode('a secret of thirty-two characters');
const env: Env = { TILES: {} as never, USER_TOKEN_SECRET: 'a secret of thirty-two characters' };
const NOW = 2_000_000_000_000;
const HOLDER = { acc: 'marina', gen: 3, sub: 'member:1' };

test('a map token reads tiles and styles of its account for an hour', async () => {
  const { token, expiresAt } = await signMapToken(SECRET, HOLDER, NOW);
  expect(expiresAt).toBe(NOW + 3_600_000);
  const claims = await mapTokenClaims(token, env, NOW + 3_600_000);
  expect(claims).toMatchObject({ ...HOLDER, scp: ['tiles', 'styles'], typ: 'pk', pilot: false });
  expect(await mapTokenClaims(token, env, NOW + 3_700_000)).toEqual({
    expiredAt: expiresAt / 1000,
  });
});

test('a map token of another secret, in another spelling, or without a secret is invalid', async () => {
  const other = new TextEncoder().encode('another secret of so many characters');
  const { token } = await signMapToken(other, HOLDER, NOW);
  expect(await mapTokenClaims(token, env, NOW)).toBeUndefined();
  const { token: own } = await signMapToken(SECRET, HOLDER, NOW);
  expect(await mapTokenClaims(own, { TILES: {} as never }, NOW)).toBeUndefined();
  for (const [what, text] of otherSpellings(own.slice('map-'.length))) {
    expect(await mapTokenClaims(`map-${text}`, env, NOW), what).toBeUndefined();
  }
});

test('a user token is no map token', async () => {
  const iat = NOW / 1000;
  const user = { acc: 'marina', sub: 'device:1', iat, exp: iat + 100 };
  expect(await mapTokenClaims(`map-${await signUserToken(SECRET, user)}`, env, NOW)).toBe(
    undefined,
  );
});
