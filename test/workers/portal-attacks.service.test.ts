// What attackers try against the portal API: hostile input, requests from other sites, planted
// sessions, and sessions and links that have ended.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink, createUser } from '../../workers/host/registry/portal-users.ts';
import { ENDPOINTS } from '../../workers/service/app.ts';
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

type Headers = Readonly<Record<string, string>>;

const endpoints = ENDPOINTS.filter(({ access }) => access.kind === 'session').map(
  (one) => [`${one.method} ${one.path}`, one] as const,
);

describe('hostile input', () => {
  const IDS = ['%00', '%00x', '%ff', "x'%3B%20DROP%20TABLE%20portal_user%3B--", 'x'.repeat(3000)];

  test.each(endpoints.filter(([, { path }]) => path.includes('{')))(
    '%s rejects ids that no thing has',
    async (_, { method, path, body }) => {
      const headers = await portal.sessionOf('administrator');
      for (const id of IDS) {
        const address = path.slice(PORTAL.length).replace(/\{\w+\}/, id);
        const sent = { headers, ...(body ? { body: body.example } : {}) };
        const { status } = await portal.send(method.toUpperCase(), address, sent);
        expect([id, [400, 404].includes(status)]).toEqual([id, true]);
      }
    },
  );

  const queries = endpoints.flatMap(([label, { path, parameters = [] }]) =>
    parameters
      .filter((one) => one.in === 'query')
      .map(({ name }) => [`${label}?${name}`, path, name] as const),
  );
  test.each(queries)('%s rejects control characters', async (_, path, name) => {
    const headers = await portal.sessionOf('administrator');
    const address = path.slice(PORTAL.length).replace(/\{\w+\}/, 'x');
    const { json } = await portal.send('GET', `${address}?${name}=a%00`, { headers });
    expect(json).toMatchObject({ status: 400, code: 'bad_query' });
  });

  test('names of tokens have no control characters, and a list of origins is not empty', async () => {
    const headers = await portal.sessionOf('member');
    for (const body of [
      { name: 'a\u0000b' },
      { name: '\u001b[2J' },
      { name: '\ud800' },
      { name: 'x', restrictions: { hosts: [] } },
      { name: 'x', restrictions: { hosts: ['javascript:alert(1)'] } },
      { name: 'x', restrictions: { hosts: ['https://a.example/"><script>'] } },
    ]) {
      const { json } = await portal.send('POST', '/apiTokens', { headers, body });
      expect(json).toMatchObject({ status: 400, code: 'bad_portal_request' });
    }
  });

  test('addresses are those for which the sign-in library makes links', async () => {
    const headers = await portal.sessionOf('owner');
    for (const username of [
      '<img/src=x/onerror=alert(1)>@acme.example',
      'a"b@acme.example',
      '\u202eevil@acme.example',
      'jane@acme.example\u0085',
      'jane@münchen.example',
    ]) {
      const body = { username, role: 'member' };
      const { json } = await portal.send('POST', '/team', { headers, body });
      expect(json).toMatchObject({ status: 400, code: 'bad_portal_request' });
      const user = { email: username, account: 'acme', role: 'member' } as const;
      const made = portal.administer((one) => createUser(one, user));
      await expect(made).rejects.toThrow('is not an email address');
    }
  });

  test('fields that a body must not set are ignored', async () => {
    const headers = await portal.sessionOf('owner');
    const more = { accountId: 'rival', account: 'rival', userId: 'x', plan: 'enterprise' };
    const rights = { pilot: true, votesForUsers: true, kind: 'sk', isPublic: false };
    const { id } = await portal.makeToken(headers, { ...more, ...rights });
    const { rows } = await portal.crowd.database.query(
      `SELECT account_id, plan, pilot, votes_for_users, kind FROM api_token WHERE id = '${id}'`,
    );
    expect(rows).toEqual([
      { account_id: 'acme', plan: 'standard', pilot: false, votes_for_users: false, kind: 'pk' },
    ]);
    const body = { username: 'extra@acme.example', role: 'member', ...more, isAdmin: true };
    expect((await portal.send('POST', '/team', { headers, body })).status).toBe(201);
    const made = await portal.crowd.database.query(
      `SELECT account_id, role FROM portal_user WHERE email = 'extra@acme.example'`,
    );
    expect(made.rows).toEqual([{ account_id: 'acme', role: 'member' }]);
  });
});

