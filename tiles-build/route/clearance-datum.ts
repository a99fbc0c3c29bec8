// The vertical datum of clearances. If it is not a level of high water, a path below the object gets a
// warning, because the object is lower at high water than its clearance suggests.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { isPointInRing } from '../../shared/geo/ring.ts';
import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Attributes, Cell } from '../../shared/s57/cell/cell.ts';
import { areaOf } from '../../shared/s57/cell/geometry.ts';
import { valueMeaning } from '../../shared/s57/vocabulary/attribute-values.ts';
import { numberOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { pathsOf, type Shape } from '../slice/cut-shape.ts';
import type { EdgeShapes } from '../slice/edge-shapes.ts';
import { type Effect, NO_EFFECT } from './item.ts';

/** VERDAT: the levels of high water. */
const HIGH_WATERS: ReadonlySet<number> = new Set([16, 17, 18, 20, 21, 28, 29, 30]);

/** A path below the object gets a warning that names the datum. */
export const DATUM_NOTICE: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.noticed, notice: 'datum' };

const isLimited = ({ kind, clearance }: Effect): boolean =>
  kind === 'overhead' && Number.isFinite(clearance);

/** A point inside most bridges. The ends of a bridge may be on the border of an area. */
function middleOf(path: Flat): readonly [x: number, y: number] {
  const half = 2 * Math.floor(path.length / 4);
  return [(path[0]! + path[half]!) / 2, (path[1]! + path[half + 1]!) / 2];
}

/**
 * Returns a function for the datum of an object with a clearance, in words; `undefined` if it is
 * unknown or a level of high water. The object's own datum counts before that of an area (M_VDAT),
 * and the area's before that of the cell.
 */
export function datumLookup(
  cell: Cell,
  edges: EdgeShapes,
): (shape: Shape, effects: readonly Effect[], attributes: Attributes) => string | undefined {
  const areas = cell.features
    .filter(({ acronym, primitive }) => acronym.toUpperCase() === 'M_VDAT' && primitive === 'area')
    .map((feature) => ({
      datum: numberOf(feature.attributes, 'VERDAT'),
      rings: edges.polygons(areaOf(cell, feature)).flat(),
    }));
  return (shape, effects, attributes) => {
    const path = pathsOf(shape)[0];
    if (path === undefined || !effects.some(isLimited)) return undefined;
    const [x, y] = middleOf(path);
    const area = areas.find(({ rings }) =>
      rings.reduce((isIn, ring) => isIn !== isPointInRing(x, y, ring), false),
    );
    const datum = numberOf(attributes, 'VERDAT') ?? area?.datum ?? cell.header.verticalDatum ?? 0;
    return HIGH_WATERS.has(datum) ? undefined : valueMeaning('VERDAT', datum);
  };
}
