// `npm run tokens -- mint`: what scripts depend on, over a real database.

import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { useTokensCommand } from '../../support/tokens-fixture.ts';

const DAY_SECONDS = 86_400;
const { run, spawned, tokens, query, claimsOf, rowOf } = useTokensCommand();

test('tokens mint prints the token and nothing else, and enters all but its text', async () => {
  const { code, out: printed } = await spawned('mint', '--account', 'acme', '--sub', 'me');
  expect(code).toBe(0);
  expect(printed).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  const claims = claimsOf(printed);
  expect(claims).toMatchObject({ sub: 'me', acc: 'acme', plan: 'standard', pilot: false });
  expect(claims.exp! - claims.iat!).toBe(30 * DAY_SECONDS);
  expect(claims['scp']).not.toContain('reports:admin');
  expect(await rowOf(printed)).toMatchObject({
    id: claims.jti,
    accountId: 'acme',
    subject: 'me',
    kind: 'sk',
    state: 'good',
    keyId: decodeProtectedHeader(printed.trim()).kid,
    expiresAt: claims.exp! * 1000,
  });
  const { rows } = await query('SELECT t::text FROM api_token t');
  expect(JSON.stringify(rows)).not.toContain(printed.trim().split('.')[2]);
});

describe('the expiry of a token', () => {
  const PUBLIC = ['mint', '--sub', 'page', '--account', 'acme', '--public'];
  const ORIGINS = ['--origins', 'https://app.example'];
  const VOTES = ['mint', '--sub', 'page', '--account', 'acme', '--ext'];

  test('is printed on the error output, and the token alone on the output', async () => {
    const { out, complaint } = await run('mint', '--account', 'acme', '--sub', 'me');
    const expiry = new Date(claimsOf(out).exp! * 1000).toISOString();
    expect(complaint).toContain(`${expiry.slice(0, 10)} ${expiry.slice(11, 16)}Z`);
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  test('is absent by default from a public token that is restricted to origins', async () => {
    const { out, complaint } = await run(...PUBLIC, ...ORIGINS);
    expect(complaint).toContain('does not expire');
    expect(claimsOf(out)).not.toHaveProperty('exp');
    expect(await rowOf(out)).toMatchObject({ expiresAt: null, state: 'good' });
    const line = (await tokens('list', '--sub', 'page'))
      .split('\n')
      .find((one) => one.includes(claimsOf(out).jti!));
    expect(line).toMatch(/ never( |$)/);
  });

  test('is the requested one, also after a rotation', async () => {
    const printed = await tokens(...PUBLIC, ...ORIGINS, '--expires', '9d');
    const { exp, iat, jti } = claimsOf(printed);
    expect(exp! - iat!).toBe(9 * DAY_SECONDS);
    const next = claimsOf(await tokens('rotate', jti!, '--local'));
    expect(next.exp! - next.iat!).toBe(9 * DAY_SECONDS);
  });

  test('is absent from the token that replaces one without', async () => {
    const old = claimsOf(await tokens(...PUBLIC, ...ORIGINS));
    const { out, complaint } = await run('rotate', old.jti!, '--grace', '0s', '--local');
    expect(complaint).toContain('does not expire');
    expect(claimsOf(out)).not.toHaveProperty('exp');
    expect(await rowOf(old.jti!)).toMatchObject({ state: 'revoked' });
  });

  test.each([
    [PUBLIC, 'without origins'],
    [['mint', '--sub', 'me', '--account', 'acme', ...ORIGINS], 'with secret scopes'],
    [[...VOTES, '--scopes', 'tiles', ...ORIGINS], 'that votes for users'],
  ])('is thirty days for %j, %s, and never is refused', async (words) => {
    const { exp, iat } = claimsOf(await tokens(...words));
    expect(exp! - iat!).toBe(30 * DAY_SECONDS);
    const { code, out, complaint } = await run(...words, '--expires', 'never');
    expect([code, out]).toEqual([1, '']);
    expect(complaint).toContain('restricted to origins');
  });

  test('is counted by account set, and kept by tidy', async () => {
    await tokens('account', 'create', 'endless', '--plan', 'enterprise');
    const words = ['mint', '--sub', 'page', '--account', 'endless', '--public'];
    const printed = await tokens(...words, ...ORIGINS);
    const { complaint } = await run('account', 'set', 'endless', '--plan', 'standard');
    expect(complaint).toMatch(/^1 of its tokens/);
    await tokens('tidy');
    expect(await rowOf(printed)).toMatchObject({ state: 'good' });
  });

  test('is not needed for a token to be in the list of stopped ones', async () => {
    const { jti } = claimsOf(await tokens(...PUBLIC, ...ORIGINS));
    await tokens('revoke', jti!, '--local');
    expect(await tokens('revocations', 'check', '--local')).toContain('knows every token');
    expect(await rowOf(jti!)).toMatchObject({ state: 'revoked', expiresAt: null });
  });
});

test.each([['a\nb'], ['x'.repeat(129)]])(
  'tokens mint refuses the subject %j, which the service would not take',
  async (subject) => {
    for (const more of [[], ['--unrecorded']]) {
      const words = ['mint', '--account', 'acme', '--sub', subject, ...more];
      const { code, out, complaint } = await run(...words);
      expect([code, out]).toEqual([1, '']);
      expect(complaint).toContain('sub must');
    }
  },
);

test.each([['--admin'], ['--ext'], ['--scopes', 'tiles,routing']])(
  'tokens mint refuses --public with %s %s',
  async (...more) => {
    const words = ['mint', '--sub', 'page', '--account', 'acme', '--public', '--unrecorded'];
    const { code, out, complaint } = await run(...words, ...more);
    expect([code, out]).toEqual([1, '']);
    expect(complaint).toMatch(/^--public permits only the scopes .*\. Remove /);
  },
);

test('tokens mint takes every option', async () => {
  const printed = await tokens(
    ...['mint', '--sub', 'me', '--account', 'fleet', '--plan', 'enterprise', '--pilot'],
    ...['--admin', '--scopes', 'tiles,styles', '--expires', '12h', '--ext'],
    ...['--origins', 'https://a.example,https://b.example', '--note', 'for the bridge'],
  );
  const claims = claimsOf(printed);
  expect(claims).toMatchObject({
    acc: 'fleet',
    typ: 'sk',
    plan: 'enterprise',
    pilot: true,
    ext: true,
    org: ['https://a.example', 'https://b.example'],
  });
  expect(claims['scp']).toEqual(['tiles', 'styles', 'reports:admin']);
  expect(claims.exp! - claims.iat!).toBe(DAY_SECONDS / 2);
  expect(await rowOf(printed)).toMatchObject({ note: 'for the bridge', votesForUsers: true });
});

test('tokens mint gives the plan and flags of the account, or fewer rights with options', async () => {
  const full = claimsOf(await tokens('mint', '--sub', 'me', '--account', 'fleet'));
  expect(full).toMatchObject({ plan: 'enterprise', pilot: true });
  const words = ['--plan', 'standard', '--no-pilot', '--public'];
  const less = claimsOf(await tokens('mint', '--sub', 'me', '--account', 'fleet', ...words));
  expect(less).toMatchObject({ plan: 'standard', pilot: false, typ: 'pk' });
  expect(less['scp']).toEqual(['tiles', 'styles', 'query', 'reports:write']);
});

test.each([
  [[], /--sub/],
  [['--sub', 'x', '--plan', 'gold'], /standard, enterprise/],
  [['--sub', 'x', '--expires', 'soon'], /number/],
  [['--sub', 'x', '--expires', '2y'], /at most 1y/],
  [['--sub', 'x', '--scopes', 'tiles,all'], /no scope "all"/],
  [['--sub', 'x', '--origins', 'nowhere'], /not an origin/],
  [['--sub', 'x'], /--account/],
  [['--sub', 'x', '--account', 'nobody'], /account create nobody/],
  [['--sub', 'x', '--account', 'acme', '--plan', 'enterprise'], /set acme --plan enterprise/],
  [['--sub', 'x', '--account', 'acme', '--pilot'], /set acme --pilot/],
  [['--sub', 'x', '--account', 'acme', '--admin'], /set acme --admin/],
  [['--sub', 'x', '--account', 'acme', '--origins', manyOrigins()], /characters/],
])('tokens mint refuses %j on the error output, with a code', async (words, said) => {
  const before = await query('SELECT count(*) FROM api_token');
  const { code, out, complaint } = await run('mint', ...words);
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toMatch(said);
  expect(complaint).not.toMatch(/\n {4}at /);
  expect((await query('SELECT count(*) FROM api_token')).rows).toEqual(before.rows);
});

function manyOrigins(): string {
  return Array.from({ length: 12 }, (_, n) => `https://${'a'.repeat(60)}${n}.example`).join(',');
}
