// The portal API: sign-in, sessions, roles and API tokens, and what attackers try.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PortalRole } from '../../shared/contract/portal.ts';
import { createAccount } from '../../workers/host/registry/accounts.ts';
import { createLink, createUser, resetUser } from '../../workers/host/registry/portal-users.ts';
import { type Administrator, withRegistry } from '../../workers/host/registry/registry.ts';
import { ENDPOINTS } from '../../workers/service/app.ts';
import { type CrowdService, startCrowdService } from '../support/crowd-service.ts';
import { jsonOf } from '../support/http-client.ts';

const PORTAL = '/api/portal/v1';
const PASSWORD = 'seven grey herons';
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';

let crowd: CrowdService;
const users = {
  member: { email: 'member@acme.example', account: 'acme', role: 'member' },
  owner: { email: 'owner@acme.example', account: 'acme', role: 'owner' },
  rival: { email: 'owner@rival.example', account: 'rival', role: 'owner' },
  administrator: { email: 'admin@leadline.example', account: 'operator', role: 'administrator' },
} as const satisfies Record<string, { email: string; account: string; role: PortalRole }>;
type Name = keyof typeof users;

const administer = <T>(work: (administrator: Administrator) => Promise<T>) =>
  withRegistry(crowd.database.ownerUrl, (registry) => work({ registry, actor: 'test' }));

beforeAll(async () => {
  crowd = await startCrowdService();
  await administer(async (administrator) => {
    const rights = { plan: 'standard', pilot: false, admin: false, note: null } as const;
    for (const id of ['acme', 'rival', 'operator']) await createAccount(administrator, id, rights);
    for (const user of Object.values(users)) {
      await createUser(administrator, { ...user, password: PASSWORD });
    }
  });
});
afterAll(() => crowd?.stop());

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
const send = async (method: string, path: string, { body, headers = {} }: Sent = {}) => {
  const answer = await crowd.ask(`${PORTAL}${path}`, { method, body, headers });
  return { ...answer, json: answer.body.length === 0 ? undefined : jsonOf(answer) };
};
const signIn = (email: string, password = PASSWORD, headers = {}) =>
  send('POST', '/auth/login', { body: { username: email, password }, headers });

/** Sessions by user, for tests that do not end them. */
const sessions = new Map<Name, ReturnType<typeof newSession>>();
const sessionOf = (name: Name) => {
  const known = sessions.get(name) ?? newSession(name);
  sessions.set(name, known);
  return known;
};

/** Bearer of a new session. */
async function newSession(name: Name): Promise<Readonly<Record<string, string>>> {
  const { status, json } = await signIn(users[name].email);
  expect(status).toBe(200);
  return { authorization: `Bearer ${(json as { token: { id: string } }).token.id}` };
}

