// What there is to do: the producer's offer compared with what is here. Decides, and touches nothing.

import { type CellVersion, compareVersions, type OfferedCell } from './catalogue.ts';
import { isSelected, type Selection } from './selection.ts';

/** A zip that is here, and what was found in it. */
export interface CellHere {
  /** Undefined where it cannot be read, holds several cells, or its cell is cancelled. */
  readonly version: CellVersion | undefined;
  readonly isReadable: boolean;
  /** As the catalogue wrote it when the zip came. */
  readonly zipTime: string;
  readonly wasSynced: boolean;
}

export interface FetchStep {
  readonly cell: OfferedCell;
  readonly here: CellVersion | undefined;
  /** Ask only whether the server has another one than that here. */
  readonly ifChanged: boolean;
}

export interface RemoveStep {
  readonly name: string;
  /** Said to be out of force; or only no longer listed, or no longer selected. */
  readonly because: 'withdrawn' | 'unlisted' | 'unselected';
}

export interface SyncPlan {
  readonly fetch: readonly FetchStep[];
  readonly remove: readonly RemoveStep[];
  /** Names that stay as they are. */
  readonly keep: readonly string[];
}

interface PlanInput {
  readonly offered: readonly OfferedCell[];
  readonly here: ReadonlyMap<string, CellHere>;
  readonly selection: Selection;
  /** Cells outside of the selection go; otherwise they stay and are kept fresh. */
  readonly only: boolean;
}

/** Compare. What is here and was not put here by this command is never removed. */
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

/** Whether the producer may have another one than that here: newer, made again, or of unknown edition. */
function isOld(cell: OfferedCell, own: CellHere): boolean {
  if (own.version === undefined || cell.version === undefined) return true;
  const difference = compareVersions(cell.version, own.version);
  return difference > 0 || (difference === 0 && own.wasSynced && cell.zipTime !== own.zipTime);
}
