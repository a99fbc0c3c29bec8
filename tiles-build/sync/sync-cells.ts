// Updates a folder of zips from a producer. Each new zip is written to a temporary file and checked with
// the reader of the build. It then replaces the old zip in one step, unless it contains an older edition or
// update, or lacks the cell or its base.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { digestFile } from '../archive/file-digest.ts';
import { inLockedFolder } from '../archive/folder-lock.ts';
import { isSystemError } from '../archive/system-error.ts';
import { download, type RetryOptions } from '../fetch/download.ts';
import { companionFiles, forgetCompleteParts } from '../fetch/file-version.ts';
import { writeProvenance } from '../fetch/provenance.ts';
import { type CellVersion, compareVersions, versionText } from './catalogue.ts';
import { type FetchStep, type LocalZip, planSync, type RemoveStep, type SyncPlan } from './plan.ts';
import type { ProducerCatalogue } from './read-catalogue.ts';
import type { Selection } from './selection.ts';
import { type Notes, noteOf, readLocalZips, readNotes, writeNotes } from './sync-notes.ts';
import { readZipContent, type ZippedCell, ZipRefused } from './zip-content.ts';

export interface SyncOptions {
  readonly folder: string;
  readonly catalogue: ProducerCatalogue;
  readonly selection: Selection;
  /** Remove cells outside the selection. Otherwise they are kept up to date. */
  readonly removeUnselected: boolean;
  /**
   * Remove zips even if a large share of them is no longer offered or they have several cells, and cells that a
   * zip no longer contains.
   */
  readonly removeMany: boolean;
  /** Accept files whose CRC-32 differs from CATALOG.031. */
  readonly acceptBadChecksums?: boolean;
  /** Number of concurrent downloads. */
  readonly atOnce: number;
  /** Current time in epoch milliseconds. */
  readonly now: number;
  readonly retry?: RetryOptions;
  readonly progress?: { start(stage: string, total: number): void; step(detail: string): void };
}

export interface SyncReport {
  /** Names of new or updated zips. */
  readonly fetched: readonly string[];
  /** Requested, but identical to the local zip. */
  readonly unchanged: readonly string[];
  readonly removed: readonly RemoveStep[];
  /** Number of zips that needed no request. */
  readonly upToDateCount: number;
  /** Messages about failed downloads and unusable zips. The existing zips are kept. */
  readonly failures: readonly string[];
}

/**
 * If a run would remove more zips than this, and more than `MAX_REMOVED_SHARE` of them, it requires
 * `removeMany`, so that an incomplete catalogue does not empty the folder.
 */
const MAX_REMOVALS = 5;
const MAX_REMOVED_SHARE = 0.1;
/** The share of unlisted zips that a small folder may lose: the catalogue may be that of another producer. */
const MAX_UNLISTED_SHARE = 0.5;
/** Number of downloads between two writes of the notes, so that an interrupted run loses little. */
const NOTES_EVERY = 50;

/** Returns the plan without changing anything. */
export async function planFolder(options: SyncOptions): Promise<SyncPlan> {
  const notes = await readNotes(options.folder);
  const localZips = await readLocalZips(options.folder, notes, options.acceptBadChecksums);
  return planSync({ ...options, offered: options.catalogue.cells, localZips });
}

/**
 * Downloads newer cells, then removes zips according to the plan. If the process is killed, every zip is
 * still complete.
 * @throws FolderInUse before any change, if another process uses the folder
 */
export async function syncFolder(options: SyncOptions): Promise<SyncReport> {
  return inLockedFolder(options.folder, 'updated', () => syncLocked(options));
}

