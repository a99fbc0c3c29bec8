// Converts the features of one cell to route items, clipped to the area that the cell owns. If cells
// overlap, the most detailed cell owns the area.

import { EARLY_CLASSES, UNDATED_CLASSES } from '../../shared/chart/in-force.ts';
import { type Box, boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { groupRings, sideOfRings } from '../../shared/geo/ring.ts';
import { type HazardFeature, SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Attributes, Cell, Feature, Node } from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf } from '../../shared/s57/cell/geometry.ts';
import { objectIdOf } from '../../shared/s57/vocabulary/feature-id.ts';
import { isAhead, isOver, periodOf } from '../../shared/s57/vocabulary/periods.ts';
import { numberOf, textOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { isLowAccuracy } from '../portray/features/position-quality.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { DEGREE, gridX, gridY } from '../quilt/coverage.ts';
import type { Face, Ownership } from '../quilt/ownership.ts';
import { zoomsOfBand } from '../quilt/rank.ts';
import { partsOfCoverage } from '../quilt/skin-of-coverage.ts';
import { orientedRings, type Shape } from '../slice/cut-shape.ts';
import { cutToFace } from '../slice/cut-to-face.ts';
import { EdgeShapes } from '../slice/edge-shapes.ts';
import { degreeFrame } from '../slice/frame.ts';
import { pointOwner } from '../slice/own-point.ts';
import type { Owner } from '../slice/owner.ts';
import { areaLookup, isOnOpenShore } from './area-lookup.ts';
import { DATUM_NOTICE, datumLookup } from './clearance-datum.ts';
import {
  effectsOf,
  MARK_CLASSES,
  MARK_RADIUS_METERS,
  noticeText,
  POINT_RADIUS_METERS,
  SHORE_STRUCTURE_CLASSES,
  SPAN_RADIUS_METERS,
} from './effects.ts';
import { gatesOf, linesOfGate } from './gates.ts';
import { type Effect, NO_EFFECT, onHazardGrid, type RouteItem } from './item.ts';

/**
 * Binary logarithm of the number of grid cells along the equator, by usage band. At latitude 45°, a
 * grid cell is 432 m wide for overview charts, 108 m for general, 54 m for coastal, 14 m for approach
 * and 7 m for harbour and berthing.
 */
const DETAIL_OF_BAND = { 1: 16, 2: 18, 3: 19, 4: 21, 5: 22, 6: 22 } as const;

/** Radius of a point whose position is charted as doubtful without a stated accuracy (POSACC). */
const DOUBTFUL_RADIUS_METERS = 50;

/** Notices are stored only in squares of zoom 8, whose grid has 2^16 cells along the equator. */
const NOTICE_DETAIL = 16;

/** Gates (pairs of marks) have the finest detail, so that grid cells of water are between the marks. */
const GATE_DETAIL = DETAIL_OF_BAND[6];

/** The zoom has no effect, because a frame in degrees omits no vertices. */
const FRAME = degreeFrame(16);

/**
 * Whether an object's period ended before its cell was issued. Routes ignore such objects, except dangers.
 * A first day matters only for traffic schemes (`beforeStart`). All other dates are ignored, because
 * squares have no dates.
 */
function isExpired({ acronym, attributes }: Feature, { header }: Cell): boolean {
  if ([UNDATED_CLASSES, EARLY_CLASSES].some((set) => set.has(acronym.toUpperCase()))) return false;
  return isOver(periodOf(attributes), Number(header.issueDate));
}

const SCHEME_FLAGS = SEA_FLAGS.lane | SEA_FLAGS.separation | SEA_FLAGS.oneWay;

/**
 * The effects of an object that is not in force when its cell is issued. A lane or zone of a future
 * traffic scheme, or a future one-way fairway, asks only for caution: it must not change the
 * directions that are in force.
 */
function beforeStart(effects: readonly Effect[]): readonly Effect[] {
  return effects.map((effect) => {
    if ((effect.flags & SCHEME_FLAGS) === 0) return effect;
    const flags = (effect.flags & ~SCHEME_FLAGS) | SEA_FLAGS.caution;
    return { ...effect, flags, bearing: undefined };
  });
}

export function itemsOfCell(
  owner: Owner,
  cell: Cell,
  ownership: Ownership,
  clipper: Clipper,
): readonly RouteItem[] {
  // The last face is the area that the cell owns at its highest zoom.
  const face = ownership.faces.at(-1)!;
  const wide = withGaps(face, clipper);
  if (wide.rings.length === 0) return [];
  const cellDetail = DETAIL_OF_BAND[zoomsOfBand(cell.header.usageBand).band];
  const gates = gatesOf(cell, (feature) => !isExpired(feature, cell));
  const gateMarks = new Set(gates.flatMap(({ marks }) => marks));
  const [own, whole] = [groundOf(face), groundOf(wide)];
  const ownsPoint = pointOwner(ownership, face);
  const reachesPoint = wide === face ? ownsPoint : pointOwner(ownership, wide);
  const lookup = areaLookup(cell);
  const { isShallowerThanArea, isInWater, crossesWater } = lookup;
  const edges = new EdgeShapes();
  edges.begin(FRAME, 0);
  const datumOf = datumLookup(cell, edges);
  const issued = Number(cell.header.issueDate);
  const isFuture = ({ attributes }: Feature) => issued > 0 && isAhead(periodOf(attributes), issued);
  const spans = cell.features
    .filter(({ acronym, primitive }) => primitive === 'area' && SPANS.has(acronym.toUpperCase()))
    .filter((span) => !isExpired(span, cell) && !isFuture(span))
    .map((feature) => edges.polygons(areaOf(cell, feature)).flat());
  const items: RouteItem[] = [];

  const add = (
    shape: Shape,
    effects: readonly Effect[],
    facts: Facts,
    detail: number = cellDetail,
  ): void => {
    if (wide === face) addWithin(own, shape, effects, facts, detail);
    else {
      const others = effects.filter((effect) => !isBarrier(effect));
      addWithin(own, shape, others, facts, detail);
      addWithin(whole, shape, effects.filter(isBarrier), facts, detail);
    }
  };
  const addWithin = (
    { rings, box }: Ground,
    shape: Shape,
    effects: readonly Effect[],
    facts: Facts,
    detail: number,
  ): void => {
    const owned = effects.length > 0 && cutToFace(shape, rings, box, clipper);
    if (!owned) return;
    const isArea = owned.type === 'area';
    const paths = (isArea ? orientedRings(owned.polygons) : owned.lines)
      .map((path) => onHazardGrid(path, isArea))
      .filter((path) => path.length >= (isArea ? 6 : 4));
    if (paths.length === 0) return;
    for (const effect of effects) items.push(itemOf(owned.type, paths, effect, detail, facts));
    const datum = datumOf(shape, effects, facts.attributes);
    if (datum === undefined) return;
    const item = itemOf(owned.type, paths, DATUM_NOTICE, detail, facts);
    items.push({ ...item, text: datum });
  };

  for (const feature of cell.features) {
    const acronym = feature.acronym.toUpperCase();
    if (isExpired(feature, cell)) continue;
    const current =
      acronym === 'SOUNDG' ? [SOUNDING] : effectsOf(acronym, feature.attributes, feature.primitive);
    if (current.length === 0) continue;
    const effects = isFuture(feature) ? beforeStart(current) : current;
    const { attributes } = feature;
    const facts = { feature: featureOf(cell, feature, acronym), attributes };
    const isShoreStructure = SHORE_STRUCTURE_CLASSES.has(acronym);
    switch (feature.primitive) {
      case 'point':
        for (const node of nodesOf(cell, feature)) {
          addPoints(node, effects, facts, gateMarks.has(feature) ? GATE_DETAIL : cellDetail);
        }
        break;
      case 'line':
        {
          const lines = edges.lines(chainsOf(cell, feature));
          if (isShoreStructure && !lines.some((line) => reachesWater(line, false))) break;
          add({ type: 'line', lines }, effects, facts);
        }
        break;
      case 'area':
        {
          const polygons = edges.polygons(areaOf(cell, feature));
          if (isShoreStructure && !polygons.flat().some((ring) => reachesWater(ring, true))) break;
          add({ type: 'area', polygons }, effects, facts);
        }
        break;
      case 'none':
    }
  }
  for (const gate of gates) {
    for (const { line, effect } of linesOfGate(gate)) {
      add({ type: 'line', lines: [line] }, [effect], NO_FEATURE, GATE_DETAIL);
    }
  }
  const { coverage } = owner;
  const gaps = coverage === undefined ? [] : groupRings(partsOfCoverage(coverage, clipper).bare);
  if (gaps.length > 0) add({ type: 'area', polygons: gaps }, [UNCHARTED], NO_FEATURE);
  return items;

  /** Whether any part of a path is in water. The y axis of the quilt's grid points south. */
  function reachesWater(path: Flat, isRing: boolean): boolean {
    const at = (i: number): [number, number] => [path[i]! / DEGREE, -path[i + 1]! / DEGREE];
    for (let i = isRing ? 0 : 2; i < path.length; i += 2) {
      if (crossesWater(...at(i === 0 ? path.length - 2 : i - 2), ...at(i))) return true;
    }
    return false;
  }

  function addPoints(node: Node, effects: readonly Effect[], facts: Facts, detail: number): void {
    for (let i = 0; i < node.positions.length; i += 2) {
      const [longitude, latitude] = [node.positions[i]!, node.positions[i + 1]!];
      const x = gridX(longitude);
      const y = gridY(latitude);
      const isOwn = ownsPoint(x, y);
      if (!isOwn && !reachesPoint(x, y)) continue;
      const isOnSpan =
        SIGNS.has(facts.feature.objectClass) &&
        spans.some((rings) => sideOfRings(x, y, rings) >= 0);
      if (isOnSpan) continue;
      const depth = node.depths?.[i / 2];
      if (depth !== undefined && !isShallowerThanArea(longitude, latitude, depth)) continue;
      for (const effect of effects) {
        if (!isOwn && !isBarrier(effect)) continue;
        if (countsOnlyInWater(facts.feature, effect) && !isInWater(longitude, latitude)) continue;
        // Over a stream or a dock, it does not cross the water that ships use.
        const { objectClass } = facts.feature;
        const reach = SPAN_RADIUS_METERS * (objectClass === 'DAMCON' ? 1 : 2);
        const isInland =
          effect.radius === SPAN_RADIUS_METERS && isOnOpenShore(lookup, longitude, latitude, reach);
        const own = isInland ? 0 : effect.radius;
        const radius = Math.max(own, radiusOf(node, effect, objectClass));
        const pointEffect =
          depth === undefined ? withRadius(effect, radius) : { ...effect, depth, radius };
        items.push(itemOf('point', [onHazardGrid([x, y], false)], pointEffect, detail, facts));
      }
    }
  }
}

/**
 * The ground on which a cell closes water: its face, and its coverage without a skin that no better
 * cell charted. Coarser cells show the depths there, but not the dangers of this cell.
 */
function withGaps(face: Face, clipper: Clipper): Face {
  if (face.bare === undefined) return face;
  const { ground } = face.bare;
  const rest = clipper.difference(ground, face.better.flat());
  const rings = clipper.union([...face.rings, ...rest]);
  return { ...face, rings, bare: { ground, better: face.better } };
}

/** Whether an effect can only close water or cause a warning. */
function isBarrier({ kind, notice }: Effect): boolean {
  return notice !== undefined || !(kind === undefined || GROUND_KINDS.has(kind));
}
const GROUND_KINDS: ReadonlySet<string> = new Set(['depth', 'unknown-depth', 'no-data']);

/** Signs that often hang on a span, above the water. */
const SIGNS: ReadonlySet<string> = new Set(['NOTMRK', 'DAYMAR']);
const SPANS: ReadonlySet<string> = new Set(['BRIDGE', 'GATCON']);

/** The depth is replaced by that of each sounding. */
const SOUNDING: Effect = { ...NO_EFFECT, kind: 'danger', depth: Number.NaN };
const UNCHARTED: Effect = { ...NO_EFFECT, kind: 'no-data', depth: Number.NaN, isGround: true };
const NO_FEATURE: Facts = {
  feature: { id: '', objectClass: '', objectName: '' },
  attributes: {},
};

/** Whether an object counts only in water, because it may also stand on a quay. */
function countsOnlyInWater({ objectClass }: HazardFeature, { kind }: Effect): boolean {
  if (SHORE_STRUCTURE_CLASSES.has(objectClass)) return true;
  return objectClass === 'NEWOBJ' && kind === 'structure';
}

interface Ground {
  readonly rings: readonly Flat[];
  readonly box: Box;
}

const groundOf = ({ rings }: Face): Ground => ({ rings, box: boundsOf(rings) });

interface Facts {
  readonly feature: HazardFeature;
  readonly attributes: Attributes;
}

function itemOf(
  shape: RouteItem['shape'],
  paths: RouteItem['paths'],
  effect: Effect,
  detail: number,
  { feature, attributes }: Facts,
): RouteItem {
  if (effect.notice === undefined) return { shape, paths, effect, detail, feature };
  const text = noticeText(effect, attributes);
  return { shape, paths, effect, detail: NOTICE_DETAIL, feature, text };
}

function withRadius(effect: Effect, radius: number): Effect {
  return radius === effect.radius ? effect : { ...effect, radius };
}

function featureOf(cell: Cell, feature: Feature, acronym: string): HazardFeature {
  return {
    id: objectIdOf(cell.header.name, feature.id),
    objectClass: acronym,
    objectName: textOf(feature.attributes, 'OBJNAM') ?? '',
  };
}

/** Radius in metres. 0 for an effect that only sets flags; otherwise the accuracy of the position. */
function radiusOf({ attributes }: Node, { kind, depth }: Effect, objectClass: string): number {
  // A lock gate without a sill is no danger.
  if (kind === undefined || (kind === 'danger' && depth === Number.POSITIVE_INFINITY)) return 0;
  if (MARK_CLASSES.has(objectClass)) return MARK_RADIUS_METERS;
  const accuracy = numberOf(attributes, 'POSACC');
  const doubt = isLowAccuracy(attributes) ? DOUBTFUL_RADIUS_METERS : 0;
  return Math.max(POINT_RADIUS_METERS, accuracy ?? doubt);
}
