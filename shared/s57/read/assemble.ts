// Converts the records of a cell, after its updates, to the cell model: degrees, metres, acronyms, typed values.

import type {
  Attributes,
  AttributeValue,
  Cell,
  Edge,
  Feature,
  Node,
  Primitive,
  Problem,
  Relation,
  SpatialUse,
} from '../cell/cell.ts';
import type { RawAttribute, RawPointer } from '../records/records.ts';
import { visibleText } from '../records/text.ts';
import { attributeByCode } from '../vocabulary/attributes.ts';
import { objectClassByCode } from '../vocabulary/object-classes.ts';
import { layOutLongitudes } from './across-180.ts';
import { scaleAndBand } from './scale-and-band.ts';
import {
  type CellState,
  EDGE,
  type FeatureState,
  ISOLATED,
  type VectorState,
  vectorKey,
} from './state.ts';

/** RCNM of connected nodes. */
const CONNECTED = 120;

/** The null value of TOPI. Some producers write 0. */
const NO_TOPOLOGY = 255;

/** Metres per depth unit (DUNI): 1 metres, 2 and 4 fathoms, 3 feet. */
const METERS_PER_UNIT: Readonly<Record<number, number>> = { 1: 1, 2: 1.8288, 3: 0.3048, 4: 1.8288 };

/** Metres per unit of POSACC (PUNI): metres, degrees of arc (of a meridian), millimetres, feet, cables. */
export const METERS_PER_ACCURACY: Readonly<Record<number, number>> = {
  1: 1,
  2: 60 * 1852,
  3: 0.001,
  4: 0.3048,
  5: 185.2,
};

/** Attributes in depth units (DUNI): depths, soundings and their accuracy. */
const DEPTHS = new Set(['DRVAL1', 'DRVAL2', 'VALDCO', 'VALSOU', 'SOUACC']);
/** Attributes in height units (HUNI): heights, lengths, clearances, accuracies, buried depth (S-57, Appendix A). */
const HEIGHTS = new Set([
  ...['HEIGHT', 'ELEVAT', 'VERCLR', 'VERCCL', 'VERCOP', 'VERCSA', 'VERLEN'],
  ...['HORCLR', 'HORLEN', 'HORWID', 'BURDEP', 'HORACC', 'VERACC'],
  ...['horcll', 'horclw', 'eleva1', 'eleva2'],
]);

/** A feature uses an edge once (S-57 Part 3, clause 4.7.3). More uses would expand a small file beyond the memory. */
const MOST_USES = 2;
export const REPEATED_EDGES = 'repeated-edges';

/** Edges of an area that meet at a position. Each may be a ring, and rings at one node are compared with each other. */
const MOST_AT_POSITION = 100;

const lengthOf = (edges: Iterable<Edge>): number => {
  let length = 0;
  for (const { positions } of edges) length += positions.length;
  return length;
};

/** Whether more edges meet at a position than any real area has. */
function isKnot(edges: readonly Edge[]): boolean {
  if (edges.length <= MOST_AT_POSITION) return false;
  const counts = new Map<string, number>();
  return edges.some(({ positions }) => {
    // By position, because there may be many nodes at one.
    const ends = new Set([
      `${positions[0]} ${positions[1]}`,
      `${positions.at(-2)} ${positions.at(-1)}`,
    ]);
    return [...ends].some((end) => {
      const count = (counts.get(end) ?? 0) + 1;
      counts.set(end, count);
      return count > MOST_AT_POSITION;
    });
  });
}

interface Assembled {
  readonly cell: Cell;
  /** Dangling pointers, counted by kind, and a missing scale or usage band. */
  readonly problems: readonly Problem[];
  /** Number of edges that lack an end node, plus the number of feature pointers to missing records. */
  readonly dangling: number;
}

