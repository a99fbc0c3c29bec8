// Reports in the portal: lists, votes, deletion, restoration, blocked people, and the accounts that a
// moderator may read and change.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ModeratedPage,
  ModeratedReport,
  ReportDetails,
} from '../../shared/contract/moderation.ts';
import { type Caller, refusalOf } from '../support/crowd-service.ts';
import { type PortalService, startPortal, type UserName } from '../support/portal-service.ts';

let portal: PortalService;
let server: Caller;
let rival: Caller;
beforeAll(async () => {
  portal = await startPortal();
  server = await portal.crowd.caller({ account: 'acme', subject: 'server', votesForUsers: true });
  rival = await portal.crowd.caller({ account: 'rival', subject: 'rival-server' });
});
afterAll(() => portal?.stop());

const as = async (user: UserName, method: string, path: string) => {
  const { status, json } = await portal.send(method, path, {
    headers: await portal.sessionOf(user),
  });
  return { status, json: json as unknown };
};
const list = async (query = '', user: UserName = 'moderator') => {
  const { status, json } = await as(user, 'GET', `/reports?${query}`);
  expect([status, json]).toEqual([200, expect.anything()]);
  return json as ModeratedPage;
};
const change = async (method: string, path: string, user: UserName = 'moderator') => {
  const { status, json } = await as(user, method, path);
  expect([status, json]).toEqual([200, expect.anything()]);
  return (json as ReportDetails).report;
};
const idsOf = ({ reports }: ModeratedPage) => reports.map(({ id }) => id);
const actsOf = async (report: string) => {
  const { rows } = await portal.crowd.database.query(
    `SELECT act, account_id, detail::text FROM admin_act WHERE detail ->> 'report' = $1 ORDER BY id`,
    [report],
  );
  return rows as { act: string; account_id: string; detail: string }[];
};
/** Changes columns of a report. */
const rewrite = (id: string, columns: string) =>
  portal.crowd.database.query(`UPDATE user_report SET ${columns} WHERE id = $1`, [id]);

