// Corridors through the background's land: straits that its maximum error closes, and canals. Land
// near a corridor has finer cells, because a corridor is narrower than the cells of the background.

import { type Box, boundsOf, boxesMeet, type Flat } from '../../shared/geo/clip-box.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import {
  PASSAGE_HALF_WIDTH_METERS,
  PASSAGES,
  type Passage,
  SHOALS,
} from '../../shared/route/passages.ts';
import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { boxOfNode, cutBoxOf } from './cut-item.ts';
import { type Effect, NO_EFFECT } from './item.ts';
import { SHEET_ZOOM } from './over-sheets.ts';
import { buffered } from './widened.ts';

/** Cells of 76 m at the equator. */
export const CORRIDOR_DETAIL = 19;
/** Land within this distance of a line has these cells. */
const NEAR_METERS = 3000;

export const CORRIDOR: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.passage };

export interface Corridor {
  /** Whether the corridor crosses land. A strait keeps to the water between its shores. */
  readonly crossesLand: boolean;
  readonly rings: readonly Flat[];
  readonly near: readonly Flat[];
  readonly box: Box;
}

const CORRIDORS = PASSAGES.map(({ canal, line }: Passage): Corridor => {
  const near = buffered([thereAndBack(line)], NEAR_METERS);
  return {
    crossesLand: canal !== undefined,
    rings: buffered([thereAndBack(line)], PASSAGE_HALF_WIDTH_METERS),
    near,
    box: boundsOf(near),
  };
});

/** The rings of each shoal that closes water of the background. */
export const SHOAL_RINGS: readonly (readonly Flat[])[] = SHOALS.map((line) =>
  buffered([thereAndBack(line)], PASSAGE_HALF_WIDTH_METERS),
);

/** A ring along a line and back, which has no area, on the hazard grid. */
function thereAndBack(line: Passage['line']): Flat {
  const path = line.flatMap(([longitude, latitude]) =>
    [mercatorX(longitude), mercatorY(latitude)].map((part) => Math.round(part * HAZARD_GRID)),
  );
  const ring = [...path];
  for (let i = path.length - 4; i >= 2; i -= 2) ring.push(path[i]!, path[i + 1]!);
  return ring;
}

/** The corridors that reach a sheet, without their rings elsewhere. */
export function corridorsOn(x: number, y: number): readonly Corridor[] {
  const sheet = boxOfNode(SHEET_ZOOM, x, y);
  const around = cutBoxOf(SHEET_ZOOM, x, y, 0);
  const isNear = (ring: Flat) => boxesMeet(boundsOf([ring]), around);
  return CORRIDORS.filter(({ box }) => boxesMeet(box, sheet)).map((corridor) => ({
    ...corridor,
    rings: corridor.rings.filter(isNear),
    near: corridor.near.filter(isNear),
  }));
}

/**
 * An area of land without the corridors, near them and elsewhere.
 *
 * @param land at its maximum extent
 * @param shore the same land as the background draws it
 */
export function withoutCorridors(
  land: readonly Flat[],
  shore: readonly Flat[],
  corridors: readonly Corridor[],
  clipper: Clipper,
): { readonly near: readonly Flat[]; readonly far: readonly Flat[] } {
  const straits = corridors.filter(({ crossesLand }) => !crossesLand).flatMap(({ rings }) => rings);
  const all = corridors.flatMap(({ rings }) => rings);
  const open = clipper.difference(land, all);
  const left =
    straits.length === 0
      ? open
      : clipper.union([
          ...open,
          ...clipper.intersection(clipper.intersection(shore, straits), land),
        ]);
  const near = corridors.flatMap((corridor) => corridor.near);
  return { near: clipper.intersection(left, near), far: clipper.difference(left, near) };
}
