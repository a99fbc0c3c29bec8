// Index of the space that marks occupy, on a coarse grid.

const SQUARE_PIXELS = 64;
/** Numbers per box: left, top, right, bottom and the rank of its mark. */
const NUMBERS = 5;

export class TakenBoxes {
  readonly #squares = new Map<number, number[]>();

  /** Whether shifted boxes (left, top, right, bottom each) overlap a box of a lower rank. */
  meets(boxes: readonly number[], left: number, top: number, rank: number): boolean {
    for (let i = 0; i < boxes.length; i += 4) {
      const [l, t, r, b] = moved(boxes, i, left, top);
      for (const square of squaresOf(l, t, r, b)) {
        const others = this.#squares.get(square);
        if (others === undefined) continue;
        for (let j = 0; j < others.length; j += NUMBERS) {
          if (
            others[j + 4]! < rank &&
            l < others[j + 2]! &&
            r > others[j]! &&
            t < others[j + 3]! &&
            b > others[j + 1]!
          ) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Occupy shifted boxes; marks of a higher rank must not overlap them. */
  add(boxes: readonly number[], left: number, top: number, rank: number): void {
    for (let i = 0; i < boxes.length; i += 4) {
      const [l, t, r, b] = moved(boxes, i, left, top);
      for (const square of squaresOf(l, t, r, b)) {
        const others = this.#squares.get(square);
        if (others === undefined) this.#squares.set(square, [l, t, r, b, rank]);
        else others.push(l, t, r, b, rank);
      }
    }
  }
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

const moved = (boxes: readonly number[], at: number, right: number, down: number): Box => [
  boxes[at]! + right,
  boxes[at + 1]! + down,
  boxes[at + 2]! + right,
  boxes[at + 3]! + down,
];

function* squaresOf(left: number, top: number, right: number, bottom: number): Iterable<number> {
  for (let y = Math.floor(top / SQUARE_PIXELS); y <= Math.floor(bottom / SQUARE_PIXELS); y++) {
    for (let x = Math.floor(left / SQUARE_PIXELS); x <= Math.floor(right / SQUARE_PIXELS); x++) {
      yield y * 4096 + x;
    }
  }
}
