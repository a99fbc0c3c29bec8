// The portal API: the rights of each role on each endpoint.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRole } from '../../shared/contract/portal.ts';
import { createLink } from '../../workers/host/registry/portal-users.ts';
import { ENDPOINTS } from '../../workers/service/app.ts';
import { type Endpoint, FORM } from '../../workers/service/http/endpoint.ts';
import {
  PORTAL,
  type PortalService,
  startPortal,
  type UserName,
  users,
} from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

/** The role that a session needs; `undefined` if the endpoint accepts no session. */
const roleFor = ({ access }: Endpoint) =>
  access.kind === 'session' ? access.role : access.kind === 'token' ? access.orRole : undefined;

const endpoints = ENDPOINTS.filter((one) => roleFor(one) !== undefined).map(
  (one) => [`${one.method} ${one.path}`, one] as const,
);

/**
 * Sends the example of an endpoint, with the examples of its headers.
 * @param id replaces the parameter of the path
 * @returns the status, and the code of a problem; a response to HEAD has no body
 */
async function sendExample(endpoint: Endpoint, headers: object, id = 'unknown') {
  const { method, path, body, parameters = [] } = endpoint;
  const address = path.replace(/\{\w+\}/, id);
  const needed = parameters.filter((one) => one.in === 'header' && one.required);
  const sent = {
    headers: {
      ...Object.fromEntries(needed.map(({ name, example }) => [name, `${example}`])),
      ...(body?.contentType !== undefined &&
        body.contentType !== FORM && { 'content-type': body.contentType }),
      ...headers,
    },
    ...(body ? { body: body.example } : {}),
  };
  const { status, json } = await portal.send(method.toUpperCase(), address, sent);
  return { status, code: (json as { code?: string } | undefined)?.code };
}

/** Headers of the session of a user. A previous example may have ended it, or all sessions. */
async function session(name: UserName) {
  if ((await portal.whoami(await portal.sessionOf(name))) !== 200) portal.forget(name);
  return portal.sessionOf(name);
}

let cookie = '';
async function administratorCookie(): Promise<string> {
  if (cookie === '' || (await portal.whoami({ cookie })) !== 200) {
    cookie = await portal.cookieOf('administrator');
  }
  return cookie;
}

/** A refusal; a response to HEAD shows its status only. */
const refusal = ({ method }: Endpoint, status: number, code: string) => ({
  status,
  code: method === 'head' ? undefined : code,
});

describe.each(endpoints)('%s', (_, endpoint) => {
  const needed = roleFor(endpoint)!;
  const isOfStyles = endpoint.path.startsWith(`${PORTAL}/styles`);

  test.each(Object.keys(users) as UserName[])('checks the role of the %s', async (name) => {
    const answer = await sendExample(endpoint, await session(name));
    if (hasRole(users[name].role, needed)) {
      expect([401, 403]).not.toContain(answer.status);
      expect(answer.status).toBeLessThan(500);
    } else {
      expect(answer).toEqual(refusal(endpoint, 403, 'role_required'));
    }
  });

  test('rejects a request without a session', async () => {
    const code = endpoint.access.kind === 'token' ? 'token_required' : 'session_required';
    expect(await sendExample(endpoint, {})).toEqual(refusal(endpoint, 401, code));
  });

  test.runIf(!['get', 'head'].includes(endpoint.method))(
    'rejects a change from another site',
    async () => {
      const cookie = await administratorCookie();
      for (const more of [
        {},
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: portal.crowd.service.address },
      ]) {
        const answer = await sendExample(endpoint, { cookie, ...more });
        expect(answer).toEqual(refusal(endpoint, 403, 'cross_site_request'));
      }
      expect(await portal.whoami({ cookie })).toBe(200);
    },
  );

  const isOfAccount = endpoint.path.includes('{') && needed !== 'administrator';
  test.runIf(isOfAccount)('hides the things of another account', async () => {
    const headers = await session('owner');
    const { id } = await (isOfStyles ? portal.makeStyle(headers) : portal.makeToken(headers));
    const { status } = await sendExample(endpoint, await session('rival'), id);
    expect(status).toBe(404);
  });
});

test('a link starts one session when two requests use it at once', async () => {
  const link = await portal.administer((one) => createLink(one, users.member.email));
  const use = async () =>
    (await portal.send('POST', '/auth/loginByLink', { body: { link } })).status;
  const statuses = await Promise.all([use(), use(), use(), use()]);
  expect(statuses.sort()).toEqual([200, 401, 401, 401]);
});
