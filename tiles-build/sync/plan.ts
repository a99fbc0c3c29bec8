// Compares the producer's catalogue with the local zips and decides what to do. No side effects.

import { type CellVersion, compareVersions, type OfferedCell } from './catalogue.ts';
import { isSelected, type Selection } from './selection.ts';

/** A local zip and its content. */
export interface CellHere {
  /** `undefined` if the zip cannot be read, contains several cells, or its cell is cancelled. */
  readonly version: CellVersion | undefined;
  readonly isReadable: boolean;
  /** Creation time from the catalogue at the time of the download. */
  readonly zipTime: string;
  readonly wasSynced: boolean;
}

export interface FetchStep {
  readonly cell: OfferedCell;
  readonly here: CellVersion | undefined;
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
  readonly here: ReadonlyMap<string, CellHere>;
  readonly selection: Selection;
  /** Remove cells outside the selection. Otherwise they are kept up to date. */
  readonly only: boolean;
}

/** Make the plan. Zips that sync did not download are never removed. */
export function planSync({ offered, here, selection, only }: PlanInput): SyncPlan {
  const fetch: FetchStep[] = [];
  const remove: RemoveStep[] = [];
  const keep: string[] = [];
  for (const cell of offered) {
    const own = here.get(cell.name);
    const isWanted = isSelected(cell, selection);
    if (cell.isWithdrawn) {
      if (own !== undefined) remove.push({ name: cell.name, because: 'withdrawn' });
    } else if (own !== undefined && only && !isWanted) {
      remove.push({ name: cell.name, because: 'unselected' });
    } else if (own === undefined ? isWanted : isOld(cell, own)) {
      fetch.push({ cell, here: own?.version, ifChanged: own?.isReadable ?? false });
    } else if (own !== undefined) keep.push(cell.name);
  }
  const listed = new Set(offered.map(({ name }) => name));
  for (const [name, own] of here) {
    if (!listed.has(name) && own.wasSynced) remove.push({ name, because: 'unlisted' });
  }
  return { fetch, remove, keep };
}

/** Whether the producer may have a different version: newer, made again, or of unknown edition. */
function isOld(cell: OfferedCell, own: CellHere): boolean {
  if (own.version === undefined || cell.version === undefined) return true;
  const difference = compareVersions(cell.version, own.version);
  return difference > 0 || (difference === 0 && own.wasSynced && cell.zipTime !== own.zipTime);
}
