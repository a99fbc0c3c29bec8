// The coverage of a cell: its M_COVR objects with CATCOV 1, as rings in integer units of a degree.

import type { Box, Flat } from '../../shared/geo/clip-box.ts';
import { boundsOf } from '../../shared/geo/clip-box.ts';
import { doubleArea, oriented } from '../../shared/geo/ring.ts';
import type { Cell, EdgeUse, Feature } from '../../shared/s57/cell/cell.ts';
import { areaOf, positionsOf } from '../../shared/s57/cell/geometry.ts';
import { numberOf } from '../../shared/s57/vocabulary/typed-values.ts';

/** Units per degree: the resolution of S-57 coordinates (COMF 10⁷). */
export const DEGREE = 1e7;
/** 360° of longitude. */
export const FULL_CIRCLE = 360 * DEGREE;

/** S-57 Appendix B.1, clause 3.10.1. */
const SKIN = new Set('DEPARE DRGARE LNDARE UNSARE FLODOC HULKES PONTON'.split(' '));

/** The data of a cell that the quilt needs; plain, because they are sent between threads. */
export interface Coverage {
  readonly name: string;
  readonly usageBand: number;
  readonly scaleDenominator: number;
  /** The smallest scale that SCAMIN allows any of its soundings; absent if none has SCAMIN. */
  readonly soundingsScamin?: number;
  /** Date of the base file, yyyymmdd; compared as text. An update does not change the order of cells. */
  readonly editionDate: string;
  /**
   * x is longitude, y is negated latitude, in 1/DEGREE; outer rings positive, holes negative.
   * A cell across 180° continues beyond it.
   */
  readonly rings: readonly Flat[];
  /**
   * Areas of its skin of the earth (S-57 Group 1), which may overlap; absent if they fill the
   * rings.
   */
  readonly skin?: readonly Flat[];
  /** The part of the rings without skin, if it was computed: see `partsOfCoverage`. */
  readonly bare?: readonly Flat[];
  readonly box: Box;
}

/**
 * Degrees to grid units; the longitudes of a cell across 180° continue beyond it
 * (`shared/s57/cell/cell.ts`).
 */
export function gridX(longitude: number): number {
  return Math.round(longitude * DEGREE);
}

export function gridY(latitude: number): number {
  return Math.round(-latitude * DEGREE);
}

/** The coverage of a cell; `rings` is empty if it has no M_COVR with CATCOV 1. */
export function coverageOf(cell: Cell): Coverage {
  const covered = cell.features.filter(
    ({ acronym, attributes }) => acronym === 'M_COVR' && attributes['CATCOV'] === 1,
  );
  const rings = ringsOf(cell, covered);
  const { name, usageBand, scaleDenominator, editionDate } = cell.header;
  const soundingsScamin = leastScaleOfSoundings(cell);
  const header = {
    ...{ name, usageBand, scaleDenominator, editionDate },
    ...(soundingsScamin > 0 && { soundingsScamin }),
  };
  const skin = skinUnlessTiled(cell, covered);
  return { ...header, rings, ...(skin !== undefined && { skin }), box: boundsOf(rings) };
}

function leastScaleOfSoundings({ features }: Cell): number {
  return features
    .filter(({ acronym }) => acronym === 'SOUNDG')
    .reduce((most, { attributes }) => Math.max(most, numberOf(attributes, 'SCAMIN') ?? 0), 0);
}

/** Rings of the skin's areas, which may overlap; `undefined` if they fill the coverage exactly. */
function skinUnlessTiled(cell: Cell, covered: readonly Feature[]): readonly Flat[] | undefined {
  const skin = cell.features.filter(
    ({ primitive, acronym }) => primitive === 'area' && SKIN.has(acronym.toUpperCase()),
  );
  return isTiled(cell, skin, covered) ? undefined : ringsOf(cell, skin);
}

/** Rings of area features on the grid, without degenerate ones. */
function ringsOf(cell: Cell, features: readonly Feature[]): Flat[] {
  return features
    .flatMap((feature) =>
      areaOf(cell, feature).flatMap((polygon) =>
        polygon.map((ring) => oriented(ringOf(ring.uses), ring.exterior)),
      ),
    )
    .filter((ring) => ring.length >= 6 && doubleArea(ring) !== 0);
}

/**
 * Whether the skin fills the coverage exactly, decided by edges alone: if all directed boundaries
 * of the skin add up to the boundary of the coverage, the areas add up too.
 */
function isTiled(cell: Cell, skin: readonly Feature[], coverage: readonly Feature[]): boolean {
  const sums = new Map<number, number>();
  const walk = (feature: Feature, sign: number): void => {
    for (const { uses, exterior } of areaOf(cell, feature).flat()) {
      const turn = doubleArea(ringOf(uses)) > 0 === exterior ? sign : -sign;
      for (const { edge, reversed } of uses) {
        const sum = (sums.get(edge.id) ?? 0) + (reversed ? -turn : turn);
        if (sum === 0) sums.delete(edge.id);
        else sums.set(edge.id, sum);
      }
    }
  };
  for (const feature of skin) walk(feature, 1);
  for (const feature of coverage) walk(feature, -1);
  return sums.size === 0;
}

/** One ring of edges on the grid; the first point is not repeated at the end. */
export function ringOf(uses: readonly EdgeUse[]): Flat {
  const positions = positionsOf(uses);
  const ring: Flat = [];
  for (let i = 0; i < positions.length; i += 2) {
    ring.push(gridX(positions[i]!), gridY(positions[i + 1]!));
  }
  return opened(ring);
}

/** The ring, changed to not repeat its first point. */
export function opened(ring: Flat): Flat {
  const n = ring.length;
  if (n > 2 && ring[0] === ring[n - 2] && ring[1] === ring[n - 1]) ring.length = n - 2;
  return ring;
}
