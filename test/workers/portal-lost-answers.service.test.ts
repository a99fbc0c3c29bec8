// Failures of the database and of the edge store between the steps of a request to the portal: the answer never
// states that nothing was changed after a step was done, and a step that works once is not reported as wrong.

import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { createLink, createUser } from '../../workers/host/registry/portal-users.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { databaseBehindProxy, type FaultyProxy, type ProxyFault } from '../support/faulty-proxy.ts';
import {
  PASSWORD,
  PORTAL,
  type PortalService,
  startPortal,
  users,
} from '../support/portal-service.ts';
import { softPasskey } from '../support/soft-passkey.ts';
import { codeOf } from '../support/totp.ts';

const NEW_PASSWORD = 'eight grey herons';
const UNKNOWN = { status: 503, code: 'outcome_unknown' };

let portal: PortalService;
let proxy: FaultyProxy;
beforeAll(async () => {
  const own = await databaseBehindProxy();
  proxy = own.proxy;
  portal = await startPortal(own.database);
});
afterEach(() => {
  proxy.decide = () => 'none';
});
afterAll(() => portal?.stop());

/** Gives a fault to the first statements that match, and `then` to all statements after the first of them. */
function fail(statement: RegExp, fault: ProxyFault, times = 1, then: ProxyFault = 'none'): void {
  let left = times;
  proxy.decide = (question) => {
    if (statement.test(question) && left-- > 0) return fault;
    return left < times ? then : 'none';
  };
}
const send = (path: string, body: object, headers = {}) =>
  portal.send('POST', path, { body, headers });
const bearerOf = (json: unknown) => ({
  authorization: `Bearer ${(json as { token: { id: string } }).token.id}`,
});
const changePassword = (headers: object, currentPassword: string, password: string) =>
  send('/user/passwordChange', { currentPassword, password }, headers);

async function newUser(name: string) {
  const email = `${name}@acme.example`;
  const user = { email, account: 'acme', role: 'member', password: PASSWORD } as const;
  await portal.administer((one) => createUser(one, user));
  return { email, session: bearerOf((await portal.signIn(email)).json) };
}

test('a password that was set before the sessions could not be ended is set, and ends them', async () => {
  const { email, session } = await newUser('sessions');
  const other = bearerOf((await portal.signIn(email)).json);
  fail(/delete from \\"portal_session\\"/i, 'reset');
  expect((await changePassword(session, PASSWORD, NEW_PASSWORD)).status).toBe(204);
  expect([await portal.whoami(session), await portal.whoami(other)]).toEqual([200, 401]);
  expect((await portal.signIn(email, NEW_PASSWORD)).status).toBe(200);
});

test.each([
  ['is lost', 'none'],
  ['and the database are lost', 'broken'],
] as const)('a password whose answer %s has an unknown outcome', async (name, then) => {
  const { email, session } = await newUser(name.replaceAll(' ', '-'));
  fail(/update \\"portal_credential\\"/i, 'lose-answer', 1, then);
  const { json } = await changePassword(session, PASSWORD, NEW_PASSWORD);
  expect(json).toMatchObject(UNKNOWN);
  proxy.decide = () => 'none';
  await expect.poll(async () => (await portal.signIn(email, NEW_PASSWORD)).status).toBe(200);
});

test('a sign-in link whose first use was lost is not reported as wrong', async () => {
  const { email } = await newUser('link');
  const link = await portal.administer((one) => createLink(one, email));
  fail(/delete from \\"portal_verification\\".*returning/i, 'lose-answer');
  expect((await send('/auth/loginByLink', { link })).json).toMatchObject(UNKNOWN);
});

test('a passkey whose challenge or counter was lost is not reported as wrong', async () => {
  const { session } = await newUser('passkey');
  const challengeOf = async (path: string) =>
    ((await send(path, {}, session)).json as { challenge: string }).challenge;
  const passkey = softPasskey(new URL(portal.crowd.service.address).origin);
  const credential = passkey.create(await challengeOf('/user/passkeys/start'));
  expect((await send('/user/passkeys', { name: 'x', credential }, session)).status).toBe(201);
  for (const [counter, statement] of [/DELETE FROM portal_challenge/, /use_passkey/].entries()) {
    const used = passkey.get(await challengeOf('/auth/passkey'), { counter: counter + 1 });
    fail(statement, 'lose-answer');
    const { json } = await send('/auth/loginByPasskey', { credential: used });
    expect(json).toMatchObject(UNKNOWN);
  }
});

test('a code of the second factor that the database lost is not reported as wrong', async () => {
  const { email, session } = await newUser('codes');
  const { json } = await send('/user/secondFactor', { password: PASSWORD }, session);
  const { uri, recoveryCodes } = json as unknown as { uri: string; recoveryCodes: string[] };
  await send('/user/secondFactor/confirm', { code: codeOf(uri) }, session);
  const signIn = (code: string) =>
    send('/auth/login', { username: email, password: PASSWORD, code });
  fail(/update \\"portal_second_factor\\"/i, 'lose-answer');
  expect((await signIn(recoveryCodes[0]!)).json).toMatchObject(UNKNOWN);
  fail(/delete from \\"portal_challenge\\".*2fa-attempts/i, 'reset', 99);
  expect((await signIn(codeOf(uri, 1))).json).toMatchObject(UNKNOWN);
});

