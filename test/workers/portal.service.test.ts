// The portal API: sign-in, sessions and roles, and what attackers try.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PortalRole } from '../../shared/contract/portal.ts';
import { createLink, resetUser } from '../../workers/host/registry/portal-users.ts';
import { ENDPOINTS } from '../../workers/service/app.ts';
import { startCrowdService } from '../support/crowd-service.ts';
import {
  cookiesIn,
  PASSWORD,
  PORTAL,
  type PortalService,
  startPortal,
  users,
} from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

describe('signing in', () => {
  test('returns the user, a session token and an HttpOnly cookie', async () => {
    const { status, json, headers } = await portal.signIn('MEMBER@acme.example');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      user: {
        username: users.member.email,
        role: 'member',
        isAdmin: false,
        account: { id: 'acme' },
      },
    });
    const [cookie] = cookiesIn(headers);
    expect(cookie).toMatch(/^leadline\.session_token=.*HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
  });

  test('starts a new session whatever the client sent', async () => {
    const fixed = await portal.cookieOf('rival');
    const { headers } = await portal.signIn(users.member.email, PASSWORD, { cookie: fixed });
    const [made] = cookiesIn(headers);
    expect(made!.split(';')[0]).not.toBe(fixed);
    expect(
      (await portal.send('GET', '/auth/whoami', { headers: { cookie: fixed } })).json,
    ).toMatchObject({
      username: users.rival.email,
    });
  });

  test('gives the same answer for a wrong password and an unknown user', async () => {
    const answers = [
      await portal.signIn(users.member.email, 'not the password'),
      await portal.signIn('nobody@acme.example', 'not the password'),
    ];
    const plain = answers.map(({ status, json }) => ({ ...json, status, requestId: '' }));
    expect(plain[0]).toMatchObject({ status: 401, code: 'sign_in_failed' });
    expect(plain[1]).toEqual(plain[0]);
  });

  test('is refused from a page of another site', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect((await portal.signIn(users.member.email, PASSWORD, headers)).status).toBe(403);
    }
  });

  test('is limited for each network', async () => {
    const limited = await startCrowdService({ RATE_LIMIT_USERS: '3' });
    try {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 5; attempt++) {
        const body = { username: 'nobody@acme.example', password: 'not the password' };
        const path = `${PORTAL}/auth/login`;
        statuses.push((await limited.ask(path, { method: 'POST', body })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
    } finally {
      await limited.stop();
    }
  });

  test('is limited for each user, whatever the network, but not by a link', async () => {
    const limited = await startCrowdService({ RATE_LIMIT_USERS: '3' });
    try {
      // Without the front, which would replace the address of the client.
      const ask = async (path: string, body: object, network: number) => {
        const headers = {
          'content-type': 'application/json',
          'cf-connecting-ip': `10.0.${network}.1`,
        };
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        const url = `${limited.service.address}${PORTAL}${path}`;
        return (await limited.service.runtime.dispatchFetch(url, init)).status;
      };
      const attempt = (username: string, network: number) =>
        ask('/auth/login', { username, password: 'not the password' }, network);
      const statuses: number[] = [];
      for (let network = 0; network < 5; network++) {
        statuses.push(
          await attempt(network % 2 ? 'One@acme.example' : 'one@ACME.example', network),
        );
      }
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      expect(await attempt('two@acme.example', 9)).toBe(401);
      expect(await ask('/auth/loginByLink', { link: 'a'.repeat(32) }, 10)).toBe(401);
    } finally {
      await limited.stop();
    }
  });

  test('by a link ends the older links of the user, and no others', async () => {
    const use = async (text: string) =>
      (await portal.send('POST', '/auth/loginByLink', { body: { link: text } })).status;
    const older = await portal.administer((one) => createLink(one, users.moderator.email));
    const other = await portal.administer((one) => createLink(one, users.rival.email));
    const reset = await portal.administer((one) => createLink(one, users.moderator.email));
    expect(await use(older)).toBe(401);
    expect([await use(reset), await use(other)]).toEqual([200, 200]);
  });

  test('by a link works once and not after its expiry', async () => {
    const link = await portal.administer((one) => createLink(one, users.owner.email));
    const use = (text: string) =>
      portal.send('POST', '/auth/loginByLink', { body: { link: text } });
    expect((await use(link)).json).toMatchObject({ user: { username: users.owner.email } });
    expect((await use(link)).json).toMatchObject({ status: 401, code: 'sign_in_failed' });
    const late = await portal.administer((one) => createLink(one, users.owner.email));
    await portal.crowd.database.query('UPDATE portal_verification SET expires_at = 1');
    expect((await use(late)).status).toBe(401);
  });
});

