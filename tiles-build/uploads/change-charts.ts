// Builds the charts of a job from the public cells and those of uploads, and publishes them. Nothing that is
// live changes before the last step, and each step can be repeated.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Manifest, ManifestCell } from '../../shared/chart/manifest.ts';
import type { CellReport } from '../../shared/contract/charts.ts';
import { DamagedFile } from '../archive/system-error.ts';
import type { Unlock } from '../exchange-set/cell-source.ts';
import { findCells } from '../exchange-set/exchange-set.ts';
import { type BuildOptions, buildCharts } from '../pipeline/build-charts.ts';
import { BuildStopped } from '../pipeline/build-context.ts';
import { NoCharts } from '../pipeline/build-report.ts';
import { removeUnfinishedInCache } from '../pipeline/out-folder.ts';
import type { FileBucket } from '../publish/bucket.ts';
import { readPointer } from '../publish/history.ts';
import { lostCells } from '../publish/lost-cells.ts';
import { publishBuild } from '../publish/publish.ts';
import { bucketOfSet, dropBuildsOfSet } from '../publish/set-pointers.ts';
import { BucketBusy, PRUNING_MS } from '../publish/unfinished-uploads.ts';
import { sentences } from './check-cells.ts';
import type { JobProgress } from './job-progress.ts';
import type { Job, JobEnd, Upload } from './job-store.ts';
import {
  type Licensing,
  NOT_CONFIGURED,
  NOT_PUBLIC,
  onlyUsed,
  permitFilesIn,
  type UploadFolder,
  unlockFor,
} from './licences.ts';
import { type Producer, type Sync, withdrawnCells } from './refresh-cells.ts';
import { cellsOfLive, UploadRefused } from './upload-files.ts';

export interface ChartSources {
  /** Files, folders and zips of the public cells. */
  readonly enc: readonly string[];
  readonly background?: string | undefined;
  readonly bucket: FileBucket;
  /** Settings for encrypted charts; without them, these are refused. */
  readonly licensing?: Licensing | undefined;
  /** Their folders are among `enc`. Only their cells can be withdrawn. */
  readonly producers?: readonly Producer[] | undefined;
  /** Downloads new editions of `producers`; absent without producers. */
  readonly sync?: Sync | undefined;
  /** Local folder for files of jobs and results of builds. */
  readonly work: string;
  /** Cache of the build of the public charts, if it is on this machine. */
  readonly reuse?: string | undefined;
  /** Worker threads. */
  readonly threads: number;
}

export interface JobInput extends ChartSources {
  readonly job: Job;
  readonly uploads: readonly Upload[];
  /** Uploads to the public charts. */
  readonly publicUploads: readonly Upload[];
  /** The published public build, read before these uploads. @throws UploadRefused if it is damaged */
  readonly below: () => Manifest | undefined;
  readonly progress: JobProgress;
  /** Record the build before it is published: the job may end before its outcome is stored. */
  readonly willPublish: (buildId: string, cells?: readonly CellReport[]) => Promise<void>;
  /** Record that the charts without the deleted upload are published. */
  readonly removed: () => Promise<void>;
}

/** Builds of an account that are kept, for rollbacks and updates of offline regions. */
const KEPT_BUILDS = 3;
const BUSY_MS = 1000;
/** A killed deletion of another machine ends in this time. */
const PUBLISH_TRIES = PRUNING_MS / BUSY_MS + 30;

/** One folder for all charts: they share most parts, and a build writes only the others. */
export const buildFolder = (work: string): string => join(work, 'build');
/** Parts made of encrypted charts are here, and only during a job. */
const licensedFolder = (work: string): string => join(work, 'licensed-build');
export const cacheFolder = (work: string): string => join(work, 'cache');

/** Delete what a killed worker left. */
export function removeLeftovers(work: string): void {
  rmSync(licensedFolder(work), { recursive: true, force: true });
  if (existsSync(cacheFolder(work))) removeUnfinishedInCache(cacheFolder(work));
}

