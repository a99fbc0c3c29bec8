// The audit trail in the portal: pages, search, CSV, and who may read it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../shared/contract/audit.ts';
import { type PortalService, startPortal } from '../support/portal-service.ts';

const ADDED = 2500;
let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
  await portal.crowd.database.query(
    `INSERT INTO admin_act (actor, act, account_id, detail)
     SELECT CASE WHEN n = 7 THEN '=cmd()' ELSE 'seed' END, 'token mint', 'account-' || n % 2,
       jsonb_build_object('n', n, 'text', 'a "quoted", text;=1') FROM generate_series(1, ${ADDED}) AS n`,
  );
});
afterAll(() => portal?.stop());

const read = async (path: string) =>
  portal.crowd.ask(`/api/portal/v1/admin/audit${path}`, {
    headers: await portal.sessionOf('administrator'),
  });
const list = async (query: string) => {
  const { status, body } = await read(`?${query}`);
  expect([status, String(body)]).toEqual([200, expect.anything()]);
  return JSON.parse(String(body)) as AuditEntry[];
};

describe('the audit trail', () => {
  test('is listed in pages, newest first, without gaps', async () => {
    const first = await list('actor=seed&limit=100');
    const next = await list(`actor=seed&limit=100&before=${first.at(-1)!.id}`);
    const numbers = [...first, ...next].map(({ detail }) => detail['n']);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, at) => ADDED - at));
  });

  test('is searched by account, actor and action', async () => {
    const found = await list('account=account-1&act=token%20mint&actor=seed&limit=10');
    expect(found).toHaveLength(10);
    for (const one of found) {
      expect(one).toMatchObject({ accountId: 'account-1', actor: 'seed', act: 'token mint' });
    }
    expect(await list('account=nobody')).toEqual([]);
    expect(await list("actor='%20OR%201=1%20--")).toEqual([]);
    expect((await list('act=user%20create')).length).toBeGreaterThan(0);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'before=0',
    'before=1e300',
    'before=9223372036854775808',
    'actor=',
    'actor=%00',
  ])('rejects %s', async (query) => {
    const { status, body } = await read(`?${query}`);
    expect([status, JSON.parse(String(body))]).toMatchObject([400, { code: 'bad_query' }]);
  });

  test('is returned as CSV with all entries that match', async () => {
    const { status, headers, body } = await read('.csv?act=token%20mint');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = String(body).split('\r\n');
    expect(lines[0]).toBe('number,time,actor,action,account,token,detail');
    const seeded = lines.filter((line) => line.includes('quoted'));
    expect(seeded).toHaveLength(ADDED);
    expect(new Set(seeded.map((line) => line.split(',')[0])).size).toBe(ADDED);
    expect(seeded.filter((line) => line.includes(",'=cmd(),"))).toHaveLength(1);
    expect(seeded[0]).toContain('""n"":2500');
    expect(seeded[0]).toContain('""a \\""quoted\\"", text\\u003b=1""');
  });

  test('as CSV is closed to owners', async () => {
    const headers = await portal.sessionOf('owner');
    const { status } = await portal.crowd.ask('/api/portal/v1/admin/audit.csv', { headers });
    expect(status).toBe(403);
  });
});