describe('a request from another site', () => {
  const origins = (address: string): string[] => [
    `${address}.evil.example`,
    `${address}/`,
    `${address}0`,
    address.replace('http:', 'https:'),
    address.replace(/:\d+$/, ''),
    address.toUpperCase(),
    'null',
  ];
  const KINDS = ['text/plain', 'application/x-www-form-urlencoded', 'application/json'];

  test('changes nothing with the cookie, whatever its content type and origin', async () => {
    const cookie = await portal.cookieOf('member');
    const raw = JSON.stringify({ name: 'Of another site' });
    for (const origin of origins(portal.crowd.service.address)) {
      for (const type of KINDS) {
        const headers = { cookie, origin, 'content-type': type };
        const answer = await portal.crowd.ask(`${PORTAL}/apiTokens`, {
          ...{ method: 'POST', raw, headers },
        });
        expect([origin, type, answer.status]).toEqual([origin, type, 403]);
      }
    }
    const override = { cookie, 'x-http-method-override': 'DELETE', 'sec-fetch-site': 'cross-site' };
    const answers = [
      await portal.send('GET', '/apiTokens?_method=POST', { headers: override }),
      await portal.send('GET', '/apiTokens', { headers: override }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(JSON.stringify(answers[1]!.json)).not.toContain('Of another site');
  });

  test('does not sign its visitor in, by password or by link', async () => {
    const link = await portal.administer((one) => createLink(one, users.rival.email));
    for (const origin of origins(portal.crowd.service.address)) {
      for (const [path, body] of [
        ['login', { username: users.rival.email, password: PASSWORD }],
        ['loginByLink', { link }],
      ] as const) {
        const { status, headers } = await portal.send('POST', `/auth/${path}`, {
          body,
          headers: { origin, 'content-type': 'text/plain' },
        });
        expect([path, origin, status, cookiesIn(headers)]).toEqual([path, origin, 403, []]);
      }
    }
    // The rejected requests have not used the link up.
    expect((await portal.send('POST', '/auth/loginByLink', { body: { link } })).status).toBe(200);
  });

  test('cannot read a response with the cookie', async () => {
    const cookie = await portal.cookieOf('administrator');
    const headers = { cookie, origin: 'https://evil.example' };
    for (const [method, path] of [
      ['GET', '/auth/whoami'],
      ['GET', '/admin/audit'],
      ['OPTIONS', '/apiTokens'],
    ] as const) {
      const answer = await portal.send(method, path, { headers });
      // Browsers do not send cookies for `*`.
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });
});

describe('a planted session', () => {
  const whoami = async (cookie: string) =>
    (await portal.send('GET', '/auth/whoami', { headers: { cookie } })).json as {
      username?: string;
      code?: string;
    };

  test('does not become the session of the user who signs in', async () => {
    const [planted] = (await portal.cookieOf('rival')).split('; ');
    const { headers } = await portal.signIn(users.member.email, PASSWORD, { cookie: planted! });
    const [own] = cookiesIn(headers).map((one) => one.split(';')[0]!);
    expect(own).not.toBe(planted);
    expect(await whoami(planted!)).toMatchObject({ username: users.rival.email });
    expect(await whoami(own!)).toMatchObject({ username: users.member.email });
    const [name, value = ''] = own!.split('=');
    for (const changed of [value.split('.')[0]!, `${value.split('.')[0]}.`, `x${value}`, '']) {
      expect(await whoami(`${name}=${changed}`)).toMatchObject({ code: 'session_required' });
    }
  });

  test('by a server of another subdomain is not accepted on https', async () => {
    const at = 'https://charts.example';
    const { runtime } = portal.crowd.service;
    const answer = await runtime.dispatchFetch(`${at}${PORTAL}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: users.rival.email, password: PASSWORD }),
    });
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      // RFC 6265bis, 4.1.3.2: with this prefix, browsers require Secure, Path=/ and no Domain.
      expect(cookie).toMatch(/^__Host-leadline\.\w+=[^;]+;(?!.*Domain)(?=.*Path=\/(;|$)).*Secure/i);
    }
    const session = cookies[0]!.split(';')[0]!;
    const ask = async (cookie: string, path = '/auth/whoami') =>
      (await runtime.dispatchFetch(`${at}${PORTAL}${path}`, { headers: { cookie } })).status;
    expect(await ask(session)).toBe(200);
    expect(await ask(session, '/styles')).toBe(200);
    // Other subdomains can set these names.
    expect(await ask(session.replace('__Host-', ''))).toBe(401);
    expect(await ask(session.replace('__Host-', '__Secure-'))).toBe(401);
  });
});

describe('a session ends', () => {
  const idOf = async (email: string) => {
    const found = await portal.crowd.database.query(
      `SELECT id FROM portal_user WHERE email = '${email}'`,
    );
    return (found.rows[0] as { id: string }).id;
  };
  /** A new user with a password and two sessions. */
  async function newUser(name: string) {
    const email = `${name}@acme.example`;
    const user = { email, account: 'acme', role: 'member', password: PASSWORD } as const;
    await portal.administer((one) => createUser(one, user));
    const start = async () => {
      const { json } = await portal.signIn(email);
      return { authorization: `Bearer ${(json as { token: { id: string } }).token.id}` };
    };
    return { email, id: await idOf(email), first: await start(), second: await start() };
  }
  const statusesOf = async ({ first, second }: { first: Headers; second: Headers }) => [
    await portal.whoami(first),
    await portal.whoami(second),
  ];

  test('for a removed user, who cannot sign in again or use a link', async () => {
    const user = await newUser('removed');
    const link = await portal.administer((one) => createLink(one, user.email));
    const headers = await portal.sessionOf('owner');
    expect((await portal.send('DELETE', `/team/${user.id}`, { headers })).status).toBe(204);
    expect(await statusesOf(user)).toEqual([401, 401]);
    expect((await portal.signIn(user.email)).status).toBe(401);
    expect((await portal.send('POST', '/auth/loginByLink', { body: { link } })).status).toBe(401);
  });

  test('for a user who gets a new link, and the password ends too', async () => {
    const user = await newUser('relinked');
    const headers = await portal.sessionOf('owner');
    expect((await portal.send('POST', `/team/${user.id}/link`, { headers })).status).toBe(201);
    expect(await statusesOf(user)).toEqual([401, 401]);
    expect((await portal.signIn(user.email)).status).toBe(401);
  });

  test('when the user changes the password in another session', async () => {
    const user = await newUser('careful');
    const body = { password: 'eight grey herons', currentPassword: PASSWORD };
    const changed = await portal.send('POST', '/user/passwordChange', {
      ...{ headers: user.first, body },
    });
    expect(changed.status).toBe(204);
    expect(await statusesOf(user)).toEqual([200, 401]);
  });

  test('with its rights when the role is lowered: a token with the rights of the old role', async () => {
    const user = await newUser('demoted');
    await portal.crowd.database.query(`UPDATE account SET admin = true WHERE id = 'acme'`);
    const set = async (role: string) =>
      portal.send('POST', `/team/${user.id}`, {
        headers: await portal.sessionOf('owner'),
        body: { role },
      });
    await set('moderator');
    const made = await portal.makeToken(user.first, { scopes: ['reports:admin'] });
    await set('member');
    for (const [method, path, body] of [
      ['POST', `/apiTokens/${made.id}/rotate`, {}],
      ['POST', `/apiTokens/${made.id}`, { restrictions: null }],
      ['DELETE', `/apiTokens/${made.id}`, undefined],
      ['POST', '/apiTokens', { name: 'x', scopes: ['reports:admin'] }],
    ] as const) {
      const sent = { headers: user.first, ...(body ? { body } : {}) };
      expect((await portal.send(method, path, sent)).json).toMatchObject({ code: 'role_required' });
    }
    await portal.crowd.database.query(`UPDATE account SET admin = false WHERE id = 'acme'`);
  });

  test('with the rights above a member while the account is suspended', async () => {
    const [owner, administrator] = [
      await portal.newSession('rival'),
      await portal.newSession('administrator'),
    ];
    const own = await portal.makeToken(owner);
    const known = await portal.makeToken(administrator);
    const foreign = await portal.makeToken(await portal.sessionOf('owner'));
    const suspend = async (is: boolean) => {
      for (const id of ['rival', 'operator']) {
        await portal.crowd.database.query(`SELECT suspend_account('test', '${id}', ${is})`);
      }
    };
    await suspend(true);
    for (const [headers, method, path, body] of [
      [owner, 'GET', '/team', undefined],
      [owner, 'POST', '/team', { username: 'new@rival.example', role: 'owner' }],
      [owner, 'POST', '/apiTokens', { name: 'x' }],
      [owner, 'POST', `/apiTokens/${own.id}/rotate`, {}],
      [administrator, 'POST', '/admin/accounts/operator', { suspended: false }],
      [administrator, 'POST', '/admin/accounts', { id: 'escape' }],
      [administrator, 'GET', '/admin/audit', undefined],
      [administrator, 'GET', '/admin/system', undefined],
      [administrator, 'GET', '/admin/builds', undefined],
    ] as const) {
      const { json } = await portal.send(method, path, { headers, ...(body ? { body } : {}) });
      expect([path, json]).toMatchObject([path, { status: 403, code: 'account_limit' }]);
    }
    const end = async (headers: Headers, id: string) =>
      (await portal.send('DELETE', `/apiTokens/${id}`, { headers })).status;
    expect(await end(administrator, foreign.id)).toBe(404);
    // They can still list and end their tokens.
    expect((await portal.send('GET', '/apiTokens', { headers: owner })).status).toBe(200);
    expect(await end(administrator, known.id)).toBe(204);
    await suspend(false);
    expect((await portal.send('GET', '/team', { headers: owner })).status).toBe(200);
  });
});
