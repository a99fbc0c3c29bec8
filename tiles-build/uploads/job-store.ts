// Jobs that change charts, in the database of the service, through its functions. A worker has one
// connection, which also holds the lock of its job: while it can write, no other worker has the job.

import type { CellReport, JobState, JobStep, LogLine } from '../../shared/contract/charts.ts';
import { withoutUnstorable } from '../../shared/contract/plain-json.ts';
import { connect } from '../queue/queue-database.ts';

/** First key of the advisory locks; the second key identifies the charts. */
const LOCKS = 1_279_607_117;

/** No statement takes this long. Without a limit, a worker waits many minutes for the answer of a lost machine. */
const QUERY_MS = 60_000;

/** Longer texts are cut: messages quote fields of files, which can have any length. */
const MAX_TEXT = 2000;

export interface Job {
  readonly id: string;
  readonly account_id: string;
  readonly is_public: boolean;
  readonly kind: 'upload' | 'delete' | 'rebuild' | 'erase' | 'rollback' | 'refresh';
  readonly upload_id: string | null;
  /** The build that a rollback returns to, or that the last attempt of an upload began to publish. */
  readonly build_id: string | null;
  readonly steps: readonly JobStep[];
  readonly attempts: number;
}

export interface Upload {
  readonly id: string;
  readonly account_id: string;
  readonly state: string;
  readonly is_live: boolean;
  readonly files: readonly {
    readonly name: string;
    readonly bytes: number;
    /** Their number, or their names for a resumable upload. */
    readonly pieces: number | readonly string[];
  }[];
  readonly cells: readonly CellReport[];
}

export interface JobEnd {
  readonly state: Exclude<JobState, 'pending' | 'processing'>;
  readonly message: string;
  readonly buildId?: string;
  /** What happened to each cell; absent to keep the recorded outcomes. */
  readonly cells?: readonly CellReport[];
  /**
   * The public build below the charts of the account: empty if it is not known, absent if the account has no charts.
   * Without `buildId`, the recorded one stays.
   */
  readonly overBuild?: string | undefined;
  /** Builds of the account that are kept; absent if they did not change. */
  readonly kept?: readonly string[] | undefined;
}

export interface JobStore {
  /** The jobs that could run now, at most 100. Also records that the worker is connected. */
  waiting(): Promise<readonly Job[]>;
  /** Lock the charts of a job and start it; `undefined` if another worker has them. */
  take(job: Job): Promise<Job | undefined>;
  release(job: Job): Promise<void>;
  /** The upload of the job, and the uploads whose cells are part of the same charts. */
  uploads(job: Job): Promise<readonly Upload[]>;
  /** Uploads to the public charts. */
  publicUploads(): Promise<readonly Upload[]>;
  /** @returns whether the job should continue */
  note(
    job: Job,
    percent: number,
    steps: readonly JobStep[],
    lines: readonly LogLine[],
  ): Promise<boolean>;
  /** Record the build that an upload is about to publish, and the outcome of each cell. */
  willPublish(job: Job, buildId: string, cells?: readonly CellReport[]): Promise<void>;
  /** Record that the charts without the deleted upload are published. */
  removed(job: Job): Promise<void>;
  end(job: Job, end: JobEnd): Promise<void>;
  /** Start jobs for charts of accounts that were built over another public build. */
  rebuildOver(buildId: string): Promise<void>;
  /** Start the refresh that is due. */
  startDueRefresh(): Promise<void>;
  /** Uploads that were never completed. They are not continued. */
  abandoned(): Promise<readonly Upload[]>;
  /** Forget an abandoned upload. */
  forget(upload: Upload): Promise<void>;
  /** Which names are those of uploads, or of accounts with uploads. */
  known(names: readonly string[]): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/**
 * Connect with the login of the service.
 * @param worker id of this worker, its user permit (S-63) if it decrypts charts, whether it has producers
 * @param onLost called when the connection is lost, or closed after a statement that takes too long, and with it the lock
 * @throws Error if the database cannot be reached
 */
export async function openJobStore(
  url: string,
  worker: {
    readonly id: string;
    readonly userPermit: string | undefined;
    readonly hasProducers: boolean;
  },
  onLost: (error: Error) => void,
): Promise<JobStore> {
  const client = await connect(url, { query_timeout: QUERY_MS });
  client.on('error', onLost);
  const rows = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const answer = await client.query(text, [...values]).catch((error: Error) => {
      if (error.message === 'Query read timeout') {
        onLost(error);
        // The job is not at fault, so its end must not be recorded: the restarted worker continues it.
        void client.end();
      }
      throw error;
    });
    return answer.rows as Row[];
  };
  /** Charts have one lock: those of an account, or the public ones. */
  const lockOf = ({ is_public, account_id }: Job) => (is_public ? '' : account_id);
  const release = async (job: Job) => {
    await rows('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCKS, lockOf(job)]);
  };
  return {
    release,
    waiting: () =>
      rows<Job>('SELECT * FROM work_jobs($1, $2, $3)', [
        worker.id,
        worker.userPermit ?? null,
        worker.hasProducers,
      ]),
    async take(job) {
      const [lock] = await rows<{ is_ours: boolean }>(
        'SELECT pg_try_advisory_lock($1, hashtext($2)) AS is_ours',
        [LOCKS, lockOf(job)],
      );
      if (lock?.is_ours !== true) return undefined;
      const [taken] = await rows<Job>('SELECT * FROM work_take($1)', [job.id]);
      if (taken === undefined) await release(job);
      return taken;
    },
    uploads: ({ id }) => rows<Upload>('SELECT * FROM work_uploads($1)', [id]),
    publicUploads: () => rows<Upload>('SELECT * FROM work_public()'),
    async note({ id }, percent, steps, lines) {
      const values = [id, percent, jsonOf(steps), jsonOf(lines)];
      const [row] = await rows<{ goes_on: boolean }>(
        'SELECT work_note($1, $2, $3, $4) AS goes_on',
        values,
      );
      return row?.goes_on === true;
    },
    async willPublish({ id }, buildId, cells) {
      const listed = cells === undefined ? null : jsonOf(cells);
      await rows('SELECT work_publish($1, $2, $3)', [id, buildId, listed]);
    },
    async removed({ id }) {
      await rows('SELECT work_removed($1)', [id]);
    },
    async end({ id }, { state, message, buildId = null, cells, overBuild = null, kept = null }) {
      await rows('SELECT work_end($1, $2, $3, $4, $5, $6)', [
        id,
        state,
        jsonOf({ message, buildId }),
        cells === undefined ? null : jsonOf(cells),
        overBuild,
        kept,
      ]);
    },
    async rebuildOver(buildId) {
      await rows('SELECT work_rebuild($1)', [buildId]);
    },
    async startDueRefresh() {
      await rows('SELECT work_schedule()');
    },
    abandoned: () => rows<Upload>('SELECT * FROM work_abandoned()'),
    async forget({ id }) {
      await rows('SELECT work_forget($1)', [id]);
    },
    async known(names) {
      const found = await rows<{ name: string }>('SELECT work_known($1) AS name', [names]);
      return new Set(found.map(({ name }) => name));
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** JSON that PostgreSQL can store: texts of uploaded files may have NUL and lone surrogates. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? storable(one) : one));

function storable(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return withoutUnstorable(cut);
}
