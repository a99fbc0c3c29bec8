// One job: receive the files of the upload, check its cells, build the charts, publish them. Nothing
// that is live changes before the last step, and each step can be repeated.

import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { type CellReport, isShown } from '../../shared/contract/charts.ts';
import type { Unlock } from '../exchange-set/cell-source.ts';
import { findCells } from '../exchange-set/exchange-set.ts';
import { buildCharts } from '../pipeline/build-charts.ts';
import { BuildStopped } from '../pipeline/build-context.ts';
import { NoCharts } from '../pipeline/build-report.ts';
import { openBuildThreads } from '../pipeline/build-threads.ts';
import type { FileBucket } from '../publish/bucket.ts';
import { readPointer } from '../publish/history.ts';
import { lostCells } from '../publish/lost-cells.ts';
import { publishBuild } from '../publish/publish.ts';
import { bucketOfSet, dropBuildsOfSet } from '../publish/set-pointers.ts';
import { BucketBusy } from '../publish/unfinished-uploads.ts';
import { checkCells, sentences } from './check-cells.ts';
import type { JobProgress } from './job-progress.ts';
import type { Job, JobEnd, Upload } from './job-store.ts';
import {
  isPermitFile,
  type Licensing,
  NOT_CONFIGURED,
  NOT_PUBLIC,
  onlyUsed,
  permitFilesIn,
  removeSealed,
  type UploadFolder,
  unlockFor,
} from './licences.ts';
import {
  cellsOfLive,
  fetchUpload,
  removeCopies,
  removeUpload,
  UploadRefused,
} from './upload-files.ts';

export interface ChartSources {
  /** Files, folders and zips of the public cells. */
  readonly enc: readonly string[];
  readonly background?: string | undefined;
  readonly bucket: FileBucket;
  /** Settings for encrypted charts; without them, these are refused. */
  readonly licensing?: Licensing | undefined;
  /** Local folder for files of jobs and results of builds. */
  readonly work: string;
  /** Worker threads. */
  readonly threads: number;
}

interface JobInput extends ChartSources {
  readonly job: Job;
  readonly uploads: readonly Upload[];
  /** Uploads to the public charts. */
  readonly publicUploads: readonly Upload[];
  readonly progress: JobProgress;
}

/** Builds of an account that are kept, for updates of offline regions. */
const KEPT_BUILDS = 3;
const PUBLISH_TRIES = 120;
const BUSY_MS = 1000;
/** The service may use the previous charts for this long. */
const READERS_MS = 11_000;

/** One folder for all charts: they share most parts, and a build writes only the others. */
const buildFolder = (work: string): string => join(work, 'build');

/** Run a job. @throws UploadRefused, NoCharts, BuildStopped, JobCancelled, JobInterrupted; Error */
export async function runJob(input: JobInput): Promise<JobEnd> {
  const { job, bucket, work, uploads, progress } = input;
  const upload = uploads.find(({ id }) => id === job.upload_id);
  if (job.kind === 'erase') return eraseCharts(input);
  const remaining = uploads.filter(({ is_live, id }) => is_live && id !== upload?.id);
  let end: JobEnd;
  if (job.kind === 'upload' && upload !== undefined) {
    end = await addUpload(input, upload, remaining);
  } else if (!remaining.some(hasCells) && !job.is_public) {
    progress.begin('publish');
    await progress.flush();
    await dropBuildsOfSet(bucket, job.account_id, 0, () => pause(READERS_MS));
    removeSealed(work, job.account_id);
    end = { state: 'succeeded', message: 'The account sees the public charts.' };
  } else {
    const gone = await goneWith(input, upload);
    // An upload that never became part of the charts needs no build.
    end =
      job.kind === 'delete' && upload?.is_live !== true
        ? await unchanged(input)
        : await changeCharts(input, await foldersOf(input, remaining), gone);
  }
  if (job.kind === 'delete' && upload !== undefined) await removeUpload(bucket, work, upload);
  return end;
}

const hasCells = ({ cells }: Upload): boolean => cells.some(isShown);

/** Names of the cells that may disappear with an upload: its own, or with permits all encrypted ones. */
async function goneWith({ job, bucket }: JobInput, upload: Upload | undefined) {
  if (upload === undefined || hasCells(upload)) {
    return new Set((upload?.cells ?? []).map(({ name }) => name));
  }
  const current = await readPointer(bucketOfSet(bucket, job.account_id));
  const encrypted = current?.cells.filter(({ s63 }) => s63 !== undefined) ?? [];
  return new Set(encrypted.map(({ name }) => name));
}

