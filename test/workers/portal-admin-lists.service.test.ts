// Users, tokens and requests of all accounts in the portal: search, pages, and what administrators can do.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PortalToken } from '../../shared/contract/portal.ts';
import type { MemberLink, TeamMember } from '../../shared/contract/team.ts';
import { createUser } from '../../workers/host/registry/portal-users.ts';
import { PASSWORD, type PortalService, startPortal, users } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const send = async (method: string, path: string, body?: object) => {
  const headers = await portal.sessionOf('administrator');
  return portal.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
};
const list = async <T>(path: string) => (await send('GET', path)).json as unknown as T[];

describe('the users of all accounts', () => {
  const emailsOf = async (query: string) =>
    (await list<TeamMember>(`/admin/users?${query}`)).map(({ username }) => username);

  test('are listed by address in pages', async () => {
    const all = await emailsOf('');
    expect(all).toEqual(
      Object.values(users)
        .map(({ email }) => email)
        .sort(),
    );
    const first = await emailsOf('limit=2');
    expect([...first, ...(await emailsOf(`after=${first.at(-1)}`))]).toEqual(all);
  });

  test('are searched by account and by the beginning of the address', async () => {
    expect(await emailsOf('account=rival')).toEqual([users.rival.email]);
    expect(await emailsOf('address=Owner%40')).toEqual([users.owner.email, users.rival.email]);
    expect(await emailsOf('address=owner%40&account=acme')).toEqual([users.owner.email]);
    for (const none of [
      'address=%25',
      'address=_wner',
      'account=nowhere',
      "account='%20OR%201=1",
    ]) {
      expect(await emailsOf(none)).toEqual([]);
    }
  });

  test.each(['limit=0', 'limit=101', 'account=', 'address=%00'])('reject %s', async (query) => {
    expect((await send('GET', `/admin/users?${query}`)).json).toMatchObject({
      code: 'bad_query',
    });
  });
});

describe('a user of another account', () => {
  let id = '';
  let email = '';
  beforeEach(async () => {
    email = `${crypto.randomUUID()}@rival.example`;
    await portal.administer((one) =>
      createUser(one, { email, account: 'rival', role: 'member', password: PASSWORD }),
    );
    id = (await list<TeamMember>(`/admin/users?address=${email}`))[0]!.userId;
  });
  const signIn = async () => {
    const { status, json } = await portal.signIn(email);
    const { token } = json as { readonly token?: { readonly id: string } };
    return { status, headers: { authorization: `Bearer ${token?.id}` } };
  };
  const lastAct = async () => {
    const [act] = await list<Record<string, unknown>>('/admin/audit?limit=1');
    return act;
  };

  test('is signed out everywhere, and can sign in again', async () => {
    const { headers } = await signIn();
    expect((await send('POST', `/team/${id}/logoutEverywhere`)).status).toBe(204);
    expect(await portal.whoami(headers)).toBe(401);
    expect(await lastAct()).toMatchObject({ act: 'user sign-out', accountId: 'rival' });
    expect((await signIn()).status).toBe(200);
  });

  test('gets a new link, which ends the password', async () => {
    const { status, json } = await send('POST', `/team/${id}/link`);
    expect(status).toBe(201);
    expect(json).toMatchObject({ user: { username: email, accountId: 'rival' } });
    expect((await signIn()).status).toBe(401);
    const link = (json as unknown as MemberLink).link.split('#link=')[1];
    expect((await portal.send('POST', '/auth/loginByLink', { body: { link } })).status).toBe(200);
    expect(await lastAct()).toMatchObject({ act: 'user reset', accountId: 'rival' });
  });

  test('gets another role and is removed, except for the last owner', async () => {
    const changed = await send('POST', `/team/${id}`, { role: 'moderator' });
    expect(changed.json).toMatchObject({ role: 'moderator', accountId: 'rival' });
    expect((await send('DELETE', `/team/${id}`)).status).toBe(204);
    expect(await lastAct()).toMatchObject({ act: 'user remove', accountId: 'rival' });
    const [owner] = await list<TeamMember>(`/admin/users?address=${users.rival.email}`);
    for (const [method, path, body] of [
      ['DELETE', `/team/${owner!.userId}`, undefined],
      ['POST', `/team/${owner!.userId}`, { role: 'member' }],
    ] as const) {
      expect((await send(method, path, body)).json).toMatchObject({ code: 'team_conflict' });
    }
  });

  test('is unknown to owners of other accounts', async () => {
    const headers = await portal.sessionOf('owner');
    for (const [method, path, body] of [
      ['DELETE', '', undefined],
      ['POST', '', { role: 'owner' }],
      ['POST', '/link', undefined],
      ['POST', '/logoutEverywhere', undefined],
    ] as const) {
      const { json } = await portal.send(method, `/team/${id}${path}`, { headers, body });
      expect(json).toMatchObject({ code: 'user_not_found' });
    }
    const own = await portal.send('GET', '/team?account=rival', { headers });
    const accounts = (own.json as unknown as TeamMember[]).map(({ accountId }) => accountId);
    expect(new Set(accounts)).toEqual(new Set(['acme']));
  });
});

