// Compares the producer's catalogue with the local zips and decides what to do. No side effects.

import { type CellVersion, compareVersions, type OfferedCell } from './catalogue.ts';
import { isSelected, type Selection } from './selection.ts';

/** A local zip and its content. */
export interface LocalZip {
  /** `undefined` if the zip cannot be read, contains several cells, or its cell is cancelled. */
  readonly version: CellVersion | undefined;
  readonly isReadable: boolean;
  /** Creation time from the catalogue at the time of the download. */
  readonly zipTime: string;
  readonly wasSynced: boolean;
}

export interface FetchStep {
  readonly cell: OfferedCell;
  readonly localVersion: CellVersion | undefined;
  /** Send a conditional request: download only if the server has a different version. */
  readonly ifChanged: boolean;
}

export interface RemoveStep {
  readonly name: string;
  /** Cancelled by the producer, missing from the catalogue, or not selected. */
  readonly because: 'withdrawn' | 'unlisted' | 'unselected';
}

export interface SyncPlan {
  readonly fetch: readonly FetchStep[];
  readonly remove: readonly RemoveStep[];
  /** Names that do not change. */
  readonly keep: readonly string[];
}

interface PlanInput {
  readonly offered: readonly OfferedCell[];
  readonly localZips: ReadonlyMap<string, LocalZip>;
  readonly selection: Selection;
  /** Remove cells outside the selection. Otherwise they are kept up to date. */
  readonly removeUnselected: boolean;
}

/** Returns the plan. It removes a zip that sync did not download only if the catalogue lists its cell. */
export function planSync({ offered, localZips, selection, removeUnselected }: PlanInput): SyncPlan {
  const fetch: FetchStep[] = [];
  const remove: RemoveStep[] = [];
  const keep: string[] = [];
  for (const cell of offered) {
    const local = localZips.get(cell.name);
    const isWanted = isSelected(cell, selection);
    if (cell.isWithdrawn) {
      if (local !== undefined) remove.push({ name: cell.name, because: 'withdrawn' });
    } else if (local !== undefined && removeUnselected && !isWanted) {
      remove.push({ name: cell.name, because: 'unselected' });
    } else if (local === undefined ? isWanted : mayBeOutdated(cell, local)) {
      fetch.push({ cell, localVersion: local?.version, ifChanged: local?.isReadable ?? false });
    } else if (local !== undefined) keep.push(cell.name);
  }
  const listed = new Set(offered.map(({ name }) => name));
  for (const [name, local] of localZips) {
    if (!listed.has(name) && local.wasSynced) remove.push({ name, because: 'unlisted' });
  }
  return { fetch, remove, keep };
}

/** Whether the producer may have a different version: newer, created again, or of unknown edition. */
function mayBeOutdated(cell: OfferedCell, local: LocalZip): boolean {
  if (local.version === undefined || cell.version === undefined) return true;
  const difference = compareVersions(cell.version, local.version);
  return difference > 0 || (difference === 0 && local.wasSynced && cell.zipTime !== local.zipTime);
}
