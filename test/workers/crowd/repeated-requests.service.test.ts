// Repeated requests: with an Idempotency-Key, one object is created for any number of sequential or
// concurrent requests. The request id has no effect.

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import {
  type Caller,
  type CrowdService,
  HAZARD,
  REPORTS,
  type ReportBody,
  refusalOf,
} from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { jsonOf, textOf } from '../../support/http-client.ts';
import { BATHYMETRY, soundingAfter } from '../../support/soundings.ts';

const STYLES = '/api/portal/v1/styles';
const STYLE = { name: 'Night bridge', baseTheme: 'night', parameters: { settings: {} } };

let crowd: CrowdService;
let anna: Caller;
let ben: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  const scopes = ['styles', 'styles:write', 'reports:write', 'bathymetry:write'] as const;
  anna = await crowd.caller({ subject: 'anna', scopes: [...scopes] });
  ben = await crowd.caller({ subject: 'ben', scopes: [...scopes] });
});
beforeEach(() => crowd.database.query('DELETE FROM saved_style'));

const number = async (table: string) =>
  (await crowd.database.query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n as number;

const post = (caller: Caller, path: string, body: unknown, headers: Record<string, string>) =>
  caller.ask(path, { method: 'POST', body, headers });
const keyed = (key: string) => ({ 'idempotency-key': key });

describe.each([
  ['report', REPORTS, HAZARD, 'user_report', { ...HAZARD, reportType: 'weather' }],
  ['saved style', STYLES, STYLE, 'saved_style', { ...STYLE, baseTheme: 'day' }],
] as const)('a %s', (_, path, body, table, otherBody) => {
  test(`posted to ${path} twice with one Idempotency-Key is made once, and answered the same`, async () => {
    const key = keyed(randomUUID());
    const before = await number(table);
    const first = await post(anna, path, body, key);
    expect(first.status).toBe(201);
    const again = await post(anna, path, body, key);
    expect([again.status, textOf(again)]).toEqual([201, textOf(first)]);
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(await number(table)).toBe(before + 1);
  });

  test(`posted to ${path} by twelve at once with one Idempotency-Key is made once`, async () => {
    const before = await number(table);
    const key = keyed(randomUUID());
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(anna, path, body, key)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(textOf)).size).toBe(1);
    expect(await number(table)).toBe(before + 1);
  });

  test(`posted to ${path} with another body under its Idempotency-Key is 409, and nothing is made`, async () => {
    const key = keyed(randomUUID());
    await post(anna, path, body, key);
    const before = await number(table);
    const other = await post(anna, path, otherBody, key);
    expect(refusalOf(other)).toEqual([409, 'idempotency_key_reused']);
    expect(await number(table)).toBe(before);
  });

  test(`posted to ${path} under an Idempotency-Key older than a day is a new one`, async () => {
    const key = keyed(randomUUID());
    const first = jsonOf(await post(anna, path, body, key));
    await crowd.database.query('UPDATE create_key SET created_at = created_at - 86400001');
    await crowd.database.query('DELETE FROM saved_style');
    const second = await post(anna, path, body, key);
    expect(second.status).toBe(201);
    expect(jsonOf(second).id).not.toBe(first.id);
  });

  test(`posted to ${path} with a key that is no key is 400`, async () => {
    const answer = await post(anna, path, body, keyed('x'.repeat(256)));
    expect(refusalOf(answer)).toEqual([400, 'bad_idempotency_key']);
    const headers = { ...keyed('x'.repeat(256)), 'content-encoding': 'gzip' };
    expect((await post(anna, path, body, headers)).status).toBe(415);
  });
});

test('a key of one sender is free for another, and for another kind of thing', async () => {
  const key = keyed(randomUUID());
  const soundings = { soundings: [soundingAfter(1)] };
  const answers = [
    await post(anna, REPORTS, HAZARD, key),
    await post(ben, REPORTS, HAZARD, key),
    await post(anna, STYLES, STYLE, key),
    await post(anna, BATHYMETRY, soundings, key),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(answers.slice(0, 2).map((answer) => jsonOf(answer).id)).size).toBe(2);
});

test('a repeated request for a deleted report returns the original response, and the report stays deleted', async () => {
  const key = keyed(randomUUID());
  const first = await post(anna, REPORTS, HAZARD, key);
  const { id } = jsonOf(first) as ReportBody;
  await anna.delete(`${REPORTS}/${id}`);
  expect(textOf(await post(anna, REPORTS, HAZARD, key))).toBe(textOf(first));
  expect((await anna.get(`${REPORTS}/${id}`)).status).toBe(410);
});

test('a report with an id and a key comes back by the key, and its id is taken for any other', async () => {
  const body = {
    ...HAZARD,
    id: randomUUID()
      .toUpperCase()
      .replace(/^(.{14})./, '$14'),
  };
  const key = keyed(randomUUID());
  const first = await post(anna, REPORTS, body, key);
  expect(jsonOf(first).id).toBe(body.id);
  expect(textOf(await post(anna, REPORTS, body, key))).toBe(textOf(first));
  const other = keyed(randomUUID());
  expect(refusalOf(await post(anna, REPORTS, body, other))).toEqual([409, 'report_exists']);
  // A rejected request does not reserve its key.
  expect((await post(anna, REPORTS, HAZARD, other)).status).toBe(201);
});

test('a key whose style was refused for its name is free', async () => {
  await post(anna, STYLES, STYLE, {});
  const key = keyed(randomUUID());
  expect(refusalOf(await post(anna, STYLES, STYLE, key))).toEqual([409, 'style_name_taken']);
  expect((await post(anna, STYLES, { ...STYLE, name: 'Another' }, key)).status).toBe(201);
});

test('at the most styles an account may have, those that race for the last place do not all get it', async () => {
  await crowd.database.query(`
    INSERT INTO saved_style SELECT gen_random_uuid(), 'tests', 'style ' || n, 'day', '{}', 1, 1
    FROM generate_series(1, 99) AS n`);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => post(anna, STYLES, { ...STYLE, name: `racer ${n}` }, {})),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
});

describe('a client that sends the same X-Request-Id with all requests', () => {
  test.each(['the-same-id', randomUUID()])('such as %s is answered each for itself', async (id) => {
    const headers = { 'x-request-id': id };
    const first = await post(anna, REPORTS, HAZARD, headers);
    const second = await post(anna, REPORTS, HAZARD, headers);
    expect([first.status, second.status]).toEqual([201, 201]);
    const path = `${REPORTS}/${jsonOf(first).id}/votes`;
    const up = await post(anna, path, { vote: 'valid' }, headers);
    const down = await post(anna, path, { vote: 'invalid' }, headers);
    expect([jsonOf(up).upvoteCount, jsonOf(down).upvoteCount]).toEqual([1, 0]);
    const soundings = (at: number) => ({ soundings: [soundingAfter(at)] });
    const before = await number('track');
    for (const at of [1, 2]) {
      expect((await post(anna, BATHYMETRY, soundings(at), headers)).status).toBe(201);
    }
    expect(await number('track')).toBe(before + 2);
  });
});
