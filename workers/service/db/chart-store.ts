// Uploads of charts and their jobs, through functions of the database that check the session or the
// token.

import type {
  ChartJob,
  ChartSchedule,
  ChartSets,
  ChartUpload,
} from '../../../shared/contract/charts.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { resultsOf, runFunction } from './call-portal.ts';

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
  /** Of the file of a resumable upload. */
  readonly length?: number | undefined;
  readonly metadata?: string | undefined;
}

/** Record an upload before its files are stored. @throws ApiError 403, 409, 503 */
export const beginUpload = (
  env: Env,
  user: ChartUser,
  { id, isPublic, filename, most, length, metadata }: NewUpload,
): Promise<void> => {
  const values = [named(user), id, isPublic, filename, most, length, metadata];
  return runFunction(env, 'charts_begin', values);
};

/** Start the job of an upload. @throws ApiError 404, 503 */
export const finishUpload = (
  env: Env,
  user: ChartUser,
  { id, files, jobId }: { readonly id: string; readonly files: readonly object[]; jobId: string },
  bytes: number,
): Promise<void> =>
  runFunction(env, 'charts_received', [named(user), id, JSON.stringify(files), bytes, jobId]);

/** A resumable upload. */
interface ResumableUpload {
  readonly length: number;
  /** Number of received bytes. */
  readonly offset: number;
  readonly updatedAt: number;
  /** As the client sent it; null for uploads before this was stored. */
  readonly metadata: string | null;
}

/** @throws ApiError 404, 503 */
export async function readResumable(
  env: Env,
  user: ChartUser,
  id: string,
): Promise<ResumableUpload> {
  const [found] = await resultsOf<ResumableUpload>(env, 'charts_resumable', [named(user), id]);
  return found!;
}

interface StoredPiece {
  readonly offset: number;
  readonly name: string;
  readonly bytes: number;
}

/** Record a stored piece. The job starts after the last one. @throws ApiError 404, 409, 503 */
export const appendPiece = (
  env: Env,
  user: ChartUser,
  id: string,
  { offset, name, bytes }: StoredPiece,
): Promise<void> =>
  runFunction(env, 'charts_append', [named(user), id, offset, name, bytes, crypto.randomUUID()]);

/** End an incomplete upload. @throws ApiError 404, 503 */
export const abandonUpload = (env: Env, user: ChartUser, id: string): Promise<void> =>
  runFunction(env, 'charts_abandon', [named(user), id]);

interface Page {
  readonly id?: string;
  readonly limit: number;
  readonly offset: number;
}

interface ListedUploads {
  /** With the first cells of each. */
  readonly uploads: readonly ChartUpload[];
  /** Number of all uploads. */
  readonly total: number;
}

/** The uploads of the account, newest first. @throws ApiError 503 */
export async function listUploads(
  env: Env,
  user: ChartUser,
  { limit, offset }: Page,
): Promise<ListedUploads> {
  const values = [named(user), limit, offset];
  const [page] = await resultsOf<ListedUploads>(env, 'charts_upload_page', values);
  return page!;
}

/** An upload with all of its cells. @throws ApiError 404, 503 */
export async function readUpload(env: Env, user: ChartUser, id: string): Promise<ChartUpload> {
  const [found] = await resultsOf<ChartUpload>(env, 'charts_uploads', [named(user), id, 1, 0]);
  if (found === undefined) throw new ApiError('upload_not_found');
  return found;
}

/** @throws ApiError 404, 503 */
export const deleteUpload = (env: Env, user: ChartUser, id: string, jobId: string): Promise<void> =>
  runFunction(env, 'charts_delete', [named(user), id, jobId]);

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
  const values = [named(user), id, activeOnly, limit, offset];
  const [page] = await resultsOf<ListedJobs>(env, 'charts_jobs', values);
  return page!;
}

/** @throws ApiError 404, 409, 503 */
export const changeJob = (
  env: Env,
  user: ChartUser,
  id: string,
  to: 'cancelled' | 'pending',
): Promise<void> => runFunction(env, 'charts_change_job', [named(user), id, to]);

/** The last versions of the charts of the account, newest first. @throws ApiError 503 */
export const listSets = (env: Env, user: ChartUser): Promise<ChartSets['sets']> =>
  resultsOf(env, 'charts_sets', [named(user)]);

/** Start a job that returns to an earlier version. @throws ApiError 404, 409, 503 */
export const returnToSet = (
  env: Env,
  user: ChartUser,
  buildId: string,
  jobId: string,
): Promise<void> => runFunction(env, 'charts_return', [named(user), buildId, jobId]);

/** Start a refresh of the public charts, or find the active one. @throws ApiError 403, 409, 503 */
export async function refreshCharts(env: Env, user: ChartUser, jobId: string) {
  const [job] = await resultsOf<Pick<ChartJob, 'jobState'> & { readonly jobId: string }>(
    env,
    'charts_refresh',
    [named(user), jobId],
  );
  return job!;
}

/** The schedule of refreshes, or the new one after a change. @throws ApiError 403, 503 */
export async function chartSchedule(
  env: Env,
  user: ChartUser,
  every?: ChartSchedule['every'],
): Promise<ChartSchedule> {
  const [found] = await resultsOf<ChartSchedule>(env, 'charts_schedule', [named(user), every]);
  return found!;
}

/** The user permit (S-63) of the workers; `undefined` if they decrypt no charts. @throws ApiError 503 */
export async function readUserPermit(env: Env, user: ChartUser): Promise<string | undefined> {
  const [permit] = await resultsOf<string | null>(env, 'charts_permit', [named(user)]);
  return permit ?? undefined;
}