async function syncLocked(options: SyncOptions): Promise<SyncReport> {
  const { folder, catalogue, progress } = options;
  const notes = await readNotes(folder);
  const localZips = await readLocalZips(folder, notes, options.acceptBadChecksums);
  const plan = planSync({ ...options, offered: catalogue.cells, localZips });
  const failures: string[] = [];
  const fetched: string[] = [];
  const unchanged: string[] = [];

  await adopt(folder, plan.keep, localZips, notes, catalogue);
  if (plan.fetch.length > 0) progress?.start('fetch', plan.fetch.length);
  let doneCount = 0;
  let writing = Promise.resolve();
  const syncZip = async (step: FetchStep) => {
    const { name } = step.cell;
    try {
      const result = await fetchZip(step, options);
      notes.set(name, result.note);
      (result.isNew ? fetched : unchanged).push(name);
      if (result.shortfall !== undefined) failures.push(result.shortfall);
    } catch (error) {
      failures.push(reasonOf(name, error));
    }
    progress?.step(name);
    if (++doneCount % NOTES_EVERY === 0) {
      writing = writing.then(() => writeNotes(folder, notes));
      // The result is awaited below. Without this handler, an early failure would end the process
      // during the downloads.
      writing.catch(() => undefined);
    }
  };
  await pMap(plan.fetch, syncZip, { concurrency: options.atOnce });
  await writing;
  await forgetCompleteParts(folder);

  const zips = { before: localZips.size, now: new Set([...localZips.keys(), ...fetched]) };
  const removed = await removalsNow(plan, zips, options, failures);
  for (const { name } of removed) {
    const path = zipPath(folder, name);
    for (const file of [path, ...companionFiles(path)]) await rm(file, { force: true });
    notes.delete(name);
  }
  await writeNotes(folder, notes);
  if (fetched.length > 0) {
    await writeProvenance(folder, {
      format: 1,
      sourcedAt: options.now,
      sourceUrl: catalogue.source,
    });
  }
  return {
    fetched,
    unchanged,
    removed,
    upToDateCount: plan.keep.length,
    failures: [...failures, ...olderOffers(plan.keep, localZips, catalogue)].sort(),
  };
}

/** Returns the message of an error with the name of the cell, which system errors do not contain. */
function reasonOf(name: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return isSystemError(error) ? `${name} could not be written: ${reason}.` : reason;
}

/** Messages about editions that the catalogue offers again with a lower number. */
function olderOffers(
  names: readonly string[],
  localZips: ReadonlyMap<string, LocalZip>,
  { cells }: ProducerCatalogue,
): string[] {
  const kept = new Set(names);
  return cells.flatMap(({ name, version, zipTime }) => {
    const local = kept.has(name) ? localZips.get(name) : undefined;
    if (local?.version === undefined || version === undefined) return [];
    const isOlder = version.edition < local.version.edition;
    // With the same time, the zip is newer than the catalogue.
    if (!isOlder || !local.wasSynced || zipTime === local.zipTime) return [];
    return `${name}: the catalogue offers ${versionText(version)}, which is older than the local ${versionText(local.version)}. If the producer issued the cell again, delete ${name}.zip, then run the command again.`;
  });
}

/** Adds notes for zips that existed before the first sync and that the producer lists. */
async function adopt(
  folder: string,
  names: readonly string[],
  localZips: ReadonlyMap<string, { version: CellVersion | undefined }>,
  notes: Notes,
  catalogue: ProducerCatalogue,
): Promise<void> {
  const zipTimes = new Map(catalogue.cells.map(({ name, zipTime }) => [name, zipTime]));
  for (const name of names) {
    if (notes.has(name)) continue;
    const zipTime = zipTimes.get(name) ?? '';
    notes.set(name, await noteOf(zipPath(folder, name), localZips.get(name)?.version, zipTime));
  }
}

interface Fetched {
  readonly note: Awaited<ReturnType<typeof noteOf>>;
  readonly isNew: boolean;
  /** Message if the zip contains less than the catalogue promises. */
  readonly shortfall: string | undefined;
}

async function fetchZip(step: FetchStep, options: SyncOptions): Promise<Fetched> {
  const { cell, localVersion, ifChanged } = step;
  const { url } = cell;
  if (url === undefined) {
    throw new Error(`${cell.name} has no usable address in the catalogue.`);
  }
  const path = zipPath(options.folder, cell.name);
  let version = localVersion;
  let isSame = false;
  const result = await download({
    ...options.retry,
    url,
    path,
    ignoreCachedVersion: !ifChanged,
    check: async (part) => {
      version = await checkedVersion(part, step, options);
      // If the server sent neither ETag nor Last-Modified, only a comparison of the bytes shows a change.
      isSame = ifChanged && (await digestFile(part)).sha256 === (await digestFile(path)).sha256;
    },
  });
  if (result.kind === 'missing') throw new Error(`${cell.name} was not found at ${url}.`);
  const promised = cell.version;
  const isShort =
    promised !== undefined && version !== undefined && compareVersions(version, promised) < 0;
  const shortfall = isShort
    ? `${cell.name}: the catalogue promises ${versionText(promised)}, but the zip contains ${versionText(version!)}.`
    : undefined;
  // An empty time makes the next run request the zip again.
  const note = await noteOf(path, version, isShort ? '' : cell.zipTime);
  return { note, isNew: result.kind === 'downloaded' && !isSame, shortfall };
}

