// Tables next to those of Graphile Worker: the worker processes and the results of jobs. Each
// process holds an advisory lock. PostgreSQL releases it when the process ends, and the jobs of
// that process are given to others.

import { Client, type ClientBase, type ClientConfig, Pool, type PoolConfig } from 'pg';
import type { BuildAnswer } from '../pipeline/jobs.ts';
import type { Outcome } from '../pipeline/worker-pool.ts';

/** Channel that announces results by job key. */
export const RESULT_CHANNEL = 'leadline_build_answers';
/** First key of the advisory locks; the second key identifies the process. */
const LOCKS = 1_279_607_116;

const TABLES = `
CREATE SCHEMA IF NOT EXISTS leadline_builds;
CREATE TABLE IF NOT EXISTS leadline_builds.answer (
  job text PRIMARY KEY, outcome json NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS leadline_builds.worker (
  worker_id text PRIMARY KEY, process integer NOT NULL);`;

/** One connection listens for jobs; short statements share the others. */
const POOL_SIZE = 4;

/** Results that no build has fetched are deleted after this time. */
const RESULT_LIFETIME = '7 days';

/** The result of a job. */
export type BuildOutcome = Outcome<BuildAnswer>;

/** A connection or a pool. */
type Database = Pick<Pool | ClientBase, 'query'>;

/**
 * Open a connection with TCP limits, so that the server notices a lost machine within a minute, even if the
 * machine has not confirmed what the server sent.
 */
export async function connect(url: string, limits: ClientConfig = {}): Promise<Client> {
  const client = new Client({
    ...{ connectionString: url, keepAlive: true, connectionTimeoutMillis: 30_000 },
    ...limits,
  });
  await client.connect();
  await client.query(
    'SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 50000',
  );
  return client;
}

/**
 * Open the process's pool. It is small because many processes share the server's limit of 100
 * connections.
 * @param onLost called when an idle connection is lost
 */
export function openPool(
  url: string,
  onLost: (error: Error) => void,
  limits: PoolConfig = {},
): Pool {
  const pool = new Pool({ connectionString: url, max: POOL_SIZE, keepAlive: true, ...limits });
  pool.on('error', onLost);
  // The query that uses a connection reports its loss.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Create the tables if they do not exist. Safe to run concurrently. */
export async function makeTables(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, 0)', [LOCKS]);
  try {
    await client.query(TABLES);
    await client.query('DELETE FROM leadline_builds.answer WHERE at < now() - $1::interval', [
      RESULT_LIFETIME,
    ]);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, 0)', [LOCKS]);
  }
}

/** Hold the advisory lock of a process for as long as the connection lives. @param process not 0 */
export async function enterProcess(client: Client, process: number): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS, process]);
}

/** Register the Graphile pool that locks jobs for a process. @param worker id of the pool */
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
 * Return the jobs of a worker to the queue without counting the attempt, so that other processes
 * can take them immediately.
 */
export async function releaseJobs(database: Database, worker: string): Promise<void> {
  await database.query(
    `UPDATE graphile_worker._private_jobs
     SET locked_at = NULL, locked_by = NULL, attempts = greatest(attempts - 1, 0)
     WHERE locked_by = $1`,
    [worker],
  );
}

/** Locks of a worker that has not registered after this time are released. */
const REGISTRATION_TIME = '30 seconds';

/** Count the processes, and remove and return the workers of dead ones. */
export async function removeDeadWorkers(
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
    [task, REGISTRATION_TIME],
  );
  const left = await database.query<{ count: number }>(
    'SELECT count(DISTINCT process)::int FROM leadline_builds.worker',
  );
  const dead = [...gone.rows, ...unknown.rows].map(({ worker_id }) => worker_id);
  return { processes: left.rows[0]!.count, dead };
}

/** Store a result and announce it. If a job ran twice, the first result counts. */
export async function storeResult(
  database: Database,
  job: string,
  outcome: BuildOutcome,
): Promise<void> {
  await database.query(
    `WITH given AS (INSERT INTO leadline_builds.answer (job, outcome) VALUES ($1, $2)
       ON CONFLICT (job) DO NOTHING)
     SELECT pg_notify('${RESULT_CHANNEL}', $1)`,
    [job, JSON.stringify(outcome)],
  );
}

export async function findResult(
  database: Database,
  job: string,
): Promise<BuildOutcome | undefined> {
  const { rows } = await database.query<{ outcome: BuildOutcome }>(
    'SELECT outcome FROM leadline_builds.answer WHERE job = $1',
    [job],
  );
  return rows[0]?.outcome;
}

/** The results of jobs, and whether they are still queued. */
export async function jobStates(
  database: Database,
  jobs: readonly string[],
): Promise<readonly { key: string; outcome: BuildOutcome | null; isQueued: boolean }[]> {
  // One statement, because a job leaves the queue after its result is stored.
  const { rows } = await database.query(
    `SELECT asked.key, answer.outcome, EXISTS (
       SELECT FROM graphile_worker.jobs WHERE jobs.key = asked.key) AS "isQueued"
     FROM unnest($1::text[]) AS asked (key)
     LEFT JOIN leadline_builds.answer ON answer.job = asked.key`,
    [jobs],
  );
  return rows;
}

export async function deleteResults(database: Database, jobs: readonly string[]): Promise<void> {
  await database.query('DELETE FROM leadline_builds.answer WHERE job = ANY($1)', [jobs]);
}

/**
 * Jobs of a task that have used all attempts. If every process died, the job is the cause. If a
 * process reported an error, its machine, the store or the database is the cause.
 */
export async function failedJobs(
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
        ? { ok: false, reason: 'crashed', message: 'every process that ran the job died' }
        : { ok: false, reason: 'system-error', message: last_error },
    ]),
  );
}
