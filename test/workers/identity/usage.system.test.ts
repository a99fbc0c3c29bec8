// Usage per token and day: exact once reported, counted once however often it is sent, and never a
// reason to delay a request.

import { decodeJwt } from 'jose';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import {
  freshDatabase,
  type MortalDatabase,
  mortalDatabase,
  type TestDatabase,
} from '../../support/database.ts';
import { freshApp } from '../../support/direct-app.ts';
import { startService, tokenFor } from '../../support/service.ts';
import { tokensOver } from '../../support/tokens-command.ts';

const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
const NOON = Date.parse('2030-06-01T12:00:00Z');

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function withDatabase<T extends TestDatabase>(made: Promise<T>): Promise<T> {
  const database = await made;
  undo.push(() => database.stop());
  return database;
}
const countsOf = async (database: TestDatabase) =>
  (
    await database.query(
      `SELECT day::text, token_id, sum(requests)::int AS requests FROM token_usage
       GROUP BY day, token_id ORDER BY day, token_id`,
    )
  ).rows;

test('each request of many parallel tokens is counted, and the command shows the counts', async () => {
  const database = await withDatabase(freshDatabase());
  const service = await startService({
    isAlone: false,
    charts: inject('demoCharts'),
    database: database.bindings,
    settings: { USAGE_FLUSH_MS: '20' },
  });
  undo.push(() => service.stop());
  const requests = [31, 7, 1].map(async (times, at) => {
    const token = await service.token({ subject: `s${at}`, account: `account-${at % 2}` });
    const headers = { authorization: `Bearer ${token}` };
    const statuses = await Promise.all(
      Array.from({ length: times }, (_, n) =>
        // Refused requests count too, because the token was valid.
        service.get(n % 3 === 2 ? '/api/v2/tiles/enc-v2/99/0/0.mvt' : TILE, { headers }),
      ),
    );
    expect(new Set(statuses.map(({ status }) => status))).toEqual(
      new Set(times > 2 ? [200, 400] : [200]),
    );
    return { tokenId: decodeJwt(token).jti!, times, account: `account-${at % 2}` };
  });
  const sent = await Promise.all(requests);
  // Requests with an invalid token are not counted.
  await service.get(TILE, { headers: { authorization: 'Bearer nobody' } });
  const expected = sent.map(({ tokenId, times }) => [tokenId, times]).sort();
  await vi.waitFor(
    async () => {
      const rows = await countsOf(database);
      expect(rows.map(({ token_id, requests }) => [token_id, requests]).sort()).toEqual(expected);
    },
    { timeout: 20_000 },
  );
  const { tokens } = tokensOver(database.ownerUrl, service.dataDir);
  const [first] = sent;
  const shown = JSON.parse(await tokens('usage', '--token', first!.tokenId, '--json')) as object[];
  expect(shown).toEqual([
    {
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      tokenId: first!.tokenId,
      accountId: 'account-0',
      requests: 31,
      refused: 10,
      failed: 0,
    },
  ]);
  const { rows } = await database.query('SELECT DISTINCT kind FROM token_usage');
  expect(rows).toEqual([{ kind: 'Tiles' }]);
  expect(await tokens('usage', '--account', 'account-1')).toMatch(
    new RegExp(`account-1 +${sent[1]!.tokenId} +7 +2 +0\\n$`),
  );
  expect(await tokens('usage', '--from', '2001-01-01', '--to', '2001-01-02')).not.toMatch(/\d/);
});

test('charts are served while the database hangs, and counted when it recovers', async () => {
  const database = await withDatabase<MortalDatabase>(mortalDatabase());
  const service = await startService({
    isAlone: false,
    charts: inject('demoCharts'),
    database: database.bindings,
    settings: { USAGE_FLUSH_MS: '0' },
  });
  undo.push(() => service.stop());
  expect((await service.get(TILE)).status).toBe(200);
  database.freeze();
  for (let round = 0; round < 40; round++) expect((await service.get(TILE)).status).toBe(200);
  database.thaw();
  await vi.waitFor(
    async () => {
      // The isolate reports with the next request.
      expect((await service.get(TILE)).status).toBe(200);
      const sent = service.log.filter((line) => line.includes('"kind":"request"')).length;
      const [row] = await countsOf(database);
      expect(row?.requests).toBeGreaterThanOrEqual(41);
      expect(row?.requests).toBeLessThanOrEqual(sent + 1);
    },
    { timeout: 40_000, interval: 500 },
  );
});