export function assembleCell(state: CellState, name: string): Assembled {
  const { dataSet, editionDate, parameters } = state;
  const units: Units = {
    coordinateDivisor: parameters.coordinateFactor,
    soundingDivisor: parameters.soundingFactor,
    // Metres if the unit is not stated (0), as ENC product specification 4.4 requires.
    depthMeters: METERS_PER_UNIT[parameters.depthUnit] ?? 1,
    // HUNI: 1 metres, 2 feet.
    heightMeters: parameters.heightUnit === 2 ? METERS_PER_UNIT[3]! : 1,
    accuracyMeters: METERS_PER_ACCURACY[parameters.accuracyUnit] ?? 1,
  };
  const pool = new PositionPool(poolSize(state));
  const isolatedNodes = new Map<number, Node>();
  const connectedNodes = new Map<number, Node>();
  const edges = new Map<number, Edge>();
  for (const vector of state.vectors.values()) {
    if (vector.name === ISOLATED)
      isolatedNodes.set(vector.id, node(vector, 'isolated', units, pool));
    else if (vector.name === CONNECTED) {
      connectedNodes.set(vector.id, node(vector, 'connected', units, pool));
    }
  }
  let danglingEdges = 0;
  for (const vector of state.vectors.values()) {
    if (vector.name !== EDGE) continue;
    const assembled = edge(vector, connectedNodes, units, pool);
    if (assembled.begin === undefined || assembled.end === undefined) danglingEdges++;
    edges.set(vector.id, assembled);
  }
  const allEdges = lengthOf(edges.values());
  let repeating = 0;
  let danglingUses = 0;
  const features = [...state.features.values()].map((feature) => {
    const uses: SpatialUse[] = [];
    for (const pointer of feature.spatial) {
      const use = spatialUse(pointer);
      if (use !== undefined) uses.push(use);
      if (!state.vectors.has(vectorKey(pointer.name, pointer.id))) danglingUses++;
    }
    const used = uses.flatMap(({ target, id }) => (target === 'edge' ? (edges.get(id) ?? []) : []));
    if (lengthOf(used) > MOST_USES * allEdges || (feature.primitive === 3 && isKnot(used))) {
      uses.length = 0;
      repeating++;
    }
    return featureOf(feature, uses, units);
  });
  layOutLongitudes({ isolatedNodes, connectedNodes, edges, features });
  const problems: Problem[] = [];
  if (danglingEdges > 0) {
    problems.push({
      code: 'dangling-node',
      message: `${danglingEdges} edges refer to missing nodes`,
      severity: 'error',
    });
  }
  if (danglingUses > 0) {
    problems.push({
      code: 'dangling-spatial',
      message: `${danglingUses} feature pointers refer to missing spatial records`,
      severity: 'error',
    });
  }
  if (repeating > 0) {
    problems.push({
      code: REPEATED_EDGES,
      message: `${repeating} features refer to the same edges too often, or to more than ${MOST_AT_POSITION} edges that meet at one position, so the cell is not used`,
      severity: 'error',
    });
  }
  const scaleAndUsage = scaleAndBand(dataSet.usageBand, parameters.scaleDenominator);
  if (scaleAndUsage?.problem !== undefined) problems.push(scaleAndUsage.problem);
  return {
    cell: {
      header: {
        name,
        agency: dataSet.agency,
        edition: Number.parseInt(dataSet.edition, 10) || 0,
        update: Number.parseInt(dataSet.update, 10) || 0,
        issueDate: dataSet.issueDate,
        editionDate,
        usageBand: scaleAndUsage?.usageBand ?? 0,
        scaleDenominator: scaleAndUsage?.scaleDenominator ?? 0,
        verticalDatum: parameters.verticalDatum,
      },
      isolatedNodes,
      connectedNodes,
      edges,
      features,
    },
    problems,
    dangling: danglingEdges + danglingUses,
  };
}

interface Units {
  readonly coordinateDivisor: number;
  readonly soundingDivisor: number;
  readonly depthMeters: number;
  readonly heightMeters: number;
  readonly accuracyMeters: number;
}

/** Coordinates in the file are in the order y, x (and depth). */
function node(vector: VectorState, kind: Node['kind'], units: Units, pool: PositionPool): Node {
  const { coordinates, dimensions } = vector;
  const count = Math.floor(coordinates.length / dimensions);
  const positions = pool.take(count * 2);
  const depths = dimensions === 3 ? pool.take(count) : undefined;
  for (let i = 0; i < count; i++) {
    positions[2 * i] = coordinates[i * dimensions + 1]! / units.coordinateDivisor;
    positions[2 * i + 1] = coordinates[i * dimensions]! / units.coordinateDivisor;
    if (depths !== undefined) {
      depths[i] = (coordinates[i * 3 + 2]! / units.soundingDivisor) * units.depthMeters;
    }
  }
  return {
    id: vector.id,
    kind,
    positions,
    attributes: attributesOf(vector.attributes, [], units),
    ...(depths === undefined ? {} : { depths }),
  };
}

function edge(
  vector: VectorState,
  nodes: ReadonlyMap<number, Node>,
  units: Units,
  pool: PositionPool,
): Edge {
  const begin = endPointer(vector, 1);
  const end = endPointer(vector, 2);
  const beginNode = begin?.name === CONNECTED ? nodes.get(begin.id) : undefined;
  const endNode = end?.name === CONNECTED ? nodes.get(end.id) : undefined;
  const inner = Math.floor(vector.coordinates.length / 2);
  const hasBegin = (beginNode?.positions.length ?? 0) >= 2;
  const hasEnd = (endNode?.positions.length ?? 0) >= 2;
  const positions = pool.take((inner + (hasBegin ? 1 : 0) + (hasEnd ? 1 : 0)) * 2);
  let at = 0;
  if (hasBegin) {
    positions[at++] = beginNode!.positions[0]!;
    positions[at++] = beginNode!.positions[1]!;
  }
  for (let i = 0; i < inner; i++) {
    positions[at++] = vector.coordinates[2 * i + 1]! / units.coordinateDivisor;
    positions[at++] = vector.coordinates[2 * i]! / units.coordinateDivisor;
  }
  if (hasEnd) {
    positions[at++] = endNode!.positions[0]!;
    positions[at++] = endNode!.positions[1]!;
  }
  return {
    id: vector.id,
    begin: hasBegin ? beginNode!.id : undefined,
    end: hasEnd ? endNode!.id : undefined,
    positions,
    attributes: attributesOf(vector.attributes, [], units),
  };
}

