// Queries of rules about an object's surroundings: objects at the same point, and the depth of the
// water around it. Created once per cell; expensive parts are computed on first use.

import type { Cell, Feature, Node } from '../../../shared/s57/cell/cell.ts';
import { nodeOf as nodeOfFeature } from '../../../shared/s57/cell/geometry.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { prepareBuoyageSystems } from './buoyage-systems.ts';
import { feetOf, isSurveyedInFeet } from './chart-feet.ts';
import { type FindAreas, prepareFindAreas } from './point-in-skin.ts';
import { NOT_WATER_METERS, type Skin, skinOf } from './skin.ts';

/** The water around a danger. */
export interface Surroundings {
  /** Greatest DRVAL1 of the depth areas it touches; `NOT_WATER_METERS` if it touches none. */
  readonly deepestMeters: number;
  /** Least DRVAL1 of the depth areas it touches; `NOT_WATER_METERS` if it touches none. */
  readonly shallowestMeters: number;
  /** Whether it touches unsurveyed ground. */
  readonly isUnsurveyed: boolean;
}

export interface ChartContext {
  readonly cell: Cell;
  readonly skin: Skin;
  /** Acronym in capitals; inland classes as the class that they extend. */
  readonly acronymOf: (feature: Feature) => string;
  /** The node of a point object; `undefined` if it does not exist. */
  readonly nodeOf: (feature: Feature) => Node | undefined;
  /** Point objects at exactly the same position, including the object itself. */
  readonly standingWith: (feature: Feature) => readonly Feature[];
  /** The buoyage system (MARSYS) of a mark, or `undefined` if unknown. */
  readonly buoyageSystemOf: (mark: Feature) => number | undefined;
  readonly surroundings: (feature: Feature) => Surroundings;
  /** Greatest DRVAL1 of the depth areas at a position; `NOT_WATER_METERS` without depth areas. */
  readonly shallowEndAt: (longitude: number, latitude: number) => number;
  /** A depth in whole feet, as this chart shows it (`chart-feet.ts`). */
  readonly feetOf: (depthMeters: number) => number;
}

/** Maximum number of vertices of a danger's boundary that are looked up in the skin. */
const PROBES = 64;

export function chartContext(cell: Cell): ChartContext {
  const skin = skinOf(cell, acronymOf);
  const nodeOf = (feature: Feature) => nodeOfFeature(cell, feature);
  let findAreas: FindAreas | undefined;
  let standing: Map<string, Feature[]> | undefined;
  let inFeet: boolean | undefined;
  let systemAt: ReturnType<typeof prepareBuoyageSystems> | undefined;
  return {
    cell,
    skin,
    acronymOf,
    nodeOf,
    standingWith: (feature) => {
      standing ??= pointsByPosition(cell, nodeOf);
      const node = nodeOf(feature);
      return node === undefined ? [feature] : (standing.get(positionKey(node)) ?? [feature]);
    },
    buoyageSystemOf: (mark) => {
      const ownSystem = numberOf(mark.attributes, 'MARSYS');
      const positions = ownSystem === undefined ? nodeOf(mark)?.positions : undefined;
      if (positions === undefined || positions.length < 2) return ownSystem;
      systemAt ??= prepareBuoyageSystems(cell);
      return systemAt(positions[0]!, positions[1]!);
    },
    surroundings: (feature) => {
      findAreas ??= prepareFindAreas(cell, skin);
      return summarise(skin, touchedAreas(cell, skin, findAreas, feature));
    },
    shallowEndAt: (longitude, latitude) => {
      findAreas ??= prepareFindAreas(cell, skin);
      return summarise(skin, new Set(findAreas(longitude, latitude))).deepestMeters;
    },
    feetOf: (depthMeters) => {
      inFeet ??= isSurveyedInFeet(cell);
      return feetOf(depthMeters, inFeet);
    },
  };
}

/** Inland ENC classes (17xxx) extend sea classes and have the same names in small letters. */
function acronymOf(feature: Feature): string {
  return feature.acronym.toUpperCase();
}

function positionKey(node: Node): string {
  return `${node.positions[0]},${node.positions[1]}`;
}

function pointsByPosition(
  cell: Cell,
  nodeOf: (feature: Feature) => Node | undefined,
): Map<string, Feature[]> {
  const standing = new Map<string, Feature[]>();
  for (const feature of cell.features) {
    if (feature.primitive !== 'point' || feature.acronym === 'SOUNDG') continue;
    const node = nodeOf(feature);
    if (node === undefined) continue;
    const key = positionKey(node);
    const others = standing.get(key);
    if (others === undefined) standing.set(key, [feature]);
    else others.push(feature);
  }
  return standing;
}

function touchedAreas(
  cell: Cell,
  skin: Skin,
  findAreas: FindAreas,
  feature: Feature,
): ReadonlySet<number> {
  const touched = new Set<number>();
  const add = (areas: readonly number[]) => {
    for (const area of areas) touched.add(area);
  };
  for (const use of feature.spatial) {
    if (use.target === 'connected') {
      add(skin.areasOfNode(use.id));
      continue;
    }
    if (use.target === 'edge') add(skin.areasOfEdge.get(use.id) ?? []);
    const record = use.target === 'edge' ? cell.edges.get(use.id) : cell.isolatedNodes.get(use.id);
    const positions = record?.positions;
    if (positions === undefined) continue;
    const step = 2 * Math.max(1, Math.ceil(positions.length / 2 / PROBES));
    for (let i = 0; i + 1 < positions.length; i += step) {
      add(findAreas(positions[i]!, positions[i + 1]!));
    }
  }
  return touched;
}

function summarise(skin: Skin, touched: ReadonlySet<number>): Surroundings {
  let deepestMeters = NOT_WATER_METERS;
  let shallowest = Number.POSITIVE_INFINITY;
  let isUnsurveyed = false;
  for (const index of touched) {
    const area = skin.areas[index];
    if (area === undefined) continue;
    const { acronym, shallowMeters } = area;
    deepestMeters = Math.max(deepestMeters, shallowMeters);
    if (shallowMeters !== NOT_WATER_METERS) shallowest = Math.min(shallowest, shallowMeters);
    if (acronym === 'UNSARE') isUnsurveyed = true;
  }
  const shallowestMeters = Number.isFinite(shallowest) ? shallowest : NOT_WATER_METERS;
  return { deepestMeters, shallowestMeters, isUnsurveyed };
}
