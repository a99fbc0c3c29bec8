// `npm run tokens` with a real database: the output and exit codes that scripts depend on.

import { existsSync } from 'node:fs';
import { decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { runTokens, runWithin } from '../../support/tokens-command.ts';
import { useTokensCommand } from '../../support/tokens-fixture.ts';

const DAY_SECONDS = 86_400;
const UUID = /^[0-9a-f-]{36}$/;
const { data, run, spawned, tokens, query, ownerUrl, workerUrl, claimsOf, rowOf } =
  useTokensCommand();

test('tokens account creates, changes and lists accounts, and reports tokens with too many scopes', async () => {
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
  await tokens('account', 'set', 'harbour', '--note', '');
  expect(await tokens('account')).not.toMatch('north quay');
});

test.each([
  [['create', 'acme'], /is an account acme already/],
  [['create', 'Two Words'], /is no account/],
  [['create', 'x'.repeat(65)], /is no account/],
  [['set', 'acme'], /at least one option/],
  [['set', 'nobody', '--pilot'], /no account nobody/],
  [['suspend', 'nobody', '--local'], /no account nobody/],
  [['suspend', 'acme'], /--remote or --local/],
  [['suspend', 'acme', '--remote', '--local'], /either/],
  [['suspend', 'nobody', '--remote'], /CLOUDFLARE_ENV/],
])('tokens account refuses %j', async (words, said) => {
  const { code, out, complaint } = await run('account', ...words);
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toMatch(said);
});

describe('tokens rotate and revoke', () => {
  test('replace a token by an equivalent one, and end the old one later or at once', async () => {
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

  test('publish the tokens before and after an unknown one as revoked', async () => {
    const mint = async () => claimsOf(await tokens('mint', '--sub', 'me', '--account', 'fleet'));
    const [one, other] = [(await mint()).jti!, (await mint()).jti!];
    const { code, out, complaint } = await run('revoke', one, 'typo', other, '--local');
    expect([code, out]).toEqual([1, `Revoked ${one}.\nRevoked ${other}.\n`]);
    expect(complaint).toContain('no token typo');
    expect(await tokens('revocations', 'check', '--local')).toContain('knows every token');
  });

  test('revoke an unknown token by its text', async () => {
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

  test('rejects an unsigned text, and creates no account for it', async () => {
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
    const { rows } = await query(`SELECT id FROM account WHERE id = 'nowhere'`);
    expect(rows).toEqual([]);
  });

  test('ends a token signed with the shared secret, by its text, expired or not', async () => {
    const secret = 'a secret of forty characters, at a minimum';
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

test('tokens inspect and keys show which key signed a token, before and after that key is retired', async () => {
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
  expect((await run('inspect', 'nonsense')).complaint).toMatch(/not a token/);
});

test('tokens audit shows the actor and the act, and neither the user nor the purpose', async () => {
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
  const unnamed = { DATABASE_URL: ownerUrl(), LEADLINE_ACTOR: '' };
  await runWithin(['account', 'create', 'unnamed', '--data', data], unnamed);
  const [last] = JSON.parse(await tokens('audit', '--account', 'unnamed', '--json'));
  expect(last.actor).not.toBe('');
});

test('tokens tidy deletes only data beyond its retention period', async () => {
  const old = claimsOf(await tokens('mint', '--sub', 'old', '--account', 'fleet')).jti!;
  const made = claimsOf(await tokens('rotate', old, '--local')).jti!;
  await query(
    `UPDATE api_token SET expires_at = expires_at - 500 * 86400000::bigint WHERE id = $1`,
    [old],
  );
  await query(
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
])('the command creates no keys in a folder without keys: %s %s', async (...words) => {
  const mistyped = `${data}-mistyped`;
  const { code, out, complaint } = await runWithin([...words, '--data', mistyped], {
    DATABASE_URL: ownerUrl(),
  });
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toContain(`${mistyped} contains no signing keys`);
  expect(existsSync(mistyped)).toBe(false);
});

test('the command starts no database below a folder that does not exist', async () => {
  const mistyped = `${data}-mistyped`;
  const { code, complaint } = await runWithin(['account', 'list', '--data', mistyped]);
  expect(code).toBe(1);
  expect(complaint).toContain(`${mistyped} does not exist`);
  expect(existsSync(mistyped)).toBe(false);
});

test('the command ends in a terminal in the same way as in a program', async () => {
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
    complaint:
      'No server answers at the address of the database. Start the server, or correct DATABASE_OWNER_URL or DATABASE_URL.\n',
  });
});

test('the command needs no settings next to a self-hosted service', async () => {
  const environment = {
    DATABASE_OWNER_URL: ownerUrl(),
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
  [{ PUBLIC_URL: 'https://charts.example/' }, 'https://charts.example'],
  [{}, 'http://127.0.0.1:8787'],
  [{ PORT: '9000' }, 'http://127.0.0.1:9000'],
])('tokens user create and reset print a sign-in link, with %j', async (settings, address) => {
  const environment = { DATABASE_OWNER_URL: ownerUrl(), LEADLINE_DATA: data, ...settings };
  const email = `${new URL(address).host.replace(':', '-')}@acme.example`;
  const link = new RegExp(`^${address}/portal#link=\\w+\\n$`);
  for (const words of [
    ['create', email, '--account', 'acme'],
    ['reset', email],
  ]) {
    const { code, out } = await runWithin(['user', ...words], environment);
    expect([code, out]).toEqual([0, expect.stringMatching(link)]);
  }
});

test.each([
  ['PUBLIC_URL', 'charts.example'],
  ['PORT', 'none'],
])('tokens user create refuses a mistyped %s before it creates a user', async (name, text) => {
  const environment = { DATABASE_OWNER_URL: ownerUrl(), LEADLINE_DATA: data, [name]: text };
  const words = ['user', 'create', 'mistyped@acme.example', '--account', 'acme'];
  const { code, complaint } = await runWithin(words, environment);
  expect([code, complaint]).toEqual([1, expect.stringContaining(`${name} must be `)]);
  const { out } = await runWithin(['user', 'list'], { ...environment, [name]: '' });
  expect(out).not.toContain('mistyped@');
});

test.each([
  [
    'nothing answers there',
    'postgresql://a:b@127.0.0.1:9/c',
    /No server answers .* correct DATABASE_OWNER_URL/,
  ],
  ['the password is wrong', 'wrong', /refuses the login/],
  ['it is the service’s own login', 'worker', /login of the owner, not of the service/],
  ['it was never migrated', 'bare', /npm run migrate/],
])('the command explains in a sentence that %s', async (_, which, said) => {
  const wrong = new URL(ownerUrl());
  wrong.password = 'guessed';
  const bare = new URL(ownerUrl());
  bare.pathname = '/postgres';
  const urls: Readonly<Record<string, string>> = {
    wrong: wrong.href,
    worker: workerUrl(),
    bare: bare.href,
  };
  const { code, out, complaint } = await runWithin(['account', 'list', '--data', data], {
    DATABASE_URL: urls[which] ?? which,
  });
  expect([code, out]).toEqual([1, '']);
  expect(complaint).toMatch(said);
  expect(complaint.trim().split('\n')).toHaveLength(1);
});
