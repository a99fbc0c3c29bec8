// The report of a build as plain data: for the summary, for tests and for the manifest.

import type { GeoBounds } from '../../shared/chart/bounds.ts';
import type { Manifest, ManifestCell } from '../../shared/chart/manifest.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { ScannedCell } from './scan-stage.ts';

/** The work of the build, without results from the cache. */
interface WorkDone {
  /** Cells that were read to find their coverage. */
  readonly scanned: readonly string[];
  /** Cells that were cut into tiles, and `background`. */
  readonly sliced: readonly string[];
  /** Parts of tilesets that were merged, as `tileset:from-to` with a range of tile ids. */
  readonly merged: readonly string[];
  /** Parts of archives that were written, as `tileset:region`. */
  readonly written: readonly string[];
}

export interface BuildReport {
  readonly manifest: Manifest;
  /** Problems that belong to no cell. */
  readonly problems: readonly Problem[];
  /** Bounds of the cells that could not be used, by name, if known. */
  readonly places: Readonly<Record<string, GeoBounds>>;
  readonly work: WorkDone;
  /** Number of tiles that this build merged from several fragments, by tileset. */
  readonly mergedTiles: Readonly<Record<string, number>>;
  /** Number of points, lines and rings that this build removed from too large tiles, by tileset. */
  readonly removedParts: Readonly<Record<string, number>>;
}

/** The build found no cell that it could use. */
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
        ? 'No cells found: no file has a cell name such as US5WA22M.000. Specify a folder or zip file that contains cells.'
        : `None of ${cells.length} cells could be used. ${adviceOn(cells)}`,
    );
    this.cells = cells;
    this.problems = problems;
    this.places = places;
  }
}

/** Cells that the message of `NoCharts` names. */
const MAX_NAMES = 20;

/** What to do if none of the cells can be used. A withdrawn cell has no problem that could be corrected. */
function adviceOn(cells: readonly ManifestCell[]): string {
  const names = cells.filter(({ status }) => status === 'cancelled').map(({ name }) => name);
  if (names.length === 0) return 'Correct the listed problems, or download the cells again.';
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return (
    `Withdrawn by their producers: ${names.slice(0, MAX_NAMES).join(', ')}${more}. ` +
    'Charts that were published still show them: replace or delete these charts.'
  );
}

/** The manifest's record of a cell. @param refusal the problem if a later stage rejected the cell */
export function describeCell(
  { location, scan }: Pick<ScannedCell, 'scan' | 'location'>,
  refusal: Problem | undefined,
): ManifestCell {
  const { latest, ...s63 } = location.encrypted?.licence ?? {};
  const { found } = scan;
  const problems = [...scan.problems, ...(refusal === undefined ? [] : [refusal])];
  const hasErrors = problems.some((problem) => problem.severity === 'error');
  const used = hasErrors ? 'used-partly' : 'used';
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
    ...('dataServer' in s63 && { s63 }),
  };
}