async function eraseCharts({ job, bucket, work }: JobInput): Promise<JobEnd> {
  await dropBuildsOfSet(bucket, job.account_id, 0);
  removeSealed(work, job.account_id);
  rmSync(buildFolder(work), { recursive: true, force: true });
  for (const key of (await bucket.list(`chart-uploads/${job.account_id}/`)) ?? []) {
    await bucket.delete(key);
  }
  return { state: 'succeeded', message: 'The charts of the account were deleted.' };
}

async function unchanged({ job, bucket }: JobInput): Promise<JobEnd> {
  const own = await readPointer(job.is_public ? bucket : bucketOfSet(bucket, job.account_id));
  const overBuild = own === undefined ? undefined : (await readPointer(bucket))?.buildId;
  return { state: 'succeeded', message: 'The charts did not change.', overBuild };
}

const foldersOf = async ({ bucket, work }: ChartSources, uploads: readonly Upload[]) => {
  const folders: UploadFolder[] = [];
  for (const one of uploads) folders.push(await cellsOfLive(bucket, work, one));
  return folders;
};

/** Uploads to the public charts that are below the charts of an account. */
const foldersBelow = async (input: JobInput): Promise<UploadFolder[]> =>
  input.job.is_public ? [] : foldersOf(input, input.publicUploads);

/** The permits in uploads; none for the public charts. */
async function permitsIn({ job, licensing }: JobInput, uploads: readonly UploadFolder[]) {
  if (job.is_public || licensing === undefined) return [];
  const { identity } = licensing;
  return (await Promise.all(uploads.map((one) => permitFilesIn(one.folder, identity)))).flat();
}

/** Decrypts the cells of the account with the permits in its uploads. */
async function unlockOf(input: JobInput, uploads: readonly UploadFolder[]): Promise<Unlock> {
  const { job, licensing, work } = input;
  if (job.is_public) return NOT_PUBLIC;
  if (licensing === undefined) return NOT_CONFIGURED;
  return unlockFor(work, job.account_id, licensing, await permitsIn(input, uploads));
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
    if (accepted.length === 0) return { state: 'failed', message: refusedText(cells), cells };
    const used = [...live, { ...own, cells: accepted }];
    const end = await changeCharts(input, used, new Set(), (manifest) => {
      cells = withRefusals(cells, manifest);
      return cells.filter(isShown).length === accepted.length;
    });
    if (end.state !== 'cancelled') return { ...end, message: addedText(cells), cells };
  }
}

