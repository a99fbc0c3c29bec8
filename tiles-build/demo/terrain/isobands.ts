// Ground cut into pieces between heights: each square of a grid becomes two triangles, and each
// triangle is cut at every level. Neighbours cut their common side at the very same points, so that
// the pieces tile the grid exactly.

import type { Position } from '../../../shared/s57/write/cell-builder.ts';

/** A grid over a box; positions in 1e-7 degrees. */
export interface Grid {
  readonly west: number;
  readonly south: number;
  readonly columns: number;
  readonly rows: number;
  readonly step: number;
}

export interface Piece {
  /** Counterclockwise. */
  readonly ring: readonly Position[];
  /** How many of the levels lie below the piece. */
  readonly band: number;
  readonly column: number;
  readonly row: number;
}

interface Corner {
  readonly position: Position;
  readonly height: number;
}

/** Heights on a level would make pieces without area; so little is nothing on a chart. */
const NUDGE = 1e-6;

/**
 * The pieces of a grid.
 * @param heightAt metres above chart datum at a position
 * @param levels metres, ascending
 */
export function* cutToBands(
  grid: Grid,
  heightAt: (position: Position) => number,
  levels: readonly number[],
): Generator<Piece, void, undefined> {
  const corners: Corner[][] = [];
  for (let row = 0; row <= grid.rows; row++) {
    corners.push([]);
    for (let column = 0; column <= grid.columns; column++) {
      const position = [grid.west + column * grid.step, grid.south + row * grid.step] as const;
      const height = heightAt(position);
      corners[row]!.push({ position, height: levels.includes(height) ? height + NUDGE : height });
    }
  }
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const [southWest, southEast] = [corners[row]![column]!, corners[row]![column + 1]!];
      const [northWest, northEast] = [corners[row + 1]![column]!, corners[row + 1]![column + 1]!];
      for (const triangle of [
        [southWest, southEast, northEast],
        [southWest, northEast, northWest],
      ]) {
        for (const { ring, band } of cutTriangle(triangle, levels))
          yield { ring, band, column, row };
      }
    }
  }
}

function* cutTriangle(
  triangle: readonly Corner[],
  levels: readonly number[],
): Generator<{ ring: readonly Position[]; band: number }, void, undefined> {
  const heights = triangle.map(({ height }) => height);
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  for (let band = 0; band <= levels.length; band++) {
    const from = levels[band - 1] ?? Number.NEGATIVE_INFINITY;
    const to = levels[band] ?? Number.POSITIVE_INFINITY;
    if (to <= lowest || from >= highest) continue;
    const ring = bandOf(triangle, from, to);
    if (ring.length >= 3) yield { ring, band };
  }
}

/** The part of a triangle whose heights lie between two levels. */
function bandOf(triangle: readonly Corner[], from: number, to: number): Position[] {
  const ring: Position[] = [];
  const push = (position: Position) => {
    const last = ring.at(-1);
    if (last === undefined || last[0] !== position[0] || last[1] !== position[1]) {
      ring.push(position);
    }
  };
  triangle.forEach((corner, i) => {
    const next = triangle[(i + 1) % 3]!;
    if (corner.height > from && corner.height < to) push(corner.position);
    const crossed = [from, to].filter(
      (level) => (corner.height - level) * (next.height - level) < 0,
    );
    if (corner.height > next.height) crossed.reverse();
    for (const level of crossed) push(crossing(corner, next, level));
  });
  const [first, last] = [ring[0], ring.at(-1)];
  if (first && last && ring.length > 1 && first[0] === last[0] && first[1] === last[1]) ring.pop();
  return ring;
}

/** Where a side crosses a level: computed alike from both of its ends. */
function crossing(a: Corner, b: Corner, level: number): Position {
  const isOrdered =
    a.position[0] < b.position[0] ||
    (a.position[0] === b.position[0] && a.position[1] < b.position[1]);
  const [from, to] = isOrdered ? [a, b] : [b, a];
  const t = (level - from.height) / (to.height - from.height);
  const between = (axis: 0 | 1) =>
    Math.round(from.position[axis] + (to.position[axis] - from.position[axis]) * t);
  return [between(0), between(1)];
}
