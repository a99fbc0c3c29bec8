// Accounts in the portal: what administrators can do, and what the service refuses.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PortalAccount } from '../../shared/contract/accounts.ts';
import { suspendAccount } from '../../workers/host/registry/accounts.ts';
import { type PortalService, startPortal } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const ACCOUNTS = '/admin/accounts';
const send = async (method: string, path: string, body?: object) => {
  const headers = await portal.sessionOf('administrator');
  return portal.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
};
test('accounts are listed by id in pages, with what they use', async () => {
  const list = async (query: string) =>
    (await send('GET', `${ACCOUNTS}${query}`)).json as unknown as PortalAccount[];
  const all = await list('');
  const ids = all.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
  expect(ids).toEqual(expect.arrayContaining(['acme', 'operator', 'rival']));
  expect(all.find(({ id }) => id === 'acme')).toMatchObject({ plan: 'standard', users: 3 });
  const [first] = await list('?limit=1');
  expect([first!, ...(await list(`?after=${first!.id}`))]).toEqual(all);
  for (const query of ['limit=101', 'search=', `search=${'x'.repeat(65)}`, 'search=%00']) {
    expect((await send('GET', `${ACCOUNTS}?${query}`)).json).toMatchObject({ code: 'bad_query' });
  }
});

test('accounts are searched by the beginning of the id, in pages', async () => {
  for (const id of ['zeta', 'zeta-harbour', 'ze.a', 'a-zeta']) await send('POST', ACCOUNTS, { id });
  const idsOf = async (query: string) =>
    ((await send('GET', `${ACCOUNTS}?${query}`)).json as unknown as PortalAccount[]).map(
      ({ id }) => id,
    );
  expect(await idsOf('search=zeta')).toEqual(['zeta', 'zeta-harbour']);
  expect(await idsOf('search=ZETA&limit=1')).toEqual(['zeta']);
  expect(await idsOf('search=zeta&limit=1&after=zeta')).toEqual(['zeta-harbour']);
  for (const none of ['zeta%25', 'ze_a', "'%20OR%201=1"]) {
    expect(await idsOf(`search=${none}`)).toEqual([]);
  }
});

test('a search of accounts reads few blocks if there are many accounts', async () => {
  const { query } = portal.crowd.database;
  const blocksRead = async (): Promise<number> => {
    await query('ANALYZE account');
    const { rows } = await query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT listed.* FROM portal_session AS session
       JOIN portal_user ON portal_user.id = session.user_id AND role = 'administrator',
       portal_list_accounts(session.id, NULL, NULL, 50, 'zeta') AS listed`,
    );
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    expect(plan['Actual Rows']).toBe(2);
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };
  // The first query also reads the catalogue of the database.
  await blocksRead();
  const few = await blocksRead();
  await query(
    `INSERT INTO account (id, plan) SELECT 'many' || n, 'standard' FROM generate_series(1, 20000) AS n`,
  );
  const many = await blocksRead();
  await query(`DELETE FROM account WHERE id LIKE 'many%'`);
  expect(many).toBeLessThan(few + 100);
});

test('an account is created once, with an id that tokens can contain', async () => {
  const made = await send('POST', ACCOUNTS, { id: 'harbour', plan: 'enterprise', pilot: true });
  expect([made.status, made.json]).toMatchObject([201, { id: 'harbour', pilot: true, users: 0 }]);
  const again = await send('POST', ACCOUNTS, { id: 'harbour' });
  expect(again.json).toMatchObject({ status: 409, code: 'account_conflict' });
  for (const id of ['', 'Harbour', 'a b', '../x', 'é', 'x'.repeat(65), null, 7]) {
    const refused = await send('POST', ACCOUNTS, { id });
    expect(refused.json).toMatchObject({ status: 400, code: 'bad_portal_request' });
  }
});

test('a repeated creation succeeds, but not by another user or with other rights', async () => {
  const body = { id: 'repeated', plan: 'enterprise' };
  const create = async (more = {}) => (await send('POST', ACCOUNTS, { ...body, ...more })).status;
  expect([await create(), await create(), await create({ pilot: true })]).toEqual([201, 201, 409]);
  const { rows } = await portal.crowd.database.query(
    `SELECT count(*)::int AS found FROM admin_act WHERE account_id = 'repeated'`,
  );
  expect(rows).toEqual([{ found: 1 }]);
  const acme = { id: 'acme', plan: 'standard' };
  expect((await send('POST', ACCOUNTS, acme)).status).toBe(409);
});

test('an administrator invites the first owner of an account, and no second one', async () => {
  await send('POST', ACCOUNTS, { id: 'new-harbour' });
  const invite = (username: string, id = 'new-harbour') =>
    send('POST', `${ACCOUNTS}/${id}/owner`, { username });
  expect((await invite('owner@acme.example')).json).toMatchObject({ code: 'team_conflict' });
  const { status, json } = await invite('First@Harbour.example');
  expect([status, json]).toMatchObject([
    201,
    { user: { username: 'first@harbour.example', role: 'owner' } },
  ]);
  const link = (json as unknown as { link: string }).link.split('#link=')[1];
  const signedIn = await portal.send('POST', '/auth/loginByLink', { body: { link } });
  expect(signedIn.json).toMatchObject({ user: { account: { id: 'new-harbour' } } });
  const second = await invite('second@harbour.example');
  expect(second.json).toMatchObject({ status: 409, code: 'account_conflict' });
  const missing = await invite('third@harbour.example', 'nowhere');
  expect(missing.json).toMatchObject({ status: 404, code: 'account_not_found' });
  const { rows } = await portal.crowd.database.query(
    `SELECT detail ->> 'role' AS role FROM admin_act WHERE account_id = 'new-harbour' AND act = 'user create'`,
  );
  expect(rows).toEqual([{ role: 'owner' }]);
});

test('new rights apply to new tokens', async () => {
  const headers = await portal.sessionOf('owner');
  const body = { name: 'x', scopes: ['reports:admin'] };
  const make = async () => (await portal.send('POST', '/apiTokens', { headers, body })).status;
  expect(await make()).toBe(403);
  const changed = await send('POST', `${ACCOUNTS}/acme`, { admin: true });
  expect(changed.json).toMatchObject({ id: 'acme', admin: true, plan: 'standard' });
  expect(await make()).toBe(201);
  const missing = await send('POST', `${ACCOUNTS}/nowhere`, { admin: true });
  expect(missing.json).toMatchObject({ status: 404, code: 'account_not_found' });
});

test('a suspension stops the tokens of the account, also one by a command, until it is resumed', async () => {
  const { token } = await portal.makeToken(await portal.sessionOf('rival'));
  const revoked = async () => {
    const kv = await portal.crowd.service.runtime.getKVNamespace('KV');
    return JSON.parse((await kv.get('revoked-v1', 'text')) ?? '{}').suspended as string[];
  };
  expect(await portal.tile(token)).toBe(200);
  const set = (suspended: boolean) => send('POST', `${ACCOUNTS}/rival`, { suspended });
  expect((await set(true)).json).toMatchObject({ suspendedAt: expect.any(Number) });
  expect(await revoked()).toEqual(['rival']);
  expect(await portal.administer((one) => suspendAccount(one, 'rival'))).toBe(false);
  expect((await set(false)).json).toMatchObject({ suspendedAt: null });
  expect(await revoked()).toEqual([]);
  const own = await send('POST', `${ACCOUNTS}/operator`, { suspended: true });
  expect(own.json).toMatchObject({ status: 409, code: 'account_conflict' });
});
