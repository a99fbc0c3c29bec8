// Passkeys of portal users: adding, signing in, removing, and what must not be possible.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createLink,
  createUser,
  resetUser,
  suspendUser,
} from '../../workers/host/registry/portal-users.ts';
import {
  cookiesIn,
  PASSWORD,
  type PortalService,
  startPortal,
  type UserName,
  users,
} from '../support/portal-service.ts';
import {
  madeAttestation,
  type SoftPasskey,
  selfAttestation,
  softPasskey,
} from '../support/soft-passkey.ts';

let portal: PortalService;
let origin: string;
beforeAll(async () => {
  portal = await startPortal();
  origin = new URL(portal.crowd.service.address).origin;
});
afterAll(() => portal?.stop());

type Headers = Readonly<Record<string, string>>;
type Options = Parameters<SoftPasskey['get']>[1];
type Attestation = typeof selfAttestation;
const WRONG = { status: 401, code: 'sign_in_failed' };
const REJECTED = { status: 400, code: 'passkey_invalid' };

const challengeFrom = async (path: string, sent: { headers?: Headers; body?: object } = {}) => {
  const { status, json } = await portal.send('POST', path, sent);
  expect(status).toBe(200);
  return (json as { challenge: string }).challenge;
};
const toAdd = (headers: Headers) => challengeFrom('/user/passkeys/start', { headers, body: {} });
const toSignIn = () => challengeFrom('/auth/passkey');

const submit = (headers: Headers, credential: object, name = 'Laptop') =>
  portal.send('POST', '/user/passkeys', { headers, body: { name, credential } });
const login = (credential: object) =>
  portal.send('POST', '/auth/loginByPasskey', { body: { credential } });

async function add(headers: Headers) {
  const passkey = softPasskey(origin);
  const { status, json } = await submit(headers, passkey.create(await toAdd(headers)));
  expect([status, json]).toMatchObject([201, { name: 'Laptop', lastUsedAt: null }]);
  return { passkey, id: (json as { id: string }).id };
}
const addTo = async (user: UserName) => add(await portal.newSession(user));
const signIn = async (passkey: SoftPasskey, options: Options = {}) =>
  login(passkey.get(await toSignIn(), options));

const list = async (headers: Headers) =>
  (await portal.send('GET', '/user/passkeys', { headers })).json as unknown as {
    id: string;
    lastUsedAt: number | null;
  }[];

async function ageSessions() {
  await portal.crowd.database.query('UPDATE portal_session SET created_at = created_at - 700000');
}