describe('the list of reports', () => {
  test('has the reports of the account, newest first, in pages without gaps', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await server.report()).id);
    await rival.report();
    const first = await list('limit=2');
    const second = await list(`limit=2&before=${first.next}`);
    const third = await list(`limit=2&before=${second.next}`);
    expect([first, second, third].flatMap(idsOf).slice(0, 5)).toEqual(made);
    const all = await list('limit=100');
    expect(new Set(all.reports.map(({ accountId }) => accountId))).toEqual(new Set(['acme']));
    expect(all.next).toBeNull();
  });

  test('has the reports of all accounts, or of one, for administrators', async () => {
    const [own, other] = [await server.report(), await rival.report()];
    const all = idsOf(await list('limit=100', 'administrator'));
    expect(all).toEqual(expect.arrayContaining([own.id, other.id]));
    const ofRival = await list('account=rival&limit=100', 'administrator');
    expect(ofRival.reports.every(({ accountId }) => accountId === 'rival')).toBe(true);
    expect(idsOf(ofRival)).toContain(other.id);
    expect(await list('account=rival')).toEqual({ reports: [], next: null });
    expect(await list(`before=${other.id}&limit=100`)).toEqual(await list('limit=100'));
  });

  test('is filtered by type, state, time and text', async () => {
    const properties = { description: 'A "Grey" whale' };
    const whale = await server.report({
      reportType: 'wildlife',
      properties,
      externalUserId: 'Ann ÄÖ',
    });
    const log = await server.report();
    const past = await server.report();
    await rewrite(past.id, 'expires_at = created_at, sweep_at = created_at');
    await server.delete(`/api/v1/user-reports/${log.id}`);
    expect(idsOf(await list('type=wildlife'))).toEqual([whale.id]);
    expect(idsOf(await list('state=expired'))).toEqual([past.id]);
    expect(idsOf(await list('state=deleted'))).toEqual([log.id]);
    const active = idsOf(await list('state=active&limit=100'));
    expect([whale.id, log.id, past.id].map((id) => active.includes(id))).toEqual([
      true,
      false,
      false,
    ]);
    expect(idsOf(await list(`text=${encodeURIComponent('"grey" WHALE')}`))).toEqual([whale.id]);
    expect(idsOf(await list(`text=${encodeURIComponent('ann ÄÖ')}`))).toEqual([whale.id]);
    expect(idsOf(await list('text=%25'))).toEqual([]);
    expect(idsOf(await list(`since=${whale.createdAt}&type=wildlife`))).toEqual([whale.id]);
    expect(idsOf(await list(`until=${whale.createdAt}&type=wildlife`))).toEqual([]);
  });

  test('examines a limited number of reports for a page, and continues after them', async () => {
    await portal.crowd.database.query(
      `INSERT INTO user_report (id, account_id, owner_subject, report_type, latitude, longitude, place,
         properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request)
       SELECT gen_random_uuid(), 'operator', 'many', CASE WHEN n IN (1, 101) THEN 'wildlife' ELSE 'hazard' END, 0, 0, 0,
         '{}', 1, n, n, n, n, gen_random_uuid() FROM generate_series(1, 10100) AS n`,
    );
    const first = await list('account=operator&type=wildlife', 'administrator');
    // The last report that the page examines.
    expect(first).toMatchObject({ reports: [{ createdAt: 101 }], next: expect.any(String) });
    const next = await list(`account=operator&type=wildlife&before=${first.next}`, 'administrator');
    expect(next).toMatchObject({ reports: [{ createdAt: 1 }], next: null });
    const { body } = await portal.crowd.ask('/api/portal/v1/reports.csv?account=operator', {
      headers: await portal.sessionOf('administrator'),
    });
    expect(String(body).split('\r\n')).toHaveLength(10_102);
  });

  test('keeps the properties as they were sent, without __proto__', async () => {
    const text = '{"z":1e2,"a":[1.0,"\\u00e9"],"<b>":"</script>"}';
    const sent = JSON.parse(text.replace('"<b>"', '"__proto__":{"x":1},"<b>"')) as object;
    const { id } = await server.report({ properties: sent });
    const { reports } = await list('limit=1');
    expect(reports[0]).toMatchObject({ id });
    expect(JSON.stringify(reports[0]?.properties)).toBe(JSON.stringify(JSON.parse(text)));
  });

  test.each([
    'limit=0',
    'limit=101',
    'type=x',
    'state=x',
    'since=-1',
    'before=x',
    'text=',
    'text=%00',
  ])('rejects %s', async (query) => {
    const { status, json } = await as('moderator', 'GET', `/reports?${query}`);
    expect([status, json]).toMatchObject([400, { code: 'bad_query' }]);
  });

  test('is returned as CSV, in which formulas are text', async () => {
    const { id } = await server.report({
      externalUserId: '=cmd()',
      properties: { description: 'a "b", c;=1' },
    });
    const { headers, body } = await portal.crowd.ask('/api/portal/v1/reports.csv?text=cmd', {
      headers: await portal.sessionOf('moderator'),
    });
    expect(headers['content-disposition']).toBe('attachment; filename="reports.csv"');
    const [head, line, end] = String(body).split('\r\n');
    expect(head).toMatch(/^id,reportType,state,latitude,longitude,properties,/);
    expect(line?.startsWith(`${id},hazard,active,47.6,-122.4,"{""description"":`)).toBe(true);
    expect(line).toContain(",'=cmd(),");
    expect(line).toContain('c\\u003b=1');
    expect(end).toBe('');
  });
});

describe('a report', () => {
  test('has its votes, without names of voters of other accounts', async () => {
    const { id } = await server.report({ externalUserId: 'author' });
    await server.vote(id, 'valid', { externalUserId: 'sailor' });
    await rival.vote(id, 'invalid');
    const read = async (user: UserName) =>
      ((await as(user, 'GET', `/reports/${id}`)).json as ReportDetails).votes;
    const own = {
      vote: 'valid',
      subject: 'server',
      externalUserId: 'sailor',
      at: expect.any(Number),
    };
    const other = { vote: 'invalid', subject: null, externalUserId: null, at: expect.any(Number) };
    expect(await read('moderator')).toEqual([other, own]);
    expect(await read('administrator')).toEqual([{ ...other, subject: 'rival-server' }, own]);
  });

  test('is deleted and restored with its votes, and each is in the audit trail once', async () => {
    const { id } = await server.report();
    await rival.vote(id, 'valid');
    for (let n = 0; n < 2; n++) {
      expect(await change('DELETE', `/reports/${id}`)).toMatchObject({ state: 'deleted' });
    }
    expect(refusalOf(await rival.vote(id, 'valid'))).toEqual([410, 'report_gone']);
    for (let n = 0; n < 2; n++) {
      const restored = await change('POST', `/reports/${id}/restore`);
      expect(restored).toMatchObject({ state: 'active', upvoteCount: 1, deletedAt: null });
    }
    expect((await rival.vote(id, 'invalid')).status).toBe(200);
    expect((await server.get(`/api/v1/user-reports/${id}`)).status).toBe(200);
    const detail = `{"report": "${id}"}`;
    expect(await actsOf(id)).toEqual([
      { act: 'report delete', account_id: 'acme', detail },
      { act: 'report restore', account_id: 'acme', detail },
    ]);
  });

  test('that has expired or was erased is not restored', async () => {
    for (const columns of [
      'expires_at = created_at',
      'expired_at = created_at',
      `erased_at = 1, properties = '{}'`,
    ]) {
      const { id } = await server.report();
      await change('DELETE', `/reports/${id}`);
      await rewrite(id, columns);
      const { json } = await as('moderator', 'POST', `/reports/${id}/restore`);
      expect(json).toMatchObject({ status: 409, code: 'report_over' });
    }
  });

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/restore'],
    ['POST', '/block'],
  ])('of another account is unknown: %s …%s', async (method, path) => {
    const { id } = await rival.report();
    for (const one of [id, randomUUID(), 'x', "'%20OR%201=1"]) {
      const { json } = await as('moderator', method, `/reports/${one}${path}`);
      expect(json).toMatchObject({ status: 404, code: 'report_not_found' });
    }
    expect(await actsOf(id)).toEqual([]);
    expect((await as('administrator', method, `/reports/${id}${path}`)).status).toBe(200);
    await portal.crowd.database.query('DELETE FROM report_block');
  });
});

