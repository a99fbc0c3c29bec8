// Suspension of a single user of the portal.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../shared/contract/audit.ts';
import type { TeamMember } from '../../shared/contract/team.ts';
import { createLink, createUser, suspendUser } from '../../workers/host/registry/portal-users.ts';
import {
  PASSWORD,
  type PortalService,
  startPortal,
  type UserName,
  users,
} from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const idOf = async (email: string) => {
  const found = await portal.crowd.database.query('SELECT id FROM portal_user WHERE email = $1', [
    email,
  ]);
  return (found.rows[0] as { id: string }).id;
};

async function suspend(by: UserName, email: string, suspended: boolean) {
  const headers = await portal.newSession(by);
  return portal.send('POST', `/team/${await idOf(email)}`, { headers, body: { suspended } });
}

const signInByLink = (link: string) => portal.send('POST', '/auth/loginByLink', { body: { link } });

async function newUser(name: string, role: 'member' | 'owner' = 'member') {
  const email = `${name}@acme.example`;
  await portal.administer((one) =>
    createUser(one, { email, account: 'acme', role, password: PASSWORD }),
  );
  const { json } = await portal.signIn(email);
  const token = (json as { token: { id: string } }).token.id;
  return { email, headers: { authorization: `Bearer ${token}` } };
}

const REFUSED = { status: 403, code: 'user_suspended' };

describe('a suspended user', () => {
  test.each(['owner', 'administrator'] as const)(
    'by an %s has no session, password or link until resumed',
    async (by) => {
      const { email, headers } = await newUser(`by-${by}`);
      const link = await portal.administer((one) => createLink(one, email));
      const { json } = await suspend(by, email, true);
      expect(json).toMatchObject({ username: email, suspendedAt: expect.any(Number) });
      expect(await portal.whoami(headers)).toBe(401);
      const write = { headers, body: { name: 'x' } };
      expect((await portal.send('POST', '/apiTokens', write)).status).toBe(401);
      expect((await portal.signIn(email)).json).toMatchObject(REFUSED);
      expect((await signInByLink(link)).json).toMatchObject(REFUSED);

      expect((await suspend(by, email, false)).json).toMatchObject({ suspendedAt: null });
      expect(await portal.whoami(headers)).toBe(401);
      expect((await portal.signIn(email)).status).toBe(200);
      expect((await signInByLink(link)).status).toBe(200);
    },
  );

  test('gets the same answer to a wrong password as every user', async () => {
    const { email } = await newUser('guessed');
    await suspend('owner', email, true);
    expect((await portal.signIn(email, 'not the password')).json).toMatchObject({
      code: 'sign_in_failed',
    });
  });

  test('gets no new link, and keeps the password', async () => {
    const { email } = await newUser('linkless');
    await suspend('owner', email, true);
    const headers = await portal.sessionOf('owner');
    const path = `/team/${await idOf(email)}/link`;
    expect((await portal.send('POST', path, { headers })).json).toMatchObject({
      status: 409,
      code: 'team_conflict',
    });
    await expect(portal.administer((one) => createLink(one, email))).rejects.toThrow('suspended');
    await suspend('owner', email, false);
    expect((await portal.signIn(email)).status).toBe(200);
  });

  test('has no session if signing in and the suspension happen at once', async () => {
    const { email } = await newUser('racer');
    const id = await idOf(email);
    const headers = await portal.sessionOf('owner');
    const body = { suspended: true };
    await Promise.all([
      ...[1, 2, 3, 4].map(() => portal.signIn(email)),
      portal.send('POST', `/team/${id}`, { headers, body }),
    ]);
    const { rows } = await portal.crowd.database.query(
      'SELECT count(*)::int AS found FROM portal_session WHERE user_id = $1',
      [id],
    );
    expect(rows).toEqual([{ found: 0 }]);
  });

  test('leaves the API tokens of the account as they are', async () => {
    const { email, headers } = await newUser('maker');
    const { token } = await portal.makeToken(headers);
    await suspend('owner', email, true);
    expect(await portal.tile(token)).toBe(200);
  });

  test('is in the list and in the audit trail, once', async () => {
    const { email } = await newUser('listed');
    await suspend('owner', email, true);
    await suspend('owner', email, true);
    const headers = await portal.sessionOf('administrator');
    const get = async <T>(path: string) =>
      (await portal.send('GET', path, { headers })).json as unknown as T;
    const [found] = await get<TeamMember[]>(`/admin/users?address=${email}`);
    expect(found).toMatchObject({ username: email, suspendedAt: expect.any(Number) });
    const acts = await get<AuditEntry[]>('/admin/audit?limit=100');
    const own = acts.filter(({ detail }) => detail['userId'] === found!.userId);
    expect(own.map(({ act }) => act)).toEqual(['user suspend', 'user create']);
    expect(own[0]).toMatchObject({ actor: `user:${await idOf(users.owner.email)}` });
  });
});

describe('the suspension', () => {
  test('of oneself is refused', async () => {
    await newUser('spare', 'owner');
    for (const name of ['owner', 'administrator'] as const) {
      const { json } = await suspend(name, users[name].email, true);
      expect(json).toMatchObject({ status: 409, code: 'team_conflict' });
      expect(json).toMatchObject({ detail: expect.stringContaining('yourself') });
    }
  });

  test('of the last owner is refused, also by an administrator and the command', async () => {
    const { email } = users.rival;
    expect((await suspend('administrator', email, true)).json).toMatchObject({
      status: 409,
      code: 'team_conflict',
    });
    await expect(portal.administer((one) => suspendUser(one, email, true))).rejects.toThrow(
      'no owner',
    );
  });

  test('of an owner counts as absence: the other owner stays', async () => {
    const rival = (role: 'owner', email = 'second@rival.example') =>
      portal.administer((one) =>
        createUser(one, { email, account: 'rival', role, password: PASSWORD }),
      );
    await rival('owner');
    expect((await suspend('rival', 'second@rival.example', true)).status).toBe(200);
    const own = `/team/${await idOf(users.rival.email)}`;
    const headers = await portal.sessionOf('rival');
    for (const answer of [
      await portal.send('DELETE', own, { headers }),
      await portal.send('POST', own, { headers, body: { role: 'member' } }),
    ]) {
      expect(answer.json).toMatchObject({ status: 409, code: 'team_conflict' });
    }
  });

  test('is refused to members, and of users of other accounts to owners', async () => {
    const { email } = users.member;
    expect((await suspend('moderator', email, true)).json).toMatchObject({ code: 'role_required' });
    expect((await suspend('rival', email, true)).json).toMatchObject({ code: 'user_not_found' });
    expect((await portal.signIn(email)).status).toBe(200);
  });

  test('by the command ends the sessions, and is repeated without effect', async () => {
    const { email, headers } = await newUser('commanded');
    const set = (suspends: boolean) =>
      portal.administer((one) => suspendUser(one, ` ${email.toUpperCase()}`, suspends));
    expect([await set(true), await set(true)]).toEqual([true, false]);
    expect(await portal.whoami(headers)).toBe(401);
    expect((await portal.signIn(email)).json).toMatchObject(REFUSED);
    expect([await set(false), await set(false)]).toEqual([true, false]);
    expect((await portal.signIn(email)).status).toBe(200);
  });
});