/** @throws ZipRefused if the zip must not replace the local one */
async function checkedVersion(
  part: string,
  { cell, localVersion }: FetchStep,
  {
    catalogue: { hasOneZipPerCell: isByCell },
    folder,
    acceptBadChecksums,
    removeMany,
  }: SyncOptions,
): Promise<CellVersion | undefined> {
  const cells = await readZipContent(part, cell.name, acceptBadChecksums);
  const byName = new Map(cells.map((one) => [one.name, one]));
  const own = { name: cell.name.toUpperCase(), version: localVersion, hasBase: true };
  // The local zip may be missing or damaged. One bad cell in it must not leave the others unprotected.
  const locals = isByCell
    ? [own]
    : await readZipContent(zipPath(folder, cell.name), cell.name, true, true).catch(() => []);
  for (const local of locals) {
    const found = byName.get(local.name);
    if (found !== undefined) requireNotOlder(cell.name, local, found);
    else if (isByCell) {
      throw new ZipRefused(`${cell.name}: the downloaded zip does not contain this cell.`);
    } else if (!removeMany) {
      throw new ZipRefused(
        `${cell.name}: the downloaded zip lacks ${local.name}. If the producer has withdrawn this cell, use --remove-many.`,
      );
    }
  }
  return byName.get(own.name)?.version;
}

/** @throws ZipRefused if a cell of a zip must not replace the local one */
function requireNotOlder(zip: string, local: ZippedCell, found: ZippedCell): void {
  const cell = found.name === zip.toUpperCase() ? '' : `${found.name}, `;
  if (local.hasBase && !found.hasBase) {
    throw new ZipRefused(`${zip}: the downloaded zip contains ${cell}updates without their base.`);
  }
  if (
    local.version !== undefined &&
    found.version !== undefined &&
    compareVersions(found.version, local.version) < 0
  ) {
    throw new ZipRefused(
      `${zip}: the downloaded zip contains ${cell}${versionText(found.version)}, which is older than the local ${versionText(local.version)}.`,
    );
  }
}

/** Returns the removals to carry out in this run. Adds a message to `failures` for each of the others. */
async function removalsNow(
  { remove }: SyncPlan,
  { before: localCount, now: present }: { before: number; now: ReadonlySet<string> },
  options: SyncOptions,
  failures: string[],
): Promise<readonly RemoveStep[]> {
  const { removeMany } = options;
  const unlisted = remove.filter(({ because }) => because === 'unlisted').length;
  const isTooMany =
    remove.length > Math.max(MAX_REMOVALS, localCount * MAX_REMOVED_SHARE) ||
    unlisted > Math.max(1, localCount * MAX_UNLISTED_SHARE);
  if (isTooMany && !removeMany) {
    failures.push(
      `${remove.length} of ${localCount} zips would be removed, which is more than a producer ` +
        'usually withdraws. Check with --dry-run, then use --remove-many to remove them.',
    );
    return [];
  }
  // Keep unlisted cells if a download failed: it may contain their replacement. An entry with an invalid
  // name may be the entry of such a cell.
  const hasFailed = failures.length > 0 || options.catalogue.unnamedCount > 0;
  const leaving = new Set(remove.map(({ name }) => name));
  const staying = [...present].filter((name) => !leaving.has(name));
  const now: RemoveStep[] = [];
  for (const step of remove) {
    const { name, because } = step;
    if (because === 'unlisted' && hasFailed) {
      failures.push(
        `${name} is no longer listed. It is kept until a run in which no download fails and the catalogue has no invalid name.`,
      );
    } else if (
      because === 'unlisted' &&
      !removeMany &&
      !(await losesFewCells(name, staying, options))
    ) {
      failures.push(
        `${name} is no longer listed, and it has not exactly one cell. It is kept. If the producer has withdrawn its cells, use --remove-many.`,
      );
    } else now.push(step);
  }
  return now;
}

/** Whether a zip has one cell, or zips that stay have each of its cells in the same version or a newer one. */
async function losesFewCells(
  name: string,
  staying: readonly string[],
  { folder, catalogue: { hasOneZipPerCell } }: SyncOptions,
): Promise<boolean> {
  if (hasOneZipPerCell) return true;
  const contentOf = (zip: string) =>
    readZipContent(zipPath(folder, zip), zip, true, true).catch(() => []);
  const own = await contentOf(name);
  if (own.length <= 1) return own.length === 1;
  const others: ZippedCell[] = [];
  for (const zip of staying) for (const cell of await contentOf(zip)) others.push(cell);
  return own.every(({ name: cell, version }) =>
    others.some(
      (other) =>
        other.name === cell &&
        version !== undefined &&
        other.version !== undefined &&
        compareVersions(other.version, version) >= 0,
    ),
  );
}

const zipPath = (folder: string, name: string): string => join(folder, `${name}.zip`);
