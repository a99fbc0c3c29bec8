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
  expect((await send('GET', `${ACCOUNTS}?limit=101`)).json).toMatchObject({ code: 'bad_query' });
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
