// A spatial index of boxes: grids of squares at several sizes, each box in the grid that fits its
// size. It avoids comparing thousands of cells with each other.

import { type Box, boxesMeet } from '../../shared/geo/clip-box.ts';
import { pushTo, remembered } from '../../shared/geo/map-entries.ts';

interface Placed<T> {
  readonly item: T;
  /** Index in the given items. */
  readonly at: number;
}

/** For boxes that span more squares than this, blocks of squares are examined. */
const MAX_SQUARES = 64;
/** Squares along the side of a block. */
const BLOCK = 16;
const KEY_HALF = 2 ** 25;
/** The squares of the finest grid have sides of `size` × 2 to this power. */
const MIN_LEVEL = -10;

/** The occupied squares of one size, and the same in blocks. */
interface Level<T> {
  readonly squares: Map<number, Placed<T>[]>;
  readonly blocks: Map<number, Placed<T>[][]>;
}

export class BoxGrid<T extends { readonly box: Box }> {
  readonly #size: number;
  /** The side of the squares doubles with each level. */
  readonly #levels = new Map<number, Level<T>>();

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
    const { squares, blocks } = this.#levelOf(level);
    for (const [x, y] of squaresOf(placed.item.box, this.#size * 2 ** level)) {
      const list = squares.get(keyOf(x, y));
      if (list !== undefined) {
        list.push(placed);
        continue;
      }
      const added = [placed];
      squares.set(keyOf(x, y), added);
      const key = keyOf(Math.floor(x / BLOCK), Math.floor(y / BLOCK));
      pushTo(blocks, key, added);
    }
  }

  #levelOf(level: number): Level<T> {
    return remembered(this.#levels, level, () => ({ squares: new Map(), blocks: new Map() }));
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
    for (const [level, { squares, blocks }] of this.#levels) {
      const side = this.#size * 2 ** level;
      if (countOf(box, side) <= MAX_SQUARES) {
        for (const [x, y] of squaresOf(box, side)) {
          const list = squares.get(keyOf(x, y));
          if (list !== undefined) yield list;
        }
      } else if (countOf(box, side * BLOCK) < blocks.size) {
        for (const [x, y] of squaresOf(box, side * BLOCK)) yield* blocks.get(keyOf(x, y)) ?? [];
      } else yield* squares.values();
    }
  }
}

/** About the number of squares that a box meets. */
const countOf = ({ left, right, top, bottom }: Box, side: number): number =>
  (1 + (right - left) / side) * (1 + (bottom - top) / side);

/** The squares that a box meets or touches. */
function* squaresOf({ left, right, top, bottom }: Box, side: number): Generator<[number, number]> {
  const [lastX, lastY] = [Math.floor(right / side), Math.floor(bottom / side)];
  for (let x = Math.floor(left / side); x <= lastX; x++) {
    for (let y = Math.floor(top / side); y <= lastY; y++) yield [x, y];
  }
}

const keyOf = (x: number, y: number): number => (x + KEY_HALF) * 2 * KEY_HALF + y + KEY_HALF;
