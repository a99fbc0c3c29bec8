// Which water of some charts is joined, found by a flood over their finest cells that does nothing
// else: every cell within the lateral clearance must be safe. All of the charts' ground at once.

import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { needsOf } from '../../../shared/route/plan/read/needs.ts';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import type { SeaFile } from '../sea-file.ts';

const WORLD = 2 ** 22;
const SQUARE = 256;

/** Safe cells of a box, and what a flood has reached of them. */
export class CellBasins {
  readonly #left: number;
  readonly #top: number;
  readonly #width: number;
  readonly #height: number;
  readonly #isSafe: Uint8Array;

  /** @param box west, south, east, north: what lies beyond it counts as closed */
  constructor(sea: SeaFile, trip: Trip, [west, south, east, north]: readonly number[]) {
    this.#left = Math.floor((mercatorX(west!) * WORLD) / SQUARE) * SQUARE;
    this.#top = Math.floor((mercatorY(north!) * WORLD) / SQUARE) * SQUARE;
    this.#width = Math.ceil((mercatorX(east!) * WORLD - this.#left) / SQUARE) * SQUARE;
    this.#height = Math.ceil((mercatorY(south!) * WORLD - this.#top) / SQUARE) * SQUARE;
    this.#isSafe = new Uint8Array(this.#width * this.#height);
    for (let y = 0; y < this.#height; y += SQUARE) {
      for (let x = 0; x < this.#width; x += SQUARE) this.#read(sea, trip, x, y);
    }
    const latitude = (Math.max(Math.abs(south!), Math.abs(north!)) * Math.PI) / 180;
    const meters = (2 * Math.PI * 6_356_752 * Math.cos(latitude)) / WORLD;
    this.#erode(Math.ceil(trip.safety.lateralClearance / meters));
  }

  /** One finest square's ground, from whichever square knows it. */
  #read(sea: SeaFile, trip: Trip, x0: number, y0: number): void {
    const { depthCode, forbidden, clearanceCode } = needsOf(trip);
    const { square } = sea.cellAt((this.#left + x0 + 0.5) / WORLD, (this.#top + y0 + 0.5) / WORLD);
    const size = 2 ** (14 - square.zoom);
    for (let y = 0; y < SQUARE; y++) {
      const row = Math.floor((this.#top + y0 + y) / size) - square.y * SQUARE;
      for (let x = 0; x < SQUARE; x++) {
        const i = row * SQUARE + Math.floor((this.#left + x0 + x) / size) - square.x * SQUARE;
        const isSafe =
          square.leastDepth[i]! >= depthCode &&
          ((square.flags?.[i] ?? 0) & forbidden) === 0 &&
          (square.clearance?.[i] ?? 255) >= clearanceCode;
        if (isSafe) this.#isSafe[(y0 + y) * this.#width + x0 + x] = 1;
      }
    }
  }

  /** Takes away what has something unsafe within so many cells, along rows and then columns. */
  #erode(reach: number): void {
    if (reach === 0) return;
    const [cells, width, height] = [this.#isSafe, this.#width, this.#height];
    const along = (start: number, step: number, count: number) => {
      let run = 0;
      for (let i = 0; i < count; i++) {
        run = cells[start + i * step] === 1 ? run + 1 : 0;
        lengths[i] = run;
      }
      run = 0;
      for (let i = count - 1; i >= 0; i--) {
        run = lengths[i]! > 0 ? run + 1 : 0;
        if (lengths[i]! <= reach || run <= reach) cells[start + i * step] = 0;
      }
    };
    const lengths = new Int32Array(Math.max(width, height));
    for (let y = 0; y < height; y++) along(y * width, 1, width);
    for (let x = 0; x < width; x++) along(x, width, height);
  }

  /** Whether a flood from one place reaches the other. */
  joins(from: Position, to: Position): boolean {
    const [start, goal] = [this.#indexOf(from), this.#indexOf(to)];
    if (this.#isSafe[start] !== 1) return false;
    const seen = new Uint8Array(this.#isSafe.length);
    const stack = [start];
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (at === goal) return true;
      for (const next of [at - 1, at + 1, at - this.#width, at + this.#width]) {
        if (this.#isSafe[next] !== 1 || seen[next] === 1) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
    return false;
  }

  #indexOf([longitude, latitude]: Position): number {
    const x = Math.floor(mercatorX(longitude) * WORLD) - this.#left;
    const y = Math.floor(mercatorY(latitude) * WORLD) - this.#top;
    return y * this.#width + x;
  }
}
