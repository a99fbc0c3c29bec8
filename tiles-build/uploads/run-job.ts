// One job: receive the files of the upload and check its cells, or refresh the public cells, and change the
// charts. Or return to an earlier version, or delete charts.

import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { type CellReport, isShown } from '../../shared/contract/charts.ts';
import { BuildStopped } from '../pipeline/build-context.ts';
import { NoCharts } from '../pipeline/build-report.ts';
import { openBuildThreads } from '../pipeline/build-threads.ts';
import { readPointer } from '../publish/history.ts';
import { NothingToRollBack, UploadRefused as PartsRefused, returnTo } from '../publish/publish.ts';
import { bucketOfSet, dropBuildsOfSet } from '../publish/set-pointers.ts';
import type { PermitFile } from '../s63/permits.ts';
import {
  buildFolder,
  cacheFolder,
  changeCharts,
  dropOldBuilds,
  foldersBelow,
  foldersOf,
  type JobInput,
  namesOf,
  permitsIn,
  unlockOf,
  whenFree,
} from './change-charts.ts';
import { checkCells, sentences } from './check-cells.ts';
import type { Job, JobEnd, Upload } from './job-store.ts';
import { hasPermitFile, onlyUsed, removeSealed, type UploadFolder } from './licences.ts';
import { endRefresh, refreshCells } from './refresh-cells.ts';
import { fetchUpload, removeCopies, removeUpload, UploadRefused } from './upload-files.ts';

/** The service may use the previous charts for this long. */
const READERS_MS = 11_000;

/** Run a job. @throws UploadRefused, NoCharts, BuildStopped, JobCancelled, JobInterrupted; Error */
export async function runJob(input: JobInput): Promise<JobEnd> {
  const { job, uploads } = input;
  const upload = uploads.find(({ id }) => id === job.upload_id);
  if (job.kind === 'erase') return eraseCharts(input);
  if (job.kind === 'refresh') return refreshPublic(input);
  if (job.kind === 'rollback') return returnToBuild(input, job.build_id ?? '');
  const remaining = uploads.filter(({ is_live, id }) => is_live && id !== upload?.id);
  let end: JobEnd;
  if (job.kind === 'upload' && upload !== undefined) {
    end = await addUpload(input, upload, remaining);
  } else if (!remaining.some(hasCells) && !job.is_public) {
    end = await dropCharts(input);
  } else {
    // An upload that never became part of the charts needs no build.
    end =
      job.kind === 'delete' && upload?.is_live !== true
        ? await unchanged(input)
        : await changeCharts(
            input,
            await foldersOf(input, remaining),
            await goneWith(input, upload),
          ).catch((error: unknown) => {
            // The cells that are left cannot be used without those of the upload.
            const isLast = error instanceof NoCharts && job.kind === 'delete' && !job.is_public;
            if (!isLast) throw error;
            return dropCharts(input);
          });
  }
  if (job.kind === 'delete' && upload !== undefined) await removeFiles(input, upload);
  return end;
}

/** The account has no charts of its own any more. */
async function dropCharts({ job, bucket, work, progress }: JobInput): Promise<JobEnd> {
  progress.begin('publish');
  await progress.flush();
  await dropBuildsOfSet(bucket, job.account_id, 0, () => pause(READERS_MS));
  removeSealed(work, job.account_id);
  return { state: 'succeeded', message: 'The account sees the public charts.', kept: [] };
}

/** The charts without the upload are published. */
async function removeFiles(
  { job, bucket, work, removed }: JobInput,
  upload: Upload,
): Promise<void> {
  await removed();
  // Cells of the other uploads are decrypted again when they are needed.
  removeSealed(work, job.account_id);
  await removeUpload(bucket, work, upload).catch((error: Error) => {
    throw new UploadRefused(
      'The cells are no longer part of the charts, but files of the upload are still stored. Retry the job.',
      { cause: error },
    );
  });
}

