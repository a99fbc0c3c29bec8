// The skin of the earth of one cell (S-57 Group 1): the areas on both sides of an edge or around a
// node, and the edges along a coast or a structure.

import { ALWAYS_DRAWN_CLASSES } from '../../../shared/chart/always-drawn.ts';
import { UNDATED_CLASSES } from '../../../shared/chart/in-force.ts';
import type { Attributes, Cell, Feature } from '../../../shared/s57/cell/cell.ts';
import { isDrawable } from '../../../shared/s57/cell/geometry.ts';
import { isAhead, periodOf } from '../../../shared/s57/vocabulary/periods.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/** Depth of skin areas that are not navigable water: land, structures, unsurveyed ground. */
export const NOT_WATER_METERS = -100;

/** One area of the skin. */
interface SkinArea {
  readonly index: number;
  readonly acronym: string;
  /** The shallow end of its range in metres (-1 if unknown), or `NOT_WATER_METERS`. */
  readonly shallowMeters: number;
  /** The charted least depth in metres; `undefined` if it is unknown, or if the area is not water. */
  readonly leastMeters: number | undefined;
}

export interface Skin {
  readonly areas: readonly SkinArea[];
  /** Areas along each edge id, as indices of `areas`. */
  readonly areasOfEdge: ReadonlyMap<number, readonly number[]>;
  /** Areas that meet at a connected node. */
  readonly areasOfNode: (nodeId: number) => readonly number[];
  /** Edges along which a coastline or structure is drawn at every zoom and on every day. */
  readonly shoreEdges: ReadonlySet<number>;
  /** Those of them whose shore is not covered by water. */
  readonly dryShoreEdges: ReadonlySet<number>;
}

const SKIN_CLASSES = new Set('DEPARE DRGARE LNDARE UNSARE FLODOC PONTON HULKES'.split(' '));
/** Only classes without a floor (`generalise/floors.ts`), which would hide them at small scales. */
export const SHORE_CLASSES: ReadonlySet<string> = new Set(
  'COALNE SLCONS DAMCON PONTON FLODOC HULKES LAKSHR RIVBNK CANBNK'.split(' '),
);

/** WATLEV: always under water, covers and uncovers, awash. */
const COVERED: ReadonlySet<number> = new Set([3, 4, 5]);

/**
 * Whether neither a date nor SCAMIN ever hides a shore. Seasons (PERSTA, PEREND) hide nothing, and neither does a
 * first day before the chart was issued.
 */
function isLastingShore(acronym: string, attributes: Attributes, issued: number): boolean {
  if (!SHORE_CLASSES.has(acronym)) return false;
  const period = periodOf(attributes);
  const hasDates =
    !UNDATED_CLASSES.has(acronym) && (period.de !== undefined || isAhead(period, issued));
  return (
    !hasDates && (ALWAYS_DRAWN_CLASSES.has(acronym) || numberOf(attributes, 'SCAMIN') === undefined)
  );
}

function hasDepthRange(acronym: string): boolean {
  return acronym === 'DEPARE' || acronym === 'DRGARE';
}

/**
 * The least depth of an area in metres, or `undefined` without DRVAL1. If DRVAL1 and DRVAL2 are
 * swapped, the smaller value is used, so that no area is shown deeper than charted.
 */
export function leastDepth(attributes: Attributes): number | undefined {
  const shallow = numberOf(attributes, 'DRVAL1');
  const deep = numberOf(attributes, 'DRVAL2');
  return shallow === undefined || deep === undefined ? shallow : Math.min(shallow, deep);
}

/** The least depth that S-52 assumes if it is unknown, so that the area is shaded as drying. */
const UNKNOWN_METERS = -1;

/** The least depth of an area, as used for shading. */
export function shallowEnd(attributes: Attributes): number {
  const known = leastDepth(attributes);
  return known ?? Math.min(UNKNOWN_METERS, numberOf(attributes, 'DRVAL2') ?? UNKNOWN_METERS);
}

export function skinOf(cell: Cell, acronymOf: (feature: Feature) => string): Skin {
  const areas: SkinArea[] = [];
  const areasOfEdge = new Map<number, number[]>();
  const shoreEdges = new Set<number>();
  const dryShoreEdges = new Set<number>();
  // Without a date of issue, each first day may be ahead.
  const issued = Number(cell.header.issueDate) || 0;
  for (const feature of cell.features) {
    const acronym = acronymOf(feature);
    if (isLastingShore(acronym, feature.attributes, issued)) {
      const isDry = !COVERED.has(numberOf(feature.attributes, 'WATLEV') ?? 0);
      for (const use of feature.spatial) {
        if (use.target !== 'edge' || !isDrawable(use)) continue;
        shoreEdges.add(use.id);
        if (isDry) dryShoreEdges.add(use.id);
      }
    }
    if (feature.primitive !== 'area' || !SKIN_CLASSES.has(acronym)) continue;
    const index = areas.length;
    const shallowMeters = hasDepthRange(acronym)
      ? shallowEnd(feature.attributes)
      : NOT_WATER_METERS;
    const leastMeters = hasDepthRange(acronym) ? leastDepth(feature.attributes) : undefined;
    areas.push({ index, acronym, shallowMeters, leastMeters });
    for (const use of feature.spatial) {
      if (use.target !== 'edge') continue;
      const along = areasOfEdge.get(use.id);
      if (along === undefined) areasOfEdge.set(use.id, [index]);
      else if (!along.includes(index)) along.push(index);
    }
  }
  return {
    areas,
    areasOfEdge,
    areasOfNode: nodeLookup(cell, areasOfEdge),
    shoreEdges,
    dryShoreEdges,
  };
}

/** Built on first use: most cells have no danger on a connected node. */
function nodeLookup(
  cell: Cell,
  areasOfEdge: ReadonlyMap<number, readonly number[]>,
): (nodeId: number) => readonly number[] {
  let byNode: Map<number, Set<number>> | undefined;
  return (nodeId) => {
    if (byNode === undefined) {
      byNode = new Map();
      for (const [edgeId, areas] of areasOfEdge) {
        const edge = cell.edges.get(edgeId);
        for (const end of [edge?.begin, edge?.end]) {
          if (end === undefined) continue;
          const met = byNode.get(end) ?? new Set<number>();
          for (const area of areas) met.add(area);
          byNode.set(end, met);
        }
      }
    }
    return [...(byNode.get(nodeId) ?? [])];
  };
}