/**
 * Build and publish the charts with these uploads.
 * @param gone names of cells that may disappear
 * @param accepts whether the build may be published; otherwise the state is `cancelled`
 * @throws NoCharts if no cell can be used and none must stay; UploadRefused if one must stay
 */
export async function changeCharts(
  input: JobInput,
  uploads: readonly UploadFolder[],
  gone: ReadonlySet<string>,
  accepts: (manifest: Manifest) => boolean = () => true,
): Promise<JobEnd> {
  const { job, bucket, work, enc, background, threads, progress } = input;
  const below = job.is_public ? undefined : input.below();
  const target = job.is_public ? bucket : bucketOfSet(bucket, job.account_id);
  const current = await readPointer(target);
  const isLicensed = (await permitsIn(input, uploads)).length > 0;
  const out = isLicensed ? licensedFolder(work) : buildFolder(work);
  const used = [...(await foldersBelow(input)), ...uploads];
  const sources = [...enc, ...used.map(({ folder }) => folder)];
  const own = new Set(uploads.flatMap(({ cells }) => cells));
  const replaced: readonly Replaced[] = job.is_public
    ? [{ build: current, stays: (name) => !gone.has(name) }]
    : [
        { build: below, stays: await staysBelow(input) },
        // It also shows public cells, which may have been withdrawn since.
        { build: current, stays: (name) => own.has(name) && !gone.has(name) },
      ];
  await requireSources(sources, replaced);
  progress.begin('build');
  try {
    const { manifest } = await buildReusing(input.reuse, {
      enc: sources,
      unlock: onlyUsed(await unlockOf(input, uploads), used),
      out,
      cache: cacheFolder(work),
      background,
      jobs: threads,
      progress: progress.build,
      ...(job.is_public ? {} : { set: job.account_id }),
    }).catch((error: unknown) => {
      if (error instanceof NoCharts) requireCells(replaced, error);
      throw error;
    });
    if (!accepts(manifest)) return { state: 'cancelled', message: '' };
    requireCells(replaced, manifest);
    progress.begin('publish');
    // Only the worker that still has the lock may publish.
    await progress.flush();
    await input.willPublish(manifest.buildId);
    const { buildId } = await whenFree(input, () =>
      publishBuild(out, target, { below: () => readPointer(bucket) }),
    );
    const end = { state: 'succeeded', message: 'The charts were built again.', buildId } as const;
    if (job.is_public) return end;
    return { ...end, kept: await dropOldBuilds(input), overBuild: below?.buildId ?? '' };
  } finally {
    if (isLicensed) rmSync(out, { recursive: true, force: true });
  }
}

/**
 * Delete the oldest versions of the charts of the account. Its charts are live, so a failure does not end the job.
 * @returns ids of the others; undefined if some versions could not be deleted
 */
export const dropOldBuilds = ({ job, bucket, progress }: JobInput) =>
  dropBuildsOfSet(bucket, job.account_id, KEPT_BUILDS).catch(() => {
    progress.log('warning', 'Old versions of the charts are deleted later.');
    return undefined;
  });

/**
 * A build that stops is repeated once, without results of another cache: they may be damaged, or a cell has
 * changed meanwhile.
 */
async function buildReusing(reuse: string | undefined, options: BuildOptions) {
  try {
    return await buildCharts({ ...options, reuse });
  } catch (error) {
    if (!(error instanceof BuildStopped || error instanceof DamagedFile)) throw error;
    return buildCharts(options);
  }
}

/** Which public cells must stay. An interrupted refresh has removed the others, and publishes that when it continues. */
async function staysBelow({ work, producers = [] }: ChartSources) {
  const withdrawn = await withdrawnCells(work, producers);
  return (name: string) => !withdrawn.has(name);
}

/** A build that the new one replaces, and which of its cells the new one must show. */
interface Replaced {
  readonly build: Manifest | undefined;
  readonly stays: (name: string) => boolean;
}

