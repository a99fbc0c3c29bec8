// Votes, deletion and reading of reports by the contract, row by row: the real runtime over real
// PostgreSQL.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type Caller,
  type CrowdService,
  faultPaths,
  REPORTS,
  type ReportBody,
  refusalOf,
} from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { jsonOf } from '../../support/http-client.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

let crowd: CrowdService;
let anna: Caller;
let ben: Caller;
let admin: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna' });
  ben = await crowd.caller({ subject: 'ben', account: 'others' });
  admin = await crowd.caller({ subject: 'root', scopes: ['reports:admin'] });
});

const expire = (id: string) =>
  crowd.database.query('UPDATE user_report SET expires_at = created_at WHERE id = $1', [id]);
const pathOf = ({ id }: ReportBody) => `${REPORTS}/${id}`;

test('voting counts one vote a caller, the last one, and moves updatedAt on every time', async () => {
  const made = await anna.report();
  const steps: [Caller, 'valid' | 'invalid', number, number][] = [
    [ben, 'valid', 1, 0],
    [ben, 'valid', 1, 0],
    [anna, 'invalid', 1, 1],
    [ben, 'invalid', 0, 2],
    [anna, 'valid', 1, 1],
  ];
  let last = made;
  for (const [caller, vote, up, down] of steps) {
    const answer = await caller.vote(made.id, vote);
    expect(answer.status).toBe(200);
    const body = jsonOf(answer) as ReportBody;
    expect([body.upvoteCount, body.downvoteCount]).toEqual([up, down]);
    expect(body.updatedAt).toBeGreaterThan(last.updatedAt);
    expect(body).toEqual({
      ...made,
      isOwner: caller === anna,
      upvoteCount: up,
      downvoteCount: down,
      updatedAt: body.updatedAt,
    });
    last = body;
  }
});

test('voting distinguishes callers of one account, and callers with one name in two accounts', async () => {
  const { id } = await anna.report();
  for (const [subject, account] of [
    ['x', 'one'],
    ['y', 'one'],
    ['x', 'two'],
  ] as const) {
    await (await crowd.caller({ subject, account })).vote(id, 'valid');
  }
  expect(jsonOf(await anna.get(`${REPORTS}/${id}`)).upvoteCount).toBe(3);
});

test('voting: by a server’s token counts per end user; by any other per caller', async () => {
  const server = await crowd.caller({ subject: 'server', votesForUsers: true } as never);
  const { id } = await anna.report();
  const counts = async (caller: Caller, user?: string | null) =>
    jsonOf(await caller.vote(id, 'valid', { externalUserId: user })).upvoteCount;
  expect(await counts(server, 'u1')).toBe(1);
  expect(await counts(server, 'u2')).toBe(2);
  expect(await counts(server, 'u1')).toBe(2);
  expect(await counts(server)).toBe(3);
  expect(await counts(server, null)).toBe(3);
  expect(await counts(ben, 'u1')).toBe(4);
  expect(await counts(ben, 'u2')).toBe(4);
});

test.each([
  ['no vote', {}, ['vote']],
  ['another word', { vote: 'yes' }, ['vote']],
  ['capitals', { vote: 'VALID' }, ['vote']],
  ['true', { vote: true }, ['vote']],
  ['null', { vote: null }, ['vote']],
  ['an external user that is no text', { vote: 'valid', externalUserId: {} }, ['externalUserId']],
  ['NUL in the external user', { vote: 'valid', externalUserId: 'a\0' }, ['externalUserId']],
  [
    'an external user too long',
    { vote: 'valid', externalUserId: 'x'.repeat(257) },
    ['externalUserId'],
  ],
])('voting: with %s is 400 and changes nothing', async (_, body, paths) => {
  const made = await anna.report();
  const answer = await ben.post(`${pathOf(made)}/votes`, body);
  expect(refusalOf(answer)).toEqual([400, 'bad_report']);
  expect(faultPaths(answer)).toEqual(paths);
  expect(jsonOf(await anna.get(pathOf(made)))).toEqual(made);
});

test('voting on an invalid UUID is 400 with the other errors, on an unknown report 404', async () => {
  const bad = await ben.post(`${REPORTS}/17/votes`, { vote: 'maybe' });
  expect(faultPaths(bad)).toEqual(['id', 'vote']);
  for (const id of [NIL, randomUUID(), 'c232ab00-9414-11ec-b3c8-9f6bdeced846']) {
    expect(refusalOf(await ben.vote(id, 'valid'))).toEqual([404, 'report_not_found']);
  }
});

