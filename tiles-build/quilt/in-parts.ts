// Clips ground with any number of vertices. The polygon engine examines all edges that a line
// across the ground meets, so its time grows with the square of the number of spikes of a star.
// Large ground is therefore halved as long as a clipping border crosses it, and the parts are
// joined again.

import { type Box, boundsOf, clipRing, type Flat } from '../../shared/geo/clip-box.ts';
import { sideOfRings } from '../../shared/geo/ring.ts';
import { type Cuts, joinParts } from './join-parts.ts';

/**
 * Intersects rings of integer coordinates with others; results have outer rings positive, holes
 * negative.
 */
export type Intersection = (subject: readonly Flat[], clips: readonly Flat[]) => Flat[];

/**
 * Subjects with up to this many vertices are clipped at once; a star of this size takes two
 * seconds.
 */
const MAX_AT_ONCE = 20_000;
/** Maximum number of vertices of a part. */
const MAX_IN_PART = 4_000;
/** Ground narrower than this (some metres) is not halved any more. */
const MIN_UNITS = 512;

/**
 * The same operation, done in parts if the subject has many vertices. Such a subject must not
 * overlap itself, because parts away from the clips' border are kept unchanged. Points where a cut
 * crosses an edge are rounded.
 */
export function inParts(
  intersection: Intersection,
  atOnce = MAX_AT_ONCE,
  inPart = MAX_IN_PART,
): Intersection {
  return (subject, clips) => {
    if (verticesOf(subject) <= atOnce) return intersection(subject, clips);
    const cuts: Cuts = [new Set(), new Set()];
    const parts: Flat[] = [];
    const keep = (rings: readonly Flat[]): void => {
      for (const ring of rings) parts.push(ring.map(Math.round));
    };
    const divide = (rings: readonly Flat[], box: Box): void => {
      if (rings.length === 0) return;
      if (!isCrossed(clips, box)) {
        const [x, y] = [
          Math.round((box.left + box.right) / 2),
          Math.round((box.top + box.bottom) / 2),
        ];
        if (sideOfRings(x, y, clips) > 0) keep(rings);
        return;
      }
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      if (verticesOf(rings) <= inPart || Math.max(width, height) < MIN_UNITS) {
        keep(intersection(rings, clips));
        return;
      }
      const axis = width > height ? 0 : 1;
      const limit = Math.round(axis === 0 ? box.left + width / 2 : box.top + height / 2);
      cuts[axis].add(limit);
      const [low, high] =
        axis === 0
          ? [
              { ...box, right: limit },
              { ...box, left: limit },
            ]
          : [
              { ...box, bottom: limit },
              { ...box, top: limit },
            ];
      for (const half of [low, high]) {
        divide(
          rings.map((ring) => clipRing(ring, half)).filter((ring) => ring.length > 0),
          half,
        );
      }
    };
    divide(subject, boundsOf(subject));
    return joinParts(parts, cuts);
  };
}

const verticesOf = (rings: readonly Flat[]): number =>
  rings.reduce((sum, ring) => sum + ring.length / 2, 0);

/** Whether an edge of the rings meets a box. If not, the box is entirely inside or outside. */
function isCrossed(rings: readonly Flat[], box: Box): boolean {
  return rings.some((ring) => {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      if (meets(box, ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!)) return true;
    }
    return false;
  });
}

/**
 * Whether an edge meets a box: their bounds overlap, and not all corners are on one side of the
 * edge.
 */
function meets({ left, right, top, bottom }: Box, ax: number, ay: number, bx: number, by: number) {
  if (Math.max(ax, bx) < left || Math.min(ax, bx) > right) return false;
  if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) return false;
  const side = (x: number, y: number) => Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
  const first = side(left, top);
  return (
    first === 0 ||
    first !== side(right, top) ||
    first !== side(right, bottom) ||
    first !== side(left, bottom)
  );
}
