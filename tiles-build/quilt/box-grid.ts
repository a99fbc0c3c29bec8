// A spatial index of boxes: grids of squares at several sizes, each box in the grid that fits its
// size. It avoids comparing thousands of cells with each other.

import { type Box, boxesMeet } from '../../shared/geo/clip-box.ts';

interface Placed<T> {
  readonly item: T;
  /** Index in the given items. */
  readonly at: number;
}

/** For boxes that span more squares than this, all occupied squares are examined. */
const MAX_SQUARES = 256;
const KEY_HALF = 2 ** 25;
/** The squares of the finest grid have sides of `size` × 2 to this power. */
const MIN_LEVEL = -10;

export class BoxGrid<T extends { readonly box: Box }> {
  readonly #size: number;
  /** Squares by level; the side doubles with each level. */
  readonly #levels = new Map<number, Map<number, Placed<T>[]>>();

  /** @param size approximate length of a box, in the units of the boxes */
  constructor(items: readonly T[], size: number) {
    this.#size = size;
    items.forEach((item, at) => {
      this.#put({ item, at });
    });
  }

  #put(placed: Placed<T>): void {
    const { left, right, top, bottom } = placed.item.box;
    const length = Math.max(right - left, bottom - top) / this.#size;
    const level = Math.max(MIN_LEVEL, Math.ceil(Math.log2(length)));
    let squares = this.#levels.get(level);
    if (squares === undefined) {
      squares = new Map();
      this.#levels.set(level, squares);
    }
    for (const key of keysOf(placed.item.box, this.#size * 2 ** level)) {
      const list = squares.get(key);
      if (list === undefined) squares.set(key, [placed]);
      else list.push(placed);
    }
  }

  /** The items whose boxes meet or touch `box`, in the order in which they were given. */
  meeting(box: Box): T[] {
    const found = new Map<number, T>();
    for (const list of this.#lists(box)) {
      for (const { item, at } of list) if (boxesMeet(item.box, box)) found.set(at, item);
    }
    return [...found].sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  /** Whether any item whose box meets or touches `box` satisfies `isWanted`. */
  some(box: Box, isWanted: (item: T) => boolean): boolean {
    for (const list of this.#lists(box)) {
      for (const { item } of list) if (isWanted(item) && boxesMeet(item.box, box)) return true;
    }
    return false;
  }

  *#lists(box: Box): Generator<readonly Placed<T>[], void, undefined> {
    for (const [level, squares] of this.#levels) {
      const side = this.#size * 2 ** level;
      const columns = (box.right - box.left) / side;
      if (!(columns * ((box.bottom - box.top) / side) < Math.min(MAX_SQUARES, squares.size))) {
        yield* squares.values();
        continue;
      }
      for (const key of keysOf(box, side)) {
        const list = squares.get(key);
        if (list !== undefined) yield list;
      }
    }
  }
}

/** The keys of the squares that a box meets or touches. */
function* keysOf({ left, right, top, bottom }: Box, side: number): Generator<number> {
  const [lastX, lastY] = [Math.floor(right / side), Math.floor(bottom / side)];
  for (let x = Math.floor(left / side); x <= lastX; x++) {
    for (let y = Math.floor(top / side); y <= lastY; y++) {
      yield (x + KEY_HALF) * 2 * KEY_HALF + y + KEY_HALF;
    }
  }
}
