// The queue's own tables beside those of Graphile Worker: which processes work, and what they answered.
// A process holds an advisory lock while it lives: PostgreSQL gives it back when the process dies,
// however it dies, and its jobs go to others.

import { Client, type ClientBase, Pool } from 'pg';
import type { BuildAnswer } from '../pipeline/jobs.ts';
import type { Outcome } from '../pipeline/worker-pool.ts';

/** Channel on which answers are announced, by the names of their jobs. */
export const ANSWERS = 'leadline_build_answers';
/** First number of the locks of processes; the second one is the process's own. */
const LOCKS = 1_279_607_116;

const TABLES = `
CREATE SCHEMA IF NOT EXISTS leadline_builds;
CREATE TABLE IF NOT EXISTS leadline_builds.answer (
  job text PRIMARY KEY, outcome json NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS leadline_builds.worker (
  worker_id text PRIMARY KEY, process integer NOT NULL);`;

/** One listens for jobs; statements are short, and wait for their turn at the others. */
const POOLED = 4;

/** Answers that no build came for. */
const KEPT = '7 days';

/** What a job came to. */
export type BuildOutcome = Outcome<BuildAnswer>;

/** Whatever can be asked. */
type Database = Pick<Pool | ClientBase, 'query'>;

/** A connection whose end the server notices within a minute, also where the machine went away. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, keepAlive: true });
  await client.connect();
  await client.query(
    'SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3',
  );
  return client;
}

/**
 * Connections of a process for all else: few, as many processes share a server's hundred.
 * @param lose told when one is lost that nothing was asked of
 */
export function openPool(url: string, lose: (error: Error) => void): Pool {
  const pool = new Pool({ connectionString: url, max: POOLED, keepAlive: true });
  pool.on('error', lose);
  // Of one in use: whoever uses it is told too, and says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Make the tables where there are none; several may do it at once. */
export async function makeTables(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, 0)', [LOCKS]);
  try {
    await client.query(TABLES);
    await client.query('DELETE FROM leadline_builds.answer WHERE at < now() - $1::interval', [
      KEPT,
    ]);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, 0)', [LOCKS]);
  }
}

/** Say that a process lives for as long as its connection does. @param process not 0 */
export async function enterProcess(client: Client, process: number): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS, process]);
}

/** Say in whose name a process locks jobs. @param worker id of its pool in the queue */
export async function enterWorker(
  database: Database,
  process: number,
  worker: string,
): Promise<void> {
  await database.query(
    'INSERT INTO leadline_builds.worker VALUES ($2, $1) ON CONFLICT DO NOTHING',
    [process, worker],
  );
}

/**
 * Give back the jobs that a worker holds, as if it had never begun them: other processes take them at
 * once, and the attempt is not counted.
 */
export async function releaseJobs(database: Database, worker: string): Promise<void> {
  await database.query(
    `UPDATE graphile_worker._private_jobs
     SET locked_at = NULL, locked_by = NULL, attempts = greatest(attempts - 1, 0)
     WHERE locked_by = $1`,
    [worker],
  );
}

/** Time in which a worker enters itself; the lock on a job of one that never did is given back then. */
const ENTERING = '30 seconds';

/** How many processes work, and the workers of those that ended, which are struck from the list. */
export async function callTheRoll(
  database: Database,
  task: string,
): Promise<{ processes: number; dead: string[] }> {
  const alive = `SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND classid = ${LOCKS} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const gone = await database.query<{ worker_id: string }>(
    `DELETE FROM leadline_builds.worker WHERE process NOT IN (${alive}) RETURNING worker_id`,
  );
  const unknown = await database.query<{ worker_id: string }>(
    `SELECT DISTINCT locked_by AS worker_id FROM graphile_worker.jobs
     WHERE task_identifier = $1 AND locked_at < now() - $2::interval
       AND locked_by NOT IN (SELECT worker_id FROM leadline_builds.worker)`,
    [task, ENTERING],
  );
  const left = await database.query<{ count: number }>(
    'SELECT count(DISTINCT process)::int FROM leadline_builds.worker',
  );
  const dead = [...gone.rows, ...unknown.rows].map(({ worker_id }) => worker_id);
  return { processes: left.rows[0]!.count, dead };
}

/** Keep an answer, and announce it. The first one counts: a job may be done twice, with one result. */
export async function giveAnswer(
  database: Database,
  job: string,
  outcome: BuildOutcome,
): Promise<void> {
  await database.query(
    `WITH given AS (INSERT INTO leadline_builds.answer (job, outcome) VALUES ($1, $2)
       ON CONFLICT (job) DO NOTHING)
     SELECT pg_notify('${ANSWERS}', $1)`,
    [job, JSON.stringify(outcome)],
  );
}

export async function findAnswer(
  database: Database,
  job: string,
): Promise<BuildOutcome | undefined> {
  const { rows } = await database.query<{ outcome: BuildOutcome }>(
    'SELECT outcome FROM leadline_builds.answer WHERE job = $1',
    [job],
  );
  return rows[0]?.outcome;
}

/** How jobs stand: their answers, and whether the queue has them. */
export async function standOf(
  database: Database,
  jobs: readonly string[],
): Promise<readonly { key: string; outcome: BuildOutcome | null; isQueued: boolean }[]> {
  // In one statement: a job leaves the queue after its answer has come.
  const { rows } = await database.query(
    `SELECT asked.key, answer.outcome, EXISTS (
       SELECT FROM graphile_worker.jobs WHERE jobs.key = asked.key) AS "isQueued"
     FROM unnest($1::text[]) AS asked (key)
     LEFT JOIN leadline_builds.answer ON answer.job = asked.key`,
    [jobs],
  );
  return rows;
}

export async function forgetAnswers(database: Database, jobs: readonly string[]): Promise<void> {
  await database.query('DELETE FROM leadline_builds.answer WHERE job = ANY($1)', [jobs]);
}

/**
 * Jobs of a task that were tried as often as they may be. One whose processes all died is to blame for it;
 * where a process lived to say what was wrong, that was its machine, the store or the database.
 */
export async function givenUp(
  database: Database,
  task: string,
): Promise<Map<string, BuildOutcome>> {
  const { rows } = await database.query<{ key: string; last_error: string | null }>(
    `SELECT key, last_error FROM graphile_worker.jobs
     WHERE task_identifier = $1 AND attempts >= max_attempts AND locked_at IS NULL`,
    [task],
  );
  return new Map(
    rows.map(({ key, last_error }) => [
      key,
      last_error === null
        ? { ok: false, reason: 'crashed', message: 'every process that began it died' }
        : { ok: false, reason: 'machine', message: last_error },
    ]),
  );
}
