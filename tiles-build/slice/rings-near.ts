// Which rings of a ground may matter to a shape: coverage may come in thousands of parts, and each shape is
// cut to those beside it alone.

import { type Box, boundsOf, boxesMeet, type Flat } from '../../shared/geo/clip-box.ts';

/** So few rings are not worth a look. */
const FEW = 16;

const boxesOf = new WeakMap<readonly Flat[], readonly Box[]>();

/** Rings whose bounds meet a box; no other holds any of it, nor has a border there. */
export function ringsNear(rings: readonly Flat[], box: Box): readonly Flat[] {
  if (rings.length <= FEW) return rings;
  let boxes = boxesOf.get(rings);
  if (boxes === undefined) {
    boxes = rings.map((ring) => boundsOf([ring]));
    boxesOf.set(rings, boxes);
  }
  return rings.filter((_, i) => boxesMeet(boxes[i]!, box));
}
