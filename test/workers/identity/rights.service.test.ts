// The rights of the service login on accounts, tokens and acts: it can only query the standing of a
// token and add counts. No login can change the record of acts.

import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../../workers/host/database/local-database.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

const REFUSED = { code: '42501' };

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await database.query(`INSERT INTO account (id, plan) VALUES ('acme', 'standard')`);
  await database.query(
    `INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins,
       votes_for_users, generation, issued_at, expires_at)
     VALUES ('t', 'acme', 'me', 'pk', 'standard', false, '{}', '{}', false, 0, 0, 4e12)`,
  );
  await database.query(`INSERT INTO admin_act (actor, act) VALUES ('somebody', 'account create')`);
});
afterAll(() => database?.stop());

const asService = <T>(work: (client: Client) => Promise<T>) =>
  withClient(database.bindings.DATABASE_URL, work);
const tablesOfService = async () =>
  (
    await database.query(
      `SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = 'public' AND relkind IN ('r', 'p') ORDER BY 1`,
    )
  ).rows.map(({ name }: { name: string }) => name);

test.each([
  'SELECT * FROM account',
  'SELECT subject FROM api_token',
  `INSERT INTO account (id, plan) VALUES ('mine', 'enterprise')`,
  `UPDATE account SET plan = 'enterprise'`,
  'UPDATE account SET suspended_at = NULL',
  'UPDATE api_token SET revoked_at = NULL',
  'DELETE FROM api_token',
  'SELECT * FROM admin_act',
  'UPDATE admin_act SET actor = current_user',
  'DELETE FROM admin_act',
  'TRUNCATE admin_act',
  `INSERT INTO admin_act (actor, act) VALUES ('another user', 'token revoke')`,
  `INSERT INTO admin_act (at, actor, act) VALUES (0, 'x', 'tidy')`,
  `INSERT INTO admin_act (id, actor, act) OVERRIDING SYSTEM VALUE VALUES (1, 'x', 'tidy')`,
  'SELECT * FROM token_usage',
  'UPDATE token_usage SET requests = 0',
  'DELETE FROM usage_report',
  `SELECT hold_writes('acme')`,
  'DROP FUNCTION require_standing(text, text, integer)',
  'ALTER TABLE admin_act DISABLE TRIGGER ALL',
  'CREATE FUNCTION public.require_standing(text, text, bigint) RETURNS void LANGUAGE sql AS $$SELECT$$',
  'SET ROLE postgres',
])('the login of the service may not %s', async (statement) => {
  await asService(async (client) => {
    await expect(client.query(statement)).rejects.toMatchObject(REFUSED);
  });
});

test('the login of the service may not alter tables or disable triggers', async () => {
  await asService(async (client) => {
    for (const table of await tablesOfService()) {
      for (const change of [
        `ALTER TABLE ${table} ADD COLUMN mine integer`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
        `DROP TABLE ${table}`,
        `TRUNCATE ${table}`,
        `CREATE INDEX ON ${table} ((1))`,
      ]) {
        await expect(client.query(change), change).rejects.toMatchObject(REFUSED);
      }
    }
  });
});

test('the login of the service cannot replace the check with its own table', async () => {
  await asService(async (client) => {
    await client.query('CREATE TEMP TABLE api_token (id text, revoked_at bigint)');
    await client.query(`INSERT INTO api_token VALUES ('t', 0)`);
    const { rows } = await client.query(`SELECT token_standing('t', 'acme', 0) AS standing`);
    expect(rows).toEqual([{ standing: 'good' }]);
  });
});

test('the login of the service adds an act only by deleting a report of another user, with the time of the database', async () => {
  const before = Date.now();
  const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  await asService(async (client) => {
    await client.query(
      `SELECT create_report(gen_random_uuid(), 1, 'u', 'acme', 0, 'owner', NULL, '', $1, NULL, 'hazard',
           1, 2, 3, '{}', 1000)`,
      [id],
    );
    await client.query(
      `SELECT delete_report(gen_random_uuid(), 2, 't', 'acme', 0, 'me', true, $1)`,
      [id],
    );
  });
  const { rows } = await database.query(
    `SELECT at, act, detail FROM admin_act WHERE actor = 'token:t'`,
  );
  expect(rows).toMatchObject([{ act: 'report delete', detail: { report: id } }]);
  expect(Math.abs(Number(rows[0].at) - before)).toBeLessThan(60_000);
});

test.each([`UPDATE admin_act SET actor = 'nobody'`, 'DELETE FROM admin_act', 'TRUNCATE admin_act'])(
  'acts are protected from %s by the owner too',
  async (statement) => {
    const before = (await database.query('SELECT * FROM admin_act ORDER BY id')).rows;
    await expect(database.query(statement)).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('a row of the audit trail cannot be changed'),
    });
    expect((await database.query('SELECT * FROM admin_act ORDER BY id')).rows).toEqual(before);
  },
);

describe('the standing of a token', () => {
  const standing = async (token: string, account: string, generation: number) =>
    asService(async (client) => {
      const values = [token, account, generation];
      const asked = await client.query('SELECT token_standing($1, $2, $3) AS standing', values);
      const required = await client.query('SELECT require_standing($1, $2, $3)', values).then(
        () => 'good',
        (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
      );
      const [{ standing: result }] = asked.rows;
      expect(required).toBe(result === 'good' ? 'good' : `LL401: the token is ${result}`);
      return result as string;
    });

  test.each([
    ['good', {}, {}],
    ['revoked', { revoked_at: 'issued_at' }, {}],
    ['good', { revoked_at: '4e12' }, {}],
    ['suspended', {}, { suspended_at: '0' }],
    ['outdated', {}, { generation: '1' }],
    ['revoked', { revoked_at: '0' }, { suspended_at: '0' }],
  ])('is %s if the token has %j and the account %j', async (expected, token, account) => {
    const setting = (given: object) =>
      Object.entries(given).map(([column, value]) => `${column} = ${value}`);
    for (const change of setting(token)) await database.query(`UPDATE api_token SET ${change}`);
    for (const change of setting(account)) await database.query(`UPDATE account SET ${change}`);
    expect(await standing('t', 'acme', 0)).toBe(expected);
    await database.query('UPDATE account SET suspended_at = NULL, generation = 0');
    await database.query('UPDATE api_token SET revoked_at = NULL');
  });

  test('is good for an unknown token, and depends on the generation for a token that was signed later', async () => {
    expect(await standing('never entered', 'nobody', 0)).toBe('good');
    await database.query('UPDATE account SET generation = 2');
    expect(await standing('never entered', 'acme', 1)).toBe('outdated');
    expect(await standing('never entered', 'acme', 2)).toBe('good');
    await database.query('UPDATE account SET generation = 0');
  });

  test('is locked by a write: a revocation waits for the write, and no longer', async () => {
    await asService(async (writer) => {
      await writer.query('BEGIN');
      await writer.query(`SELECT require_standing('t', 'acme', 0)`);
      const isHeld = async () =>
        (await database.query(`SELECT pg_try_advisory_xact_lock(401, hashtext('acme')) AS free`))
          .rows[0].free === false;
      expect(await isHeld()).toBe(true);
      // Writes of one account do not wait for one another.
      await asService((second) => second.query(`SELECT require_standing('t', 'acme', 0)`));
      await writer.query('COMMIT');
      expect(await isHeld()).toBe(false);
    });
  });
});
