// Land between two oceans that is narrower than the blocks that guide a long trip. A coarse block
// there contains water of both sides, and the search would look for a passage. This file lists
// lines along such land. The sea decides whether a line is closed: charts may contain a canal.

import type { Position } from '../../trip.ts';
import { BLOCKED, FREE } from '../geometry/blocks.ts';
import { type Point, pathOf, unwrapNear, WORLD_LEVEL } from '../geometry/plane.ts';
import type { Water } from '../read/water.ts';

/** Lines on land, some kilometres away from any sea, from one continent or cape to the other. */
const LINES: readonly (readonly Position[])[] = [
  // Suez: from the Nile to the hills behind the Gulf of Aqaba.
  [
    [29, 30.5],
    [36.5, 30.5],
  ],
  // Somerset Island, north of the Bellot Strait.
  [
    [-95, 73.5],
    [-95, 72.2],
  ],
  // America: from Boothia, south of the Bellot Strait, between the Great Lakes and the mountains,
  // and via Panama to Colombia.
  [
    [-94.8, 71.85],
    [-94, 71],
    [-93.5, 70],
    [-93.2, 69.3],
    [-94, 66.9],
    [-105, 62],
    [-104.9, 59],
    [-105, 57],
    [-106, 54],
    [-105.5, 50],
    [-105.5, 45],
    [-106.5, 38],
    [-106, 32],
    [-104.5, 26],
    [-103, 22],
    [-100, 20],
    [-98, 19],
    [-96.5, 17.5],
    [-95, 17],
    [-93, 16.4],
    [-91.5, 15.2],
    [-89.5, 14.7],
    [-87, 14.3],
    [-85.5, 13],
    [-84.9, 11.5],
    [-84.2, 10.1],
    [-83.1, 9.2],
    [-82.4, 8.75],
    [-81.2, 8.5],
    [-80.4, 8.6],
    [-79.95, 8.85],
    [-79.6, 9.2],
    [-79.2, 9.25],
    [-78.5, 9.15],
    [-77.9, 8.7],
    [-77.4, 8.0],
    [-76.5, 6.5],
  ],
  // Malaya: from Thailand to Johor.
  [
    [99.2, 13.2],
    [99.35, 12.2],
    [99.0, 11.2],
    [98.9, 10.6],
    [98.85, 9.8],
    [98.75, 9.0],
    [99.4, 8.2],
    [99.9, 7.3],
    [100.9, 6.2],
    [101.6, 5.0],
    [102.2, 3.8],
    [103.3, 2.1],
  ],
];

/**
 * Blocks of 76 m at the equator: only land with a corridor of a canal is divided so far. A closed
 * corridor does not open the line.
 */
const CLOSED_LEVEL = 3;
/** The level at which the check starts: 156 km. */
const FIRST_LEVEL = 14;

interface Box {
  readonly west: number;
  readonly east: number;
  readonly north: number;
  readonly south: number;
}

interface LandBridge {
  readonly line: readonly Point[];
  /** The ends of each straight piece: x, y, x, y. */
  readonly pieces: Float64Array;
  readonly box: Box;
  /** Whether it is closed over its whole length; `undefined` until it is known. */
  isClosed: boolean | undefined;
}

/** The lines that are closed for a trip. Only the land of lines that a question is about is read. */
export class LandBridges {
  readonly #water: Water;
  readonly #all: readonly LandBridge[] = LINES.map(pathOf).map((line) => ({
    line,
    pieces: Float64Array.from(
      line.slice(1).flatMap((to, i) => [line[i]!.x, line[i]!.y, to.x, to.y]),
    ),
    box: boxOf(line),
    isClosed: undefined,
  }));

  constructor(water: Water) {
    this.#water = water;
  }

  /**
   * Whether the straight line between two places, less than half the world apart, crosses a closed
   * line. @throws MissingSquare
   */
  lieBetween(aX: number, aY: number, bX: number, bY: number): boolean {
    return this.#all.some(
      (bridge) =>
        isNear(bridge.box, aX, aY, bX, bY) &&
        isCrossed(bridge.pieces, aX, aY, bX, bY) &&
        this.#isClosed(bridge),
    );
  }

  /** Whether a closed line was crossed in any question. */
  get wereMet(): boolean {
    return this.#all.some(({ isClosed }) => isClosed === true);
  }

  #isClosed(bridge: LandBridge): boolean {
    const { line } = bridge;
    bridge.isClosed ??= line.every((to, i) => i === 0 || isClosed(this.#water, line[i - 1]!, to));
    return bridge.isClosed;
  }
}