describe('a passkey', () => {
  test('signs its user in, like a password', async () => {
    const { passkey, id } = await addTo('member');
    const { status, json, headers } = await signIn(passkey);
    expect([status, json]).toMatchObject([200, { user: { username: users.member.email } }]);
    const session = {
      authorization: `Bearer ${(json as { token: { id: string } }).token.id}`,
    };
    expect(await portal.whoami(session)).toBe(200);
    const [cookie] = cookiesIn(headers);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(await portal.whoami({ cookie: cookie!.split(';')[0]! })).toBe(200);
    const used = (await list(session)).find((one) => one.id === id);
    expect(used).toEqual({
      ...{ id, name: 'Laptop', createdAt: expect.any(Number), lastUsedAt: expect.any(Number) },
    });
  });

  test('needs no code of a second factor', async () => {
    const { passkey } = await addTo('moderator');
    await portal.crowd.database.query(
      'UPDATE portal_user SET two_factor_enabled = true WHERE email = $1',
      [users.moderator.email],
    );
    expect((await signIn(passkey)).status).toBe(200);
    await portal.crowd.database.query('UPDATE portal_user SET two_factor_enabled = false');
  });

  test('is refused if the device did not verify the user', async () => {
    const { passkey } = await addTo('member');
    expect((await signIn(passkey, { isVerified: false })).json).toMatchObject(WRONG);
    const headers = await portal.newSession('member');
    const unverified = softPasskey(origin).create(await toAdd(headers), { isVerified: false });
    expect((await submit(headers, unverified)).json).toMatchObject(REJECTED);
  });

  test('is refused from another origin', async () => {
    const { passkey } = await addTo('member');
    for (const other of ['https://evil.example', 'http://localhost:1', 'http://127.0.0.1:1']) {
      expect((await signIn(passkey, { origin: other })).json).toMatchObject(WRONG);
    }
    const headers = await portal.newSession('member');
    const foreign = softPasskey('https://evil.example').create(await toAdd(headers));
    expect((await submit(headers, foreign)).json).toMatchObject(REJECTED);
  });

  test('is refused with certificates, without a request to an address in them', async () => {
    const asked: string[] = [];
    const server = createServer(({ url }, answer) => {
      asked.push(url!);
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = await portal.newSession('member');
    const send = async (attestation: Attestation) =>
      submit(headers, softPasskey(origin).create(await toAdd(headers), { attestation }));
    const made = await send(madeAttestation(`http://127.0.0.1:${port}/crl`));
    server.close();
    expect([made.json, asked]).toMatchObject([REJECTED, []]);
    expect((await send(selfAttestation)).status).toBe(201);
  });

  test('is refused if its counter does not grow, because it was copied', async () => {
    const { passkey } = await addTo('member');
    expect((await signIn(passkey, { counter: 9 })).status).toBe(200);
    expect((await signIn(passkey, { counter: 9 })).json).toMatchObject(WRONG);
    expect((await signIn(passkey, { counter: 10 })).status).toBe(200);
  });

  test('is refused with the signature or the handle of another', async () => {
    const { passkey } = await addTo('member');
    const stranger = softPasskey(origin);
    expect((await signIn(stranger)).json).toMatchObject(WRONG);
    const own = passkey.get(await toSignIn());
    const { response } = stranger.get(await toSignIn());
    expect((await login({ ...own, response })).json).toMatchObject(WRONG);
    const userHandle = Buffer.from('another user').toString('base64url');
    expect((await signIn(passkey, { userHandle })).json).toMatchObject(WRONG);
  });
});

describe('a challenge', () => {
  test('works once, also for two requests at once', async () => {
    const { passkey } = await addTo('member');
    const credential = passkey.get(await toSignIn());
    expect((await login(credential)).status).toBe(200);
    expect((await login(credential)).json).toMatchObject(WRONG);
    const challenge = await toSignIn();
    const attempts = [11, 12, 13].map((counter) => login(passkey.get(challenge, { counter })));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401, 401]);
  });

  test('of one purpose does not serve the other', async () => {
    const headers = await portal.newSession('member');
    const { passkey } = await add(headers);
    expect((await login(passkey.get(await toAdd(headers)))).json).toMatchObject(WRONG);
    const fresh = softPasskey(origin);
    expect((await submit(headers, fresh.create(await toSignIn()))).json).toMatchObject(REJECTED);
    const typed = fresh.create(await toAdd(headers), { type: 'webauthn.get' });
    expect((await submit(headers, typed)).json).toMatchObject(REJECTED);
  });

  test('of another user adds no passkey, and an expired or invented one does nothing', async () => {
    const headers = await portal.newSession('member');
    const foreign = await toAdd(await portal.newSession('rival'));
    const passkey = softPasskey(origin);
    expect((await submit(headers, passkey.create(foreign))).json).toMatchObject(REJECTED);
    const expired = await toAdd(headers);
    await portal.crowd.database.query('UPDATE portal_challenge SET expires_at = 1');
    for (const challenge of [expired, 'aW52ZW50ZWQ']) {
      expect((await submit(headers, passkey.create(challenge))).json).toMatchObject(REJECTED);
    }
  });
});

describe('the list of passkeys', () => {
  test('is changed in the ten minutes after signing in, or with the password', async () => {
    const headers = await portal.newSession('rival');
    const { id } = await add(headers);
    await ageSessions();
    const paths = ['/user/passkeys/start', `/user/passkeys/${id}/remove`];
    for (const path of paths) {
      for (const body of [{}, { password: 'not the password' }]) {
        const { json } = await portal.send('POST', path, { headers, body });
        expect([path, json]).toMatchObject([path, { status: 400, code: 'bad_portal_request' }]);
      }
    }
    const body = { password: PASSWORD };
    const statuses: number[] = [];
    for (const path of paths) {
      statuses.push((await portal.send('POST', path, { headers, body })).status);
    }
    expect(statuses).toEqual([200, 204]);
  });

  test('keeps the only passkey of a user without a password, who sets one in a new session', async () => {
    const email = 'new@acme.example';
    const link = await portal.administer(async (one) => {
      await createUser(one, { email, account: 'acme', role: 'member' });
      return createLink(one, email);
    });
    const { json } = await portal.send('POST', '/auth/loginByLink', { body: { link } });
    const { token } = json as unknown as { token: { id: string } };
    const headers = { authorization: `Bearer ${token.id}` };
    const { id } = await add(headers);
    const remove = () => portal.send('POST', `/user/passkeys/${id}/remove`, { headers, body: {} });
    expect((await remove()).json).toMatchObject({ status: 409, code: 'passkey_conflict' });
    const setPassword = () =>
      portal.send('POST', '/user/passwordChange', { headers, body: { password: PASSWORD } });
    await ageSessions();
    expect((await setPassword()).json).toMatchObject({ status: 400, code: 'bad_portal_request' });
    await portal.crowd.database.query('UPDATE portal_session SET created_at = created_at + 700000');
    expect((await setPassword()).status).toBe(204);
    expect((await remove()).status).toBe(204);
  });

  test('has the passkeys of the user only, and another user cannot remove them', async () => {
    const { id } = await addTo('owner');
    for (const name of ['member', 'rival', 'administrator'] as const) {
      const headers = await portal.newSession(name);
      expect((await list(headers)).map((one) => one.id)).not.toContain(id);
      const answer = await portal.send('POST', `/user/passkeys/${id}/remove`, {
        headers,
        body: {},
      });
      expect(answer.json).toMatchObject({ status: 404, code: 'passkey_not_found' });
    }
  });

  test('has no passkey twice, and at most 20', async () => {
    const headers = await portal.newSession('administrator');
    const { passkey } = await add(headers);
    const other = await portal.newSession('rival');
    for (const session of [headers, other]) {
      const again = passkey.create(await toAdd(session));
      expect((await submit(session, again)).json).toMatchObject({
        status: 409,
        code: 'passkey_conflict',
      });
    }
    await portal.crowd.database.query(
      `INSERT INTO portal_passkey (id, user_id, name, credential_id, public_key, counter, transports)
       SELECT 'p' || n, (SELECT id FROM portal_user WHERE email = $1), 'x', 'c' || n, 'k', 0, '{}'
       FROM generate_series(1, 19) AS n`,
      [users.administrator.email],
    );
    const more = softPasskey(origin).create(await toAdd(headers));
    expect((await submit(headers, more)).json).toMatchObject({ code: 'passkey_conflict' });
  });
});

