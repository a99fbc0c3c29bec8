// Contour lines of a grid (marching squares), smoothed and simplified for the scale of a chart.

import type { Position } from '../../../shared/s57/write/cell-builder.ts';
import { signedArea, smoothed, thinned } from './curves.ts';
import type { HeightGrid } from './height-grid.ts';

/** A line of one height; a closed line ends at its start. Higher ground is on its left. */
export interface LevelLine {
  readonly positions: readonly Position[];
  readonly isClosed: boolean;
}

/** Parameters of lines for a scale, in 1e-7 degrees and their squares. */
export interface LineFit {
  /** Maximum distance of a simplified line from the original. */
  readonly tolerance: number;
  /** Closed lines around a smaller area are omitted: for rises, and for hollows. */
  readonly leastRise: number;
  readonly leastHollow: number;
}

/** Avoids heights equal to a level, which would put a corner of a line onto a grid point. */
const NUDGE = 1e-6;

/** All lines of a level, each complete: from limit to limit, or closed. */
export function levelLines(grid: HeightGrid, level: number, fit: LineFit): LevelLine[] {
  const { crossed, next, hasBefore } = crossedSides(grid, level);
  const lines: LevelLine[] = [];
  const trace = (first: number, isClosed: boolean) => {
    const positions: Position[] = [];
    for (let side = first; side >= 0; ) {
      positions.push(crossing(grid, level, side));
      const to = next[side]!;
      next[side] = NOT_CROSSED;
      side = to === first ? NOT_CROSSED : to;
    }
    if (isClosed) positions.push(positions[0]!);
    const area = isClosed ? signedArea(positions) : 0;
    if (isClosed && (area > 0 ? area < fit.leastRise : -area < fit.leastHollow)) return;
    lines.push({ positions: thinned(smoothed(positions, isClosed), fit.tolerance), isClosed });
  };
  for (const side of crossed) if (next[side]! >= 0 && hasBefore[side] === 0) trace(side, false);
  for (const side of crossed) if (next[side]! >= 0) trace(side, true);
  return lines.filter(({ positions, isClosed }) => positions.length > (isClosed ? 3 : 1));
}

const NOT_CROSSED = -1;
const AT_LIMIT = -2;

/**
 * For each side of the grid squares that a line crosses, the side that it crosses next. Sides along
 * rows come first, then those along columns; both are numbered by their south-western points.
 */
function crossedSides({ columns, rows, heights }: HeightGrid, level: number) {
  const width = columns + 1;
  const upright = width * (rows + 1);
  const next = new Int32Array(2 * upright).fill(NOT_CROSSED);
  const hasBefore = new Uint8Array(2 * upright);
  const crossed: number[] = [];
  const join = (from: number, to: number) => {
    next[from] = to;
    crossed.push(from);
    if (next[to] === NOT_CROSSED) next[to] = AT_LIMIT;
    hasBefore[to] = 1;
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const i = row * width + column;
      const a = heights[i]!;
      const b = heights[i + 1]!;
      const c = heights[i + width + 1]!;
      const d = heights[i + width]!;
      const kind =
        (a >= level ? 1 : 0) + (b >= level ? 2 : 0) + (c >= level ? 4 : 0) + (d >= level ? 8 : 0);
      if (kind === 0 || kind === 15) continue;
      const [south, north, west, east] = [i, i + width, upright + i, upright + i + 1];
      const isHighBetween = a + b + c + d >= 4 * level;
      switch (kind) {
        case 1:
          join(south, west);
          break;
        case 2:
          join(east, south);
          break;
        case 3:
          join(east, west);
          break;
        case 4:
          join(north, east);
          break;
        case 6:
          join(north, south);
          break;
        case 7:
          join(north, west);
          break;
        case 8:
          join(west, north);
          break;
        case 9:
          join(south, north);
          break;
        case 11:
          join(east, north);
          break;
        case 12:
          join(west, east);
          break;
        case 13:
          join(south, east);
          break;
        case 14:
          join(west, south);
          break;
        case 5:
          join(south, isHighBetween ? east : west);
          join(north, isHighBetween ? west : east);
          break;
        default:
          join(east, isHighBetween ? north : south);
          join(west, isHighBetween ? south : north);
      }
    }
  }
  return { crossed, next, hasBefore };
}

/** The position at which the line crosses a side of a square. */
function crossing(grid: HeightGrid, level: number, side: number): Position {
  const { west, south, columns, rows, step, heights } = grid;
  const width = columns + 1;
  const isUpright = side >= width * (rows + 1);
  const i = isUpright ? side - width * (rows + 1) : side;
  const [from, to] = [heights[i]!, heights[i + (isUpright ? width : 1)]!];
  const share = from === to ? 0.5 : (level - from) / (to - from);
  const along = Math.min(1 - NUDGE, Math.max(NUDGE, share)) * step;
  const [x, y] = [west + (i % width) * step, south + Math.floor(i / width) * step];
  return isUpright ? [x, y + along] : [x + along, y];
}