describe('the tokens of all accounts', () => {
  const tokensOf = (query: string) => list<PortalToken>(`/admin/apiTokens?${query}`);
  const made: { readonly id: string; readonly token: string }[] = [];
  beforeAll(async () => {
    for (const [user, name] of [
      ['owner', 'Harbour page'],
      ['rival', 'harbour app'],
      ['rival', 'Chart_100%'],
    ] as const) {
      made.push(await portal.makeToken(await portal.sessionOf(user), { name }));
    }
  });

  test('are listed in pages, newest first', async () => {
    const all = await tokensOf('');
    expect(all.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
    const [first] = await tokensOf('limit=1');
    expect([first!, ...(await tokensOf(`before=${first!.id}`))]).toEqual(all);
  });

  test('are searched by account, by id and by the beginning of the name', async () => {
    const names = async (query: string) => (await tokensOf(query)).map(({ name }) => name).sort();
    expect(await names('search=HARBOUR')).toEqual(['Harbour page', 'harbour app']);
    expect(await names('search=harbour&account=rival')).toEqual(['harbour app']);
    expect(await names(`search=${made[0]!.id}`)).toEqual(['Harbour page']);
    expect(await names('search=Chart_100%25')).toEqual(['Chart_100%']);
    expect(await names('account=acme')).toEqual(['Harbour page']);
    for (const none of ['search=%25', 'search=page', 'account=nowhere']) {
      expect(await names(none)).toEqual([]);
    }
  });

  test('are revoked by an administrator', async () => {
    const { id } = made[1]!;
    expect((await send('DELETE', `/apiTokens/${id}`)).status).toBe(204);
    const edge = await portal.crowd.service.runtime.getKVNamespace('KV');
    expect(JSON.parse((await edge.get('revoked-v1', 'text'))!).tokens).toContain(id);
    expect((await tokensOf('')).map((one) => one.id)).not.toContain(id);
    const ended = await tokensOf(`ended=true&search=${id}`);
    expect(ended).toMatchObject([{ id, accountId: 'rival', state: 'revoked' }]);
  });
});

test('requests are added up by day, for an account and for all', async () => {
  await portal.crowd.database.query(
    `INSERT INTO token_usage (day, token_id, account_id, kind, requests, refused, failed)
     SELECT (now() AT TIME ZONE 'UTC')::date - d, 'seed-' || a, a, kind, n + d, 2, 1
     FROM unnest(ARRAY['north', 'south']) AS a, unnest(ARRAY[1, 2, 200]) AS d,
       (VALUES ('Tiles', 10), ('Routing', 3)) AS counted (kind, n)`,
  );
  const daysOf = async (query: string) => {
    const { json } = await send('GET', `/admin/usage${query}`);
    const { days } = json as unknown as { days: { day: string; requests: number }[] };
    return days.map(({ requests }) => requests);
  };
  expect(await daysOf('?account=north')).toEqual([17, 15]);
  expect((await daysOf('')).slice(0, 2)).toEqual([34, 30]);
  const { json } = await send('GET', '/admin/usage?account=north');
  const day = { requests: 15, refused: 4, failed: 2, kinds: { Tiles: 11, Routing: 4 } };
  expect((json as unknown as { days: object[] }).days[1]).toMatchObject(day);
  expect(await daysOf('?account=nowhere')).toEqual([]);
  expect((await send('GET', '/admin/usage?account=')).json).toMatchObject({ code: 'bad_query' });
});