const hasCells = ({ cells }: Upload): boolean => cells.some(isShown);

/**
 * Names of the cells that may disappear with an upload: its own, and all encrypted cells if it has permits, or if the
 * worker cannot decrypt any cell.
 */
async function goneWith(input: JobInput, upload: Upload | undefined): Promise<Set<string>> {
  if (upload === undefined) return new Set();
  const own = upload.cells.map(({ name }) => name);
  const { job, bucket, licensing, progress } = input;
  if (job.is_public) return new Set(own);
  const current = await readPointer(bucketOfSet(bucket, job.account_id));
  const encrypted = current?.cells.filter(({ s63 }) => s63 !== undefined) ?? [];
  if (encrypted.length === 0) return new Set(own);
  if (licensing === undefined) progress.log('warning', NO_LICENSING);
  else if (!(await mayHavePermits(input, upload))) return new Set(own);
  return new Set([...own, ...encrypted.map(({ name }) => name)]);
}

const NO_LICENSING =
  'This worker has no S-63 settings, so the encrypted cells of the account are not shown. The operator of the service gives all workers the same settings.';

const hasPermits = (files: readonly PermitFile[]): boolean =>
  files.some(({ permits }) => permits.length > 0);

/** An upload without cells was kept for its permits. */
async function mayHavePermits(input: JobInput, upload: Upload): Promise<boolean> {
  if (!hasCells(upload)) return true;
  try {
    const files = await permitsIn(input, await foldersOf(input, [upload]));
    return hasPermits(files);
  } catch (error) {
    // Its files may be missing, for example because an interrupted attempt has deleted them.
    if (!(error instanceof UploadRefused)) throw error;
    return true;
  }
}

/** Uploads to the public charts stay: they belong to the service. */
async function eraseCharts({ job, bucket, work, publicUploads }: JobInput): Promise<JobEnd> {
  const staying = new Set(publicUploads.map(({ id }) => id));
  await dropBuildsOfSet(bucket, job.account_id, 0);
  removeSealed(work, job.account_id);
  rmSync(buildFolder(work), { recursive: true, force: true });
  const prefix = `chart-uploads/${job.account_id}/`;
  for (const key of (await bucket.list(prefix)) ?? []) {
    const [id = ''] = key.slice(prefix.length).split('/');
    if (id === '' || staying.has(id)) continue;
    removeCopies(work, id);
    await bucket.delete(key);
  }
  return { state: 'succeeded', message: 'The charts of the account were deleted.' };
}

/** Make an earlier build of the account current, until its charts or the public ones change. */
async function returnToBuild(input: JobInput, buildId: string): Promise<JobEnd> {
  const { job, bucket, progress } = input;
  const overBuild = input.below()?.buildId ?? '';
  progress.begin('publish');
  await progress.flush();
  try {
    await whenFree(input, () => returnTo(bucketOfSet(bucket, job.account_id), buildId));
  } catch (error) {
    if (!(error instanceof NothingToRollBack || error instanceof PartsRefused)) throw error;
    throw new UploadRefused(
      'This version of the charts is not stored any more. Nothing was changed.',
    );
  }
  return {
    ...{
      state: 'succeeded',
      message: 'The account sees the earlier version of its charts.',
      buildId,
    },
    kept: await dropOldBuilds(input),
    overBuild,
  };
}

const INCOMPLETE =
  'Some cells could not be updated; the messages of the job list them. The public charts have the other new editions.';

async function refreshPublic(input: JobInput): Promise<JobEnd> {
  const { sync, producers = [], work, progress } = input;
  if (sync === undefined) {
    throw new UploadRefused(
      'This worker has no producers. Nothing was changed. The operator of the service sets LEADLINE_SYNC for all workers.',
    );
  }
  progress.begin('refresh');
  let isComplete = true;
  const gone = await refreshCells(work, producers, async () => {
    isComplete = await sync((line) => progress.log('info', line));
  });
  if (!isComplete) progress.log('warning', INCOMPLETE);
  const end = await changeCharts(input, await foldersOf(input, input.publicUploads), gone);
  endRefresh(work);
  return { ...end, message: isComplete ? 'The public charts have the new editions.' : INCOMPLETE };
}

