// The missing parts of a chart after a build, for the summary, `--strict` and the report.

import type { GeoBounds } from '../../shared/chart/bounds.ts';
import type { ManifestCell } from '../../shared/chart/manifest.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';

export interface ReportedBuild {
  readonly cells: readonly ManifestCell[];
  /** Problems that belong to no cell. */
  readonly problems: readonly Problem[];
  /** Bounds of refused cells by name, if they are known. */
  readonly places: Readonly<Record<string, GeoBounds>>;
}

/** West, south, east, north of a cell in degrees; undefined if it is not known. */
export function placeOf(cell: ManifestCell, { places }: ReportedBuild): GeoBounds | undefined {
  const [west, south, east, north] = cell.bounds;
  return west === east && south === north ? places[cell.name] : [west, south, east, north];
}

/** One part that the chart lacks. */
export interface Gap {
  /** Name of the cell; undefined if the problem belongs to no cell. */
  readonly cell: string | undefined;
  readonly problem: string;
  readonly consequence: string;
}

/** Warnings that mean that a delivery or a file was incomplete. */
const INCOMPLETE = new Set(['listed-file-missing', 'listed-cells-missing', 'fewer-records']);

const isGap = ({ code, severity }: Pick<Problem, 'code' | 'severity'>): boolean =>
  severity === 'error' || INCOMPLETE.has(code);

/**
 * The missing parts of the chart: refused cells, cells without their last updates, with lost objects or with
 * fewer records than stated, and incomplete deliveries. A cancelled cell is not a gap, because its producer has
 * withdrawn it.
 */
export function gapsOf(cells: readonly ManifestCell[], others: readonly Problem[]): readonly Gap[] {
  const general = others.filter(isGap).map(({ message }) => ({
    cell: undefined,
    problem: message,
    consequence: 'Charts of this delivery may be missing or older than the delivery.',
  }));
  const ofCells = cells
    .filter(({ status }) => status !== 'cancelled')
    .filter(({ status, problems }) => status === 'refused' || problems.some(isGap))
    .map(gapOf);
  return [...ofCells, ...general];
}

function gapOf(cell: ManifestCell): Gap {
  const problem = cell.problems
    .filter(isGap)
    .map(({ file, message }) => (file === undefined ? message : `${file}: ${message}`))
    .join('; ');
  return { cell: cell.name, problem, consequence: consequenceOf(cell) };
}

/** Whether a problem concerns an update, according to its code or file extension. */
const isUpdate = ({ code, file }: ManifestCell['problems'][number]): boolean =>
  code.startsWith('update-') || (file !== undefined && !file.endsWith('.000'));

function consequenceOf(cell: ManifestCell): string {
  if (cell.status === 'refused') {
    return (
      'This chart is not shown. A coarser chart covers this area if there is one; ' +
      'otherwise the area has no chart.'
    );
  }
  const errors = cell.problems.filter(({ severity }) => severity === 'error');
  const texts = [];
  if (errors.some((problem) => isUpdate(problem))) {
    texts.push(
      `This chart is outdated: it is shown at edition ${cell.edition}, update ${cell.update}, ` +
        'without later corrections.',
    );
  }
  if (errors.some((problem) => !isUpdate(problem))) {
    texts.push('Some objects of this chart are missing or incomplete.');
  }
  if (cell.problems.some(({ code }) => INCOMPLETE.has(code))) {
    texts.push(
      'Some objects of this chart may be missing: a file has fewer records than it states.',
    );
  }
  return texts.join(' ');
}
