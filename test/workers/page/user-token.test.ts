// When the page requests a user token for its device.

import { afterEach, expect, test, vi } from 'vitest';
import { openUserToken } from '../../../workers/web/chart/reports/user-token.ts';

afterEach(() => vi.unstubAllGlobals());

const claims = (payload: object) => `e30.${btoa(JSON.stringify(payload))}.x`;

test('tokens of two accounts do not share a user token', async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  let number = 0;
  const create = async () => ({ userToken: `${number++}`, expiresAt: Date.now() + 1e10 });
  const userOf = async (token: string) =>
    (await openUserToken(token, create).headers(true))['leadline-user'];
  const [one, two] = ['0011223344556677'.repeat(2), 'ffeeddccbbaa9988'.repeat(2)];
  expect([await userOf(one), await userOf(two), await userOf(one)]).toEqual(['0', '1', '0']);
});

test.each([
  ['an opaque token', '0011223344556677'.repeat(2), true],
  [
    'a public token that may report',
    claims({ acc: 'a', typ: 'pk', scp: 'tiles,reports:write' }),
    true,
  ],
  ['a public token that may not', claims({ acc: 'a', typ: 'pk', scp: 'tiles' }), false],
  ['a secret token', claims({ acc: 'a', typ: 'sk', scp: 'reports:write' }), false],
  ['no token', '', false],
])('with %s: %s', async (_, token, isAsked) => {
  const create = vi.fn(async () => ({ userToken: 'mine', expiresAt: Date.now() + 1e10 }));
  const headers = await openUserToken(token, create).headers(true);
  expect([headers, create.mock.calls.length]).toEqual(
    isAsked ? [{ 'leadline-user': 'mine' }, 1] : [{}, 0],
  );
});
