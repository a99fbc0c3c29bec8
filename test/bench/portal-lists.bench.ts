// Reads pages of the portal's lists from a database with 100,000 rows in each. Times are those of the
// database, as `EXPLAIN ANALYZE` states them.

import { Client } from 'pg';
import { newPassword } from '../../workers/host/database/worker-login.ts';
import { prepare, startThrowawayServer, urlOf } from '../support/template-server.ts';
import { goalLines } from './goals.ts';
import { fillWithReports, reportNumber } from './many-reports.ts';

const ROWS = 100_000;
const GOAL_MS = 100;
const ROUNDS = 7;

interface ReportPage {
  readonly account?: string;
  readonly type?: string;
  readonly state?: string;
  readonly since?: number;
  readonly until?: number;
  readonly text?: string;
  readonly before?: string;
  readonly limit?: number;
}

/** A call for a page of reports. */
function reports({
  account,
  type,
  state,
  since,
  until,
  text,
  before,
  limit = 50,
}: ReportPage): string {
  const values = [account, type, state, since, until, text, before].map((value) =>
    value === undefined ? 'NULL' : `'${value}'`,
  );
  return `portal_list_reports('s', 1800000000000, ${values}, ${limit})`;
}

/** Calls after the session. The ids are those of `fill`. */
const LISTS = [
  ['tokens, first page', `portal_list_tokens('s', NULL, true, NULL, 50)`],
  ['tokens, in the middle', `portal_list_tokens('s', NULL, true, 't50000', 50)`],
  ['tokens, valid ones only', `portal_list_tokens('s', NULL, false, NULL, 50)`],
  ['team, first page', `portal_list_members('s', NULL, NULL, 50)`],
  ['team, in the middle', `portal_list_members('s', NULL, 'u50000@example.com', 50)`],
  ['all tokens, first page', `portal_list_tokens('s', NULL, true, NULL, 50, true)`],
  ['all tokens, in the middle', `portal_list_tokens('s', NULL, true, 't50000', 50, true)`],
  ['all tokens, valid ones only', `portal_list_tokens('s', NULL, false, NULL, 50, true)`],
  ['all tokens, a rare account', `portal_list_tokens('s', NULL, true, NULL, 50, true, 'rare')`],
  ['all tokens, a frequent name', `portal_list_tokens('s', NULL, true, NULL, 50, true, NULL, 'n')`],
  ['all tokens, a rare name', `portal_list_tokens('s', NULL, true, NULL, 50, true, NULL, 'n9999')`],
  ['all tokens, no such name', `portal_list_tokens('s', NULL, false, NULL, 50, true, NULL, 'x')`],
  ['all tokens, an id', `portal_list_tokens('s', NULL, true, NULL, 50, true, NULL, 't50000')`],
  ['users, first page', `portal_list_members('s', NULL, NULL, 50, true)`],
  ['users, in the middle', `portal_list_members('s', NULL, 'u50000@example.com', 50, true)`],
  ['users, a frequent address', `portal_list_members('s', NULL, NULL, 50, true, NULL, 'u')`],
  ['users, a rare address', `portal_list_members('s', NULL, NULL, 50, true, NULL, 'u99999@')`],
  ['users, a rare account', `portal_list_members('s', NULL, NULL, 50, true, 'rare')`],
  ['usage of the account', `portal_usage('s', current_date - 90)`],
  ['usage of all accounts', `portal_usage('s', current_date - 90, true)`],
  ['usage of a rare account', `portal_usage('s', current_date - 90, true, 'rare')`],
  ['tracks, first page', `portal_list_tracks('s', NULL, 50, 50000)`],
  [
    'tracks, in the middle',
    `portal_list_tracks('s', '00000000-0000-7000-8000-000000050000', 50, 50000)`,
  ],
  [
    'tracks, long ones',
    `portal_list_tracks('s', '00000000-0000-7000-8000-000000000100', 50, 50000)`,
  ],
  ['accounts, first page', `portal_list_accounts('s', NULL, NULL, 50)`],
  ['accounts, in the middle', `portal_list_accounts('s', NULL, 'n50000', 50)`],
  ['accounts, a rare id', `portal_list_accounts('s', NULL, NULL, 50, 'n9999')`],
  ['audit, first page', `portal_list_acts('s', NULL, NULL, NULL, NULL, 50)`],
  ['audit, in the middle', `portal_list_acts('s', NULL, NULL, NULL, 50000, 50)`],
  ['audit, a rare account', `portal_list_acts('s', 'rare', NULL, NULL, NULL, 50)`],
  ['audit, a rare actor', `portal_list_acts('s', NULL, 'rare', NULL, NULL, 50)`],
  ['audit, a rare action', `portal_list_acts('s', NULL, NULL, 'rare', NULL, 50)`],
  [
    'audit, two filters without a result',
    `portal_list_acts('s', 'rare', NULL, 'token mint', NULL, 50)`,
  ],
  ['reports, first page', reports({})],
  ['reports, in the middle', reports({ before: reportNumber(50_000) })],
  ['reports, of an account', reports({ account: 'bench' })],
  [
    'reports, of an account, in the middle',
    reports({ account: 'bench', before: reportNumber(50_000) }),
  ],
  ['reports, of an account without any', reports({ account: 'acme' })],
  ['reports, a rare kind', reports({ type: 'wildlife' })],
  ['reports, deleted ones (without a match)', reports({ state: 'deleted' })],
  ['reports, a text of all', reports({ text: 'north' })],
  ['reports, a text of none', reports({ text: 'whale' })],
  [
    'reports, a text of none in a week',
    reports({ text: 'whale', since: 1, until: 1_790_300_000_000 }),
  ],
  ['reports, a page of the file', reports({ before: reportNumber(50_000), limit: 200 })],
  ['a report with many votes', `portal_find_report('s', '${reportNumber(1)}', 100)`],
  ['blocks, first page', `portal_list_blocks('s', NULL, 50)`],
  ['blocks, in the middle', `portal_list_blocks('s', 50000, 50)`],
  ['audit, a page of the file', `portal_list_acts('s', NULL, NULL, NULL, 50000, 1000)`],
] as const;

