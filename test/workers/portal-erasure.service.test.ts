// Erasure of a person's data in the portal: the same as by the command, also at the edge.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erase, tracesOf } from '../../workers/host/registry/erase.ts';
import { listUsers } from '../../workers/host/registry/portal-users.ts';
import { PORTAL, type PortalService, startPortal, users } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const ERASURE = '/admin/erasure';
const NOTHING = { reports: 0, votes: 0, tracks: 0, tokens: 0, styles: 0, blocks: 0, users: 0 };
const send = async (path: string, body: object) =>
  portal.send('POST', path, { headers: await portal.sessionOf('administrator'), body });
const subjectOf = async (email: string) => {
  const found = (await portal.administer(listUsers)).find((one) => one.email === email);
  return `member:${found!.id}`;
};
const edge = () => portal.crowd.service.runtime.getKVNamespace('KV');

/** Adds a vote for a report that does not exist. */
const addVote = (account: string, subject: string, externalUser = '') =>
  portal.crowd.database.query(
    `WITH report AS (
       INSERT INTO user_report (id, account_id, owner_subject, external_user_id, report_type, latitude,
         longitude, place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request)
       VALUES (gen_random_uuid(), $1, $2, nullif($3, ''), 'hazard', 47, -122, 0, '{"description":"mine"}',
         1000, 1, 2, 3, 3, gen_random_uuid()) RETURNING id)
     INSERT INTO report_vote (report_id, account_id, subject, external_user_id, value, updated_at)
     SELECT id, $1, $2, $3, 1, 4 FROM report`,
    [account, subject, externalUser],
  );

