// What the build asks of its workers, and what they answer: plain data both ways.

import type { BackgroundSource } from '../background/background-layers.ts';
import type { Coverage } from '../quilt/coverage.ts';
import type { CellLocation } from './cell-location.ts';
import type { MergeCounts, MergePart } from './merge-part.ts';
import type { OwnerPlan } from './quilt-plan.ts';
import type { ScanResult } from './scan-cell.ts';
import type { Tileset } from './tilesets.ts';

/** Look at one cell. */
export interface ScanJob {
  readonly kind: 'scan';
  readonly location: CellLocation;
  readonly cacheFolder: string;
  readonly code: string;
}

/** Decide what each cell shows where. */
interface PlanJob {
  readonly kind: 'plan';
  readonly coverages: readonly Coverage[];
  /** Path of the pack of plans. */
  readonly out: string;
}

/** Cut one cell, or the background, into the tiles of some tilesets: one pack each. */
export interface SliceJob {
  readonly kind: 'slice';
  readonly source:
    | { readonly kind: 'cell'; readonly location: CellLocation; readonly digest: string }
    | {
        readonly kind: 'background';
        readonly background: BackgroundSource;
        /** Path of the pack of its coasts, which may not be there yet. */
        readonly coasts: string;
      };
  readonly plan: OwnerPlan;
  /** Where the packs of the tilesets go that are wanted. */
  readonly packs: Readonly<Partial<Record<Tileset, string>>>;
}

/** Merge one range of one tileset. */
export interface MergeJob {
  readonly kind: 'merge';
  readonly tileset: Tileset;
  readonly part: MergePart;
}

/** Finish a tileset that cannot be merged tile by tile alone: one pack of all its parts. */
interface FinishJob {
  readonly kind: 'finish';
  readonly tileset: Tileset;
  readonly parts: readonly string[];
  readonly out: string;
}

export type BuildJob = ScanJob | PlanJob | SliceJob | MergeJob | FinishJob;

export type BuildAnswer =
  | ({ readonly kind: 'scan' } & ScanResult)
  | { readonly kind: 'plan' }
  | { readonly kind: 'slice' }
  | ({ readonly kind: 'merge' } & MergeCounts)
  | { readonly kind: 'finish' };
