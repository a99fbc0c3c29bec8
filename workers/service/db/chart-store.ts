// Uploads of charts and their jobs, through functions of the database that check the session or the
// token.

import type { ChartJob, ChartUpload } from '../../../shared/contract/charts.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { callPortal } from './portal-store.ts';

/** A user of the portal, or a token. */
export type ChartUser = { readonly sessionId: string } | Caller;

const named = (user: ChartUser): string =>
  JSON.stringify(
    'sessionId' in user
      ? { session: user.sessionId }
      : { token: user.tokenId, account: user.account, generation: user.generation },
  );

interface NewUpload {
  readonly id: string;
  readonly isPublic: boolean;
  readonly filename: string;
  /** Uploads of the account that may be unprocessed. */
  readonly most: number;
}

/** Record an upload before its files are stored. @throws ApiError 403, 409, 503 */
export async function beginUpload(env: Env, user: ChartUser, upload: NewUpload): Promise<void> {
  const { id, isPublic, filename, most } = upload;
  const values = [named(user), id, isPublic, filename, most];
  await callPortal(env, 'SELECT charts_begin($1, $2, $3, $4, $5)', values);
}

/** Start the job of an upload. @throws ApiError 404, 503 */
export async function finishUpload(
  env: Env,
  user: ChartUser,
  { id, files, jobId }: { readonly id: string; readonly files: readonly object[]; jobId: string },
  bytes: number,
): Promise<void> {
  const values = [named(user), id, JSON.stringify(files), bytes, jobId];
  await callPortal(env, 'SELECT charts_received($1, $2, $3, $4, $5)', values);
}

interface Page {
  readonly id?: string;
  readonly limit: number;
  readonly offset: number;
}

/** The uploads of the account, newest first. @throws ApiError 503 */
export async function listUploads(
  env: Env,
  user: ChartUser,
  { id, limit, offset }: Page,
): Promise<ChartUpload[]> {
  const rows = await callPortal<{ one: ChartUpload }>(
    env,
    'SELECT one FROM charts_uploads($1, $2, $3, $4) AS one',
    [named(user), id ?? null, limit, offset],
  );
  return rows.map(({ one }) => ({
    ...one,
    totalCharts: one.cells.length,
    expiredCharts: one.cells.filter(({ outcome }) => outcome === 'cancelled').length,
  }));
}

/** @throws ApiError 404, 503 */
export async function deleteUpload(
  env: Env,
  user: ChartUser,
  id: string,
  jobId: string,
): Promise<void> {
  await callPortal(env, 'SELECT charts_delete($1, $2, $3)', [named(user), id, jobId]);
}

interface ListedJobs {
  readonly jobs: readonly ChartJob[];
  /** Number of all jobs. */
  readonly total: number;
  /** When a worker last asked for jobs, by the clock of the database. */
  readonly workerSeenAt: number | null;
  readonly now: number;
}

/** The jobs of the account, newest first. @throws ApiError 503 */
export async function listJobs(
  env: Env,
  user: ChartUser,
  { id, limit, offset, activeOnly }: Page & { readonly activeOnly: boolean },
): Promise<ListedJobs> {
  const [row] = await callPortal<{ page: ListedJobs }>(
    env,
    'SELECT charts_jobs($1, $2, $3, $4, $5) AS page',
    [named(user), id ?? null, activeOnly, limit, offset],
  );
  return row!.page;
}

/** @throws ApiError 404, 409, 503 */
export async function changeJob(
  env: Env,
  user: ChartUser,
  id: string,
  to: 'cancelled' | 'pending',
): Promise<void> {
  await callPortal(env, 'SELECT charts_change_job($1, $2, $3)', [named(user), id, to]);
}

/** The user permit (S-63) of the workers; `undefined` if they decrypt no charts. @throws ApiError 503 */
export async function readUserPermit(env: Env, user: ChartUser): Promise<string | undefined> {
  const rows = await callPortal<{ permit: string | null }>(
    env,
    'SELECT charts_permit($1) AS permit',
    [named(user)],
  );
  return rows[0]?.permit ?? undefined;
}