async function check(input: JobInput, own: UploadFolder, live: readonly UploadFolder[]) {
  const { enc, work, progress, threads } = input;
  const pool = openBuildThreads(threads);
  try {
    const below = [...(await foldersBelow(input)), ...live];
    return await checkCells({
      fetched: own.folder,
      others: [...enc, ...below.map(({ folder }) => folder)],
      unlock: onlyUsed(await unlockOf(input, [...live, own]), below),
      pool,
      cacheFolder: join(work, 'cache'),
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
  for (const { message } of refused) input.progress.log('warning', message);
  const count = files.reduce((sum, { permits }) => sum + permits.length, 0);
  if (files.length === 0 || count === 0) {
    throw noCells(
      [...refused.map(({ message }) => message), ...problems],
      (await readdir(own.folder, { recursive: true })).some(isPermitFile),
    );
  }
  const message = `${count} ${count === 1 ? 'permit is' : 'permits are'} kept for the charts of the account.`;
  const end = live.some(({ cells }) => cells.length > 0)
    ? await changeCharts(input, [...live, own], new Set())
    : await unchanged(input);
  return { ...end, message, cells: [] };
}

const noCells = (problems: readonly string[], hasPermitFiles: boolean) => {
  if (hasPermitFiles && problems.length === 0) {
    return new UploadRefused(
      'Permits are not used: they belong to the charts of an account, and the operator of this service must have set it up for encrypted charts (S-63).',
    );
  }
  return new UploadRefused(
    problems.length === 0
      ? 'The upload has no cell: no file has a name such as US5WA22M.000.'
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

function refusedText(cells: readonly CellReport[]): string {
  const [first] = cells;
  return cells.length === 1
    ? `${first?.name} was refused. ${first?.problems[0] ?? ''}`
    : `All ${cells.length} cells were refused. The list of cells states why.`;
}

function addedText(cells: readonly CellReport[]): string {
  const refused = cells.filter((cell) => !isShown(cell)).length;
  const added = cells.length - refused;
  const text = `${added} ${added === 1 ? 'cell is' : 'cells are'} part of the charts.`;
  return refused === 0 ? text : `${text} ${refused} refused: the list of cells states why.`;
}

/**
 * Build and publish the charts with these uploads.
 * @param gone names of cells that may disappear
 * @param accepts whether the build may be published; otherwise the state is `cancelled`
 */
async function changeCharts(
  input: JobInput,
  uploads: readonly UploadFolder[],
  gone: ReadonlySet<string>,
  accepts: (manifest: Manifest) => boolean = () => true,
): Promise<JobEnd> {
  const { job, bucket, work, enc, background, threads, progress } = input;
  const target = job.is_public ? bucket : bucketOfSet(bucket, job.account_id);
  const [current, below] = [await readPointer(target), await readPointer(bucket)];
  const out = buildFolder(work);
  let isLicensed = true;
  const used = [...(await foldersBelow(input)), ...uploads];
  const sources = [...enc, ...used.map(({ folder }) => folder)];
  const replaced = [current, job.is_public ? undefined : below];
  const stays = (name: string) => !gone.has(name);
  await requireSources(sources, replaced, stays);
  progress.begin('build');
  try {
    const { manifest } = await buildCharts({
      enc: sources,
      unlock: onlyUsed(await unlockOf(input, uploads), used),
      out,
      cache: join(work, 'cache'),
      background,
      jobs: threads,
      progress: progress.build,
      ...(job.is_public ? {} : { set: job.account_id }),
    });
    isLicensed = manifest.s63 !== undefined;
    if (!accepts(manifest)) return { state: 'cancelled', message: '' };
    for (const one of replaced) {
      const lost = one === undefined ? [] : lostCells(one, manifest, stays);
      if (lost.length > 0) throw new UploadRefused(lostText(lost));
    }
    progress.begin('publish');
    // Only the worker that still has the lock may publish.
    await progress.flush();
    const { buildId } = await publish(input, out);
    if (!job.is_public) await dropBuildsOfSet(bucket, job.account_id, KEPT_BUILDS);
    const overBuild = job.is_public ? undefined : (below?.buildId ?? '');
    return { state: 'succeeded', message: 'The charts were built again.', buildId, overBuild };
  } finally {
    // Parts made of encrypted charts are not kept here.
    if (isLicensed) rmSync(out, { recursive: true, force: true });
  }
}

/**
 * Require files of each cell that these builds show, because a build without them would be refused after
 * its whole work. @throws UploadRefused
 */
async function requireSources(
  sources: readonly string[],
  builds: readonly (Manifest | undefined)[],
  stays: (name: string) => boolean,
): Promise<void> {
  const { cells } = await findCells(sources);
  const found = { cells: cells.map(({ name }) => ({ name, status: 'used' as const })) };
  const lost = builds.flatMap((one) => (one === undefined ? [] : lostCells(one, found, stays)));
  if (lost.length > 0) throw new UploadRefused(lostText([...new Set(lost)]));
}

/** Publish a build. Waits while builds are being deleted. */
async function publish({ job, bucket, progress }: JobInput, folder: string) {
  const target = job.is_public ? bucket : bucketOfSet(bucket, job.account_id);
  for (let tries = 1; ; tries++) {
    try {
      return await publishBuild(folder, target, { below: () => readPointer(bucket) });
    } catch (error) {
      if (!(error instanceof BucketBusy) || tries === PUBLISH_TRIES) throw error;
    }
    await pause(BUSY_MS);
    progress.check();
  }
}

const lostText = (lost: readonly string[]): string =>
  `The new charts would lack ${lost.length === 1 ? 'a cell' : `${lost.length} cells`} that the charts have: ` +
  `${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ' and others' : ''}. Nothing was changed. The operator of the service must start the worker with all cells of the public charts (LEADLINE_CELLS, or --enc of charts work).`;

/** The outcome of a job that failed, as a sentence for its user. */
export function failureText(error: unknown): string {
  if (error instanceof UploadRefused || error instanceof NoCharts) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|no space left|disk is full/i.test(text)) {
    return 'The disk of the worker or of the service is full. Nothing was changed. Free space, then retry the job.';
  }
  if (error instanceof BuildStopped) {
    return 'The machine of the worker failed. Nothing was changed. Ask the operator of the service, then retry the job.';
  }
  return 'The job failed. Nothing was changed. The log of the worker states the cause. Ask the operator of the service.';
}
