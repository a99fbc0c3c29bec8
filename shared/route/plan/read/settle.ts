// Repeats a function that reads the sea until all squares that it needs are present.

import { SEA_ZOOMS, type Sea, type SeaZoom, type SquareId } from '../../sea.ts';
import { Pause } from './pause.ts';
import { SquareLacking } from './water.ts';

/**
 * Yields requests for squares. It yields an empty request for a pause, so that other work can run.
 */
export type Asking<T> = Generator<readonly SquareId[], T, void>;

/** The empty request: a pause. */
export const NO_SQUARES: readonly SquareId[] = [];

/**
 * Calls `question` until it returns. Yields each missing square with its neighbours, and an empty
 * request when `question` pauses.
 */
export function* settle<T>(sea: Sea, question: () => T): Asking<T> {
  for (;;) {
    let lacking: SquareId | undefined;
    try {
      return question();
    } catch (error) {
      if (error instanceof SquareLacking) lacking = error.square;
      else if (!(error instanceof Pause)) throw error;
    }
    if (lacking === undefined) {
      yield NO_SQUARES;
      continue;
    }
    yield withNeighbours(sea, lacking);
    const { z, x, y } = lacking;
    if (sea.square(z, x, y) === undefined) throw new Error(`square ${z}/${x}/${y} did not come`);
  }
}

/**
 * Squares of this zoom and coarser ones are hundreds of kilometres wide, so they are read singly.
 */
const LONE_ZOOM = 8;

/**
 * A square. For small squares, also those of its eight neighbours that are stored but not present.
 */
function withNeighbours(sea: Sea, square: SquareId): SquareId[] {
  const { z, x, y } = square;
  if (z <= LONE_ZOOM) return [square];
  const width = 2 ** z;
  const wanted = [square];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const neighbour = { z, x: (x + dx + width) % width, y: y + dy };
      if ((dx === 0 && dy === 0) || neighbour.y < 0 || neighbour.y >= width) continue;
      if (isStored(sea, neighbour) && sea.square(z, neighbour.x, neighbour.y) === undefined) {
        wanted.push(neighbour);
      }
    }
  }
  return wanted;
}

/** Whether a square exists, according to the coarser squares that are present. */
export function isStored(sea: Sea, { z, x, y }: SquareId): boolean {
  const i = SEA_ZOOMS.indexOf(z);
  if (i === 0) return true;
  const coarser = sea.square(SEA_ZOOMS[i - 1] as SeaZoom, x >> 3, y >> 3);
  return coarser?.hasFiner[(y & 7) * 8 + (x & 7)] === 1;
}
