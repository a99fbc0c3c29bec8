// Which marks are shown where texts compete for space, and in what order they are drawn. The order of
// choosing is the same wherever the window lies: style layers from the top, then blocks from north
// to south and west to east, then the order within the block.

import type { Mark, SetBlock } from './block.ts';

/** A mark and where its block's corner lies, in pixels of the tile. */
export interface SetMark {
  readonly mark: Mark;
  readonly left: number;
  readonly top: number;
}

/** The marks that are shown, in drawing order. */
export function placeMarks(blocks: readonly SetBlock[]): SetMark[] {
  const ordered = [...blocks].sort((a, b) => a.top - b.top || a.left - b.left);
  const candidates = ordered.flatMap(({ block, left, top }) =>
    block.marks.map((mark) => ({ mark, left, top })),
  );
  const taken = new TakenBoxes();
  const shown = candidates
    .map((candidate, order) => ({ candidate, order }))
    // Sorting is stable, so blocks and features stay in their order.
    .sort((a, b) => b.candidate.mark.layer - a.candidate.mark.layer || a.order - b.order)
    .flatMap(({ candidate }) => placed(candidate, taken));
  // Of one layer, what stands further south lies on top, as if nearer to the reader.
  const southing = ({ mark, top }: SetMark) => mark.item.y + top;
  return shown.sort(
    (a, b) =>
      a.mark.layer - b.mark.layer ||
      a.mark.sortKey - b.mark.sortKey ||
      southing(a) - southing(b) ||
      a.mark.item.x + a.left - (b.mark.item.x + b.left),
  );
}

/** The mark where it is shown, and its partner; nothing where either has no place. */
function placed({ mark, left, top }: SetMark, taken: TakenBoxes): SetMark[] {
  const { partner } = mark;
  if (partner !== undefined && !partner.isKept && taken.meets(partner.boxes, left, top)) return [];
  const place = (mark.places ?? [NOT_MOVED]).find(
    ([x, y]) => mark.isKept || !taken.meets(mark.boxes, left + x, top + y),
  );
  if (place === undefined) return [];
  const set = [{ mark, left: left + place[0], top: top + place[1] }];
  if (partner !== undefined) set.push({ mark: partner, left, top });
  for (const one of set) {
    if (one.mark.isObstacle) taken.add(one.mark.boxes, one.left, one.top);
  }
  return set.filter((one) => one.mark.isBlank !== true);
}

const NOT_MOVED = [0, 0] as const;

const SQUARE_PIXELS = 64;

/** Boxes taken so far, found by coarse squares. */
class TakenBoxes {
  readonly #squares = new Map<number, number[]>();

  meets(boxes: readonly number[], left: number, top: number): boolean {
    for (let i = 0; i < boxes.length; i += 4) {
      const l = boxes[i]! + left;
      const t = boxes[i + 1]! + top;
      const r = boxes[i + 2]! + left;
      const b = boxes[i + 3]! + top;
      for (const square of squaresOf(l, t, r, b)) {
        const others = this.#squares.get(square);
        if (others === undefined) continue;
        for (let j = 0; j < others.length; j += 4) {
          if (l < others[j + 2]! && r > others[j]! && t < others[j + 3]! && b > others[j + 1]!) {
            return true;
          }
        }
      }
    }
    return false;
  }

  add(boxes: readonly number[], left: number, top: number): void {
    for (let i = 0; i < boxes.length; i += 4) {
      const box = [
        boxes[i]! + left,
        boxes[i + 1]! + top,
        boxes[i + 2]! + left,
        boxes[i + 3]! + top,
      ];
      for (const square of squaresOf(box[0]!, box[1]!, box[2]!, box[3]!)) {
        const others = this.#squares.get(square);
        if (others === undefined) this.#squares.set(square, [...box]);
        else for (const side of box) others.push(side);
      }
    }
  }
}

function* squaresOf(left: number, top: number, right: number, bottom: number): Iterable<number> {
  for (let y = Math.floor(top / SQUARE_PIXELS); y <= Math.floor(bottom / SQUARE_PIXELS); y++) {
    for (let x = Math.floor(left / SQUARE_PIXELS); x <= Math.floor(right / SQUARE_PIXELS); x++) {
      yield y * 4096 + x;
    }
  }
}