describe('an isolate', () => {
  const isolate = (database: TestDatabase) =>
    freshApp(inject('demoCharts'), {
      ...database.bindings,
      USAGE_COUNTING: 'on',
      USAGE_FLUSH_MS: '0',
    });

  test('separates days in UTC', async () => {
    const database = await withDatabase(freshDatabase());
    const app = await isolate(database);
    vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
    const token = await tokenFor(app.keys, { expiresInSeconds: 3 * 86_400 });
    const headers = { authorization: `Bearer ${token}` };
    for (const hours of [0, 11.9, 12.1, 13]) {
      vi.setSystemTime(NOON + hours * 3_600_000);
      expect((await app.fetch(TILE, { headers })).status).toBe(200);
    }
    const tokenId = decodeJwt(token).jti!;
    expect(await countsOf(database)).toEqual([
      { day: '2030-06-01', token_id: tokenId, requests: 2 },
      { day: '2030-06-02', token_id: tokenId, requests: 2 },
    ]);
  });

  test('counts requests while the database is down, and stores the counts afterwards', async () => {
    const database = await withDatabase<MortalDatabase>(mortalDatabase());
    const app = await isolate(database);
    const headers = { authorization: `Bearer ${app.token}` };
    const asked = async () => (await app.fetch(TILE, { headers })).status;
    expect(await asked()).toBe(200);
    database.freeze();
    expect(await asked()).toBe(200);
    database.thaw();
    expect(await asked()).toBe(200);
    const rows = await countsOf(database);
    expect(rows.map(({ requests }) => requests)).toEqual([3]);
  });

  test('counts nothing if counting is disabled', async () => {
    const database = await withDatabase(freshDatabase());
    const app = await freshApp(inject('demoCharts'), { ...database.bindings });
    await app.fetch(TILE, { headers: { authorization: `Bearer ${app.token}` } });
    expect(await countsOf(database)).toEqual([]);
  });
});

describe('the database', () => {
  const ID = '01234567-89ab-4cde-8f01-23456789abcd';
  const add = (database: TestDatabase, id: string, tokens: string[], kind = 'Tiles') =>
    database.query('SELECT add_usage($1, $2, $3, $4, $5, $6, $7, $8) AS is_news', [
      id,
      tokens.map(() => '2030-06-01'),
      tokens,
      tokens.map(() => 'acme'),
      tokens.map(() => kind),
      tokens.map(() => 2),
      tokens.map(() => 1),
      tokens.map(() => 0),
    ]);

  test('accepts a repeated report once, and forgets reports after an hour', async () => {
    const database = await withDatabase(freshDatabase());
    expect((await add(database, ID, ['a', 'b'])).rows).toEqual([{ is_news: true }]);
    expect((await add(database, ID, ['a', 'b'])).rows).toEqual([{ is_news: false }]);
    expect((await countsOf(database)).map(({ requests }) => requests)).toEqual([2, 2]);
    await database.query('UPDATE usage_report SET received_at = received_at - 3600001');
    await add(database, crypto.randomUUID(), ['a']);
    expect((await database.query('SELECT id FROM usage_report')).rows).toHaveLength(1);
  });

  test('adds up concurrent reports in any order without a deadlock', async () => {
    const database = await withDatabase(freshDatabase());
    const names = Array.from({ length: 40 }, (_, at) => `t${at}`);
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        add(database, crypto.randomUUID(), at % 2 === 0 ? names : [...names].reverse()),
      ),
    );
    const rows = await countsOf(database);
    expect(rows.map(({ requests }) => requests)).toEqual(names.map(() => 120));
  });
});
