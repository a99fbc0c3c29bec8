// The jobs that the build sends to its workers, and their answers. All are plain data.

import type { BackgroundSource } from '../background/background-layers.ts';
import type { Coverage } from '../quilt/coverage.ts';
import type { CellLocation } from './cell-location.ts';
import type { MergeCounts, MergePart } from './merge-part.ts';
import type { OwnerPlan } from './quilt-plan.ts';
import type { ScanResult } from './scan-cell.ts';
import type { Tileset } from './tilesets.ts';

/** Read a cell for its header, coverage and problems. */
export interface ScanJob {
  readonly kind: 'scan';
  readonly location: CellLocation;
  readonly cacheFolder: string;
  /** Folder of another cache whose scans are used. */
  readonly reuse?: string | undefined;
  readonly code: string;
}

/** Decide which cell shows where. */
interface PlanJob {
  readonly kind: 'plan';
  readonly coverages: readonly Coverage[];
  /** Path of the pack of plans to write. */
  readonly out: string;
}

/** The plan of the background in a former build and its packs. */
export interface FormerBackground {
  readonly plan: OwnerPlan;
  readonly packs: Readonly<Partial<Record<Tileset, string>>>;
}

/** Cut one cell, or the background, into tiles: one pack for each of some tilesets. */
export interface SliceJob {
  readonly kind: 'slice';
  readonly source:
    | { readonly kind: 'cell'; readonly location: CellLocation; readonly digest: string }
    | {
        readonly kind: 'background';
        readonly background: BackgroundSource;
        /** Path of the pack of its coasts; written if it does not exist. */
        readonly coasts: string;
        /** The background of a former build. Its unchanged tiles are used again. */
        readonly former?: FormerBackground | undefined;
      };
  readonly plan: OwnerPlan;
  /** Paths of the packs to write, by tileset. */
  readonly packs: Readonly<Partial<Record<Tileset, string>>>;
}

/** Merge one range of one tileset. */
export interface MergeJob {
  readonly kind: 'merge';
  readonly tileset: Tileset;
  readonly part: MergePart;
}

/** Make the stored sheets of one merged part of the route archive. */
interface FinishSheetsJob {
  readonly kind: 'finish-sheets';
  readonly part: string;
  /** Paths of the packs to write. */
  readonly sheets: string;
  readonly summary: string;
}

/** Make the coarse squares of the route archive from the summaries of all its parts. */
interface FinishWorldJob {
  readonly kind: 'finish-world';
  readonly summaries: readonly string[];
  readonly out: string;
}

export type BuildJob = ScanJob | PlanJob | SliceJob | MergeJob | FinishSheetsJob | FinishWorldJob;

export type BuildAnswer =
  | ({ readonly kind: 'scan' } & ScanResult)
  | { readonly kind: 'plan' }
  | { readonly kind: 'slice' }
  | ({ readonly kind: 'merge' } & MergeCounts)
  | { readonly kind: 'finish-sheets' | 'finish-world' };
