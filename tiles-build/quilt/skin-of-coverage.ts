// Divides the coverage of a cell by its skin of the earth (S-57 Group 1). A sound cell has a skin
// on all of its coverage. Ground without a skin is not charted and must not hide other cells.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { doubleArea, groupRings } from '../../shared/geo/ring.ts';
import type { Clipper } from './clipper.ts';
import type { Coverage } from './coverage.ts';

/** Ground narrower than this (5 cm) results from rounding two borders that should coincide. */
const SLIVER_UNITS = 5;

/** A cell's coverage in two parts, each with outer rings positive and holes negative. */
export interface CoverageParts {
  /** Coverage with a skin. */
  readonly charted: readonly Flat[];
  /** Coverage without a skin. */
  readonly bare: readonly Flat[];
}

/** Divide the coverage of a cell by its skin. */
export function partsOfCoverage(coverage: Coverage, clipper: Clipper): CoverageParts {
  const { rings } = coverage;
  const bare = bareOf(coverage, clipper);
  return bare.length === 0
    ? { charted: rings, bare }
    : { charted: clipper.difference(rings, bare), bare };
}

function bareOf({ rings, skin, bare }: Coverage, clipper: Clipper): readonly Flat[] {
  if (bare !== undefined) return bare;
  if (skin === undefined) return [];
  return withoutSlivers(clipper.difference(rings, skin), SLIVER_UNITS);
}

/**
 * Only the polygons that are at least so wide on average.
 * @param width units of the grid, about 1 cm along a meridian
 * @param shrink length of a unit along a parallel in units along a meridian
 */
export const withoutSlivers = (
  rings: readonly Flat[],
  width: number,
  shrink = 1,
): readonly Flat[] =>
  groupRings(rings)
    .filter((polygon) => widthOf(polygon, shrink) >= width)
    .flat();

/** The same coverage with `bare` instead of `skin`, which is much smaller. */
export function withoutSkin(coverage: Coverage, clipper: Clipper): Coverage {
  if (coverage.skin === undefined) return coverage;
  const { skin: _, ...rest } = coverage;
  const bare = bareOf(coverage, clipper);
  return bare.length === 0 ? rest : { ...rest, bare };
}

/** Share of a cell's coverage without a skin, by area on the grid: 0 in a sound cell. */
export function bareShare(coverage: Coverage, clipper: Clipper): number {
  return sizeOf(bareOf(coverage, clipper)) / sizeOf(coverage.rings);
}

/** Twice the area. */
const sizeOf = (rings: readonly Flat[]): number =>
  Math.abs(rings.reduce((sum, ring) => sum + doubleArea(ring), 0));

/** Twice the area divided by the perimeter, which is about the width of a thin polygon. */
const widthOf = (polygon: readonly Flat[], shrink: number): number =>
  (sizeOf(polygon) * shrink) / polygon.reduce((sum, ring) => sum + lengthOf(ring, shrink), 0);

function lengthOf(ring: Flat, shrink: number): number {
  let length = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    length += Math.hypot((ring[i]! - ring[j]!) * shrink, ring[i + 1]! - ring[j + 1]!);
  }
  return length;
}
