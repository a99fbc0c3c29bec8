// What a chart shows at a position: the depth area, land or structure that covers it.

import { objectClassByAcronym, objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { SHAPE_CODES } from './bucket.ts';
import type { Found } from './search.ts';

export const SURFACES = ['water', 'land', 'structure', 'uncharted'] as const;

export interface Ground {
  readonly surface: (typeof SURFACES)[number];
  /** Metres below chart datum; `null` if unknown. */
  readonly minDepth: number | null;
  readonly maxDepth: number | null;
  /** S-57 acronym. */
  readonly layerId: string | null;
  /** Name and edition of the cell, such as `US5WA22M.40`. */
  readonly cell: string | undefined;
}

/** The areas that cover each charted position exactly once (S-57, group 1). */
const SURFACE_OF: ReadonlyMap<number, Ground['surface']> = new Map(
  (
    [
      ['water', 'DEPARE DRGARE UNSARE'],
      ['land', 'LNDARE'],
      ['structure', 'FLODOC HULKES PONTON'],
    ] as const
  ).flatMap(([surface, acronyms]) =>
    acronyms
      .split(' ')
      // Inland classes extend sea classes and have the same names in small letters.
      .flatMap((one) => [one, one.toLowerCase()])
      .flatMap((one) => objectClassByAcronym(one) ?? [])
      .map(({ code }) => [code, surface] as const),
  ),
);

export const isGroundClass = (classCode: number): boolean => SURFACE_OF.has(classCode);

const UNCHARTED: Ground = {
  surface: 'uncharted',
  minDepth: null,
  maxDepth: null,
  layerId: null,
  cell: undefined,
};

/** An area that is closer than this contains the position. Rounding can leave gaps between areas. */
const INSIDE_METERS = 0.001;

/**
 * The ground at a position, from the areas within a few centimetres. On a border between areas it is
 * the least safe of them: land, then a structure, then water of unknown depth, then the shallowest
 * water.
 */
export function groundOf(found: readonly Found[]): Ground {
  const areas = found.filter(isArea);
  const inside = areas.filter(({ distanceMeters }) => distanceMeters < INSIDE_METERS);
  const grounds = (inside.length > 0 ? inside : areas).map(groundOfArea);
  return grounds.sort((a, b) => dangerOf(a) - dangerOf(b))[0] ?? UNCHARTED;
}

const isArea = ({ bucket, index }: Found): boolean => {
  const shape = bucket.shapes[index]!;
  return shape === SHAPE_CODES.area || shape === SHAPE_CODES.areaPart;
};

function groundOfArea({ bucket, index }: Found): Ground {
  const { attributes, cell, classCode } = bucket.facts(index);
  const surface = SURFACE_OF.get(classCode)!;
  const { drval1, drval2 } = JSON.parse(attributes) as Readonly<Record<string, unknown>>;
  const [minDepth, maxDepth] = surface === 'water' ? rangeOf(drval1, drval2) : [null, null];
  return {
    surface,
    minDepth,
    maxDepth,
    layerId: objectClassByCode(classCode)!.acronym,
    cell,
  };
}

/** Least and greatest depth. Some charts have the two swapped. */
function rangeOf(drval1: unknown, drval2: unknown): [number | null, number | null] {
  const [first, second] = [metersOf(drval1), metersOf(drval2)];
  const isSwapped = first !== null && second !== null && second < first;
  return isSwapped ? [second, first] : [first, second];
}

/** An attribute as a number; `null` if it is missing. */
export const metersOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** A rank: the lowest number is the least safe. */
function dangerOf({ surface, minDepth }: Ground): number {
  if (surface === 'land') return Number.NEGATIVE_INFINITY;
  if (surface === 'structure') return -1e9;
  return minDepth ?? -1e8;
}
