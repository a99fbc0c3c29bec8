// Guessed passwords of the portal: limits for networks and users, and what the answers do not reveal.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createUser } from '../../workers/host/registry/portal-users.ts';
import { createAuth } from '../../workers/service/portal/auth.ts';
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

type Headers = Readonly<Record<string, string>>;

describe('guessed passwords', () => {
  const LIMIT = 3;
  type Sent = { readonly network: number; readonly headers?: Headers };

  /** A service with a low limit and a user, and its requests from several networks. */
  async function limitedPortal() {
    const crowd = await startCrowdService({ RATE_LIMIT_USERS: `${LIMIT}` }, portal.crowd.database);
    // Without the front, which would replace the address of the client.
    const post = (path: string, body: object, { network, headers = {} }: Sent) =>
      crowd.service.runtime.dispatchFetch(`${crowd.service.address}${PORTAL}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'cf-connecting-ip': `10.1.${network}.1`,
          ...headers,
        },
        body: JSON.stringify(body),
      });
    const login = (username: string, password: string, sent: Sent) =>
      post('/auth/login', { username, password }, sent);
    const exhaust = async (username: string, from: number) => {
      const statuses: number[] = [];
      for (let network = from; network <= from + LIMIT; network++) {
        statuses.push((await login(username, 'not the password', { network })).status);
      }
      return statuses;
    };
    // The service was started for this test, so its database must stay.
    return { post, login, exhaust, stop: () => crowd.service.stop() };
  }

  test('of many users are limited for the network, and of one user for all networks', async () => {
    const limited = await limitedPortal();
    try {
      const sprayed: (readonly [number, string | null])[] = [];
      for (const { email } of Object.values(users)) {
        const { status, headers } = await limited.login(email, 'not the password', { network: 1 });
        sprayed.push([status, headers.get('ratelimit-remaining')]);
      }
      const refused = [429, '0'];
      expect(sprayed).toEqual([[401, '2'], [401, '1'], [401, '0'], refused, refused]);
      expect(await limited.exhaust(users.administrator.email, 10)).toEqual([401, 401, 401, 429]);
    } finally {
      await limited.stop();
    }
  });

  test('by strangers do not lock the user out of a browser that the user has used', async () => {
    const limited = await limitedPortal();
    try {
      const { email } = users.rival;
      const first = await limited.login(email, PASSWORD, { network: 1 });
      const cookieOf = ({ headers }: typeof first) =>
        headers
          .getSetCookie()
          .map((one) => one.split(';')[0])
          .join('; ');
      const mark = first.headers.getSetCookie().find((one) => one.includes('leadline.browser'))!;
      expect(mark).toMatch(/HttpOnly.*SameSite=Lax/i);
      expect(mark).not.toContain('rival');
      expect(await limited.exhaust(email, 20)).toEqual([401, 401, 429, 429]);
      const own = await limited.login(email, PASSWORD, {
        network: 2,
        headers: { cookie: cookieOf(first) },
      });
      expect(own.status).toBe(200);
      // The mark of another user, and a mark that was changed, do not count.
      const other = await limited.login(users.owner.email, PASSWORD, { network: 3 });
      const forged = cookieOf(first).replace(/(?<=browser=)./, (one) => (one === '0' ? '1' : '0'));
      for (const cookie of [cookieOf(other), forged, 'leadline.browser=x.y']) {
        const answer = await limited.login(email, PASSWORD, { network: 4, headers: { cookie } });
        expect(answer.status).toBe(429);
      }
      // The mark has a count of its own: it does not permit more guesses.
      const guesses: number[] = [];
      for (let network = 30; network < 34; network++) {
        const sent = { network, headers: { cookie: cookieOf(first) } };
        guesses.push((await limited.login(email, 'not the password', sent)).status);
      }
      expect(guesses).toEqual([401, 401, 429, 429]);
    } finally {
      await limited.stop();
    }
  });

  test('of a stolen session are limited, apart from attempts to sign in', async () => {
    const limited = await limitedPortal();
    try {
      const signedIn = await limited.login(users.member.email, PASSWORD, { network: 40 });
      const { token } = (await signedIn.json()) as { token: { id: string; userId: string } };
      // An address that is like the key of the other count does not use it up.
      await limited.exhaust(`password ${token.userId}`, 50);
      const headers = { authorization: `Bearer ${token.id}` };
      const statuses: number[] = [];
      for (let network = 60; network < 64; network++) {
        const body = { password: 'eight grey herons', currentPassword: 'a wrong one' };
        statuses.push(
          (await limited.post('/user/passwordChange', body, { network, headers })).status,
        );
      }
      expect(statuses).toEqual([400, 400, 400, 429]);
    } finally {
      await limited.stop();
    }
  });
});

test('each attempt costs one password hash, also without a user or a password', async () => {
  const email = 'invited@acme.example';
  await portal.administer((one) => createUser(one, { email, account: 'acme', role: 'member' }));
  await portal.administer(async ({ registry }) => {
    const origin = 'http://localhost';
    const auth = createAuth({ database: registry, secret: 'x'.repeat(64), origin });
    const { password } = await auth.$context;
    const hash = vi.spyOn(password, 'hash');
    const verify = vi.spyOn(password, 'verify');
    for (const username of ['nobody@acme.example', email, users.member.email]) {
      const body = { email: username, password: 'not the password' };
      await expect(auth.api.signInEmail({ body })).rejects.toThrow('Invalid email or password');
      expect([username, hash.mock.calls.length + verify.mock.calls.length]).toEqual([username, 1]);
      hash.mockClear();
      verify.mockClear();
    }
  });
});

test('an unknown address, a user without a password and a wrong password get the same answer', async () => {
  const email = 'nopassword@acme.example';
  await portal.administer((one) => createUser(one, { email, account: 'acme', role: 'member' }));
  const answers = [
    await portal.signIn('nobody@acme.example', 'not the password'),
    await portal.signIn(email, 'not the password'),
    await portal.signIn(users.member.email, 'not the password'),
    await portal.signIn(users.member.email, ''),
    await portal.signIn('no address', 'not the password'),
  ];
  const plain = answers.map(({ status, json, headers }) => ({
    ...{ ...json, status, requestId: '', cookies: cookiesIn(headers) },
    names: Object.keys(headers).sort(),
  }));
  expect(plain[0]).toMatchObject({ status: 401, code: 'sign_in_failed', cookies: [] });
  for (const answer of plain) expect(answer).toEqual(plain[0]);
});
