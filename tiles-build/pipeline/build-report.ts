// What a build did and how it ended, as plain data: for the summary, for tests, for the manifest.

import type { GeoBounds } from '../../shared/chart/bounds.ts';
import type { Manifest, ManifestCell } from '../../shared/chart/manifest.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellScan } from './scan-cell.ts';

/** The work that was really done; what the cache had is not counted. */
interface WorkDone {
  /** Cells read for their coverage. */
  readonly scanned: readonly string[];
  /** Cells (and `background`) cut into tiles. */
  readonly sliced: readonly string[];
  /** Parts of tilesets merged, as `tileset:from-to`. */
  readonly merged: readonly string[];
  /** Archives written, by tileset. */
  readonly written: readonly string[];
}

export interface BuildReport {
  readonly manifest: Manifest;
  /** Problems that belong to no cell. */
  readonly problems: readonly Problem[];
  /** Where cells without a chart lie, by name, as far as it is known. */
  readonly places: Readonly<Record<string, GeoBounds>>;
  readonly work: WorkDone;
  /** Tiles with several owners, by tileset, among those merged now. */
  readonly sharedTiles: Readonly<Record<string, number>>;
  /** Objects left out of tiles that would have been too large, by tileset, among those merged now. */
  readonly thinned: Readonly<Record<string, number>>;
}

/** No cell was left that charts could be made from. */
export class NoCharts extends Error {
  readonly cells: readonly ManifestCell[];
  readonly problems: readonly Problem[];
  readonly places: BuildReport['places'];

  constructor(
    cells: readonly ManifestCell[],
    problems: readonly Problem[],
    places: BuildReport['places'] = {},
  ) {
    super(
      cells.length === 0
        ? 'No cell was found: nothing in the folders is named like US5WA22M.000.'
        : `None of ${cells.length} cells could be used.`,
    );
    this.cells = cells;
    this.problems = problems;
    this.places = places;
  }
}

/** The manifest's record of one cell; `refusal` is why the build could not use it after all. */
export function describeCell(scan: CellScan, refusal: Problem | undefined): ManifestCell {
  const { found } = scan;
  const problems = [...scan.problems, ...(refusal === undefined ? [] : [refusal])];
  const lost = problems.some((problem) => problem.severity === 'error');
  const used = lost ? 'used-partly' : 'used';
  return {
    name: scan.name,
    edition: found?.header.edition ?? 0,
    update: found?.header.update ?? 0,
    issueDate: found?.header.issueDate ?? '',
    usageBand: found?.header.usageBand ?? 0,
    scaleDenominator: found?.header.scaleDenominator ?? 0,
    agency: found?.header.agency ?? 0,
    bounds: [...(found?.bounds ?? ([0, 0, 0, 0] as const))],
    features: found?.features ?? 0,
    status: scan.cancelled
      ? 'cancelled'
      : found === undefined || refusal !== undefined
        ? 'refused'
        : used,
    recordCountsMatch: found?.checks.recordCountsMatch ?? false,
    skinDeviation: found?.checks.skinDeviation ?? 0,
    problems: problems.map((problem) => ({ ...problem })),
  };
}
