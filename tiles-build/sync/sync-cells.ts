// Updates a folder of zips from a producer. Each zip is written to a temporary file and checked as
// the build reads it. It replaces the old zip in one step, unless it is older or worse.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { digestFile } from '../archive/file-digest.ts';
import { inLockedFolder } from '../archive/folder-lock.ts';
import { isSystemError } from '../archive/system-error.ts';
import { download, type Patience } from '../fetch/download.ts';
import { besideFile } from '../fetch/file-version.ts';
import { writeProvenance } from '../fetch/provenance.ts';
import { type CellVersion, compareVersions, versionText } from './catalogue.ts';
import { type FetchStep, planSync, type RemoveStep, type SyncPlan } from './plan.ts';
import type { Offer } from './read-offer.ts';
import type { Selection } from './selection.ts';
import { type Notes, noteOf, readNotes, writeNotes, zipsHere } from './sync-notes.ts';
import { readZipContent, ZipRefused } from './zip-content.ts';

export interface SyncOptions {
  readonly folder: string;
  readonly offer: Offer;
  readonly selection: Selection;
  readonly only: boolean;
  /** Remove zips even if a large share of them is no longer offered. */
  readonly removeMany: boolean;
  /** Accept files whose CRC-32 differs from CATALOG.031. */
  readonly acceptBadChecksums?: boolean;
  /** Number of concurrent downloads. */
  readonly atOnce: number;
  /** Current time in epoch milliseconds. */
  readonly now: number;
  readonly patience?: Patience;
  readonly progress?: { start(stage: string, total: number): void; step(detail: string): void };
}

export interface SyncReport {
  /** Names of new or updated zips. */
  readonly fetched: readonly string[];
  /** Requested, but identical to the local zip. */
  readonly unchanged: readonly string[];
  readonly removed: readonly RemoveStep[];
  readonly kept: number;
  /** Messages about failed downloads and unusable zips. The existing zips are kept. */
  readonly failures: readonly string[];
}

/**
 * More removals than this require `removeMany`, so that an incomplete catalogue does not empty the
 * folder.
 */
const FEW_REMOVALS = 5;
const REMOVED_SHARE = 0.1;
/** Number of downloads between two writes of the notes, so that an interrupted run loses little. */
const NOTES_EVERY = 50;

/** Make the plan without changing anything. */
export async function planFolder(options: SyncOptions): Promise<SyncPlan> {
  const notes = await readNotes(options.folder);
  const here = await zipsHere(options.folder, notes, options.acceptBadChecksums);
  return planSync({ ...options, offered: options.offer.cells, here });
}

/**
 * Download what is newer, then remove what is cancelled. If the process is killed, every zip is
 * still complete.
 * @throws FolderInUse before any change, if another process uses the folder
 */
export async function syncFolder(options: SyncOptions): Promise<SyncReport> {
  return inLockedFolder(options.folder, 'updated', () => syncLocked(options));
}

async function syncLocked(options: SyncOptions): Promise<SyncReport> {
  const { folder, offer, progress } = options;
  const notes = await readNotes(folder);
  const here = await zipsHere(folder, notes, options.acceptBadChecksums);
  const plan = planSync({ ...options, offered: offer.cells, here });
  const failures: string[] = [];
  const fetched: string[] = [];
  const unchanged: string[] = [];

  await adopt(folder, plan.keep, here, notes, offer);
  if (plan.fetch.length > 0) progress?.start('fetch', plan.fetch.length);
  let done = 0;
  let writing = Promise.resolve();
  const one = async (step: FetchStep) => {
    const { name } = step.cell;
    try {
      const came = await fetchZip(step, options);
      notes.set(name, came.note);
      (came.isNew ? fetched : unchanged).push(name);
      if (came.shortfall !== undefined) failures.push(came.shortfall);
    } catch (error) {
      failures.push(reasonOf(name, error));
    }
    progress?.step(name);
    if (++done % NOTES_EVERY === 0) {
      writing = writing.then(() => writeNotes(folder, notes));
      // The result is awaited below. Without this handler, an early failure would end the process
      // during the downloads.
      writing.catch(() => undefined);
    }
  };
  await pMap(plan.fetch, one, { concurrency: options.atOnce });
  await writing;

  const removed = removalsNow(plan, here.size, options.removeMany, failures);
  for (const { name } of removed) {
    const path = zipPath(folder, name);
    for (const file of [path, ...besideFile(path)]) await rm(file, { force: true });
    notes.delete(name);
  }
  await writeNotes(folder, notes);
  if (fetched.length > 0) {
    await writeProvenance(folder, { format: 1, sourcedAt: options.now, sourceUrl: offer.source });
  }
  return { fetched, unchanged, removed, kept: plan.keep.length, failures: failures.sort() };
}

