// Resets and removals at the same time as a sign-in or a new link. A trigger does the second step between the
// statements of the first.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../workers/host/database/local-database.ts';
import { createUser, resetUser } from '../../workers/host/registry/portal-users.ts';
import { PASSWORD, type PortalService, startPortal } from '../support/portal-service.ts';
import { softPasskey } from '../support/soft-passkey.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const query = (sql: string, values?: readonly unknown[]) =>
  portal.crowd.database.query(sql, values);

/** Runs `step` for each row that `event` changes in the meantime. @param event for example `AFTER INSERT ON account` */
async function between<T>(event: string, step: string, work: () => Promise<T>): Promise<T> {
  await query(`CREATE FUNCTION second_step() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    $$ BEGIN ${step}; RETURN NEW; END $$`);
  await query(`CREATE TRIGGER second_step ${event} FOR EACH ROW EXECUTE FUNCTION second_step()`);
  try {
    return await work();
  } finally {
    await query('DROP FUNCTION second_step CASCADE');
  }
}

/** A new member with a password. */
async function newUser(name: string) {
  const email = `${name}@acme.example`;
  const user = { email, account: 'acme', role: 'member', password: PASSWORD } as const;
  await portal.administer((one) => createUser(one, user));
  const { rows } = await query('SELECT id FROM portal_user WHERE email = $1', [email]);
  return { email, id: rows[0].id as string };
}
const headersOf = ({ json }: { json?: unknown }) => ({
  authorization: `Bearer ${(json as { token: { id: string } }).token.id}`,
});
const FAILED = { status: 401, code: 'sign_in_failed' };
const STARTED = 'BEFORE INSERT ON portal_session';
const INSERTED = `INSERT INTO portal_session (id, token, user_id, expires_at, created_at, updated_at)
  SELECT 'late', 'late', OLD.user_id, now_ms() + 600000, now_ms(), now_ms()`;
const sessionsOf = async (id: string) =>
  (await query('SELECT FROM portal_session WHERE user_id = $1', [id])).rows.length;

test.each([
  ['replaced', `UPDATE portal_credential SET password = 'x' WHERE user_id = NEW.user_id`],
  ['removed', 'DELETE FROM portal_credential WHERE user_id = NEW.user_id'],
])('a sign-in fails if the password is %s meanwhile', async (name, step) => {
  const { email } = await newUser(name);
  const { json } = await between(STARTED, step, () => portal.signIn(email));
  expect(json).toMatchObject(FAILED);
});

test('a session that starts before a link writes the password ends', async () => {
  const { email, id } = await newUser('late');
  await query(
    `INSERT INTO portal_reset VALUES ('late', $1, $2, now_ms() + 600000, now_ms(), now_ms())`,
    [await hashOf('reset-password:secret'), id],
  );
  const body = { link: 'secret', password: 'eight grey herons' };
  const { status } = await between('BEFORE UPDATE ON portal_credential', INSERTED, () =>
    portal.send('POST', '/auth/resetPassword', { body }),
  );
  expect([status, await sessionsOf(id)]).toEqual([204, 0]);
  expect((await portal.signIn(email, body.password)).status).toBe(200);
});

/** As the library stores its links. */
async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(hash).toString('base64url');
}

test('the command that resets a user ends a session that is just starting', async () => {
  const { email, id } = await newUser('reset');
  await withClient(portal.crowd.database.ownerUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(`${INSERTED} FROM (VALUES ($1)) AS old (user_id)`, [id]);
    const done = portal.administer((one) => resetUser(one, email));
    await expect
      .poll(async () => (await query('SELECT FROM pg_locks WHERE NOT granted')).rows.length)
      .toBe(1);
    await client.query('COMMIT');
    await done;
  });
  expect(await sessionsOf(id)).toBe(0);
});

test('a sign-in fails if the passkey is removed meanwhile', async () => {
  const { email } = await newUser('passkey');
  const headers = headersOf(await portal.signIn(email));
  const challengeOf = async (path: string) =>
    ((await portal.send('POST', path, { headers, body: {} })).json as { challenge: string })
      .challenge;
  const passkey = softPasskey(new URL(portal.crowd.service.address).origin);
  const credential = passkey.create(await challengeOf('/user/passkeys/start'));
  const added = await portal.send('POST', '/user/passkeys', {
    ...{ headers, body: { name: 'Laptop', credential } },
  });
  expect(added.status).toBe(201);
  const login = async () =>
    portal.send('POST', '/auth/loginByPasskey', {
      body: { credential: passkey.get(await challengeOf('/auth/passkey')) },
    });
  expect((await login()).status).toBe(200);
  const step = 'DELETE FROM portal_passkey WHERE user_id = NEW.user_id';
  expect((await between(STARTED, step, login)).json).toMatchObject(FAILED);
});

test('an owner gets no link for a user of another account who has the address now', async () => {
  const { id } = await newUser('victim');
  const headers = await portal.sessionOf('owner');
  const step = `DELETE FROM portal_user WHERE id = '${id}'; INSERT INTO portal_user (id, account_id, role, email)
    VALUES ('other', 'rival', 'owner', 'victim@acme.example')`;
  const { json } = await between('AFTER INSERT ON portal_verification', step, () =>
    portal.send('POST', `/team/${id}/link`, { headers }),
  );
  expect(json).toMatchObject({ status: 404, code: 'user_not_found' });
});
