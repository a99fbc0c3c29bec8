// Selects the rings of a ground that may affect a shape. Coverage may have thousands of parts, and
// each shape is cut only to those near it.

import { type Box, boundsOf, boxesMeet, type Flat } from '../../shared/geo/clip-box.ts';
import { remembered } from '../../shared/geo/map-entries.ts';

/** With at most this many rings, all are used. */
const FEW = 16;

const boxesOf = new WeakMap<readonly Flat[], readonly Box[]>();

/** Rings whose bounds meet a box; no other ring contains any of it or has a border in it. */
export function ringsNear(rings: readonly Flat[], box: Box): readonly Flat[] {
  if (rings.length <= FEW) return rings;
  const boxes = remembered(boxesOf, rings, () => rings.map((ring) => boundsOf([ring])));
  return rings.filter((_, i) => boxesMeet(boxes[i]!, box));
}
