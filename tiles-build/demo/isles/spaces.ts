// Selects places that keep a minimum distance from each other.

import { pushTo } from '../../../shared/geo/map-entries.ts';
import type { Position } from '../../../shared/s57/write/cell-builder.ts';

/** Columns and rows are counted from 0° N 0° E and are far fewer than this. */
const ROWS = 2 ** 26;
const NONE: readonly Position[] = [];

const keyOf = (column: number, row: number) => column * ROWS + row;

export class Spaces {
  readonly #side: number;
  readonly #taken = new Map<number, Position[]>();

  /** @param side approximately the largest distance that will be used */
  constructor(side: number) {
    this.#side = side;
  }

  /** Takes a place unless a taken one is closer than the distance. */
  take(position: Position, space: number): boolean {
    const [x, y] = position;
    const [column, row] = [Math.floor(x / this.#side), Math.floor(y / this.#side)];
    const reach = Math.ceil(space / this.#side);
    for (let c = column - reach; c <= column + reach; c++) {
      for (let r = row - reach; r <= row + reach; r++) {
        for (const [otherX, otherY] of this.#taken.get(keyOf(c, r)) ?? NONE) {
          if (Math.hypot(otherX - x, otherY - y) < space) return false;
        }
      }
    }
    const key = keyOf(column, row);
    pushTo(this.#taken, key, position);
    return true;
  }
}
