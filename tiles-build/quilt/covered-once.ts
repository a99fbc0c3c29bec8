// Coverage that claims ground twice: some producers let M_COVR objects of one cell overlap. Sides of rings
// are told by counting borders, and ground within two rings would count as outside of both.

import { boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import type { Clipper } from './clipper.ts';

/** What sums of areas may differ by in the last digits, as a share. */
const ROUNDING = 1e-12;

/**
 * The same ground by rings that do not overlap; the very rings given where they do not.
 * @param rings outer ones positive, holes negative
 */
export function coveredOnce(rings: readonly Flat[], clipper: Clipper): readonly Flat[] {
  if (!mayOverlap(rings)) return rings;
  const once = clipper.union(rings);
  const claimed = areaOf(rings);
  return claimed - areaOf(once) > claimed * ROUNDING ? once : rings;
}

/** Whether the boxes of two outer rings have ground in common. */
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
