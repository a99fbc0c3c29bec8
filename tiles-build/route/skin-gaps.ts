// Ground that a cell claims to cover and says nothing of: within its coverage, and in no area of the
// skin of the earth (S-57 Group 1). There is none in a sound cell, and no water in any.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import type { Cell, Feature } from '../../shared/s57/cell/cell.ts';
import { areaOf } from '../../shared/s57/cell/geometry.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { oriented, ringOf } from '../quilt/coverage.ts';
import type { Owner } from '../slice/owner.ts';

const SKIN = new Set('DEPARE DRGARE LNDARE UNSARE FLODOC HULKES PONTON'.split(' '));

/** Rings, outer ones positive, holes negative. */
export function skinGaps(cell: Cell, owner: Owner, clipper: Clipper): readonly Flat[] {
  const skin = cell.features.filter(
    (feature) => feature.primitive === 'area' && SKIN.has(feature.acronym.toUpperCase()),
  );
  const coverage = cell.features.filter(
    (feature) => feature.acronym === 'M_COVR' && feature.attributes['CATCOV'] === 1,
  );
  if (isTiled(cell, owner, skin, coverage)) return [];
  const rings = (features: readonly Feature[]) =>
    features.flatMap((feature) =>
      areaOf(cell, feature).flatMap((polygon) =>
        polygon.map(({ uses, exterior }) => oriented(ringOf(uses, owner.unwrapped), exterior)),
      ),
    );
  return clipper.difference(owner.coverage?.rings ?? [], rings(skin));
}

/**
 * Whether the skin fills the coverage exactly, told by edges alone: all boundaries of the skin, each
 * in its direction, add up to the boundary of the coverage. Then the areas do so too, everywhere.
 */
function isTiled(
  cell: Cell,
  { unwrapped }: Owner,
  skin: readonly Feature[],
  coverage: readonly Feature[],
): boolean {
  const sums = new Map<number, number>();
  const walk = (feature: Feature, sign: number): void => {
    for (const { uses, exterior } of areaOf(cell, feature).flat()) {
      const turn = doubleArea(ringOf(uses, unwrapped)) > 0 === exterior ? sign : -sign;
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
