// Merges overlapping M_COVR objects of one cell. A side test counts border crossings, so ground
// inside two rings would count as outside of both.

import { boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import type { Clipper } from './clipper.ts';

/** Relative tolerance for comparing sums of areas. */
const ROUNDING = 1e-12;

/**
 * The same ground as rings that do not overlap. Returns `rings` itself if they do not overlap.
 * @param rings outer ones positive, holes negative
 */
export function coveredOnce(rings: readonly Flat[], clipper: Clipper): readonly Flat[] {
  if (!mayOverlap(rings)) return rings;
  const once = clipper.union(rings);
  const claimed = areaOf(rings);
  return claimed - areaOf(once) > claimed * ROUNDING ? once : rings;
}

/** Whether the boxes of two outer rings overlap. */
function mayOverlap(rings: readonly Flat[]): boolean {
  const boxes = rings
    .filter((ring) => doubleArea(ring) > 0)
    .map((ring) => boundsOf([ring]))
    .sort((a, b) => a.left - b.left);
  return boxes.some((box, i) => {
    for (let k = i + 1; k < boxes.length && boxes[k]!.left < box.right; k++) {
      if (boxes[k]!.top < box.bottom && boxes[k]!.bottom > box.top) return true;
    }
    return false;
  });
}

const areaOf = (rings: readonly Flat[]): number =>
  rings.reduce((sum, ring) => sum + doubleArea(ring), 0);