/** TOPI identifies the begin and the end (S-57 Part 3, clause 7.7.1.4). If it is null, the order does. */
function endPointer({ pointers }: VectorState, topology: 1 | 2): RawPointer | undefined {
  for (const pointer of pointers) if (pointer.topology === topology) return pointer;
  const byOrder = pointers[topology - 1];
  return byOrder?.topology === 0 || byOrder?.topology === NO_TOPOLOGY ? byOrder : undefined;
}

const NO_ATTRIBUTES: Attributes = {};

/** National values (NATF) replace international ones (ATTF). A missing value removes the attribute. */
function attributesOf(
  international: readonly RawAttribute[],
  national: readonly RawAttribute[],
  units: Units,
): Attributes {
  if (international.length + national.length === 0) return NO_ATTRIBUTES;
  const attributes: Record<string, AttributeValue> = {};
  const setAttribute = ({ code, value }: RawAttribute) => {
    const known = attributeByCode(code);
    const acronym = known?.acronym ?? `$${code}`;
    if (value === undefined) delete attributes[acronym];
    else attributes[acronym] = typedValue(acronym, value, known?.type ?? 'S', units);
  };
  for (const attribute of international) setAttribute(attribute);
  for (const attribute of national) setAttribute(attribute);
  return attributes;
}

/**
 * Converts text to the type of its attribute: L list, E enumerated, I integer, F float, S string. Returns
 * the text, or part of a list, if it is invalid.
 */
function typedValue(acronym: string, given: string, type: string, units: Units): AttributeValue {
  const text = visibleText(given);
  if (text === '' || (type !== 'S' && text.trim() === '')) return '';
  if (type === 'L') {
    return text.split(',').map((part) => (/^ *-?\d+ *$/.test(part) ? Number(part) : part));
  }
  if (type === 'E' || type === 'I' || type === 'F') {
    const trimmed = text.trim();
    const value = Number(trimmed);
    if (!Number.isFinite(value)) return text;
    if (DEPTHS.has(acronym)) return inMeters(value, units.depthMeters);
    if (HEIGHTS.has(acronym)) return inMeters(value, units.heightMeters);
    if (acronym === 'POSACC') return inMeters(value, units.accuracyMeters);
    return value;
  }
  return text;
}

/** Without the floating-point error: 11 feet are 3.3528 m, not 3.3528000000000002 m. */
const inMeters = (value: number, unitMeters: number): number =>
  unitMeters === 1 ? value : Math.round(value * unitMeters * 1e6) / 1e6;

const PRIMITIVES: Readonly<Record<number, Primitive>> = { 1: 'point', 2: 'line', 3: 'area' };
const TARGETS: Readonly<Record<number, SpatialUse['target']>> = {
  [ISOLATED]: 'isolated',
  [CONNECTED]: 'connected',
  [EDGE]: 'edge',
};
const USAGES: Readonly<Record<number, SpatialUse['usage']>> = {
  1: 'exterior',
  2: 'interior',
  3: 'truncated',
};
const RELATIONS: Readonly<Record<number, Relation['kind']>> = {
  1: 'master',
  2: 'slave',
  3: 'peer',
};

function spatialUse(pointer: RawPointer): SpatialUse | undefined {
  const target = TARGETS[pointer.name];
  if (target === undefined) return undefined;
  return {
    target,
    id: pointer.id,
    reversed: pointer.orientation === 2,
    usage: USAGES[pointer.usage] ?? 'none',
    masked: pointer.mask === 1,
  };
}

function featureOf(feature: FeatureState, spatial: readonly SpatialUse[], units: Units): Feature {
  return {
    id: { agency: feature.agency, number: feature.number, subdivision: feature.subdivision },
    recordId: feature.id,
    classCode: feature.classCode,
    acronym: objectClassByCode(feature.classCode)?.acronym ?? `$${feature.classCode}`,
    primitive: PRIMITIVES[feature.primitive] ?? 'none',
    group: feature.group,
    attributes: attributesOf(feature.attributes, feature.nationalAttributes, units),
    spatial,
    relations: feature.relations.map(({ agency, number, subdivision, indicator }) => ({
      target: { agency, number, subdivision },
      kind: RELATIONS[indicator] ?? 'other',
    })),
  };
}

/** Number of 64-bit floats for all positions and depths of a cell. An edge includes its end nodes. */
function poolSize(state: CellState): number {
  let size = 0;
  for (const { coordinates } of state.vectors.values()) size += coordinates.length + 4;
  return size;
}

/** One allocation for all positions of a cell, because small allocations take longer than filling them. */
class PositionPool {
  readonly #values: ArrayBuffer;
  #at = 0;

  constructor(size: number) {
    this.#values = new ArrayBuffer(size * 8);
  }

  take(length: number): Float64Array {
    const taken = new Float64Array(this.#values, this.#at, length);
    this.#at += length * 8;
    return taken;
  }
}