describe('a block', () => {
  const blocks = async (user: UserName = 'moderator') =>
    (await as(user, 'GET', '/blocks')).json as { id: number; kind: string; name: string }[];
  const unblock = (id: number | string, user: UserName = 'moderator') =>
    as(user, 'DELETE', `/blocks/${id}`);
  const send = (caller: Caller, externalUserId?: string, headers = {}) =>
    caller.ask('/api/v1/user-reports', {
      method: 'POST',
      body: { reportType: 'hazard', position: { latitude: 1, longitude: 2 }, externalUserId },
      headers,
    });

  test('stops new reports and votes of an end user, until it ends', async () => {
    const { id } = await server.report({ externalUserId: 'troll' });
    const other = await rival.report();
    const { blockId } = await change('POST', `/reports/${id}/block`);
    expect(await change('POST', `/reports/${id}/block`)).toMatchObject({ blockId });
    expect(await blocks()).toMatchObject([
      { id: blockId, kind: 'user', name: 'troll', accountId: 'acme' },
    ]);
    expect(refusalOf(await send(server, 'troll'))).toEqual([403, 'user_blocked']);
    const vote = () => server.vote(other.id, 'valid', { externalUserId: 'troll' });
    expect(refusalOf(await vote())).toEqual([403, 'user_blocked']);
    for (const user of ['friend', '', undefined])
      expect((await send(server, user)).status).toBe(201);
    expect((await server.vote(other.id, 'valid', { externalUserId: 'friend' })).status).toBe(200);
    expect((await send(rival, 'troll')).status).toBe(201);
    expect((await unblock(blockId!)).status).toBe(204);
    expect((await send(server, 'troll')).status).toBe(201);
    expect((await vote()).status).toBe(200);
    expect(await actsOf(id)).toMatchObject([{ act: 'report block', account_id: 'acme' }]);
    const { rows } = await portal.crowd.database.query(
      `SELECT * FROM admin_act WHERE act = 'report unblock' AND detail ->> 'block' = $1`,
      [`${blockId}`],
    );
    expect(rows).toHaveLength(1);
    const { rows: named } = await portal.crowd.database.query(
      `SELECT * FROM admin_act AS act WHERE act::text LIKE '%troll%'`,
    );
    expect(named).toEqual([]);
  });

  test('that has returned stops writes that were in progress', async () => {
    const { id } = await server.report({ externalUserId: 'rush' });
    const count = async () => {
      const { rows } = await portal.crowd.database.query(
        `SELECT count(*)::int AS n FROM user_report WHERE external_user_id = 'rush'`,
      );
      return rows[0].n as number;
    };
    const writes = Array.from({ length: 30 }, () => send(server, 'rush'));
    const { blockId } = await change('POST', `/reports/${id}/block`);
    const before = await count();
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(await count()).toBe(before);
    expect(statuses.filter((status) => status === 201)).toHaveLength(before - 1);
    expect(statuses.every((status) => status === 201 || status === 403)).toBe(true);
    await unblock(blockId!);
  });

  test('of an end user holds for the user tokens of the same user', async () => {
    const { id } = await server.report({ externalUserId: 'captain' });
    const { blockId } = await change('POST', `/reports/${id}/block`);
    const made = await server.post('/api/v1/user-tokens', { externalUserId: 'captain' });
    expect(made.status).toBe(201);
    const { userToken } = JSON.parse(String(made.body)) as { userToken: string };
    const headers = { 'leadline-user': userToken };
    expect(refusalOf(await send(server, undefined, headers))).toEqual([403, 'user_blocked']);
    const other = await rival.report();
    const answer = await server.ask(`/api/v1/user-reports/${other.id}/votes`, {
      method: 'POST',
      body: { vote: 'valid' },
      headers,
    });
    expect(refusalOf(answer)).toEqual([403, 'user_blocked']);
    await unblock(blockId!);
  });

  test('of an end user whom only a public token states does not hold for this user', async () => {
    const page = await portal.crowd.caller({
      ...{ account: 'acme', subject: 'page', scopes: ['styles', 'reports:write'] },
      ...{ plan: 'standard', pilot: false },
    });
    const made = await server.post('/api/v1/user-tokens', { externalUserId: 'sailor' });
    const { userToken } = JSON.parse(String(made.body)) as { userToken: string };
    const headers = { 'leadline-user': userToken };
    const { id } = await page.report({ externalUserId: 'sailor' });
    const { blockId } = await change('POST', `/reports/${id}/block`);
    expect(await blocks()).toMatchObject([{ id: blockId, kind: 'stated', name: 'sailor' }]);
    expect(refusalOf(await send(page, 'sailor'))).toEqual([403, 'user_blocked']);
    expect((await send(page, 'another')).status).toBe(201);
    for (const proven of [await send(server, 'sailor'), await send(page, undefined, headers)]) {
      expect(proven.status).toBe(201);
      const { id: theirs } = JSON.parse(String(proven.body)) as { id: string };
      const { json } = await as('moderator', 'GET', `/reports/${theirs}`);
      expect(json).toMatchObject({ report: { blockId: null } });
    }
    const { id: proven } = await server.report({ externalUserId: 'sailor' });
    await change('POST', `/reports/${proven}/block`);
    expect((await blocks()).map(({ kind }) => kind)).toEqual(['user', 'stated']);
    expect(refusalOf(await send(page, undefined, headers))).toEqual([403, 'user_blocked']);
    for (const { id: one } of await blocks()) await unblock(one);
  });

  test('of a report without an end user stops the subject', async () => {
    const device = await portal.crowd.caller({ account: 'acme', subject: 'device' });
    const { id } = await device.report({ externalUserId: '' });
    const { blockId } = await change('POST', `/reports/${id}/block`);
    expect(refusalOf(await send(device))).toEqual([403, 'user_blocked']);
    expect(refusalOf(await send(device, 'anyone'))).toEqual([403, 'user_blocked']);
    expect((await send(server)).status).toBe(201);
    expect((await list('text=device')).reports[0]).toMatchObject({ blockId });
    await unblock(blockId!);
  });

  test('of another account is unknown', async () => {
    const { id } = await rival.report({ externalUserId: 'theirs' });
    const { blockId } = await change('POST', `/reports/${id}/block`, 'rival');
    expect(await blocks()).toEqual([]);
    expect(await blocks('administrator')).toMatchObject([{ id: blockId, accountId: 'rival' }]);
    for (const one of [blockId!, 0, 'x', '1e300', '9223372036854775808']) {
      expect((await unblock(one)).json).toMatchObject({ status: 404, code: 'block_not_found' });
    }
    expect((await unblock(blockId!, 'administrator')).status).toBe(204);
  });

  test('is not possible for an author who was erased', async () => {
    const { id } = await server.report();
    await rewrite(id, 'erased_at = 1');
    const { json } = await as('moderator', 'POST', `/reports/${id}/block`);
    expect(json).toMatchObject({ status: 409, code: 'report_over' });
  });
});

test('the runtime role cannot read or change blocks directly', async () => {
  const { rows } = await portal.crowd.database.query(
    `SELECT has_table_privilege('leadline_runtime', 'report_block', 'SELECT, INSERT, UPDATE, DELETE') AS may`,
  );
  expect(rows).toEqual([{ may: false }]);
});

test('reports have the fields that the list promises', async () => {
  const { id, createdAt } = await server.report({ externalUserId: 'u' });
  const found = (await list('limit=1')).reports[0];
  expect(found).toEqual({
    id,
    reportType: 'hazard',
    state: 'active',
    latitude: 47.6,
    longitude: -122.4,
    properties: { description: 'Log adrift' },
    upvoteCount: 0,
    downvoteCount: 0,
    accountId: 'acme',
    subject: 'server',
    externalUserId: 'u',
    blockId: null,
    createdAt,
    expiresAt: expect.any(Number),
    deletedAt: null,
  } satisfies Record<keyof ModeratedReport, unknown>);
});