describe('a passkey no longer signs in', () => {
  const remove = async (id: string) => {
    const headers = await portal.newSession('member');
    const answer = await portal.send('POST', `/user/passkeys/${id}/remove`, { headers, body: {} });
    expect(answer.status).toBe(204);
  };

  test('after it was removed, also between the challenge and the signature', async () => {
    const { passkey, id } = await addTo('member');
    const credential = passkey.get(await toSignIn());
    await remove(id);
    expect((await login(credential)).json).toMatchObject(WRONG);
    const headers = await portal.sessionOf('administrator');
    const audit = await portal.send('GET', '/admin/audit?limit=1', { headers });
    expect(audit.json).toMatchObject([{ act: 'passkey remove', detail: { passkeyId: id } }]);
  });

  test('while the user or the account is suspended', async () => {
    const { passkey } = await addTo('member');
    const { email } = users.member;
    await portal.administer((one) => suspendUser(one, email, true));
    expect((await signIn(passkey)).json).toMatchObject({ status: 403, code: 'user_suspended' });
    await portal.administer((one) => suspendUser(one, email, false));
    const suspendAccount = (is: boolean) =>
      portal.crowd.database.query(`SELECT suspend_account('test', 'acme', ${is})`);
    await suspendAccount(true);
    expect((await signIn(passkey)).json).toMatchObject({ status: 403, code: 'account_limit' });
    await suspendAccount(false);
    expect((await signIn(passkey)).status).toBe(200);
  });

  test('after a reset by an owner or the operator, which a lost device needs', async () => {
    const { passkey } = await addTo('moderator');
    await portal.administer((one) => resetUser(one, users.moderator.email));
    expect((await signIn(passkey)).json).toMatchObject(WRONG);

    const link = await portal.administer((one) => createLink(one, users.moderator.email));
    const { json } = await portal.send('POST', '/auth/loginByLink', { body: { link } });
    const { token, user } = json as unknown as { token: { id: string }; user: { userId: string } };
    const second = await add({ authorization: `Bearer ${token.id}` });
    const headers = await portal.newSession('owner');
    const path = `/team/${user.userId}/link`;
    expect((await portal.send('POST', path, { headers })).status).toBe(201);
    expect((await signIn(second.passkey)).json).toMatchObject(WRONG);
  });
});

test('a credential that is no WebAuthn is rejected', async () => {
  const headers = await portal.newSession('member');
  for (const length of [0, 1024]) {
    const long = softPasskey(origin, length).create(await toAdd(headers));
    const known = { id: 'AA', rawId: 'AA' };
    expect((await submit(headers, { ...long, ...known })).status).toBe(400);
  }
  const { passkey } = await add(headers);
  const good = passkey.get('x');
  for (const change of [
    { clientDataJSON: 'eA' },
    { clientDataJSON: Buffer.from('{}').toString('base64url') },
    { authenticatorData: 'AA' },
    { signature: 'AA' },
  ]) {
    const { response } = passkey.get(await toSignIn());
    const credential = { ...good, response: { ...response, ...change } };
    expect((await login(credential)).json).toMatchObject(WRONG);
  }
  for (const attestationObject of ['AA', 'oA', 'v2NmbXQ', '_____w']) {
    const made = softPasskey(origin).create(await toAdd(headers));
    const response = { ...made.response, attestationObject };
    expect((await submit(headers, { ...made, response })).json).toMatchObject(REJECTED);
  }
  for (const credential of [{}, { ...good, id: 'a b' }, { ...good, type: 'password' }]) {
    expect((await login(credential)).json).toMatchObject({ code: 'bad_portal_request' });
  }
});