test('a rotation, a revocation and a suspension without the list of revocations state that they were made', async () => {
  const headers = await portal.sessionOf('owner');
  const administrator = await portal.sessionOf('administrator');
  const { id } = await portal.makeToken(headers);
  const path = `/apiTokens/${id}`;
  fail(/revocation_list/, 'reset', 99);
  const { status, json } = await send(`${path}/rotate`, {}, headers);
  const next = json as { id: string; token: string };
  expect([status, await portal.tile(next.token)]).toEqual([201, 200]);
  const made = { ...UNKNOWN, detail: 'A part of the change was made. Repeat the request.' };
  const atOnce = await send(`/apiTokens/${next.id}/rotate`, { graceSeconds: 0 }, headers);
  const detail = expect.stringContaining('Revoke the old token, and rotate its replacement');
  expect(atOnce.json).toMatchObject({ ...UNKNOWN, detail });
  expect((await portal.send('DELETE', path, { headers })).json).toMatchObject(made);
  const suspend = (suspended: boolean) =>
    send('/admin/accounts/rival', { suspended }, administrator);
  expect((await suspend(true)).json).toMatchObject(made);
  proxy.decide = () => 'none';
  expect((await suspend(false)).status).toBe(200);
  expect((await portal.send('DELETE', path, { headers })).status).toBe(204);
  expect((await portal.send('DELETE', `/apiTokens/${next.id}`, { headers })).status).toBe(204);
});

test('a user without a sign-in link is reported as created, and an erasure as begun', async () => {
  const headers = await portal.sessionOf('owner');
  fail(/insert into \\"portal_verification\\"/i, 'broken', 99);
  const invited = await send('/team', { username: 'new@acme.example', role: 'member' }, headers);
  const detail = expect.stringContaining('The user was created');
  expect(invited.json).toMatchObject({ ...UNKNOWN, detail });
  const { id } = (
    await portal.crowd.database.query(`SELECT id FROM portal_user WHERE email LIKE 'new@%'`)
  ).rows[0];
  expect((await send(`/team/${id}/link`, {}, headers)).json).toMatchObject(UNKNOWN);
  fail(/erase_person/, 'broken', 99);
  const erased = await send(
    '/admin/erasure',
    { account: 'acme', subject: 'nobody' },
    await portal.sessionOf('administrator'),
  );
  expect(erased.json).toMatchObject(UNKNOWN);
});

/** A service on the same database whose edge store accepts or refuses. */
async function appWithStore() {
  const entries = new Map<string, string>();
  const store = { isDown: false };
  const reached = <T>(value: T) =>
    store.isDown ? Promise.reject(new Error('unreachable')) : Promise.resolve(value);
  const app = await freshApp(inject('demoCharts'), {
    ...portal.crowd.database.bindings,
    USER_TOKEN_SECRET: 's'.repeat(64),
    KV: {
      get: (key: string) => reached(entries.get(key) ?? null),
      // The list of revocations is stored also if it is down.
      put: async (key: string, text: string) => {
        if (key !== 'revoked-v1') await reached(key);
        entries.set(key, text);
      },
    },
  });
  return { app, store };
}
async function post(app: DirectApp, path: string, body: object, headers = {}) {
  const answer = await app.fetch(`${PORTAL}${path}`, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json', ...headers },
  });
  return (await answer.json()) as { status: number; id: string; code: string; token: string };
}

test('a replacement that could not be published can be replaced, and is not revoked', async () => {
  const { app, store } = await appWithStore();
  const login = { username: users.moderator.email, password: PASSWORD };
  const headers = bearerOf(await post(app, '/auth/login', login));
  const { id } = await post(app, '/apiTokens', { name: 'Harbour page' }, headers);
  store.isDown = true;
  const rotate = (one: string) => post(app, `/apiTokens/${one}/rotate`, {}, headers);
  expect(await rotate(id)).toMatchObject({ status: 503, code: 'tokens_unavailable' });
  store.isDown = false;
  expect(await rotate(id)).toMatchObject({ status: 409, code: 'token_conflict' });
  const { rows } = await portal.crowd.database.query(
    `SELECT replaced_by AS next FROM api_token WHERE id = '${id}'`,
  );
  expect(await rotate(rows[0].next)).toMatchObject({ token: expect.any(String) });
});

test('attributions are not those of the public charts if it is unknown whose the token is', async () => {
  const { app, store } = await appWithStore();
  store.isDown = true;
  const answer = await app.fetch(`/api/v1/datasets/attributions?token=${'f'.repeat(32)}`);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store']);
});
