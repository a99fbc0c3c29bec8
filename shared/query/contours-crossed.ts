// Where a line crosses depth contours.

import { type Box, boxesMeet, type Flat } from '../geo/clip-box.ts';
import { objectClassByAcronym } from '../s57/vocabulary/object-classes.ts';
import type { Bucket } from './bucket.ts';
import { metersOf } from './ground.ts';
import { boxOfPiece, type Piece } from './profile-line.ts';

export interface Contour {
  /** Equal in all buckets that contain the contour. */
  readonly identity: string;
  /** VALDCO, metres below chart datum; `null` if unknown. */
  readonly depth: number | null;
  /** On the grid; `top` is south. */
  readonly box: Box;
  readonly lines: readonly Flat[];
}

export interface Crossing {
  readonly depth: number | null;
  /** Metres from the start of the line. */
  readonly distance: number;
}

const DEPCNT = objectClassByAcronym('DEPCNT')!.code;

/** The depth contours of a bucket, decoded. */
export function contoursOf(bucket: Bucket): Contour[] {
  const contours: Contour[] = [];
  for (let index = 0; index < bucket.count; index++) {
    if (bucket.classes[index] !== DEPCNT) continue;
    const shape = bucket.shape(index);
    if (shape.type !== 'line' && shape.type !== 'part') continue;
    const [left, top, right, bottom] = bucket.boxes.subarray(4 * index, 4 * index + 4);
    const { valdco } = JSON.parse(bucket.facts(index).attributes) as Record<string, unknown>;
    contours.push({
      identity: bucket.identity(index),
      depth: metersOf(valdco),
      box: { left: left!, top: top!, right: right!, bottom: bottom! },
      lines: shape.lines,
    });
  }
  return contours;
}

/** Collects crossings. A contour that is in several buckets counts once at each place. */
export class Crossings {
  readonly #found = new Map<string, Crossing>();

  get count(): number {
    return this.#found.size;
  }

  add(piece: Piece, contours: readonly Contour[]): void {
    const box = boxOfPiece(piece);
    for (const { identity, depth, box: reach, lines } of contours) {
      if (!boxesMeet(box, reach)) continue;
      for (const line of lines) {
        for (const share of sharesOfCrossings(piece, box, line)) {
          const distance = piece.start + piece.meters * share;
          // The centimetres of the grid.
          const key = `${identity} ${Math.round(distance * 20)}`;
          this.#found.set(key, { depth, distance });
        }
      }
    }
  }

  inOrder(): Crossing[] {
    return [...this.#found.values()].sort((a, b) => a.distance - b.distance);
  }
}

/** Fractions of a piece at which a contour crosses it. A vertex on the line counts once. */
function sharesOfCrossings(
  { fromX, fromY, toX, toY }: Piece,
  { left, right, top, bottom }: Box,
  line: Flat,
): number[] {
  const shares: number[] = [];
  const side = (x: number, y: number) => (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);
  for (let i = 2; i < line.length; i += 2) {
    const [ax, ay, bx, by] = [line[i - 2]!, line[i - 1]!, line[i]!, line[i + 1]!];
    if ((ax < left && bx < left) || (ax > right && bx > right)) continue;
    if ((ay < top && by < top) || (ay > bottom && by > bottom)) continue;
    const [sideA, sideB] = [side(ax, ay), side(bx, by)];
    if (sideA > 0 === sideB > 0) continue;
    const from = (bx - ax) * (fromY - ay) - (by - ay) * (fromX - ax);
    const to = (bx - ax) * (toY - ay) - (by - ay) * (toX - ax);
    if (from > 0 !== to > 0) shares.push(from / (from - to));
  }
  return shares;
}
