// Visitors who share one public token: each visitor with a user token is a separate user. Visitors
// without a user token own nothing.

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, vi } from 'vitest';
import {
  type Caller,
  type CrowdService,
  HAZARD,
  REPORTS,
  type ReportBody,
  refusalOf,
} from '../../support/crowd-service.ts';
import { freshApp } from '../../support/direct-app.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { type Answer, jsonOf } from '../../support/http-client.ts';
import { tokenFor } from '../../support/service.ts';
import { soundingAfter } from '../../support/soundings.ts';

const USERS = '/api/v1/user-tokens';

let crowd: CrowdService;
/** The public token of the page, which all visitors share. */
let page: Caller;
/** The server of the account. */
let server: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  page = await crowd.caller({ subject: 'page', scopes: ['styles', 'reports:write'] });
  server = await crowd.caller({ subject: 'server', scopes: ['bathymetry:write', 'reports:write'] });
});
afterAll(() => void vi.unstubAllGlobals());

const userTokenFor = async (caller: Caller, body: object = {}) => {
  const answer = await caller.post(USERS, body);
  expect(answer.status).toBe(201);
  return jsonOf(answer) as { readonly userToken: string; readonly expiresAt: number };
};

/** The page with the user token of one visitor. */
async function visitor(userToken?: string) {
  const token = userToken ?? (await userTokenFor(page)).userToken;
  const headers = { 'leadline-user': token };
  const ask = (path: string, method: string, body?: unknown) =>
    page.ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
  return {
    report: async (more: object = {}) =>
      jsonOf(await ask(REPORTS, 'POST', { ...HAZARD, ...more })) as ReportBody,
    vote: (id: string, vote: 'valid' | 'invalid') =>
      ask(`${REPORTS}/${id}/votes`, 'POST', { vote }),
    read: async (id: string) => jsonOf(await ask(`${REPORTS}/${id}`, 'GET')) as ReportBody,
    delete: (id: string) => ask(`${REPORTS}/${id}`, 'DELETE'),
  };
}

const listed = async (caller: Caller, id: string) => {
  const found = jsonOf(await caller.get(`${REPORTS}?bbox=-123,47,-122,48&limit=500`));
  return (found.reports as ReportBody[]).find((report) => report.id === id)!;
};