describe('a session', () => {
  test('ends with logout, and everywhere with logoutEverywhere', async () => {
    const first = await portal.newSession('administrator');
    const second = await portal.newSession('administrator');
    const third = await portal.newSession('administrator');
    expect((await portal.send('POST', '/auth/logout', { headers: first })).status).toBe(204);
    expect(await portal.whoami(first)).toBe(401);
    expect(await portal.whoami(second)).toBe(200);
    expect((await portal.send('POST', '/auth/logoutEverywhere', { headers: second })).status).toBe(
      204,
    );
    expect([await portal.whoami(second), await portal.whoami(third)]).toEqual([401, 401]);
  });

  test('is not accepted after its expiry, without its signature or with another token', async () => {
    const headers = await portal.newSession('member');
    const forged = { authorization: headers['authorization']!.replace(/.{6}$/, 'AAAAAA') };
    expect(await portal.whoami(forged)).toBe(401);
    const raw = { authorization: headers['authorization']!.split('.')[0]! };
    expect(await portal.whoami(raw)).toBe(401);
    expect(
      await portal.whoami({ authorization: `Bearer ${await portal.crowd.service.token()}` }),
    ).toBe(401);
    const { token } = await portal.makeToken(headers);
    expect(await portal.whoami({ authorization: `Bearer ${token}` })).toBe(401);
    await portal.crowd.database.query(
      `UPDATE portal_session SET expires_at = 1
       WHERE token = '${headers['authorization']!.slice(7).split('.')[0]}'`,
    );
    expect(await portal.whoami(headers)).toBe(401);
  });

  test('by cookie permits changes from pages of the service only', async () => {
    const cookie = await portal.cookieOf('member');
    const create = async (headers: Readonly<Record<string, string>>) =>
      (
        await portal.send('POST', '/apiTokens', {
          headers: { cookie, ...headers },
          body: { name: 'x' },
        })
      ).status;
    expect(await create({ 'sec-fetch-site': 'same-origin' })).toBe(201);
    expect(await create({ origin: portal.crowd.service.address })).toBe(201);
    expect(await create({ origin: 'https://evil.example' })).toBe(403);
    expect(await create({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await create({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await create({})).toBe(403);
    // A wrong token in the header does not make the cookie count.
    expect(await create({ authorization: 'Bearer x.y' })).toBe(401);
  });

  test('changes the password only with the current one, and ends the other sessions', async () => {
    const [headers, other] = [await portal.newSession('owner'), await portal.newSession('owner')];
    const change = (body: object) => portal.send('POST', '/user/passwordChange', { headers, body });
    const password = 'eight grey herons';
    expect((await change({ password: 'short' })).status).toBe(400);
    expect((await change({ password })).json).toMatchObject({ code: 'bad_portal_request' });
    expect((await change({ password, currentPassword: 'wrong' })).status).toBe(400);
    expect((await change({ password, currentPassword: PASSWORD })).status).toBe(204);
    expect(await portal.whoami(other)).toBe(401);
    expect((await portal.signIn(users.owner.email)).status).toBe(401);
    // An operator resets it: the old password and the sessions end, and a link permits a new one.
    const { status, json } = await portal.signIn(users.owner.email, password);
    expect(status).toBe(200);
    const link = await portal.administer((one) => resetUser(one, users.owner.email));
    const session = { authorization: `Bearer ${(json as { token: { id: string } }).token.id}` };
    expect(await portal.whoami(session)).toBe(401);
    const by = (await portal.send('POST', '/auth/loginByLink', { body: { link } }))
      .json as typeof json;
    const fresh = { authorization: `Bearer ${(by as { token: { id: string } }).token.id}` };
    const set = { headers: fresh, body: { password: PASSWORD } };
    expect((await portal.send('POST', '/user/passwordChange', set)).status).toBe(204);
    expect((await portal.signIn(users.owner.email)).status).toBe(200);
  });
});

describe('every endpoint with a session', () => {
  const endpoints = ENDPOINTS.filter(({ access }) => access.kind === 'session');
  const forbidden = (role: PortalRole, needed: PortalRole) =>
    ['member', 'moderator', 'owner', 'administrator'].indexOf(role) <
    ['member', 'moderator', 'owner', 'administrator'].indexOf(needed);

  test.each(endpoints.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s is closed without a session and to lower roles',
    async (_, { method, path, access, body }) => {
      const address = path.slice(PORTAL.length).replace('{id}', 'x');
      const ask = (headers = {}) =>
        portal.send(method.toUpperCase(), address, {
          headers,
          ...(body ? { body: body.example } : {}),
        });
      expect((await ask()).json).toMatchObject({ status: 401, code: 'session_required' });
      const apiToken = await portal.crowd.service.token();
      expect((await ask({ authorization: `Bearer ${apiToken}` })).status).toBe(401);
      if (access.kind !== 'session') return;
      for (const name of ['member', 'moderator', 'owner', 'rival'] as const) {
        if (!forbidden(users[name].role, access.role)) continue;
        expect((await ask(await portal.sessionOf(name))).status).toBe(403);
      }
    },
  );
});

test('the login of the service cannot create users or change roles', async () => {
  const { rows } = await portal.crowd.database.query(
    `SELECT DISTINCT privilege_type || CASE privilege_type WHEN 'SELECT' THEN '' ELSE ' ' || column_name END AS may
     FROM information_schema.column_privileges
     WHERE grantee = 'leadline_runtime' AND table_name = 'portal_user' ORDER BY 1`,
  );
  expect(rows).toEqual([
    { may: 'SELECT' },
    { may: 'UPDATE two_factor_enabled' },
    { may: 'UPDATE updated_at' },
  ]);
});
