// `npm run tokens`: what others script against, over a real database.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { runTokens, runWithin, tokensOver } from '../../support/tokens-command.ts';

const DAY_SECONDS = 86_400;
const UUID = /^[0-9a-f-]{36}$/;

let data: string;
let database: TestDatabase;
let { run, spawned, tokens } = tokensOver('', '');
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'leadline-tokens-'));
  database = await freshDatabase();
  ({ run, spawned, tokens } = tokensOver(database.ownerUrl, data));
  await tokens('keys', 'create');
  await tokens('account', 'create', 'acme');
  await tokens('account', 'create', 'fleet', '--plan', 'enterprise', '--pilot', '--admin');
});
afterAll(async () => {
  await database?.stop();
  rmSync(data, { recursive: true, force: true });
});

const claimsOf = (printed: string) => decodeJwt(printed.trim());
const rowOf = async (printed: string) =>
  JSON.parse(await tokens('show', printed.trim())) as Record<string, unknown>;

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
  const { rows } = await database.query('SELECT t::text FROM api_token t');
  expect(JSON.stringify(rows)).not.toContain(printed.trim().split('.')[2]);
});

describe('the expiry of a token', () => {
  const PUBLIC = ['mint', '--sub', 'page', '--account', 'acme', '--public'];
  const ORIGINS = ['--origins', 'https://app.example'];

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

  test('is the one asked for, if one is, also after a rotation', async () => {
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
    [[...PUBLIC, ...ORIGINS, '--ext'], 'that votes for users'],
  ])('is thirty days for %j, %s, and never is refused', async (words) => {
    const { exp, iat } = claimsOf(await tokens(...words));
    expect(exp! - iat!).toBe(30 * DAY_SECONDS);
    const { code, out, complaint } = await run(...words, '--expires', 'never');
    expect([code, out]).toEqual([1, '']);
    expect(complaint).toContain('restricted to origins');
  });

  test('is counted as none by account set, and kept by tidy', async () => {
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

test.each([['a\nb'], ['x'.repeat(129)], ['']])(
  'tokens mint refuses the subject %j, which the service would not take',
  async (subject) => {
    for (const more of [[], ['--unrecorded']]) {
      const words = ['mint', '--account', 'acme', '--sub', subject, ...more];
      const { code, out, complaint } = await run(...words);
      expect([code, out]).toEqual([1, '']);
      expect(complaint).toContain('sub:');
    }
  },
);

test('tokens mint takes every option', async () => {
  const printed = await tokens(
    ...['mint', '--sub', 'me', '--account', 'fleet', '--plan', 'enterprise', '--pilot'],
    ...['--admin', '--scopes', 'tiles,styles', '--expires', '12h', '--ext'],
    ...['--origins', 'https://a.example,https://b.example/x', '--note', 'for the bridge'],
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

test('tokens mint gives what the account has, less where less is asked for', async () => {
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
  const before = await database.query('SELECT count(*) FROM api_token');
  const { code, out, complaint } = await run('mint', ...words);
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toMatch(said);
  expect(complaint).not.toMatch(/\n {4}at /);
  expect((await database.query('SELECT count(*) FROM api_token')).rows).toEqual(before.rows);
});

function manyOrigins(): string {
  return Array.from({ length: 12 }, (_, n) => `https://${'a'.repeat(60)}${n}.example`).join(',');
}

test('tokens account makes, changes and lists accounts, and says which tokens have too much', async () => {
  await tokens('account', 'create', 'harbour', '--plan', 'enterprise', '--note', 'north quay');
  await tokens('mint', '--sub', 'me', '--account', 'harbour');
  const { complaint } = await run('account', 'set', 'harbour', '--plan', 'standard', '--pilot');
  expect(complaint).toMatch(/^1 of its tokens .* end-tokens harbour/);
  const all = JSON.parse(await tokens('account', 'list', '--json')) as { id: string }[];
  expect(all.find(({ id }) => id === 'harbour')).toMatchObject({
    plan: 'standard',
    pilot: true,
    admin: false,
    generation: 0,
    note: 'north quay',
    suspendedAt: null,
  });
  expect(await tokens('account')).toMatch(/^harbour +standard +yes +0 +good .*north quay$/m);
});

test.each([
  [['create', 'acme'], /is an account acme already/],
  [['create', 'Two Words'], /is no account/],
  [['create', 'x'.repeat(65)], /is no account/],
  [['set', 'acme'], /what is to change/],
  [['set', 'nobody', '--pilot'], /no account nobody/],
  [['suspend', 'nobody', '--local'], /no account nobody/],
  [['suspend', 'acme'], /--remote or --local/],
  [['suspend', 'acme', '--remote', '--local'], /either/],
])('tokens account refuses %j', async (words, said) => {
  const { code, out, complaint } = await run('account', ...words);
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toMatch(said);
});

describe('tokens rotate and revoke', () => {
  test('replace a token by one like it, and end the old one in time or at once', async () => {
    const request = ['--sub', 'me', '--account', 'fleet', '--scopes', 'tiles', '--expires', '9d'];
    const old = claimsOf(await tokens('mint', ...request, '--origins', 'https://a.example'));
    const before = Date.now();
    const made = claimsOf(await tokens('rotate', old.jti!, '--grace', '2h', '--local'));
    expect(made).toEqual({
      ...old,
      jti: expect.stringMatching(UUID),
      iat: expect.any(Number),
      exp: made.iat! + 9 * DAY_SECONDS,
    });
    const row = await rowOf(old.jti!);
    expect(row).toMatchObject({ state: 'good', replacedBy: made.jti });
    expect(Number(row['revokedAt']) - before).toBeGreaterThan(2 * 3600_000 - 1000);
    expect((await run('rotate', old.jti!, '--local')).complaint).toContain(`by ${made.jti}`);

    expect(await spawned('revoke', old.jti!, made.jti!, '--local')).toEqual({
      code: 0,
      out: `Revoked ${old.jti}.\nRevoked ${made.jti}.\n`,
      complaint: '',
    });
    expect(await rowOf(old.jti!)).toMatchObject({ state: 'revoked' });
    expect((await run('rotate', made.jti!, '--local')).complaint).toMatch(/revoked/);
    expect(await tokens('list', '--account', 'fleet')).not.toContain(made.jti);
    expect(await tokens('list', '--account', 'fleet', '--all')).toContain(made.jti);
    const { code, complaint } = await run('revoke', 'no-such-token', '--local');
    expect([code, complaint]).toEqual([1, expect.stringContaining('no token no-such-token')]);
  });

  test('a token that was never entered is revoked by its text', async () => {
    const token = (
      await tokens('mint', '--sub', 'me', '--account', 'apart', '--unrecorded')
    ).trim();
    expect((await run('show', token)).complaint).toMatch(/There is no token/);
    await tokens('revoke', token, '--local');
    expect(await rowOf(token)).toMatchObject({ accountId: 'apart', state: 'revoked' });
  });
});

describe('tokens revoke', () => {
  const forged = async (claims: object, by: (token: SignJWT) => SignJWT, key: object) =>
    by(new SignJWT({ acc: 'acme', typ: 'sk', plan: 'standard', scp: ['tiles'], ...claims }))
      .setSubject('me')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key as never);

  test('tokens revoke: by a text that nobody here signed ends no token and makes no account', async () => {
    const sound = claimsOf(await tokens('mint', '--sub', 'victim', '--account', 'acme'));
    const { kid } = decodeProtectedHeader(
      (await tokens('mint', '--sub', 'me', '--account', 'acme')).trim(),
    );
    const stolen = { jti: sound.jti!, acc: 'nowhere' };
    const { privateKey } = await generateKeyPair('EdDSA');
    const texts = [
      await forged(stolen, (t) => t.setProtectedHeader({ alg: 'EdDSA', kid: kid! }), privateKey),
      await forged(stolen, (t) => t.setProtectedHeader({ alg: 'HS256' }), Buffer.alloc(32, 'x')),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await forged(stolen, (t) => t.setProtectedHeader({ alg: 'EdDSA' }), privateKey)).split('.')[1]}.`,
    ];
    for (const text of texts) {
      const { code, complaint } = await run('revoke', text, '--local');
      expect([code, complaint]).toEqual([1, expect.stringContaining('None of the keys here')]);
      expect(complaint).not.toContain(text);
    }
    expect(await rowOf(sound.jti!)).toMatchObject({ state: 'good' });
    const { rows } = await database.query(`SELECT id FROM account WHERE id = 'nowhere'`);
    expect(rows).toEqual([]);
  });

  test('tokens revoke: by its text ends one that was signed with the shared secret, expired or not', async () => {
    const secret = 'a secret of forty characters, at the least';
    vi.stubEnv('TOKEN_SECRET', secret);
    try {
      const text = await new SignJWT({ acc: 'acme', typ: 'sk', plan: 'standard', scp: ['tiles'] })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject('me')
        .setJti('by-secret')
        .setIssuedAt(Math.floor(Date.now() / 1000) - 7200)
        .setExpirationTime(Math.floor(Date.now() / 1000) - 3600)
        .sign(new TextEncoder().encode(secret));
      expect(await tokens('revoke', text, '--local')).toBe('Revoked by-secret.\n');
      expect(await rowOf('by-secret')).toMatchObject({ state: 'revoked', keyId: null });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

test('tokens inspect and keys tell whose key signed, before and after that key is retired', async () => {
  const token = (await tokens('mint', '--sub', 'me', '--account', 'acme')).trim();
  const inspected = async () => JSON.parse(await tokens('inspect', token)) as object;
  expect(await inspected()).toMatchObject({ signature: 'good', claims: { sub: 'me' } });
  const [first] = (await tokens('keys')).trim().split('\n');
  const second = (await tokens('keys', 'rotate')).trim();
  expect((await tokens('keys', 'list')).trim().split('\n')).toEqual([first, second]);
  expect(await inspected()).toMatchObject({ signature: 'good' });
  const shown = JSON.parse(await tokens('keys', 'public')) as { keys: { kid: string }[] };
  expect(shown.keys.map(({ kid }) => kid)).toEqual([first, second]);
  expect(JSON.stringify(shown)).not.toContain('"d"');

  expect((await run('keys', 'retire', first!)).complaint).toMatch(
    /of its tokens are good.*--force/,
  );
  await tokens('keys', 'retire', first!, '--force');
  expect(await inspected()).toMatchObject({ signature: expect.not.stringMatching('good') });
  expect((await run('keys', 'retire', second)).complaint).toMatch(/last key/);
  expect((await run('keys', 'retire', 'k-none')).complaint).toMatch(/no key k-none/);
  expect((await run('inspect', 'nonsense')).complaint).toMatch(/no token/);
});

test('tokens audit tells who did what, and neither for whom nor for what end', async () => {
  const printed = await tokens('mint', '--sub', 'somebody-by-name', '--account', 'acme');
  const id = claimsOf(printed).jti!;
  await tokens('revoke', id, '--local');
  const acts = JSON.parse(await tokens('audit', '--account', 'acme', '--json')) as {
    act: string;
    tokenId: string;
  }[];
  expect(acts.filter(({ tokenId }) => tokenId === id)).toEqual([
    expect.objectContaining({ actor: 'the tests', act: 'token revoke', accountId: 'acme' }),
    expect.objectContaining({
      actor: 'the tests',
      act: 'token mint',
      detail: expect.objectContaining({ kind: 'sk', plan: 'standard', generation: 0 }),
    }),
  ]);
  expect(JSON.stringify(acts)).not.toContain('somebody-by-name');
  expect(await tokens('audit', '--limit', '1')).toMatch(/the tests +token revoke +acme/);
});

test('tokens tidy deletes what is kept no longer, and nothing else', async () => {
  const old = claimsOf(await tokens('mint', '--sub', 'old', '--account', 'fleet')).jti!;
  const made = claimsOf(await tokens('rotate', old, '--local')).jti!;
  await database.query(
    `UPDATE api_token SET expires_at = expires_at - 500 * 86400000::bigint WHERE id = $1`,
    [old],
  );
  await database.query(
    `INSERT INTO token_usage SELECT (now() AT TIME ZONE 'UTC')::date - age, $1, 'fleet', age
     FROM unnest(ARRAY[0, 700, 740, 800]) AS age`,
    [made],
  );
  expect(await tokens('tidy')).toBe('Deleted 1 tokens and 1 counts.\n');
  expect(await tokens('tidy')).toBe('Deleted 0 tokens and 0 counts.\n');
  expect((await run('show', old)).complaint).toBe(`There is no token ${old}.\n`);
  expect(await rowOf(made)).toMatchObject({ state: 'good' });
  const kept = JSON.parse(await tokens('usage', '--token', made, '--json')) as object[];
  expect(kept).toHaveLength(3);
});

test.each([
  [[], ['mint', 'rotate', 'list', 'revoke', 'account', 'keys', 'usage', 'erase', 'DATABASE_URL']],
  [['account'], ['create', 'suspend', 'resume', 'end-tokens', 'set']],
  [['mint'], ['--sub', '--origins', '--ext', '--unrecorded']],
  [['keys'], ['rotate', 'retire', 'public', 'wrangler secret put']],
  [['revocations'], ['publish', 'check']],
])('the command explains %j with --help', async (words, named) => {
  const { code, out } = await runWithin([...words, '--help']);
  expect(code).toBe(0);
  for (const word of named) expect(out).toContain(word);
});

test.each([
  ['mint', '--sub', 'me', '--account', 'acme'],
  ['mint', '--sub', 'me', '--account', 'acme', '--unrecorded'],
  ['keys', 'public'],
  ['keys', 'rotate'],
])('the command makes no new keys in a folder that holds none: %s %s', async (...words) => {
  const mistyped = `${data}-mistyped`;
  const { code, out, complaint } = await runWithin([...words, '--data', mistyped], {
    DATABASE_URL: database.ownerUrl,
  });
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toContain(`${mistyped} holds no keys`);
  expect(existsSync(mistyped)).toBe(false);
});

test('the command starts no database below a folder that does not exist', async () => {
  const mistyped = `${data}-mistyped`;
  const { code, complaint } = await runWithin(['account', 'list', '--data', mistyped]);
  expect(code).toBe(1);
  expect(complaint).toContain(`${mistyped} does not exist`);
  expect(existsSync(mistyped)).toBe(false);
});

test('the command ends in a terminal as it ends within a program', async () => {
  const [help, wrong, away] = await Promise.all([
    runTokens(['--help']),
    runTokens(['mint']),
    runTokens(['list'], { DATABASE_URL: 'postgresql://a:b@127.0.0.1:9/c' }),
  ]);
  expect(help).toMatchObject({ code: 0, complaint: '' });
  expect(wrong).toMatchObject({ code: 1, out: '', complaint: expect.stringContaining('--sub') });
  expect(away).toEqual({
    code: 1,
    out: '',
    complaint: 'Nothing answers at DATABASE_OWNER_URL or DATABASE_URL.\n',
  });
});

test('the command: beside a self-hosted service, the command needs to be told nothing that the service was told', async () => {
  const environment = {
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_URL: 'postgresql://leadline_service:x@127.0.0.1:9/leadline',
    LEADLINE_DATA: data,
  };
  const minted = await runWithin(['mint', '--account', 'acme', '--sub', 'me'], environment);
  expect(minted).toMatchObject({ code: 0, complaint: expect.stringContaining('expires at') });
  const id = claimsOf(minted.out).jti!;
  const revoked = await runWithin(['revoke', id], environment);
  expect([revoked.code, revoked.complaint]).toEqual([0, '']);
  expect(await rowOf(minted.out)).toMatchObject({ id, state: 'revoked' });
});

test.each([
  [
    'nothing answers there',
    'postgresql://a:b@127.0.0.1:9/c',
    /Nothing answers at DATABASE_OWNER_URL/,
  ],
  ['the password is wrong', 'wrong', /refuses the login/],
  ['it is the service’s own login', 'worker', /must be the owner’s/],
  ['it was never migrated', 'bare', /npm run migrate/],
])('the command says in a sentence that %s', async (_, which, said) => {
  const wrong = new URL(database.ownerUrl);
  wrong.password = 'guessed';
  const bare = new URL(database.ownerUrl);
  bare.pathname = '/postgres';
  const urls: Readonly<Record<string, string>> = {
    wrong: wrong.href,
    worker: database.bindings.DATABASE_URL,
    bare: bare.href,
  };
  const { code, out, complaint } = await runWithin(['account', 'list', '--data', data], {
    DATABASE_URL: urls[which] ?? which,
  });
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toMatch(said);
  expect(complaint.trim().split('\n')).toHaveLength(1);
});