async function unchanged({ job, bucket }: JobInput): Promise<JobEnd> {
  const own = job.is_public ? undefined : await readPointer(bucketOfSet(bucket, job.account_id));
  const overBuild = own === undefined ? undefined : '';
  return { state: 'succeeded', message: 'The charts did not change.', overBuild };
}

async function addUpload(
  input: JobInput,
  upload: Upload,
  live: readonly Upload[],
): Promise<JobEnd> {
  const { bucket, work, progress } = input;
  progress.begin('receive');
  const fetched = await fetchUpload(bucket, work, upload);
  let end: JobEnd | undefined;
  try {
    end = await addCells(input, { folder: fetched, cells: [] }, await foldersOf(input, live));
    return end;
  } finally {
    if (end?.state !== 'succeeded') removeCopies(work, upload.id);
  }
}

async function addCells(
  input: JobInput,
  own: UploadFolder,
  live: readonly UploadFolder[],
): Promise<JobEnd> {
  const { progress } = input;
  progress.begin('check');
  const { cells: checked, problems } = await check(input, own, live);
  for (const text of problems) progress.log('warning', text);
  if (checked.length === 0) return await addPermits(input, own, live, problems);
  let cells = checked;
  for (;;) {
    const accepted = cells.filter(isShown).map(({ name }) => name);
    if (accepted.length === 0) {
      const isWithPermits = hasPermits(await permitsIn(input, [own]));
      const message = refusedText(cells) + (isWithPermits ? NOT_KEPT : '');
      return { state: 'failed', message, cells };
    }
    const used = [...live, { ...own, cells: accepted }];
    const willPublish = (buildId: string) => input.willPublish(buildId, cells);
    const end = await changeCharts({ ...input, willPublish }, used, new Set(), (manifest) => {
      cells = withRefusals(cells, manifest);
      return cells.filter(isShown).length === accepted.length;
    });
    if (end.state !== 'cancelled') return { ...end, message: addedText(cells), cells };
  }
}

/** Milliseconds for one cell: many times the largest real one, without its tiles. */
const CHECK_TIMEOUT_MS = 120_000;

async function check(input: JobInput, own: UploadFolder, live: readonly UploadFolder[]) {
  const { enc, work, progress, threads } = input;
  const pool = openBuildThreads(threads, { jobTimeoutMs: CHECK_TIMEOUT_MS });
  try {
    const below = [...(await foldersBelow(input)), ...live];
    return await checkCells({
      fetched: own.folder,
      others: [...enc, ...below.map(({ folder }) => folder)],
      unlock: onlyUsed(await unlockOf(input, [...live, own]), below),
      pool,
      cacheFolder: cacheFolder(work),
      progress,
    });
  } finally {
    await pool.close();
  }
}

/** Use the permits of an upload without cells. Charts that were refused need another attempt. */
async function addPermits(
  input: JobInput,
  own: UploadFolder,
  live: readonly UploadFolder[],
  problems: readonly string[],
): Promise<JobEnd> {
  const files = await permitsIn(input, [own]);
  const refused = files.flatMap((file) => [...file.refused.values()]);
  const texts = sentences(refused);
  for (const text of texts) input.progress.log('warning', text);
  const count = files.reduce((sum, { permits }) => sum + permits.length, 0);
  if (files.length === 0 || count === 0) {
    throw noCells([...texts, ...problems], await hasPermitFile(own.folder));
  }
  const again = refusedBefore(input.uploads, files, live);
  const message =
    `${count} ${count === 1 ? 'permit is' : 'permits are'} kept for the charts of the account.` +
    (again.length === 0
      ? ''
      : ` Upload again, because they were refused before: ${namesOf(again)}.`);
  const end = live.some(({ cells }) => cells.length > 0)
    ? await changeCharts(input, [...live, own], new Set())
    : await unchanged(input);
  return { ...end, message, cells: [] };
}