test('voting: on a deleted or expired report is 410, and moves nothing', async () => {
  for (const end of [expire, (id: string) => anna.delete(`${REPORTS}/${id}`)]) {
    const { id } = await anna.report();
    await ben.vote(id, 'valid');
    await end(id);
    for (const vote of ['valid', 'invalid'] as const) {
      expect(refusalOf(await ben.vote(id, vote))).toEqual([410, 'report_gone']);
    }
    const { rows } = await crowd.database.query(
      'SELECT upvotes, downvotes FROM user_report WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ upvotes: 1, downvotes: 0 }]);
  }
});

test('deleting: by the owner answers the report with deletedAt, once', async () => {
  const made = await anna.report();
  const answer = await anna.delete(pathOf(made));
  expect(answer.status).toBe(200);
  const body = jsonOf(answer) as ReportBody;
  expect(body).toEqual({ ...made, deletedAt: expect.any(Number) });
  expect(body.deletedAt).toBeGreaterThanOrEqual(made.createdAt);
  for (const caller of [anna, ben, admin]) {
    expect(refusalOf(await caller.delete(pathOf(made)))).toEqual([410, 'report_gone']);
  }
});

test('deleting: by anybody else is 403, by an administrator 200, in any account', async () => {
  const made = await anna.report();
  const sameName = await crowd.caller({ subject: 'anna', account: 'others' });
  for (const caller of [ben, sameName]) {
    expect(refusalOf(await caller.delete(pathOf(made)))).toEqual([403, 'not_owner']);
  }
  expect(jsonOf(await admin.delete(pathOf(made)))).toMatchObject({ id: made.id, isOwner: false });
});

test('deleting takes administration from the query as from the header', async () => {
  const made = await ben.report();
  const byQuery = await crowd.ask(`${pathOf(made)}?token=${admin.token}`, { method: 'DELETE' });
  expect(byQuery.status).toBe(200);
  expect(jsonOf(byQuery)).toMatchObject({ id: made.id, isOwner: false });
  const seen = await crowd.ask(`${pathOf(made)}?token=${anna.token}`);
  expect(refusalOf(seen)).toEqual([410, 'report_gone']);
});

test('deleting an expired report is 200 for its owner, and returns the time of expiry', async () => {
  const made = await anna.report();
  await expire(made.id);
  expect(refusalOf(await ben.delete(pathOf(made)))).toEqual([403, 'not_owner']);
  const body = jsonOf(await anna.delete(pathOf(made)));
  expect(body).toMatchObject({ expiredAt: made.createdAt, deletedAt: expect.any(Number) });
});

test('deleting an invalid UUID is 400, an unknown report 404', async () => {
  for (const id of ['17', `${randomUUID()}0`, `{${randomUUID()}}`, '%00', 'é']) {
    const answer = await anna.delete(`${REPORTS}/${encodeURI(id)}`);
    expect(refusalOf(answer)).toEqual([400, 'bad_report']);
    expect(faultPaths(answer)).toEqual(['id']);
  }
  for (const id of [NIL, randomUUID()]) {
    expect(refusalOf(await anna.delete(`${REPORTS}/${id}`))).toEqual([404, 'report_not_found']);
  }
});

test('reading one is 404 for an unknown one, 410 when it is over, and whole for administrators', async () => {
  expect(refusalOf(await anna.get(`${REPORTS}/${NIL}`))).toEqual([404, 'report_not_found']);
  expect(refusalOf(await anna.get(`${REPORTS}/17`))).toEqual([400, 'bad_report']);
  const reader = await crowd.caller({ scopes: ['reports:admin'], account: 'staff' });
  for (const end of [expire, (id: string) => anna.delete(`${REPORTS}/${id}`)]) {
    const made = await anna.report({ externalUserId: 'secret' });
    await end(made.id);
    for (const caller of [anna, ben]) {
      const answer = await caller.get(pathOf(made));
      expect(refusalOf(answer)).toEqual([410, 'report_gone']);
      expect(JSON.stringify(jsonOf(answer))).not.toMatch(/Log adrift|secret/);
    }
    expect(jsonOf(await reader.get(pathOf(made)))).toMatchObject({
      properties: { description: 'Log adrift' },
    });
  }
});

test('reading one shows the external user to callers of the same account alone', async () => {
  const made = await anna.report({ externalUserId: 'sailor 7' });
  const colleague = await crowd.caller({ subject: 'colleague' });
  const seenBy = async (caller: Caller) => jsonOf(await caller.get(pathOf(made))).externalUserId;
  expect([await seenBy(anna), await seenBy(colleague), await seenBy(ben)]).toEqual([
    'sailor 7',
    'sailor 7',
    undefined,
  ]);
  expect(jsonOf(await ben.vote(made.id, 'valid'))).not.toHaveProperty('externalUserId');
});
