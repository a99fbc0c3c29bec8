// A folder of zips brought up to date with what a producer offers. Each zip is written aside, read as
// the build will read it, and takes its place whole; one that is older or worse than that here does not.

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
  /** Remove even where a large part of what is here is no longer offered. */
  readonly removeMany: boolean;
  /** Use files whose CRC-32 is not that of the zip's CATALOG.031. */
  readonly acceptBadChecksums?: boolean;
  /** Downloads under way at a time. */
  readonly atOnce: number;
  /** Epoch milliseconds now; the clock is the command's. */
  readonly now: number;
  readonly patience?: Patience;
  readonly progress?: { start(stage: string, total: number): void; step(detail: string): void };
}

export interface SyncReport {
  /** Zips that are new or newer here now. */
  readonly fetched: readonly string[];
  /** Asked for, and the same as here. */
  readonly unchanged: readonly string[];
  readonly removed: readonly RemoveStep[];
  readonly kept: number;
  /** What could not be had or used, in plain sentences; what was here before stays. */
  readonly failures: readonly string[];
}

/** So many removals need to be meant: a catalogue that lost its half must not empty the folder. */
const FEW_REMOVALS = 5;
const REMOVED_SHARE = 0.1;
/** Notes are written each time so many zips came: what a killed run had read is not read again. */
const NOTES_EVERY = 50;

/** Compare, without changing anything. */
export async function planFolder(options: SyncOptions): Promise<SyncPlan> {
  const notes = await readNotes(options.folder);
  const here = await zipsHere(options.folder, notes, options.acceptBadChecksums);
  return planSync({ ...options, offered: options.offer.cells, here });
}

/**
 * Fetch what is newer, then remove what is out of force. Killed at any moment, every zip is whole.
 * @throws FolderInUse where another run has the folder; nothing was changed
 */
export async function syncFolder(options: SyncOptions): Promise<SyncReport> {
  return inLockedFolder(options.folder, 'brought up to date', () => syncLocked(options));
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
      // Waited for below: a full disk must not end the process in the midst of downloads.
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

/** What the system says, as of a full disk, names no cell. */
function reasonOf(name: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return isSystemError(error) ? `${name} could not be written: ${reason}.` : reason;
}

/** Zips that were here before the first run, and that the producer lists, are kept fresh from now on. */
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
  /** What the catalogue promises and the zip does not hold. */
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
      // Some producers name no versions: then only the bytes tell.
      isSame = ifChanged && (await digestFile(part)).sha256 === (await digestFile(path)).sha256;
    },
  });
  if (came.kind === 'missing') throw new Error(`${cell.name} is not at ${cell.url}.`);
  const promised = cell.version;
  const isShort =
    promised !== undefined && version !== undefined && compareVersions(version, promised) < 0;
  const shortfall = isShort
    ? `${cell.name}: the catalogue promises ${versionText(promised)}, and the zip holds ${versionText(version!)}.`
    : undefined;
  // Asked again next time, until the zip holds what was promised.
  const note = await noteOf(path, version, isShort ? '' : cell.zipTime);
  return { note, isNew: came.kind === 'downloaded' && !isSame, shortfall };
}

/** @throws ZipRefused where the zip must not take the place of that here */
async function checkedVersion(
  part: string,
  { cell, here }: FetchStep,
  { offer: { isByCell }, acceptBadChecksums }: SyncOptions,
): Promise<CellVersion | undefined> {
  const cells = await readZipContent(part, cell.name, acceptBadChecksums);
  const own = cells.find(({ name }) => name === cell.name.toUpperCase());
  if (!isByCell) return own?.version;
  if (own === undefined) {
    throw new ZipRefused(`${cell.name}: the zip that came does not hold it.`);
  }
  if (!own.hasBase) {
    throw new ZipRefused(`${cell.name}: the zip that came holds updates without their base.`);
  }
  if (here !== undefined && own.version !== undefined && compareVersions(own.version, here) < 0) {
    throw new ZipRefused(
      `${cell.name}: the zip that came holds ${versionText(own.version)}, and ${versionText(here)} is here already.`,
    );
  }
  return own.version;
}

/** Of the removals, those to carry out; the others become failures, in words. */
function removalsNow(
  { remove }: SyncPlan,
  countHere: number,
  removeMany: boolean,
  failures: string[],
): readonly RemoveStep[] {
  const isTooMany = remove.length > Math.max(FEW_REMOVALS, countHere * REMOVED_SHARE);
  if (isTooMany && !removeMany) {
    failures.push(
      `${remove.length} of ${countHere} zips here would be removed, which is more than a producer ` +
        'withdraws in a while. Look at --dry-run, and use --remove-many if it is meant.',
    );
    return [];
  }
  // What replaces a cell that is only no longer listed may be among what could not be had.
  const waiting = failures.length > 0 ? remove.filter(({ because }) => because === 'unlisted') : [];
  for (const { name } of waiting) {
    failures.push(`${name} is no longer listed; it stays until everything else could be had.`);
  }
  return remove.filter((step) => !waiting.includes(step));
}

const zipPath = (folder: string, name: string): string => join(folder, `${name}.zip`);