/** Cells that an upload was accepted without, for lack of a permit that is among these. */
function refusedBefore(
  uploads: readonly Upload[],
  files: readonly PermitFile[],
  live: readonly UploadFolder[],
): readonly string[] {
  const shown = new Set(live.flatMap(({ cells }) => cells));
  const permitted = new Set(files.flatMap(({ permits }) => permits.map(({ cell }) => cell)));
  const refused = uploads
    .filter(({ is_live }) => is_live)
    .flatMap(({ cells }) => cells)
    .filter(({ problems }) => problems.some((text) => /^SSE (1[0135]|21):/.test(text)));
  const names = refused.map(({ name }) => name);
  return [...new Set(names)].filter((name) => permitted.has(name) && !shown.has(name));
}

const noCells = (problems: readonly string[], hasPermitFiles: boolean) => {
  if (hasPermitFiles && problems.length === 0) {
    return new UploadRefused(
      'Permits are not used: they belong to the charts of an account, and the operator of this service must have set it up for encrypted charts (S-63).',
    );
  }
  return new UploadRefused(
    problems.length === 0
      ? 'The upload has no cell and no permit file (SSE 11): no file has a name such as US5WA22M.000 or PERMIT.TXT.'
      : `The upload has no cell that can be read. ${problems.slice(0, 5).join(' ')}`,
  );
};
/** Cells that the build could read but not show. */
function withRefusals(cells: readonly CellReport[], { cells: built }: Manifest): CellReport[] {
  const byName = new Map(built.map((cell) => [cell.name, cell]));
  return cells.map((cell) => {
    const found = byName.get(cell.name);
    if (cell.outcome === 'refused' || found?.status !== 'refused') return cell;
    return { ...cell, outcome: 'refused', problems: sentences(found.problems) };
  });
}

const NOT_KEPT = ' Its permits are not kept for other uploads: upload them without the cells.';

function refusedText(cells: readonly CellReport[]): string {
  const [first] = cells;
  return cells.length === 1
    ? `${first?.name} was refused. ${first?.problems[0] ?? ''}`
    : `All ${cells.length} cells were refused. The list of cells states why.`;
}

function addedText(cells: readonly CellReport[]): string {
  const refused = cells.filter((cell) => !isShown(cell)).length;
  const withdrawn = cells.filter(({ outcome }) => outcome === 'cancelled').length;
  const added = cells.length - refused - withdrawn;
  return [
    `${added} ${added === 1 ? 'cell is' : 'cells are'} part of the charts.`,
    ...(withdrawn === 0 ? [] : [`${withdrawn} withdrawn.`]),
    ...(refused === 0 ? [] : [`${refused} refused: the list of cells states why.`]),
  ].join(' ');
}

export const NOT_DELETED = 'The deletion is not complete. Retry the job.';

/** The outcome of a job that failed, as a sentence for its user. */
export function failureText(error: unknown, kind: Job['kind']): string {
  if (error instanceof UploadRefused || error instanceof NoCharts) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|no space left|disk is full/i.test(text)) {
    const changed = kind === 'delete' ? 'The deletion is not complete' : 'Nothing was changed';
    return `The disk of the worker or of the service is full. ${changed}. Free space, then retry the job.`;
  }
  if (error instanceof BuildStopped) {
    return 'The machine of the worker failed. Nothing was changed. Ask the operator of the service, then retry the job.';
  }
  if (kind === 'delete') return NOT_DELETED;
  return 'The job failed. Nothing was changed. The log of the worker states the cause. Ask the operator of the service.';
}
