// Requests for squares. A function that reads the sea is repeated until all squares are present.

import { SEA_ZOOMS, type Sea, type SeaZoom, type SquareId } from '../../sea.ts';
import { Pause } from './pause.ts';
import { MissingSquare, type Water } from './water.ts';

/**
 * A generator that yields lists of squares to read. An empty list is a pause, so that other work can
 * run.
 */
export type SquareRequests<T> = Generator<readonly SquareId[], T, void>;

export const PAUSE: readonly SquareId[] = [];

/**
 * Calls `run` until it returns. Yields each missing square with its neighbours, and PAUSE if `run`
 * throws `Pause`.
 */
export function* withSquares<T>(sea: Sea, run: () => T): SquareRequests<T> {
  for (;;) {
    let missing: SquareId | undefined;
    try {
      return run();
    } catch (error) {
      if (error instanceof MissingSquare) missing = error.square;
      else if (!(error instanceof Pause)) throw error;
    }
    if (missing === undefined) {
      yield PAUSE;
      continue;
    }
    yield withNeighbours(sea, missing);
    const { z, x, y } = missing;
    if (sea.square(z, x, y) === undefined) throw new Error(`square ${z}/${x}/${y} did not come`);
  }
}

/** Blocks examined, and pieces of work, between two pauses: some milliseconds. */
const MOST_LOOKS = 8_000;
const MOST_PIECES = 100;

/** Long work in pieces with pauses between them. If a square is missing, its piece is repeated. */
export class Pieces {
  readonly #sea: Sea;
  readonly #water: Water;
  #pausedAt = 0;
  #pieces = 0;

  constructor(sea: Sea, water: Water) {
    this.#sea = sea;
    this.#water = water;
  }

  *run<T>(piece: () => T): SquareRequests<T> {
    this.#pieces++;
    if (this.#water.looks - this.#pausedAt > MOST_LOOKS || this.#pieces > MOST_PIECES) {
      yield PAUSE;
      this.#pausedAt = this.#water.looks;
      this.#pieces = 0;
    }
    return yield* withSquares(this.#sea, piece);
  }
}

/**
 * Squares of this zoom and lower zooms are hundreds of kilometres wide, so they are read singly.
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