/** System errors, such as a full disk, do not name the cell. */
function reasonOf(name: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return isSystemError(error) ? `${name} could not be written: ${reason}.` : reason;
}

/** Take over zips that existed before the first sync and that the producer lists. */
async function adopt(
  folder: string,
  names: readonly string[],
  here: ReadonlyMap<string, { version: CellVersion | undefined }>,
  notes: Notes,
  offer: Offer,
): Promise<void> {
  const zipTimes = new Map(offer.cells.map(({ name, zipTime }) => [name, zipTime]));
  for (const name of names) {
    if (notes.has(name)) continue;
    const zipTime = zipTimes.get(name) ?? '';
    notes.set(name, await noteOf(zipPath(folder, name), here.get(name)?.version, zipTime));
  }
}

interface Fetched {
  readonly note: Awaited<ReturnType<typeof noteOf>>;
  readonly isNew: boolean;
  /** Message if the zip contains less than the catalogue promises. */
  readonly shortfall: string | undefined;
}

async function fetchZip(step: FetchStep, options: SyncOptions): Promise<Fetched> {
  const { cell, here, ifChanged } = step;
  const path = zipPath(options.folder, cell.name);
  let version = here;
  let isSame = false;
  const came = await download({
    ...options.patience,
    url: cell.url,
    path,
    evenIfUnchanged: !ifChanged,
    check: async (part) => {
      version = await checkedVersion(part, step, options);
      // Without version information from the server, only a comparison of the bytes shows a change.
      isSame = ifChanged && (await digestFile(part)).sha256 === (await digestFile(path)).sha256;
    },
  });
  if (came.kind === 'missing') throw new Error(`${cell.name} was not found at ${cell.url}.`);
  const promised = cell.version;
  const isShort =
    promised !== undefined && version !== undefined && compareVersions(version, promised) < 0;
  const shortfall = isShort
    ? `${cell.name}: the catalogue promises ${versionText(promised)}, but the zip contains ${versionText(version!)}.`
    : undefined;
  // An empty time makes the next run request the zip again.
  const note = await noteOf(path, version, isShort ? '' : cell.zipTime);
  return { note, isNew: came.kind === 'downloaded' && !isSame, shortfall };
}

/** @throws ZipRefused if the zip must not replace the local one */
async function checkedVersion(
  part: string,
  { cell, here }: FetchStep,
  { offer: { isByCell }, acceptBadChecksums }: SyncOptions,
): Promise<CellVersion | undefined> {
  const cells = await readZipContent(part, cell.name, acceptBadChecksums);
  const own = cells.find(({ name }) => name === cell.name.toUpperCase());
  if (!isByCell) return own?.version;
  if (own === undefined) {
    throw new ZipRefused(`${cell.name}: the downloaded zip does not contain this cell.`);
  }
  if (!own.hasBase) {
    throw new ZipRefused(`${cell.name}: the downloaded zip contains updates without their base.`);
  }
  if (here !== undefined && own.version !== undefined && compareVersions(own.version, here) < 0) {
    throw new ZipRefused(
      `${cell.name}: the downloaded zip contains ${versionText(own.version)}, which is older than the local ${versionText(here)}.`,
    );
  }
  return own.version;
}

/** The removals to carry out now. The others are added to `failures`. */
function removalsNow(
  { remove }: SyncPlan,
  countHere: number,
  removeMany: boolean,
  failures: string[],
): readonly RemoveStep[] {
  const isTooMany = remove.length > Math.max(FEW_REMOVALS, countHere * REMOVED_SHARE);
  if (isTooMany && !removeMany) {
    failures.push(
      `${remove.length} of ${countHere} zips would be removed, which is more than a producer ` +
        'usually withdraws. Check with --dry-run, then use --remove-many to remove them.',
    );
    return [];
  }
  // The replacement of an unlisted cell may be among the failed downloads.
  const waiting = failures.length > 0 ? remove.filter(({ because }) => because === 'unlisted') : [];
  for (const { name } of waiting) {
    failures.push(`${name} is no longer listed. It is kept until all other downloads succeed.`);
  }
  return remove.filter((step) => !waiting.includes(step));
}

const zipPath = (folder: string, name: string): string => join(folder, `${name}.zip`);