describe('two visitors with one public token and a user token each', () => {
  test('own their reports and cannot delete each other’s reports', async () => {
    const [anna, ben] = [await visitor(), await visitor()];
    const { id, isOwner } = await anna.report();
    expect(isOwner).toBe(true);
    expect([(await anna.read(id)).isOwner, (await ben.read(id)).isOwner]).toEqual([true, false]);
    expect(refusalOf(await ben.delete(id))).toEqual([403, 'not_owner']);
    expect((await anna.delete(id)).status).toBe(200);
    expect(refusalOf(await anna.delete(id))).toEqual([410, 'report_gone']);
  });

  test('have one vote each', async () => {
    const [anna, ben] = [await visitor(), await visitor()];
    const { id } = await anna.report();
    await anna.vote(id, 'valid');
    await ben.vote(id, 'valid');
    await ben.vote(id, 'invalid');
    const { upvoteCount, downvoteCount } = await anna.read(id);
    expect([upvoteCount, downvoteCount]).toEqual([1, 1]);
  });

  test('have separate idempotency keys', async () => {
    const key = randomUUID();
    const ids = [];
    for (let i = 0; i < 2; i++) {
      const { userToken } = await userTokenFor(page);
      const headers = { 'leadline-user': userToken, 'idempotency-key': key };
      ids.push(jsonOf(await page.ask(REPORTS, { method: 'POST', body: HAZARD, headers })).id);
    }
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a visitor with a public token and no user token', () => {
  test('may report, is the owner in that response, and owns nothing afterwards', async () => {
    const made = await page.report();
    expect(made.isOwner).toBe(true);
    expect((await listed(page, made.id)).isOwner).toBe(false);
    expect(jsonOf(await page.get(`${REPORTS}/${made.id}`)).isOwner).toBe(false);
  });

  test('may not delete, not even a report of the same token, and gets the usual 404 and 410', async () => {
    const { id } = await page.report();
    expect(refusalOf(await page.delete(`${REPORTS}/${id}`))).toEqual([403, 'user_token_required']);
    expect(jsonOf(await page.get(`${REPORTS}/${id}`)).deletedAt).toBeNull();
    const unknown = `${REPORTS}/${randomUUID()}`;
    expect(refusalOf(await page.delete(unknown))).toEqual([404, 'report_not_found']);
    const anna = await visitor();
    const gone = await anna.report();
    await anna.delete(gone.id);
    expect(refusalOf(await page.delete(`${REPORTS}/${gone.id}`))).toEqual([410, 'report_gone']);
  });

  test('shares one vote with all other visitors without a user token', async () => {
    const { id } = await page.report();
    await page.vote(id, 'valid');
    expect(jsonOf(await page.vote(id, 'valid')).upvoteCount).toBe(1);
  });

  test('may repeat a report with its id after a lost answer', async () => {
    const body = { ...HAZARD, id: randomUUID() };
    await page.post(REPORTS, body);
    expect(jsonOf(await page.post(REPORTS, body)).owned).toBe(true);
  });
});

test('externalUserId is visible to secret tokens of the account, and to a public token only when it sends it', async () => {
  const { id, externalUserId } = await server.report({ externalUserId: 'anna@example.com' });
  expect(externalUserId).toBe('anna@example.com');
  const reader = await crowd.caller({ subject: 'another', scopes: ['styles', 'styles:write'] });
  const foreign = await crowd.caller({ account: 'other', scopes: ['styles', 'styles:write'] });
  const seen = async (caller: Caller) =>
    [jsonOf(await caller.get(`${REPORTS}/${id}`)), await listed(caller, id)].map(
      (report) => report.externalUserId,
    );
  expect(await seen(reader)).toEqual(['anna@example.com', 'anna@example.com']);
  expect(await seen(page)).toEqual([undefined, undefined]);
  expect(await seen(foreign)).toEqual([undefined, undefined]);
  expect(jsonOf(await page.vote(id, 'valid')).externalUserId).toBeUndefined();
  // Only the response to the creation has what its request sent.
  const own = await page.report({ externalUserId: 'mine' });
  expect(own.externalUserId).toBe('mine');
  expect(await listed(page, own.id)).not.toHaveProperty('externalUserId');
});

test('externalUserId of a report comes from the user token, whatever the body contains', async () => {
  const { userToken, expiresAt } = await userTokenFor(server, { externalUserId: 'skipper-7' });
  expect(Math.abs(expiresAt - Date.now() - 3_600_000)).toBeLessThan(60_000);
  const skipper = await visitor(userToken);
  const { id } = await skipper.report({ externalUserId: 'another-user' });
  const again = await visitor(
    (await userTokenFor(server, { externalUserId: 'skipper-7' })).userToken,
  );
  expect((await again.read(id)).isOwner).toBe(true);
  const { rows } = await crowd.database.query(
    'SELECT owner_subject, external_user_id FROM user_report WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ owner_subject: 'user:skipper-7', external_user_id: 'skipper-7' }]);
  expect((await again.delete(id)).status).toBe(200);
});

test('externalUserId of soundings, of their list and of the consent comes from the user token', async () => {
  const tracks = '/api/v1/user-reports/bathymetry';
  const externalUserId = `jane-${randomUUID()}`;
  const { userToken } = await userTokenFor(server, { externalUserId });
  const headers = { 'leadline-user': userToken };
  const sent = await server.ask(tracks, {
    ...{ method: 'POST', headers },
    body: { externalUserId: 'boat-A', soundings: [soundingAfter(1)], share: 'open data' },
  });
  expect(sent.status).toBeLessThan(300);
  const own = await server.ask(`${tracks}?externalUserId=boat-A`, { method: 'GET', headers });
  expect(jsonOf(own).tracks).toHaveLength(1);
  const changed = await server.ask(`${tracks}/consent`, {
    ...{ method: 'POST', headers },
    body: { externalUserId: 'boat-A', share: 'private' },
  });
  expect([changed.status, jsonOf(changed)]).toEqual([200, { tracks: 1 }]);
  const { rows } = await crowd.database.query(
    'SELECT count(*)::int AS n FROM track_about WHERE external_user_id = $1',
    [externalUserId],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('the user token names the voter, also for a server that votes for its users', async () => {
  const voting = await crowd.caller({
    subject: 'votes',
    scopes: ['reports:write'],
    votesForUsers: true,
  });
  const { id } = await server.report();
  const { userToken } = await userTokenFor(voting, { externalUserId: 'one' });
  const vote = (externalUserId: string) => ({
    ...{ method: 'POST', headers: { 'leadline-user': userToken } },
    body: { vote: 'valid', externalUserId },
  });
  for (const name of ['x1', 'x2']) {
    const { upvoteCount } = jsonOf(await voting.ask(`${REPORTS}/${id}/votes`, vote(name)));
    expect(upvoteCount).toBe(1);
  }
});

test('externalUserId from a public token is refused', async () => {
  const answer = await page.post(USERS, { externalUserId: 'the harbour master' });
  expect(refusalOf(answer)).toEqual([403, 'secret_token_required']);
});

describe('a user token', () => {
  const reportWith = (userToken: string, caller = page): Promise<Answer> =>
    caller.ask(REPORTS, { method: 'POST', body: HAZARD, headers: { 'leadline-user': userToken } });

  test.each([[''], ['made.up.token'], ['x'.repeat(5000)]])(
    'an invalid user token, %.20j, is 401',
    async (userToken) => {
      expect(refusalOf(await reportWith(userToken))).toEqual([401, 'user_token_invalid']);
    },
  );

  test('of another account is 401, and so is an account token in its place', async () => {
    const other = await crowd.caller({ account: 'other' });
    const { userToken } = await userTokenFor(other);
    expect(refusalOf(await reportWith(userToken))).toEqual([401, 'user_token_invalid']);
    expect(refusalOf(await reportWith(page.token))).toEqual([401, 'user_token_invalid']);
  });

  test('is not valid as an account token', async () => {
    const { userToken } = await userTokenFor(page);
    const authorization = `Bearer ${userToken}`;
    const answer = await crowd.ask(REPORTS, { headers: { authorization } });
    expect(answer.status).toBe(401);
  });

  test.each([
    [{ externalUserId: '' }],
    [{ externalUserId: 'x'.repeat(121) }],
    [{ externalUserId: 'a\u0000b' }],
    [{ externalUserId: 7 }],
    [{ externalUserId: 'a', expiresInSeconds: 86_401 }],
    [{ externalUserId: 'a', expiresInSeconds: 1.5 }],
  ])('requested with %j is 400 and names the field', async (body) => {
    const answer = await server.post(USERS, body);
    expect(refusalOf(answer)).toEqual([400, 'bad_user_token']);
    expect(jsonOf(answer).errors[0].path).toBe(Object.keys(body).at(-1));
  });

  test('may be sent by pages of other origins', async () => {
    const answer = await crowd.ask(REPORTS, { method: 'OPTIONS' });
    const allowed = answer.headers['access-control-allow-headers'];
    expect(allowed).toContain('Leadline-User');
    // Clients that read events with fetch send it when they connect again.
    expect(allowed).toContain('Last-Event-ID');
  });

  test('is not issued if the deployment has no secret for it', async () => {
    const app = await freshApp(inject('demoCharts'));
    const token = await tokenFor(app.keys);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.fetch(USERS, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(404);
    const spoken = await app.fetch(USERS, {
      method: 'POST',
      headers: { ...headers, 'leadline-user': token },
      body: '{}',
    });
    expect(await spoken.json()).toMatchObject({ status: 401, code: 'user_token_invalid' });
  });
});
