// What differs between the background of two builds. A build cuts the background again only there and
// takes all other tiles from the former build, because a new cell is small and the world is not.

import { type Box, boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { BoxGrid } from './box-grid.ts';
import { boxOfTile, type IsMade } from './made-tiles.ts';
import { type Face, type Ownership, onSquare } from './ownership.ts';
import { digestOfRings } from './ownership-digest.ts';

/**
 * The coverages that only one of two backgrounds has, and the rings of its ground. A ring counts as a
 * whole: cut to a tile, it begins at another point if it has changed elsewhere.
 */
export function changedCoverages(before: Ownership, after: Ownership): (readonly Flat[])[] {
  // The background has the same ground at all tiers.
  const [was, is] = [before, after].map(({ faces }) => faces[0]!);
  const ringsOf = ({ rings }: Face) => rings.map((ring) => [ring]);
  const shoreOf = ({ shore, faces }: Ownership) => (shore ?? faces[0]!.rings).map((ring) => [ring]);
  return [
    ...inOneOnly(was!.better, is!.better, digestOfRings),
    ...inOneOnly(ringsOf(was!), ringsOf(is!), digestOfRings),
    ...inOneOnly(shoreOf(before), shoreOf(after), digestOfRings),
  ];
}

/** Boxes of the Mercator square in which tiles may differ, apart from the effect of their borders. */
export function changedBoxes(before: Ownership, after: Ownership): Box[] {
  return [
    ...changedCoverages(before, after).map((rings) => onSquare(boundsOf(rings))),
    ...inOneOnly(before.makers, after.makers, (maker) => JSON.stringify(maker)),
  ];
}

/** The items that only one of two lists has. */
export function inOneOnly<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): T[] {
  const [was, is] = [before, after].map((items) => new Map(items.map((one) => [keyOf(one), one])));
  return [
    ...[...was!].filter(([key]) => !is!.has(key)),
    ...[...is!].filter(([key]) => !was!.has(key)),
  ].map(([, item]) => item);
}

/** A part of the world whose tiles are wanted. */
export interface WantedGround {
  readonly isTile: IsMade;
  /** Whether tiles of a zoom may be wanted in a box of the Mercator square. */
  readonly isBox: (box: Box, zoom: number) => boolean;
}

export const ALL_GROUND: WantedGround = { isTile: () => true, isBox: () => true };

/** More than the buffer around tiles, in tiles. */
const MARGIN = 1 / 4;

/** The tiles that some boxes may change: those that they meet, with a margin. */
export function groundNear(boxes: readonly Box[]): WantedGround {
  const grid = new BoxGrid(
    boxes.flatMap((box) =>
      [-1, 0, 1].map((world) => ({
        box: { ...box, left: box.left + world, right: box.right + world },
      })),
    ),
    2 ** -12,
  );
  const isBox = ({ left, right, top, bottom }: Box, zoom: number) => {
    const by = MARGIN / 2 ** zoom;
    const near = { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
    return grid.some(near, () => true);
  };
  return { isTile: (zoom, z, x, y) => isBox(boxOfTile(z, x, y), zoom), isBox };
}
