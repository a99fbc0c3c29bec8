// The second factor of portal users.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink, resetUser } from '../../workers/host/registry/portal-users.ts';
import { PASSWORD, type PortalService, startPortal, users } from '../support/portal-service.ts';
import { codeOf } from '../support/totp.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const wrongCodes = (uri: string): string[] => {
  const right = [-1, 0, 1, 2].map((at) => codeOf(uri, at));
  const codes = Array.from({ length: 14 }, (_, n) => `${n}`.padStart(6, '0'));
  return codes.filter((code) => !right.includes(code));
};

type User = keyof typeof users;
const withPassword = { body: { password: PASSWORD } };

async function setUp(user: User) {
  const headers = await portal.newSession(user);
  const { status, json } = await portal.send('POST', '/user/secondFactor', {
    headers,
    ...withPassword,
  });
  expect(status).toBe(200);
  const { uri, recoveryCodes } = json as unknown as { uri: string; recoveryCodes: string[] };
  const body = { code: codeOf(uri) };
  const confirmed = await portal.send('POST', '/user/secondFactor/confirm', { headers, body });
  expect(confirmed.status).toBe(200);
  return { uri, recoveryCodes, old: headers, session: bearerOf(confirmed.json) };
}

const bearerOf = (json: unknown) => ({
  authorization: `Bearer ${(json as { token: { id: string } }).token.id}`,
});

const signIn = (user: User, code?: string, password = PASSWORD) =>
  portal.send('POST', '/auth/login', {
    body: { username: users[user].email, password, ...(code && { code }) },
  });

describe('a second factor', () => {
  test('has no effect before its first code', async () => {
    const headers = await portal.newSession('rival');
    await portal.send('POST', '/user/secondFactor', { headers, ...withPassword });
    expect((await signIn('rival')).status).toBe(200);
    const { json } = await portal.send('GET', '/auth/whoami', { headers });
    expect(json).toMatchObject({ hasSecondFactor: false });
  });

  test('is on with a new session also if its first code cannot be marked as used', async () => {
    await portal.crowd.database.query(`
      ALTER TABLE portal_challenge ADD CONSTRAINT no_codes CHECK (id NOT LIKE 'code %') NOT VALID`);
    const { session } = await setUp('rival');
    await portal.crowd.database.query('ALTER TABLE portal_challenge DROP CONSTRAINT no_codes');
    expect(await portal.whoami(session)).toBe(200);
    const end = { headers: session, ...withPassword };
    expect((await portal.send('POST', '/user/secondFactor/end', end)).status).toBe(200);
  });

  test('is required with the password, and replaces the session that set it up', async () => {
    const { uri, old, session } = await setUp('member');
    expect(await portal.whoami(old)).toBe(401);
    const me = await portal.send('GET', '/auth/whoami', { headers: session });
    expect(me.json).toMatchObject({ username: users.member.email, hasSecondFactor: true });

    const without = await signIn('member');
    expect([without.status, without.json]).toMatchObject([401, { code: 'code_required' }]);
    expect(without.headers['set-cookie']).toBeUndefined();
    const wrong = await signIn('member', wrongCodes(uri)[0]);
    expect([wrong.status, wrong.json]).toMatchObject([401, { code: 'code_wrong' }]);
    // The code that confirmed it is used.
    const used = await signIn('member', codeOf(uri));
    expect([used.status, used.json]).toMatchObject([401, { code: 'code_wrong' }]);
    const right = await signIn('member', codeOf(uri, 1));
    expect(right.status).toBe(200);
    expect(await portal.whoami(bearerOf(right.json))).toBe(200);
  });

  test('accepts each code of the app once, also at the same time', async () => {
    const { uri } = await setUp('rival');
    const send = (username: string, code: string, password = PASSWORD) =>
      portal.send('POST', '/auth/login', { body: { username, password, code } });
    const { email } = users.rival;
    const code = codeOf(uri, 1);
    expect((await send(email, code, 'not the password')).status).toBe(401);
    const both = await Promise.all([send(email, code), send(email.toUpperCase(), code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const again = await send(email, code);
    expect([again.status, again.json]).toMatchObject([401, { code: 'code_wrong' }]);
    await portal.crowd.database.query(
      "UPDATE portal_challenge SET expires_at = 1 WHERE id LIKE 'code %'",
    );
    const next = await send(email, code);
    expect(next.status).toBe(200);
    const end = { headers: bearerOf(next.json), ...withPassword };
    expect((await portal.send('POST', '/user/secondFactor/end', end)).status).toBe(200);
  });

  test('is not asked for with a wrong password', async () => {
    const wrong = await signIn('member', undefined, 'not the password');
    expect([wrong.status, wrong.json]).toMatchObject([401, { code: 'sign_in_failed' }]);
  });

  test('accepts each recovery code once', async () => {
    const { recoveryCodes } = await setUp('moderator');
    expect(recoveryCodes.length).toBeGreaterThan(5);
    expect((await signIn('moderator', recoveryCodes[0])).status).toBe(200);
    expect((await signIn('moderator', recoveryCodes[0])).json).toMatchObject({
      code: 'code_wrong',
    });
    expect((await signIn('moderator', recoveryCodes[1])).status).toBe(200);
  });

  test('is ended with the password', async () => {
    const { session } = await setUp('rival');
    const send = (password: string) =>
      portal.send('POST', '/user/secondFactor/end', { headers: session, body: { password } });
    expect((await send('not the password')).json).toMatchObject({ code: 'bad_portal_request' });
    const ended = await send(PASSWORD);
    expect(ended.status).toBe(200);
    expect(await portal.whoami(session)).toBe(401);
    expect(await portal.whoami(bearerOf(ended.json))).toBe(200);
    expect((await signIn('rival')).status).toBe(200);
  });

  test('is not replaced while it is on, and is confirmed only once and after its start', async () => {
    const { session, uri } = await setUp('owner');
    const again = await portal.send('POST', '/user/secondFactor', {
      headers: session,
      ...withPassword,
    });
    expect([again.status, again.json]).toMatchObject([409, { code: 'second_factor_conflict' }]);
    const confirmed = await portal.send('POST', '/user/secondFactor/confirm', {
      headers: session,
      body: { code: codeOf(uri) },
    });
    expect(confirmed.json).toMatchObject({ status: 409, code: 'second_factor_conflict' });
    const none = await portal.send('POST', '/user/secondFactor/confirm', {
      headers: await portal.newSession('administrator'),
      body: { code: '123456' },
    });
    expect([none.status, none.json]).toMatchObject([409, { code: 'second_factor_conflict' }]);
  });

  test('is not asked for with a link, and ends with a reset', async () => {
    const { email } = users.owner;
    const byLink = await portal.send('POST', '/auth/loginByLink', {
      body: { link: await portal.administer((who) => createLink(who, email)) },
    });
    expect(byLink.status).toBe(200);
    const link = await portal.administer((who) => resetUser(who, email));
    const { json } = await portal.send('POST', '/auth/loginByLink', { body: { link } });
    expect(json).toMatchObject({ user: { hasSecondFactor: false } });
  });

  test('is locked after ten wrong codes, also for the right one', async () => {
    const { uri } = await setUp('administrator');
    const statuses: number[] = [];
    for (const code of wrongCodes(uri).slice(0, 10)) {
      statuses.push((await signIn('administrator', code)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
    const locked = await signIn('administrator', codeOf(uri, 1));
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '900']);
  });
});