/** Whether closed land between two oceans lies on the straight line. @throws MissingSquare */
export const areOnTwoOceans = (water: Water, from: Point, to: Point): boolean =>
  new LandBridges(water).lieBetween(from.x, from.y, to.x, to.y);

function boxOf(line: readonly Point[]): Box {
  const [xs, ys] = [line.map(({ x }) => x), line.map(({ y }) => y)];
  return {
    west: Math.min(...xs),
    east: Math.max(...xs),
    north: Math.min(...ys),
    south: Math.max(...ys),
  };
}

/** Whether a straight line may reach a box. */
function isNear({ west, east, north, south }: Box, aX: number, aY: number, bX: number, bY: number) {
  if (Math.max(aY, bY) < north || Math.min(aY, bY) > south) return false;
  const hereX = unwrapNear(aX, (west + east) / 2);
  const thereX = unwrapNear(bX, hereX);
  return Math.max(hereX, thereX) >= west && Math.min(hereX, thereX) <= east;
}

/** Whether a straight line crosses one of the pieces. */
function isCrossed(pieces: Float64Array, aX: number, aY: number, bX: number, bY: number): boolean {
  const [top, bottom] = aY < bY ? [aY, bY] : [bY, aY];
  for (let i = 0; i < pieces.length; i += 4) {
    const fromY = pieces[i + 1]!;
    const toY = pieces[i + 3]!;
    if (Math.max(fromY, toY) < top || Math.min(fromY, toY) > bottom) continue;
    const fromX = pieces[i]!;
    const toX = pieces[i + 2]!;
    const hereX = unwrapNear(aX, fromX);
    const thereX = unwrapNear(bX, hereX);
    if (Math.max(fromX, toX) < Math.min(hereX, thereX)) continue;
    if (Math.min(fromX, toX) > Math.max(hereX, thereX)) continue;
    if (
      !areOnOneSide(fromX, fromY, toX, toY, hereX, aY, thereX, bY) &&
      !areOnOneSide(hereX, aY, thereX, bY, fromX, fromY, toX, toY)
    )
      return true;
  }
  return false;
}

/** Whether c and d are on the same side of the line through a and b, and neither is on it. */
function areOnOneSide(
  aX: number,
  aY: number,
  bX: number,
  bY: number,
  cX: number,
  cY: number,
  dX: number,
  dY: number,
): boolean {
  const c = turn(aX, aY, bX, bY, cX, cY);
  const d = turn(aX, aY, bX, bY, dX, dY);
  return (c > 0 && d > 0) || (c < 0 && d < 0);
}

/** Whether every block on a line is blocked, down to the smallest block size that is used. */
function isClosed(water: Water, from: Point, to: Point): boolean {
  const isBlocked = (level: number, x: number, y: number): boolean => {
    if (!touches(level, x, y, from, to)) return true;
    const kind = water.classOf(level, x & ((1 << (WORLD_LEVEL - level)) - 1), y);
    if (kind === BLOCKED) return true;
    if (kind === FREE || level === CLOSED_LEVEL) return false;
    return [0, 1, 2, 3].every((k) => isBlocked(level - 1, 2 * x + (k & 1), 2 * y + (k >> 1)));
  };
  const [left, right] = [from.x, to.x].map((x) => Math.floor(x / 2 ** FIRST_LEVEL)).sort(byNumber);
  const [top, bottom] = [from.y, to.y].map((y) => Math.floor(y / 2 ** FIRST_LEVEL)).sort(byNumber);
  for (let y = top!; y <= bottom!; y++) {
    for (let x = left!; x <= right!; x++) if (!isBlocked(FIRST_LEVEL, x, y)) return false;
  }
  return true;
}

const byNumber = (a: number, b: number): number => a - b;

/** Whether a line touches a block, its border included. */
function touches(level: number, x: number, y: number, from: Point, to: Point): boolean {
  const size = 2 ** level;
  const [left, top] = [x * size, y * size];
  if (Math.max(from.x, to.x) < left || Math.min(from.x, to.x) > left + size) return false;
  if (Math.max(from.y, to.y) < top || Math.min(from.y, to.y) > top + size) return false;
  const sides = [0, 1, 2, 3].map((k) =>
    Math.sign(turn(from.x, from.y, to.x, to.y, left + (k & 1) * size, top + (k >> 1) * size)),
  );
  return sides.some((side) => side !== sides[0]) || sides[0] === 0;
}

/** Twice the area of a triangle. Its sign shows on which side of the line from a to b c is. */
const turn = (aX: number, aY: number, bX: number, bY: number, cX: number, cY: number): number =>
  (bX - aX) * (cY - aY) - (bY - aY) * (cX - aX);
