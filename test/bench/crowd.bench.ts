// Sends reports and votes through the Worker, compared with the same statements sent to the same server by pgbench.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openNeonProxy } from '../../workers/host/database/neon-proxy.ts';
import { newPassword } from '../../workers/host/database/worker-login.ts';
import { startService } from '../support/service.ts';
import { prepare, startThrowawayServer, urlOf, WORKER } from '../support/template-server.ts';
import { benchCharts } from './bench-charts.ts';
import { goalLines } from './goals.ts';
import { CONNECTIONS } from './load.ts';
import { fillWithReports, reportNumber } from './many-reports.ts';
import { pgbenchProgram, statementsPerSecond } from './pgbench.ts';
import { type PostFigures, postsPerSecond } from './post-load.ts';

const ROUNDS = 3;
const SECONDS = 4;
const GOAL = 0.5;
/** Spread of the votes that do not all go to one report. */
const MANY = 2000;
const VOTERS = 100_000;
const LISTS = '/api/v1/user-reports';

interface Kind {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly statement: string;
}

const voteOn = (name: string, path: string, report: string, numbers: Kind['numbers']): Kind => ({
  name,
  path: `${LISTS}/${path}/votes`,
  body: '{"vote":"valid","externalUserId":"{voter}"}',
  numbers: { voter: VOTERS, ...numbers },
  statement: `SELECT * FROM cast_vote(gen_random_uuid(), 1795000000000, 'bench', 'tests', 0, 'tester', :voter::text, ${report}, '1', true, 0)`,
});

const KINDS: readonly Kind[] = [
  voteOn('votes on one report', reportNumber(1), `'${reportNumber(1)}'`, {}),
  voteOn(
    `votes on ${MANY} reports`,
    '00000000-0000-4000-8000-{report}',
    `('00000000-0000-4000-8000-' || lpad(:report::text, 12, '0'))::uuid`,
    { report: MANY },
  ),
  {
    name: 'creations',
    path: LISTS,
    body: '{"reportType":"hazard","position":{"latitude":47.{a},"longitude":-122.{b}},"properties":{"description":"Log adrift off the north jetty"}}',
    numbers: { a: 999_999_999, b: 999_999_999 },
    statement: `SELECT * FROM create_report(gen_random_uuid(), 1795000000000, 'bench', 'tests', 0, 'tester', NULL, '${'0'.repeat(64)}', gen_random_uuid()::text, NULL, 'hazard', 47 + :a / 1e9, -122 - :b / 1e9, :a / 4000.0, '{"description":"Log adrift off the north jetty"}', 604800000)`,
  },
];

export async function run(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-crowd-'));
  const password = newPassword();
  const server = await startThrowawayServer(password);
  const stops: (() => Promise<unknown>)[] = [server.stop];
  try {
    await prepare(server.port, password, 'leadline');
    const owner = new Client({ connectionString: urlOf(server.port, password, 'leadline') });
    await owner.connect();
    stops.push(() => owner.end());
    const DATABASE_URL = urlOf(server.port, password, 'leadline', WORKER);
    await fillWithReports(owner, MANY);
    const proxy = await openNeonProxy(DATABASE_URL);
    stops.push(() => proxy.close());
    const { demo } = await benchCharts();
    const database = { DATABASE_URL, DATABASE_PROXY: `127.0.0.1:${proxy.port}` };
    const service = await startService({ isDirect: true, charts: demo, database });
    stops.push(() => service.stop());
    const headers = {
      authorization: `Bearer ${await service.token({ votesForUsers: true })}`,
      'content-type': 'application/json',
    };
    console.log(`${CONNECTIONS} connections; median of ${ROUNDS} rounds of ${SECONDS} s`);
    const pgbench = pgbenchProgram();
    for (const kind of KINDS) {
      const through: PostFigures[] = [];
      const direct: number[] = [];
      // The first round warms up and does not count.
      for (let round = -1; round < ROUNDS; round++) {
        const seconds = round < 0 ? 2 : SECONDS;
        const figures = await postsPerSecond(
          { port: service.port, headers, seconds, ...kind },
          scratch,
        );
        const straight =
          pgbench === undefined
            ? Number.NaN
            : await statementsPerSecond(
                pgbench,
                { databaseUrl: DATABASE_URL, seconds, ...kind },
                scratch,
              );
        if (round < 0) continue;
        through.push(figures);
        direct.push(straight);
      }
      const rate = median(through.map(({ perSecond }) => perSecond));
      const straight = median(direct);
      const micros = (perSecond: number) => `${((1e6 * CONNECTIONS) / perSecond).toFixed(0)} µs`;
      console.log(
        `${kind.name.padEnd(22)} ${rate.toFixed(0)}/s, ` +
          `p99 ${median(through.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms; pgbench ${straight.toFixed(0)}/s`,
      );
      const [line] = goalLines([
        {
          name: `${kind.name} against pgbench`,
          reached: median(through.map(({ perSecond }, i) => perSecond / direct[i]!)),
          target: GOAL,
          cause: `of ${micros(rate)} that each of ${CONNECTIONS} waits, the statement takes ${micros(straight)}; runtime, driver and proxy share its cores for the rest`,
        },
      ]);
      console.log(line);
    }
    await exactCounts(owner);
  } finally {
    for (const stop of stops.reverse()) await stop().catch(() => undefined);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws Error if the stored counts differ from a recount */
async function exactCounts(owner: Client): Promise<void> {
  const { rows } = await owner.query(
    `SELECT count(*)::int AS votes, count(*) FILTER (WHERE up <> upvotes OR down <> downvotes)::int AS wrong
     FROM user_report JOIN (
       SELECT report_id, count(*) FILTER (WHERE value = 1) AS up, count(*) FILTER (WHERE value = -1) AS down
       FROM report_vote GROUP BY report_id
     ) AS counted ON report_id = id`,
  );
  const { votes, wrong } = rows[0] as { votes: number; wrong: number };
  if (votes < MANY / 2 || wrong > 0) throw new Error(`${wrong} of ${votes} counts are wrong`);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