/**
 * Require files of each cell that must stay, because a build without them would be refused after its
 * whole work. @throws UploadRefused
 */
async function requireSources(
  sources: readonly string[],
  replaced: readonly Replaced[],
): Promise<void> {
  const { cells } = await findCells(sources);
  requireCells(replaced, { cells: cells.map(({ name }) => ({ name, status: 'used' })) });
}

type Next = Pick<ManifestCell, 'name' | 'status'> & Partial<Pick<ManifestCell, 'problems'>>;

/** @throws UploadRefused if cells that must stay are missing */
function requireCells(
  replaced: readonly Replaced[],
  next: { readonly cells: readonly Next[] },
): void {
  const lost = new Set<string>();
  const locked = new Set<string>();
  for (const { build, stays } of replaced) {
    const names = new Set(build === undefined ? [] : lostCells(build, next, stays));
    for (const { name, s63 } of build?.cells ?? []) {
      if (names.has(name)) (s63 === undefined ? lost : locked).add(name);
    }
  }
  const problemOf = ([first]: ReadonlySet<string>) =>
    sentences(next.cells.find(({ name }) => name === first)?.problems ?? [])[0];
  if (lost.size > 0) throw new UploadRefused(lostText([...lost], problemOf(lost)));
  if (locked.size > 0) throw new UploadRefused(lockedText([...locked], problemOf(locked)));
}

/** Publish a build, or return to one. Waits while builds are being deleted. */
export async function whenFree<T>({ progress }: JobInput, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BucketBusy) || tries === PUBLISH_TRIES) throw error;
    }
    await pause(BUSY_MS);
    progress.check();
  }
}

const lostText = (lost: readonly string[], problem?: string): string =>
  `The new charts would lack ${lost.length === 1 ? 'a cell' : `${lost.length} cells`} that the charts have: ` +
  `${namesOf(lost)}. Nothing was changed. ` +
  (problem === undefined
    ? `The operator of the service must start the worker with all cells of the public charts (LEADLINE_CELLS, or --enc of charts work).`
    : `${problem} If it is in an upload, delete that or upload another edition; otherwise the operator of the service corrects the public cells.`);

const lockedText = (locked: readonly string[], problem = ''): string =>
  `Encrypted cells of the charts can no longer be decrypted: ${namesOf(locked)}. Nothing was changed. ` +
  `Check the permits; the operator of the service checks the S-63 settings and the key of the scheme administrator. ${problem}`.trimEnd();

/** The first cells of a list, for messages. */
export const namesOf = (cells: readonly string[]): string =>
  `${cells.slice(0, 5).join(', ')}${cells.length > 5 ? ' and others' : ''}`;

export const foldersOf = async ({ bucket, work }: ChartSources, uploads: readonly Upload[]) => {
  const folders: UploadFolder[] = [];
  for (const one of uploads) folders.push(await cellsOfLive(bucket, work, one));
  return folders;
};

/** Uploads to the public charts that are below the charts of an account. */
export const foldersBelow = async (input: JobInput): Promise<UploadFolder[]> =>
  input.job.is_public ? [] : foldersOf(input, input.publicUploads);

/** The permits in uploads; none for the public charts. */
export async function permitsIn({ job, licensing }: JobInput, uploads: readonly UploadFolder[]) {
  if (job.is_public || licensing === undefined) return [];
  const { identity } = licensing;
  return (await Promise.all(uploads.map((one) => permitFilesIn(one.folder, identity)))).flat();
}

/** Decrypts the cells of the account with the permits in its uploads. */
export async function unlockOf(input: JobInput, uploads: readonly UploadFolder[]): Promise<Unlock> {
  const { job, licensing, work } = input;
  if (job.is_public) return NOT_PUBLIC;
  if (licensing === undefined) return NOT_CONFIGURED;
  return unlockFor(work, job.account_id, licensing, await permitsIn(input, uploads));
}