/** The cookie of a new session. */
async function cookieOf(name: Name): Promise<string> {
  const { headers } = await signIn(users[name].email);
  return cookiesIn(headers)
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
const cookiesIn = (headers: Readonly<Record<string, unknown>>): string[] =>
  [headers['set-cookie'] ?? []].flat() as string[];

const whoami = async (headers: Readonly<Record<string, string>>) =>
  (await send('GET', '/auth/whoami', { headers })).status;

interface Made {
  readonly id: string;
  readonly token: string;
  readonly [name: string]: unknown;
}
async function makeToken(headers: Readonly<Record<string, string>>, more = {}): Promise<Made> {
  const { status, json } = await send('POST', '/apiTokens', {
    headers,
    body: { name: 'Harbour page', ...more },
  });
  expect(status).toBe(201);
  return json as unknown as Made;
}
const tile = async (token: string, origin?: string) =>
  (await crowd.ask(`${TILE}?token=${token}`, { headers: origin ? { origin } : {} })).status;

describe('signing in', () => {
  test('returns the user, a session token and an HttpOnly cookie', async () => {
    const { status, json, headers } = await signIn('MEMBER@acme.example');
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
    const fixed = await cookieOf('rival');
    const { headers } = await signIn(users.member.email, PASSWORD, { cookie: fixed });
    const [made] = cookiesIn(headers);
    expect(made!.split(';')[0]).not.toBe(fixed);
    expect((await send('GET', '/auth/whoami', { headers: { cookie: fixed } })).json).toMatchObject({
      username: users.rival.email,
    });
  });

  test('gives the same answer for a wrong password and an unknown user', async () => {
    const answers = [
      await signIn(users.member.email, 'not the password'),
      await signIn('nobody@acme.example', 'not the password'),
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
      expect((await signIn(users.member.email, PASSWORD, headers)).status).toBe(403);
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

  test('by a link works once and not after its expiry', async () => {
    const link = await administer((one) => createLink(one, users.owner.email));
    const use = (text: string) => send('POST', '/auth/loginByLink', { body: { link: text } });
    expect((await use(link)).json).toMatchObject({ user: { username: users.owner.email } });
    expect((await use(link)).json).toMatchObject({ status: 401, code: 'sign_in_failed' });
    const late = await administer((one) => createLink(one, users.owner.email));
    await crowd.database.query('UPDATE portal_verification SET expires_at = 1');
    expect((await use(late)).status).toBe(401);
  });
});

describe('a session', () => {
  test('ends with logout, and everywhere with logoutEverywhere', async () => {
    const first = await newSession('administrator');
    const second = await newSession('administrator');
    const third = await newSession('administrator');
    expect((await send('POST', '/auth/logout', { headers: first })).status).toBe(204);
    expect(await whoami(first)).toBe(401);
    expect(await whoami(second)).toBe(200);
    expect((await send('POST', '/auth/logoutEverywhere', { headers: second })).status).toBe(204);
    expect([await whoami(second), await whoami(third)]).toEqual([401, 401]);
  });

  test('is not accepted after its expiry, without its signature or with another token', async () => {
    const headers = await newSession('member');
    const forged = { authorization: headers['authorization']!.replace(/.{6}$/, 'AAAAAA') };
    expect(await whoami(forged)).toBe(401);
    const raw = { authorization: headers['authorization']!.split('.')[0]! };
    expect(await whoami(raw)).toBe(401);
    expect(await whoami({ authorization: `Bearer ${await crowd.service.token()}` })).toBe(401);
    const { token } = await makeToken(headers);
    expect(await whoami({ authorization: `Bearer ${token}` })).toBe(401);
    await crowd.database.query(
      `UPDATE portal_session SET expires_at = 1
       WHERE token = '${headers['authorization']!.slice(7).split('.')[0]}'`,
    );
    expect(await whoami(headers)).toBe(401);
  });

  test('by cookie permits changes from pages of the service only', async () => {
    const cookie = await cookieOf('member');
    const create = async (headers: Readonly<Record<string, string>>) =>
      (await send('POST', '/apiTokens', { headers: { cookie, ...headers }, body: { name: 'x' } }))
        .status;
    expect(await create({ 'sec-fetch-site': 'same-origin' })).toBe(201);
    expect(await create({ origin: crowd.service.address })).toBe(201);
    expect(await create({ origin: 'https://evil.example' })).toBe(403);
    expect(await create({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await create({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await create({})).toBe(403);
    // A wrong token in the header does not make the cookie count.
    expect(await create({ authorization: 'Bearer x.y' })).toBe(401);
  });

  test('changes the password only with the current one, and ends the other sessions', async () => {
    const [headers, other] = [await newSession('owner'), await newSession('owner')];
    const change = (body: object) => send('POST', '/user/passwordChange', { headers, body });
    const password = 'eight grey herons';
    expect((await change({ password: 'short' })).status).toBe(400);
    expect((await change({ password })).json).toMatchObject({ code: 'bad_portal_request' });
    expect((await change({ password, currentPassword: 'wrong' })).status).toBe(400);
    expect((await change({ password, currentPassword: PASSWORD })).status).toBe(204);
    expect(await whoami(other)).toBe(401);
    expect((await signIn(users.owner.email)).status).toBe(401);
    // An operator resets it: the old password and the sessions end, and a link permits a new one.
    const { status, json } = await signIn(users.owner.email, password);
    expect(status).toBe(200);
    const link = await administer((one) => resetUser(one, users.owner.email));
    const session = { authorization: `Bearer ${(json as { token: { id: string } }).token.id}` };
    expect(await whoami(session)).toBe(401);
    const by = (await send('POST', '/auth/loginByLink', { body: { link } })).json as typeof json;
    const fresh = { authorization: `Bearer ${(by as { token: { id: string } }).token.id}` };
    const set = { headers: fresh, body: { password: PASSWORD } };
    expect((await send('POST', '/user/passwordChange', set)).status).toBe(204);
    expect((await signIn(users.owner.email)).status).toBe(200);
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
        send(method.toUpperCase(), address, { headers, ...(body ? { body: body.example } : {}) });
      expect((await ask()).json).toMatchObject({ status: 401, code: 'session_required' });
      const apiToken = await crowd.service.token();
      expect((await ask({ authorization: `Bearer ${apiToken}` })).status).toBe(401);
      if (access.kind !== 'session') return;
      for (const name of ['member', 'owner'] as const) {
        if (!forbidden(name, access.role)) continue;
        expect((await ask(await sessionOf(name))).status).toBe(403);
      }
    },
  );
});

describe('API tokens', () => {
  test('are created, used from their origins, changed, rotated and revoked', async () => {
    const headers = await sessionOf('member');
    const made = await makeToken(headers, { restrictions: { hosts: ['app.example'] } });
    expect(made).toMatchObject({
      name: 'Harbour page',
      userEmail: users.member.email,
      isPublic: true,
      state: 'good',
      restrictions: { hosts: ['app.example'] },
    });
    expect(await tile(made.token, 'https://app.example')).toBe(200);
    expect(await tile(made.token, 'https://evil.example')).toBe(403);
    const path = `/apiTokens/${made.id}`;
    const hosts = ['http://localhost:5173'];
    const changed = await send('POST', path, { headers, body: { restrictions: { hosts } } });
    expect(changed.json).toMatchObject({ name: 'Harbour page', restrictions: { hosts } });
    const rotated = await send('POST', `${path}/rotate`, { headers, body: { graceSeconds: 0 } });
    const next = rotated.json as unknown as Made;
    expect(rotated.status).toBe(201);
    expect(await tile(next.token, 'http://localhost:5173')).toBe(200);
    const again = await send('POST', `${path}/rotate`, { headers, body: {} });
    expect(again.json).toMatchObject({ status: 409, code: 'token_conflict' });
    expect((await send('DELETE', `/apiTokens/${next.id}`, { headers })).status).toBe(204);
    const kv = await crowd.service.runtime.getKVNamespace('KV');
    expect(JSON.parse((await kv.get('revoked-v1', 'text'))!).tokens).toEqual(
      expect.arrayContaining([made.id, next.id]),
    );
    const listed = await send('GET', '/apiTokens?ended=true&limit=100', { headers });
    const states = (listed.json as unknown as Made[]).filter(({ id }) =>
      [made.id, next.id].includes(id),
    );
    expect(states.map(({ state }) => state)).toEqual(['revoked', 'revoked']);
  });

  test('are unknown to other accounts, and known to administrators', async () => {
    const { id } = await makeToken(await sessionOf('member'));
    const rival = await sessionOf('rival');
    for (const [method, path, body] of [
      ['POST', `/apiTokens/${id}`, { name: 'mine' }],
      ['POST', `/apiTokens/${id}/rotate`, {}],
      ['DELETE', `/apiTokens/${id}`, undefined],
    ] as const) {
      const answer = await send(method, path, { headers: rival, ...(body ? { body } : {}) });
      expect(answer.json).toMatchObject({ status: 404, code: 'token_not_found' });
    }
    const listed = await send('GET', `/apiTokens?before=${id}`, { headers: rival });
    expect(listed.json).toEqual([]);
    const headers = await sessionOf('administrator');
    expect((await send('DELETE', `/apiTokens/${id}`, { headers })).status).toBe(204);
  });

  test('have no rights that the account does not have', async () => {
    const headers = await sessionOf('owner');
    const body = { name: 'x', scopes: ['reports:admin'] };
    const answer = await send('POST', '/apiTokens', { headers, body });
    expect(answer.json).toMatchObject({ status: 403, code: 'account_limit' });
    const hosts = ['*.example.com'];
    const wild = await send('POST', '/apiTokens', {
      headers,
      body: { name: 'x', restrictions: { hosts } },
    });
    expect(wild.json).toMatchObject({ status: 400, code: 'bad_portal_request' });
  });

  test('have no rights that the role does not have', async () => {
    const [member, owner] = [await sessionOf('member'), await sessionOf('owner')];
    const permit = (admin: boolean) =>
      crowd.database.query(`UPDATE account SET admin = ${admin} WHERE id = 'acme'`);
    await permit(true);
    const { id } = await makeToken(owner, { scopes: ['reports:admin'] });
    const refused = { status: 403, code: 'role_required' };
    const body = { name: 'x', scopes: ['reports:admin'] };
    const made = await send('POST', '/apiTokens', { headers: member, body });
    expect(made.json).toMatchObject(refused);
    const path = `/apiTokens/${id}`;
    const rotated = await send('POST', `${path}/rotate`, { headers: member, body: {} });
    expect(rotated.json).toMatchObject(refused);
    expect((await send('DELETE', path, { headers: member })).json).toMatchObject(refused);
    expect((await send('DELETE', path, { headers: owner })).status).toBe(204);
    await permit(false);
  });

  test('are listed in pages', async () => {
    const headers = await sessionOf('rival');
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.unshift((await makeToken(headers, { name: `${at}` })).id);
    const page = async (query: string) =>
      ((await send('GET', `/apiTokens?${query}`, { headers })).json as unknown as Made[]).map(
        ({ id }) => id,
      );
    const first = await page('limit=2');
    expect([...first, ...(await page(`limit=2&before=${first[1]}`))].sort()).toEqual(ids.sort());
    expect((await send('GET', '/apiTokens?limit=0', { headers })).status).toBe(400);
  });

  test('leave an audit trail without addresses', async () => {
    const { rows } = await crowd.database.query(
      `SELECT actor, act, detail::text FROM admin_act WHERE actor LIKE 'user:%'`,
    );
    expect(new Set(rows.map(({ act }) => act))).toEqual(
      new Set(['token mint', 'token change', 'token rotate', 'token revoke']),
    );
    expect(JSON.stringify(rows)).not.toContain('@');
  });
});

test('the login of the service cannot create users or change roles', async () => {
  const { rows } = await crowd.database.query(
    `SELECT privilege_type AS may FROM information_schema.column_privileges
     WHERE grantee = 'leadline_runtime' AND table_name = 'portal_user' GROUP BY 1`,
  );
  expect(rows).toEqual([{ may: 'SELECT' }]);
});
