// Makes the longitudes of a cell across 180° continuous. Such files jump from 180 to −180, where plane
// arithmetic fails.

import type { Cell } from '../cell/cell.ts';

/** The parts of a cell that have positions. */
type Placed = Omit<Cell, 'header'>;

/** A range of longitudes in degrees. `from` is greater than `to` if the range is empty. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const NOWHERE: Span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
const HALF_ROUND = 180;
const ROUND = 360;

/**
 * Remove the jump at 180° from a cell's longitudes, in place. Afterwards the westernmost longitude is in
 * [−180, 180), and the longitudes of a cell across 180° continue above 180. A cell without coverage
 * (M_COVR) or with positions that are not on the earth is not changed.
 *
 * A cell wider than half the globe may contain a jump or may really be that wide, such as an overview of
 * the world. The interpretation in which the cell lies within its coverage is used. If that does not
 * decide, the narrower one is used.
 */
export function layOutLongitudes(cell: Placed): void {
  const coverage = linesOfCoverage(cell);
  if (coverage.length === 0) return;
  const records = [cell.isolatedNodes, cell.connectedNodes, cell.edges];
  const lines = records.flatMap((kind) => [...kind.values()].map(({ positions }) => positions));
  const extent = extentOf(lines);
  if (!(Math.abs(extent.from) <= ROUND && Math.abs(extent.to) <= ROUND)) return;
  const seam =
    widthOf(extent) > HALF_ROUND ? seamOf(coverage, lines, extent) : Number.NEGATIVE_INFINITY;
  const west = seam === Number.NEGATIVE_INFINITY ? extent.from : extentOf(lines, seam).from;
  const whole = west < -HALF_ROUND ? ROUND : west >= HALF_ROUND ? -ROUND : 0;
  if (whole === 0 && seam === Number.NEGATIVE_INFINITY) return;
  for (const positions of lines) {
    for (let i = 0; i < positions.length; i += 2)
      positions[i] = countedOn(positions[i]!, seam) + whole;
  }
}

const countedOn = (longitude: number, seam: number): number =>
  longitude < seam ? longitude + ROUND : longitude;

/** Longitudes below the returned one need 360° added; −∞ if there is no jump. */
function seamOf(
  coverage: readonly Float64Array[],
  lines: readonly Float64Array[],
  extent: Span,
): number {
  const gap = widestGap(lines);
  if (widthOf(gap) <= 0) return Number.NEGATIVE_INFINITY;
  const seam = (gap.from + gap.to) / 2;
  const [asItStands, jumping] = [extentOf(coverage), extentOf(coverage, seam)];
  const counted = extentOf(lines, seam);
  // The coverage has both edges on one meridian, so it goes round the globe.
  if (widthOf(jumping) === 0) return Number.NEGATIVE_INFINITY;
  const fits = isWithin(extent, asItStands);
  const fitsJumping = isWithin(counted, jumping);
  const jumps = fits === fitsJumping ? widthOf(counted) < widthOf(extent) : fitsJumping;
  return jumps ? seam : Number.NEGATIVE_INFINITY;
}

/** The widest empty range of longitudes that no line crosses with a step of at most 180°. */
function widestGap(lines: readonly Float64Array[]): Span {
  const spans = lines.flatMap(runsOf).sort((a, b) => a.from - b.from);
  let widest: Span = { from: 0, to: 0 };
  let reach = Number.POSITIVE_INFINITY;
  for (const { from, to } of spans) {
    if (from - reach > widthOf(widest)) widest = { from: reach, to: from };
    reach = reach === Number.POSITIVE_INFINITY ? to : Math.max(reach, to);
  }
  return widest;
}

/** The ranges of longitude of a line between its jumps. */
function runsOf(positions: Float64Array): Span[] {
  const runs: Span[] = [];
  let [from, to] = [positions[0]!, positions[0]!];
  for (let i = 2; i < positions.length; i += 2) {
    const longitude = positions[i]!;
    if (Math.abs(longitude - positions[i - 2]!) > HALF_ROUND) {
      runs.push({ from, to });
      [from, to] = [longitude, longitude];
    }
    from = Math.min(from, longitude);
    to = Math.max(to, longitude);
  }
  return positions.length === 0 ? [] : [...runs, { from, to }];
}

function linesOfCoverage({ features, edges }: Placed): Float64Array[] {
  return features
    .filter(({ acronym }) => acronym === 'M_COVR')
    .flatMap(({ spatial }) =>
      spatial.flatMap(({ target, id }) =>
        target === 'edge' ? (edges.get(id)?.positions ?? []) : [],
      ),
    );
}

function extentOf(lines: readonly Float64Array[], seam = Number.NEGATIVE_INFINITY): Span {
  let { from, to } = NOWHERE;
  for (const positions of lines) {
    for (let i = 0; i < positions.length; i += 2) {
      const longitude = countedOn(positions[i]!, seam);
      if (longitude < from) from = longitude;
      if (longitude > to) to = longitude;
    }
  }
  return { from, to };
}

const widthOf = ({ from, to }: Span): number => to - from;

/** Tolerance of 10 %: objects may extend slightly beyond the coverage. */
const isWithin = (inner: Span, outer: Span): boolean => widthOf(inner) <= 1.1 * widthOf(outer);