export async function run(): Promise<void> {
  const password = newPassword();
  const server = await startThrowawayServer(password);
  try {
    await prepare(server.port, password, 'leadline');
    const owner = new Client({ connectionString: urlOf(server.port, password, 'leadline') });
    await owner.connect();
    await fill(owner);
    await fillWithReports(owner, ROWS);
    await fillVotes(owner);
    let slowest = { ms: 0, cause: '' };
    for (const [name, call] of LISTS) {
      const ms = await timeOf(owner, call);
      console.log(`${name.padEnd(40)} ${ms.toFixed(1)} ms`);
      if (ms > slowest.ms) slowest = { ms, cause: name };
    }
    const goal = { name: 'database time of a page', reached: slowest.ms, cause: slowest.cause };
    for (const line of goalLines([{ ...goal, most: GOAL_MS, unit: 'ms' }])) console.log(line);
    await owner.end();
  } finally {
    await server.stop();
  }
}

/** The longest of some calls, milliseconds. */
async function timeOf(owner: Client, call: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { rows } = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM ${call}`);
    times.push(rows[0]['QUERY PLAN'][0]['Execution Time'] as number);
  }
  return Math.max(...times);
}

/**
 * Many accounts, one with many tokens and users, a session of its administrator, a long audit trail, and
 * many tracks, a hundred of them long. */
async function fill(owner: Client): Promise<void> {
  await owner.query(`
    INSERT INTO account (id, plan) VALUES ('acme', 'standard');
    INSERT INTO account (id, plan) SELECT 'n' || n, 'standard' FROM generate_series(2, ${ROWS}) AS n;
    INSERT INTO portal_user (id, account_id, role, email)
      SELECT 'u' || n, 'acme', CASE n WHEN 1 THEN 'administrator' ELSE 'member' END, 'u' || n || '@example.com'
      FROM generate_series(1, ${ROWS}) AS n;
    INSERT INTO portal_session (id, token, user_id, expires_at, created_at, updated_at)
      VALUES ('s', 's', 'u1', 9007199254740991, 0, 0);
    INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins, votes_for_users,
        generation, issued_at, expires_at, revoked_at, note)
      SELECT 't' || n, 'acme', 'member:u' || n, 'pk', 'standard', false, '{tiles}', '{}', false, 0, n,
        9007199254740991, CASE WHEN n % 3 > 0 THEN 1 END, 'N' || n FROM generate_series(1, ${ROWS}) AS n;
    INSERT INTO token_usage (day, token_id, account_id, requests)
      SELECT current_date - d, 't' || n, 'acme', 1 FROM generate_series(1, ${ROWS}) AS n, generate_series(0, 1) AS d;
    INSERT INTO admin_act (actor, act, account_id)
      SELECT CASE n WHEN 9 THEN 'rare' ELSE 'user:u' || n % 50 END,
        CASE n WHEN 8 THEN 'rare' ELSE 'token mint' END, CASE n WHEN 7 THEN 'rare' ELSE 'acme' END
      FROM generate_series(1, ${ROWS}) AS n;
    INSERT INTO track SELECT 'acme', 's' || n % 50, id, id, NULL, 0, 1, points, 1, 0, 0, 0, 0,
        decode(repeat('00', 32 * points), 'hex'), 0, 0
      FROM (SELECT n, lpad(n::text, 12, '0') AS digits, CASE WHEN n <= 100 THEN 2500 ELSE 20 END AS points
        FROM generate_series(1, ${ROWS}) AS n) AS made, uuid('00000000-0000-7000-8000-' || digits) AS id;
    INSERT INTO track_about (id, account_id, subject, external_user_id, platform_uid)
      SELECT id, account_id, subject, '', '' FROM track;
    ANALYZE`);
}

/** Many votes on one report, and many blocked people. */
async function fillVotes(owner: Client): Promise<void> {
  await owner.query(`
    INSERT INTO report_block (account_id, kind, name)
      SELECT 'bench', 'user', 'blocked' || n FROM generate_series(1, ${ROWS}) AS n;
    INSERT INTO report_vote SELECT '${reportNumber(1)}', 'bench', 'user:' || n, '', 1, n
      FROM generate_series(1, ${ROWS}) AS n;
    ANALYZE report_block, report_vote`);
}
