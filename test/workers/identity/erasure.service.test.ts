// A person's data, erased from a terminal: nothing in the database or at the edge holds their words
// or names any more, and what others count on stays as it was.

import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadKeys } from '../../../workers/host/admin/keys.ts';
import { openLocalStore } from '../../../workers/host/registry/edge-store.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { tokenFor } from '../../support/service.ts';
import { tokensOver } from '../../support/tokens-command.ts';

let database: TestDatabase;
const data = scratchFolder();
let { run, spawned, tokens } = tokensOver('', '');
beforeEach(async () => {
  database = await freshDatabase();
  ({ run, spawned, tokens } = tokensOver(database.ownerUrl, data));
  await tokens('keys', 'create');
  for (const account of ['acme', 'other']) await tokens('account', 'create', account);
  return () => database.stop();
});

/** Every row of every table that holds a text, as `table: row`. */
async function rowsWith(needle: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tableNames()) {
    const { rows } = await database.query(
      `SELECT t::text AS row FROM ${table} AS t WHERE t::text ILIKE '%' || $1 || '%'`,
      [needle],
    );
    found.push(...rows.map(({ row }: { row: string }) => `${table}: ${row}`));
  }
  return found;
}

async function tableNames(): Promise<string[]> {
  const { rows } = await database.query(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  return rows.map(({ name }: { name: string }) => name);
}

const insert = (table: string, row: Readonly<Record<string, unknown>>) =>
  database.query(
    `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
    Object.values(row),
  );

interface Somebody {
  readonly account?: string;
  readonly subject: string;
  readonly externalUser?: string;
}

async function report({ account = 'acme', subject, externalUser }: Somebody): Promise<string> {
  const id = crypto.randomUUID();
  await insert('user_report', {
    id,
    account_id: account,
    owner_subject: subject,
    external_user_id: externalUser ?? null,
    report_type: 'hazard',
    latitude: 47.3,
    longitude: -122.4,
    ...(await placeColumn()),
    properties: JSON.stringify({ description: `${subject} ${externalUser} saw it` }),
    upvotes: 2,
    downvotes: 1,
    lifetime_ms: 1000,
    created_at: 1,
    updated_at: 2,
    expires_at: 3,
    sweep_at: 3,
    last_request: crypto.randomUUID(),
  });
  return id;
}

/** The position of a report on the curve that lists use. Any value is valid here. */
async function placeColumn(): Promise<object> {
  const { rows } = await database.query(
    `SELECT 1 FROM information_schema.columns WHERE table_name = 'user_report' AND column_name = 'place'`,
  );
  return rows.length === 0 ? {} : { place: 0 };
}

const vote = (of: string, { account = 'acme', subject, externalUser }: Somebody) =>
  insert('report_vote', {
    report_id: of,
    account_id: account,
    subject,
    external_user_id: externalUser ?? '',
    value: 1,
    updated_at: 4,
  });

const block = ({ account = 'acme', subject, externalUser }: Somebody) =>
  insert('report_block', {
    account_id: account,
    kind: externalUser === undefined ? 'subject' : 'user',
    name: externalUser ?? subject,
  });

async function track({ account = 'acme', subject, externalUser }: Somebody): Promise<string> {
  const [about, id] = [crypto.randomUUID(), crypto.randomUUID()];
  const sender = { account_id: account, subject };
  await insert('track_about', {
    id: about,
    ...sender,
    external_user_id: externalUser ?? '',
    platform_uid: `boat of ${subject}`,
    platform: JSON.stringify({ name: `${subject} ${externalUser}` }),
    provider: JSON.stringify({ orgName: subject }),
  });
  await insert('track', {
    ...sender,
    id,
    about_id: about,
    platform_key: 7,
    start_time: 1,
    end_time: 2,
    point_count: 1,
    byte_size: 60,
    west: 0,
    south: 0,
    east: 0,
    north: 0,
    points: Buffer.alloc(32, 1),
    created_at: 1,
    updated_at: 1,
  });
  await insert('track_chunk', { ...sender, track_id: id, seq: 1, points: Buffer.alloc(32, 1) });
  await insert('crowd_track', { ...sender, track_id: id, summary: '{}' });
  await insert('ingest_key', {
    ...sender,
    key: `upload of ${subject} ${externalUser}`,
    body_sha256: '0'.repeat(64),
    merged: JSON.stringify({ id }),
    taken: 1,
    ids: [],
    stops: [],
    created_at: 1,
  });
  return id;
}

const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      [
        ...['user_report', 'report_vote', 'track', 'track_about', 'track_chunk', 'crowd_track'],
        'ingest_key',
      ].map(async (table) => {
        const { rows } = await database.query(`SELECT count(*)::int AS n FROM ${table}`);
        return [table, rows[0].n] as const;
      }),
    ),
  );

describe('a subject', () => {
  const JANE = 'jane-doe-4711';

  test('a subject leaves nothing in any table, and everybody else keeps all', async () => {
    const mint = (sub: string, account = 'acme') =>
      tokens('mint', '--account', account, '--sub', sub, '--note', `for ${sub}`);
    const token = (await mint(JANE)).trim();
    await mint(JANE, 'other');
    const own = await report({ subject: JANE, externalUser: `user of ${JANE}` });
    const others = await report({ subject: 'somebody-else' });
    await report({ account: 'other', subject: JANE });
    for (const of of [own, others]) {
      await vote(of, { subject: JANE });
      await vote(of, { subject: JANE, externalUser: `user of ${JANE}` });
      await vote(of, { subject: 'somebody-else' });
    }
    await track({ subject: JANE });
    await track({ subject: 'somebody-else' });
    await block({ subject: JANE });
    const before = await database.query(
      'SELECT id, upvotes, downvotes, latitude, longitude, created_at FROM user_report ORDER BY id',
    );

    const request = ['erase', '--account', 'acme', '--subject', JANE, '--local'];
    expect(await tokens(...request)).toBe(
      'There are 1 reports, 4 votes, 1 tracks, 1 tokens, 0 styles, 1 blocks, 0 users.\nNothing was erased. To erase it, use --yes.\n',
    );
    const there = await rowsWith(JANE);
    const inOther = there.filter((row) => row.includes('(other,') || row.includes(',other,'));
    expect(there.length).toBeGreaterThan(10);
    expect(inOther).toHaveLength(2);
    const { code, out } = await spawned(...request, '--yes');
    expect([code, out]).toEqual([
      0,
      'Erased: 1 reports, 4 votes, 1 tracks, 1 tokens, 0 styles, 1 blocks, 0 users.\n',
    ]);

    // The same name in another account belongs to a different person.
    expect(await rowsWith(JANE)).toEqual(inOther);
    const after = await database.query(
      'SELECT id, upvotes, downvotes, latitude, longitude, created_at FROM user_report ORDER BY id',
    );
    expect(after.rows).toEqual(before.rows);
    expect(await counts()).toEqual({
      user_report: 3,
      report_vote: 6,
      track: 1,
      track_about: 1,
      track_chunk: 1,
      crowd_track: 1,
      ingest_key: 1,
    });
    const { rows } = await database.query(
      `SELECT owner_subject, external_user_id, properties::text, erased_at FROM user_report WHERE id = $1`,
      [own],
    );
    expect(rows).toEqual([
      {
        owner_subject: expect.stringMatching(/^erased-/),
        external_user_id: null,
        properties: '{}',
        erased_at: expect.stringMatching(/^\d{13}$/),
      },
    ]);
    // What one person left cannot be put together again.
    const names = await database.query(
      `SELECT owner_subject AS name FROM user_report UNION ALL SELECT subject FROM report_vote`,
    );
    const erased = names.rows.map(({ name }) => name).filter((name) => name.startsWith('erased-'));
    expect(new Set(erased).size).toBe(erased.length);
    expect(erased).toHaveLength(5);

    const { rows: standing } = await database.query(`SELECT token_standing($1, 'acme', 0) AS is`, [
      decodeJwt(token).jti,
    ]);
    expect(standing).toEqual([{ is: 'revoked' }]);
    expect(await tokens(...request, '--yes')).toMatch(
      /Erased: 0 reports, 0 votes, 0 tracks, 0 tokens/,
    );
    expect(await tokens('audit', '--limit', '2')).toContain(
      '"users":0,"votes":4,"blocks":1,"styles":0,"tokens":1',
    );
  });
});

describe('an end user of a server', () => {
  const SAM = 'sam-0815';

  test('an end user of a server is erased without touching the server or its other users', async () => {
    const server = { subject: 'server' };
    const own = await report({ ...server, externalUser: SAM });
    await report({ ...server, externalUser: 'pat' });
    await vote(own, { ...server, externalUser: SAM });
    await vote(own, { ...server, externalUser: 'pat' });
    await vote(own, server);
    await track({ ...server, externalUser: SAM });
    await track({ ...server, externalUser: 'pat' });
    for (const externalUser of [SAM, 'pat']) await block({ ...server, externalUser });
    await tokens('mint', '--account', 'acme', '--sub', 'server', '--ext');
    const pats = await rowsWith('pat');

    const request = ['erase', '--account', 'acme', '--external-user', SAM, '--local', '--yes'];
    expect(await tokens(...request)).toBe(
      'Erased: 1 reports, 1 votes, 1 tracks, 0 tokens, 0 styles, 1 blocks, 0 users.\n',
    );
    expect(await rowsWith(SAM)).toEqual([]);
    expect(await rowsWith('pat')).toEqual(pats);
    expect(await counts()).toEqual({
      user_report: 2,
      report_vote: 3,
      track: 1,
      track_about: 1,
      track_chunk: 1,
      crowd_track: 1,
      ingest_key: 1,
    });
    expect(await tokens('list', '--account', 'acme')).toContain('server');
  });

  test('an end user of a server is erased with what the user sent with a user token', async () => {
    const own = { subject: `user:${SAM}` };
    const made = await report({ ...own, externalUser: SAM });
    await vote(made, own);
    await track(own);
    await track({ ...own, externalUser: SAM });
    await report({ subject: 'server', externalUser: SAM });
    const request = ['erase', '--account', 'acme', '--external-user', SAM, '--local', '--yes'];
    expect(await tokens(...request)).toBe(
      'Erased: 2 reports, 1 votes, 2 tracks, 0 tokens, 0 styles, 0 blocks, 0 users.\n',
    );
    expect(await rowsWith(SAM)).toEqual([]);
    expect(await rowsWith('server')).toHaveLength(1);
  });

  test('an end user of a server: by one subject is not the same user by another', async () => {
    await report({ subject: 'one', externalUser: SAM });
    await report({ subject: 'two', externalUser: SAM });
    const request = ['erase', '--account', 'acme', '--subject', 'one', '--external-user', SAM];
    await tokens(...request, '--local', '--yes');
    expect(await rowsWith(SAM)).toEqual([expect.stringContaining(',two,')]);
  });
});

test('an account leaves its name alone, also at the edge, and is no account any more', async () => {
  await tokens('account', 'create', 'harbour', '--note', 'ask the-warden');
  const minted = await tokens('mint', '--account', 'harbour', '--sub', 'the-warden');
  const own = await report({ account: 'harbour', subject: 'the-warden' });
  await vote(own, { account: 'harbour', subject: 'the-warden' });
  await track({ account: 'harbour', subject: 'the-warden' });
  await insert('saved_style', {
    id: crypto.randomUUID(),
    account_id: 'harbour',
    name: 'Bridge of the-warden',
    base_theme: 'day',
    parameters: '{"by":"the-warden"}',
    created_at: 1,
    updated_at: 1,
  });
  await block({ account: 'harbour', subject: 'the-warden' });
  // Leaves a version.
  await database.query(`UPDATE saved_style SET parameters = '{}' WHERE account_id = 'harbour'`);
  const store = await openLocalStore(data);
  await store.put('saved-styles-v1/harbour', '[{"name":"Bridge of the-warden"}]');
  expect(await tokens('erase', '--account', 'harbour', '--local', '--yes')).toBe(
    'Erased: 1 reports, 1 votes, 1 tracks, 1 tokens, 1 styles, 1 blocks, 0 users.\n',
  );
  expect(await rowsWith('the-warden')).toEqual([]);
  expect(await store.get('saved-styles-v1/harbour')).toBeUndefined();
  expect(JSON.parse((await store.get('revoked-v1'))!)).toMatchObject({
    tokens: [decodeJwt(minted.trim()).jti],
    suspended: ['harbour'],
  });
  await store.close();
  for (const words of [
    ['account', 'resume', 'harbour', '--local'],
    ['account', 'set', 'harbour', '--pilot'],
    ['mint', '--account', 'harbour', '--sub', 'x'],
  ]) {
    expect((await run(...words)).complaint).toBe('The account harbour was erased.\n');
  }
});

test('an account that was never entered, as its tokens were signed elsewhere, is erased and stopped', async () => {
  await report({ account: 'elsewhere', subject: 'them-by-name' });
  await tokens('erase', '--account', 'elsewhere', '--local', '--yes');
  expect(await rowsWith('them-by-name')).toEqual([]);
  const { rows } = await database.query(`SELECT token_standing('t', 'elsewhere', 0) AS is`);
  expect(rows).toEqual([{ is: 'suspended' }]);
});

test.each([
  [['--account', 'nobody', '--yes', '--local'], /no account nobody/],
  [['--subject', 'x'], /--account/],
  [['--account', 'acme', '--yes'], /--remote or --local/],
])('an account is not erased by %j', async (words, said) => {
  const { code, complaint } = await run('erase', ...words);
  expect([code, complaint]).toEqual([1, expect.stringMatching(said)]);
});

test('every table was thought about', async () => {
  const erased = [
    ...['account', 'api_token', 'user_report', 'report_vote', 'create_key', 'saved_style'],
    ...['track', 'track_about', 'track_chunk', 'crowd_track', 'ingest_key', 'report_block'],
    ...['portal_user', 'portal_credential', 'portal_session', 'portal_verification'],
    ...['saved_style_version', 'portal_second_factor', 'portal_challenge', 'portal_passkey'],
    ...['portal_reset', 'portal_mail'],
    ...['chart_upload', 'chart_job', 'chart_set', 'chart_set_build'],
  ];
  // These hold ids of accounts and tokens, settings and times, and hashes of addresses for a day.
  const without = [
    ...['admin_act', 'token_usage', 'usage_report', 'schema_migration'],
    ...['chart_worker', 'chart_schedule', 'portal_mail_sender', 'portal_mailed'],
  ];
  expect(await tableNames()).toEqual([...erased, ...without].sort());
});

test('the audit trail and the list of tokens know no token', async () => {
  const token = await tokenFor(await loadKeys(data));
  await tokens('revoke', token, '--local');
  expect(await rowsWith(token.split('.')[2]!)).toEqual([]);
});