describe('the erasure', () => {
  test('of a user deletes the user, ends the tokens, and removes the subject from the edge', async () => {
    const subject = await subjectOf(users.moderator.email);
    const session = await portal.newSession('moderator');
    const { token } = await portal.makeToken(session);
    expect(await portal.tile(token)).toBe(200);
    const person = { account: 'acme', subject };
    const before = { ...NOTHING, tokens: 1, users: 1 };
    expect((await send(`${ERASURE}/count`, person)).json).toEqual(before);
    const { status, json } = await send(ERASURE, person);
    expect([status, json]).toEqual([200, { before, after: NOTHING }]);
    expect(await portal.whoami(session)).toBe(401);
    expect((await portal.signIn(users.moderator.email)).status).toBe(401);
    const { keys } = await (await edge()).list();
    for (const { name } of keys)
      expect(await (await edge()).get(name, 'text')).not.toContain(subject);
  });

  test('leaves the same rows as the command', async () => {
    const shown = async (account: string) => {
      const { rows } = await portal.crowd.database.query(
        `SELECT owner_subject ~ '^erased-' AS is_named, external_user_id, properties::text
         FROM user_report WHERE account_id = $1 ORDER BY id`,
        [account],
      );
      return rows;
    };
    for (const account of ['rival', 'acme']) await addVote(account, 'jane', 'sam');
    const of = (account: string) => ({ account, subject: 'jane' });
    expect(await portal.administer(({ registry }) => tracesOf(registry, of('acme')))).toEqual(
      (await send(`${ERASURE}/count`, of('rival'))).json,
    );
    await portal.administer((one) => erase(one, of('rival')));
    await send(ERASURE, of('acme'));
    expect(await shown('acme')).toEqual(await shown('rival'));
    expect(await shown('acme')).toEqual([
      { is_named: true, external_user_id: null, properties: '{}' },
    ]);
    const acts = await portal.crowd.database.query(
      `SELECT actor ~ '^user:' AS is_user, detail FROM admin_act WHERE act = 'erase' ORDER BY id DESC LIMIT 2`,
    );
    const detail = { ...NOTHING, reports: 1, votes: 1 };
    expect(acts.rows).toEqual([
      { is_user: true, detail },
      { is_user: false, detail },
    ]);
  });

  test('of an end user leaves the other end users of the subject', async () => {
    for (const user of ['kim', 'lou']) await addVote('acme', 'server', user);
    await send(ERASURE, { account: 'acme', externalUserId: 'kim' });
    const { json } = await send(`${ERASURE}/count`, { account: 'acme', externalUserId: 'lou' });
    expect(json).toEqual({ ...NOTHING, reports: 1, votes: 1 });
  });

  test.each(['x'.repeat(256), ' two\tparts\r\n'])(
    'of an end user whose id a report accepts: %j',
    async (externalUserId) => {
      const sender = await portal.crowd.caller({ account: 'acme', subject: 'server' });
      await sender.report({ externalUserId });
      const { json } = await send(ERASURE, { account: 'acme', externalUserId });
      expect(json).toEqual({ before: { ...NOTHING, reports: 1 }, after: NOTHING });
    },
  );

  test('counts the data of a large account for longer than other requests may last', async () => {
    const { query } = portal.crowd.database;
    const args = 'of_account text, of_subject text, of_user text';
    await query('ALTER FUNCTION person_traces RENAME TO person_traces_now');
    await query(`CREATE FUNCTION person_traces(${args}) RETURNS jsonb LANGUAGE sql AS
      'SELECT pg_sleep(3.2); SELECT person_traces_now(of_account, of_subject, of_user)'`);
    try {
      const { status, json } = await send(`${ERASURE}/count`, { account: 'nowhere' });
      expect([status, json]).toEqual([200, NOTHING]);
    } finally {
      await query('DROP FUNCTION person_traces');
      await query('ALTER FUNCTION person_traces_now RENAME TO person_traces');
    }
  });

  test('of an account keeps its name and stops it', async () => {
    const { token } = await portal.makeToken(await portal.newSession('rival'));
    await (await edge()).put('saved-styles-v1/rival', '[]');
    expect((await send(ERASURE, { account: 'rival' })).status).toBe(200);
    expect(await (await edge()).get('saved-styles-v1/rival')).toBeNull();
    expect(await portal.tile(token)).toBe(401);
    const accounts = await portal.send('GET', '/admin/accounts?limit=100', {
      headers: await portal.sessionOf('administrator'),
    });
    expect(accounts.json).toContainEqual(
      expect.objectContaining({ id: 'rival', users: 0, erasedAt: expect.any(Number) }),
    );
  });

  test('of an administrator’s own user or account is refused, before anything is deleted', async () => {
    const own = { account: 'operator', subject: await subjectOf(users.administrator.email) };
    const { token } = await portal.makeToken(await portal.sessionOf('administrator'));
    for (const person of [own, { account: 'operator' }]) {
      for (const path of [ERASURE, `${ERASURE}/count`]) {
        const { json } = await send(path, person);
        expect(json).toMatchObject({ status: 409, code: 'erasure_conflict' });
      }
    }
    expect(await portal.tile(token)).toBe(200);
  });

  test('of unknown data is refused', async () => {
    const { json } = await send(ERASURE, { account: 'nowhere' });
    expect(json).toMatchObject({ status: 404, code: 'account_not_found' });
    expect((await send(`${ERASURE}/count`, { account: 'nowhere' })).json).toEqual(NOTHING);
  });

  test.each([
    {},
    { account: '' },
    { account: 'A b' },
    { account: 'acme', subject: '' },
    { account: 'acme', subject: 'x'.repeat(129) },
    { account: 'acme', externalUserId: 'a\u0000b' },
    { account: 'acme', externalUserId: '' },
    { account: 'acme', externalUserId: 'x'.repeat(257) },
    { account: 'acme', subject: 7 },
  ])('rejects %j', async (person) => {
    for (const path of [ERASURE, `${ERASURE}/count`]) {
      expect((await send(path, person)).json).toMatchObject({ code: 'bad_portal_request' });
    }
  });

  test('of a person with many tokens is left to the command', async () => {
    await portal.crowd.database.query(
      `INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins, votes_for_users,
         generation, issued_at, expires_at, token_hash)
       SELECT 'many' || n, 'acme', 'many', 'pk', 'standard', false, '{tiles}', '{}', false, 0, n, NULL,
         md5(n::text) || md5(n::text) FROM generate_series(1, 501) AS n`,
    );
    const { json } = await send(ERASURE, { account: 'acme', subject: 'many' });
    expect(json).toMatchObject({ status: 409, code: 'erasure_conflict' });
    expect((await portal.crowd.ask(`${PORTAL}/usage`)).status).toBe(401);
  });
});
