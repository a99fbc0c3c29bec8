// When the page requests a user token for its device.

import { afterEach, expect, test, vi } from 'vitest';
import { openUserToken } from '../../../workers/web/chart/reports/user-token.ts';

afterEach(() => vi.unstubAllGlobals());

const claims = (payload: object) => `e30.${btoa(JSON.stringify(payload))}.x`;

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
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return Response.json({ userToken: 'mine', expiresAt: Date.now() + 1e10 }, { status: 201 });
  });
  const headers = await openUserToken(token).headers(true);
  expect([headers, asked]).toEqual(
    isAsked ? [{ 'leadline-user': 'mine' }, ['/api/v1/user-tokens']] : [{}, []],
  );
});
