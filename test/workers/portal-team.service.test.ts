// The team of an account in the portal: invitations, roles, removal, and what must not be possible.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MemberLink, TeamMember } from '../../shared/contract/team.ts';
import { PASSWORD, type PortalService, startPortal, users } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const owner = () => portal.sessionOf('owner');
const listed = async (query = '') =>
  (await portal.send('GET', `/team${query}`, { headers: await owner() }))
    .json as unknown as TeamMember[];
const idOf = async (email: string) =>
  (await listed()).find(({ username }) => username === email)!.userId;

async function invite(username: string, role = 'member'): Promise<MemberLink> {
  const body = { username, role };
  const { status, json } = await portal.send('POST', '/team', { headers: await owner(), body });
  expect([status, json]).toEqual([201, expect.anything()]);
  return json as unknown as MemberLink;
}

/** The session that a link starts. */
async function follow({ link }: MemberLink) {
  const body = { link: link.split('#link=')[1] };
  const { status, json } = await portal.send('POST', '/auth/loginByLink', { body });
  const id = (json as { token?: { id: string } }).token?.id;
  return { status, headers: { authorization: `Bearer ${id}` } };
}

describe('the team', () => {
  test('is listed by address in pages, for the account of the owner only', async () => {
    const all = (await listed()).map(({ username }) => username);
    expect(all).toEqual([users.member.email, users.moderator.email, users.owner.email]);
    const [first] = await listed('?limit=1');
    const rest = await listed(`?after=${encodeURIComponent(first!.username)}`);
    expect([first!, ...rest].map(({ username }) => username)).toEqual(all);
    const bad = await portal.send('GET', '/team?limit=0', { headers: await owner() });
    expect(bad.json).toMatchObject({ status: 400, code: 'bad_query' });
  });

  test('grows by a link that works once; the user sets a password and signs in with it', async () => {
    const made = await invite(' Jane@Acme.Example ', 'moderator');
    expect(made.user).toMatchObject({ username: 'jane@acme.example', role: 'moderator' });
    expect(made.link.startsWith(`${portal.crowd.service.address}/portal#link=`)).toBe(true);
    const { status, headers } = await follow(made);
    expect([status, (await follow(made)).status]).toEqual([200, 401]);
    const set = { headers, body: { password: PASSWORD } };
    expect((await portal.send('POST', '/user/passwordChange', set)).status).toBe(204);
    expect((await portal.signIn('jane@acme.example')).json).toMatchObject({
      user: { role: 'moderator', account: { id: 'acme' } },
    });
    const [jane] = (await listed()).filter(({ username }) => username === 'jane@acme.example');
    expect(jane).toMatchObject({ hasPassword: true, lastSeenAt: expect.any(Number) });
  });

  test('rejects an address that has a user, an invalid address and an invalid role', async () => {
    const ask = async (body: object) =>
      (await portal.send('POST', '/team', { headers: await owner(), body })).json;
    const taken = { username: users.rival.email, role: 'member' };
    expect(await ask(taken)).toMatchObject({ status: 409, code: 'team_conflict' });
    for (const body of [
      { username: 'jane', role: 'member' },
      { username: 'a\u0000b@acme.example', role: 'member' },
      { username: 'x@acme.example', role: 'administrator' },
      { username: 'x@acme.example' },
      {},
    ]) {
      expect(await ask(body)).toMatchObject({ status: 400, code: 'bad_portal_request' });
    }
  });

  test('changes a role, which takes effect with the next request', async () => {
    const made = await invite('climber@acme.example');
    const { headers } = await follow(made);
    const see = async () => (await portal.send('GET', '/team', { headers })).status;
    expect(await see()).toBe(403);
    const path = `/team/${made.user.userId}`;
    const raised = await portal.send('POST', path, {
      headers: await owner(),
      body: { role: 'owner' },
    });
    expect(raised.json).toMatchObject({ role: 'owner' });
    expect(await see()).toBe(200);
    await portal.send('POST', path, { headers: await owner(), body: { role: 'member' } });
    expect(await see()).toBe(403);
  });

  test('ends the sessions, the links and the password of a removed user', async () => {
    const made = await invite('leaver@acme.example');
    const { headers } = await follow(made);
    const again = await portal.send('POST', `/team/${made.user.userId}/link`, {
      headers: await owner(),
    });
    expect(again.status).toBe(201);
    expect(await portal.whoami(headers)).toBe(401);
    const path = `/team/${made.user.userId}`;
    expect((await portal.send('DELETE', path, { headers: await owner() })).status).toBe(204);
    expect((await follow(again.json as unknown as MemberLink)).status).toBe(401);
    expect((await portal.send('DELETE', path, { headers: await owner() })).json).toMatchObject({
      status: 404,
      code: 'user_not_found',
    });
  });

  test('makes a link that ends the password and the older links of the user', async () => {
    const first = await invite('loser@acme.example');
    const { userId } = first.user;
    const second = await portal.send('POST', `/team/${userId}/link`, { headers: await owner() });
    expect((await follow(first)).status).toBe(401);
    expect((await follow(second.json as unknown as MemberLink)).status).toBe(200);
  });

  test('makes no link for oneself: an old session could replace the password by it', async () => {
    const headers = await owner();
    const { json } = await portal.send('GET', '/auth/whoami', { headers });
    const answer = await portal.send('POST', `/team/${json['userId']}/link`, { headers });
    expect(answer.json).toMatchObject({ status: 409, code: 'team_conflict' });
    expect((await portal.send('GET', '/team', { headers })).status).toBe(200);
  });

  test('leaves one valid link if several are made at once', async () => {
    const { user } = await invite('hasty@acme.example');
    const headers = await owner();
    const reset = async () => portal.send('POST', `/team/${user.userId}/link`, { headers });
    const made = await Promise.all([reset(), reset(), reset(), reset()]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { rows } = await portal.crowd.database.query(
      `SELECT count(*)::int AS found FROM portal_verification WHERE value::jsonb ->> 'email' = $1`,
      [user.username],
    );
    expect(rows).toEqual([{ found: 1 }]);
    const statuses: number[] = [];
    for (const { json } of made)
      statuses.push((await follow(json as unknown as MemberLink)).status);
    expect(statuses.sort()).toEqual([200, 401, 401, 401]);
  });

  test('keeps an owner, also when two owners leave at the same time', async () => {
    const last = { headers: await owner(), body: { role: 'member' } };
    const ownId = await idOf(users.owner.email);
    expect((await portal.send('POST', `/team/${ownId}`, last)).json).toMatchObject({
      status: 409,
      code: 'team_conflict',
    });
    const other = await invite('second@acme.example', 'owner');
    const { headers } = await follow(other);
    const statuses = await Promise.all([
      portal.send('DELETE', `/team/${ownId}`, { headers }),
      portal.send('DELETE', `/team/${other.user.userId}`, { headers: await owner() }),
    ]);
    const codes = statuses.map(({ status }) => status).sort();
    expect(codes[0]).toBe(204);
    expect([401, 409]).toContain(codes[1]);
    const { rows } = await portal.crowd.database.query(
      `SELECT count(*)::int AS owners FROM portal_user WHERE account_id = 'acme' AND role = 'owner'`,
    );
    expect(rows).toEqual([{ owners: 1 }]);
  });
});

describe('another account', () => {
  test('cannot see, change, remove or reset a user', async () => {
    const { rows } = await portal.crowd.database.query(
      `SELECT id FROM portal_user WHERE email = '${users.member.email}'`,
    );
    const path = `/team/${(rows[0] as { id: string }).id}`;
    const headers = await portal.sessionOf('rival');
    for (const answer of [
      await portal.send('POST', path, { headers, body: { role: 'owner' } }),
      await portal.send('DELETE', path, { headers }),
      await portal.send('POST', `${path}/link`, { headers }),
      await portal.send('POST', `${path}/logoutEverywhere`, { headers }),
    ]) {
      expect(answer.json).toMatchObject({ status: 404, code: 'user_not_found' });
    }
    for (const name of ['rival', 'administrator'] as const) {
      const headers = await portal.sessionOf(name);
      const team = (await portal.send('GET', '/team', { headers })).json;
      expect(JSON.stringify(team)).not.toContain('acme');
    }
  });

  test('has its administrator protected from an owner of the same account', async () => {
    await portal.crowd.database.query(
      `UPDATE portal_user SET account_id = 'operator' WHERE email = '${users.rival.email}'`,
    );
    const headers = await portal.sessionOf('rival');
    const team = (await portal.send('GET', '/team', { headers })).json as unknown as TeamMember[];
    const { userId } = team.find(({ role }) => role === 'administrator')!;
    for (const answer of [
      await portal.send('POST', `/team/${userId}`, { headers, body: { role: 'member' } }),
      await portal.send('DELETE', `/team/${userId}`, { headers }),
      await portal.send('POST', `/team/${userId}/link`, { headers }),
    ]) {
      expect(answer.json).toMatchObject({ status: 403, code: 'role_required' });
    }
  });
});
