// Builds a cell with chain-node topology (S-57 Part 3, clause 2.2.1.2) from plain shapes: creates shared
// nodes and edges, assigns ids and counts records.

import type {
  DataSet,
  RawAttribute,
  RawFeature,
  RawPointer,
  RawRelation,
  RawVector,
} from '../records/records.ts';
import { attributeByAcronym } from '../vocabulary/attributes.ts';
import { objectClassByAcronym } from '../vocabulary/object-classes.ts';
import type { FileContents } from './encode-file.ts';
import { RECORD_KINDS, recordCounts } from './record-counts.ts';

/** Longitude and latitude in integer units of 1e-7 degrees (COMF 10 000 000). */
export type Position = readonly [x: number, y: number];

/** Positions of an edge. All uses of one `Course` object share one edge. */
export interface Course {
  readonly positions: readonly Position[];
  /** Spatial attributes such as QUAPOS. */
  readonly attributes?: AttributeValues;
}

export interface CourseUse {
  readonly course: Course;
  readonly reversed?: boolean;
  /** The edge is a limit of the cell, not a real boundary (USAG 3). Used only in exterior rings. */
  readonly atLimit?: boolean;
  /** The edge is not drawn (MASK 1). */
  readonly masked?: boolean;
}

/** One polygon: the exterior ring, then its holes. */
export type Rings = readonly (readonly CourseUse[])[];

export interface Sounding {
  readonly position: Position;
  /** Metres, to the decimetre; drying heights are negative. */
  readonly depth: number;
}

export type AttributeValues = Readonly<Record<string, string | number>>;

interface CellPlan {
  readonly name: string;
  readonly usageBand: number;
  readonly scaleDenominator: number;
  readonly edition: number;
  readonly update: number;
  /** yyyymmdd */
  readonly issueDate: string;
  readonly agency: number;
}

const MEAN_SEA_LEVEL = 3;
const COORDINATE_FACTOR = 10_000_000;
const SOUNDING_FACTOR = 10;
const EXTERIOR = 1;
const INTERIOR = 2;
const TRUNCATED = 3;
const NULL = 255;
/** Attributes in the national language, which belong in NATF. */
const NATIONAL = new Set(['NOBJNM', 'NINFOM', 'NPLDST', 'NTXTDS']);

export class CellBuilder {
  readonly #plan: CellPlan;
  readonly #vectors = new Map<string, RawVector>();
  readonly #features: RawFeature[] = [];
  readonly #courses = new Map<Course, number>();
  readonly #ids: Map<string, number>;

  /** @param ids for an update: the ids that are already assigned in its edition */
  constructor(plan: CellPlan, ids: Map<string, number> = new Map()) {
    this.#plan = plan;
    this.#ids = ids;
  }

  /** @param number FIDN: the feature's identity, the same in every update of the cell */
  point(number: number, acronym: string, position: Position, values: AttributeValues = {}): void {
    const node = this.#node(RECORD_KINDS.isolatedNode, position);
    this.#feature(number, acronym, 1, values, [pointer(node, NULL, NULL, NULL)]);
  }

  soundings(number: number, soundings: readonly Sounding[], values: AttributeValues = {}): void {
    const coordinates = soundings.flatMap(({ position: [x, y], depth }) => [
      y,
      x,
      Math.round(depth * SOUNDING_FACTOR),
    ]);
    const key = `soundings ${number}`;
    const id = this.#id(RECORD_KINDS.isolatedNode, key);
    this.#vectors.set(key, {
      ...emptyVector(RECORD_KINDS.isolatedNode, id),
      coordinates: Int32Array.from(coordinates),
      dimensions: 3,
    });
    const node = { name: RECORD_KINDS.isolatedNode, id };
    this.#feature(number, 'SOUNDG', 1, values, [pointer(node, NULL, NULL, NULL)]);
  }

  line(
    number: number,
    acronym: string,
    uses: readonly CourseUse[],
    values: AttributeValues = {},
  ): void {
    const spatial = uses.map(({ course, reversed, masked }) =>
      pointer(this.#edge(course), reversed ? 2 : 1, NULL, masked ? 1 : 2),
    );
    this.#feature(number, acronym, 2, values, spatial);
  }

  area(number: number, acronym: string, rings: Rings, values: AttributeValues = {}): void {
    const spatial = rings.flatMap((ring, i) =>
      ring.map(({ course, reversed, atLimit, masked }) => {
        const usage = i > 0 ? INTERIOR : atLimit ? TRUNCATED : EXTERIOR;
        return pointer(this.#edge(course), reversed ? 2 : 1, usage, masked ? 1 : 2);
      }),
    );
    this.#feature(number, acronym, 3, values, spatial);
  }

  /** Make `master` the master of slaves (Part 3, clause 6.1). Slaves may be added later. */
  relate(master: number, slaves: readonly number[]): void {
    const at = this.#features.findIndex((feature) => feature.number === master);
    if (at < 0) throw new RangeError(`Feature ${master} must be added before its relations.`);
    const relations = slaves.map((number): RawRelation => {
      return { agency: this.#plan.agency, number, subdivision: 1, indicator: 2 };
    });
    const feature = this.#features[at]!;
    this.#features[at] = { ...feature, relations: [...feature.relations, ...relations] };
  }

  /** The whole cell as a base file. */
  contents(): FileContents {
    const { plan, vectors } = { plan: this.#plan, vectors: [...this.#vectors.values()] };
    vectors.sort((a, b) => a.name - b.name || a.id - b.id);
    const dataSet: DataSet = {
      purpose: 1,
      usageBand: plan.usageBand,
      name: `${plan.name}.000`,
      edition: String(plan.edition),
      update: String(plan.update),
      issueDate: plan.issueDate,
      agency: plan.agency,
      attributeLevel: 1,
      nationalLevel: 2,
      counts: recordCounts(vectors, this.#features),
    };
    return {
      dataSet,
      parameters: {
        horizontalDatum: 2,
        verticalDatum: MEAN_SEA_LEVEL,
        scaleDenominator: plan.scaleDenominator,
        depthUnit: 1,
        heightUnit: 1,
        accuracyUnit: 1,
        coordinateUnit: 1,
        coordinateFactor: COORDINATE_FACTOR,
        soundingFactor: SOUNDING_FACTOR,
      },
      vectors,
      features: this.#features,
    };
  }

  #feature(
    number: number,
    acronym: string,
    primitive: number,
    values: AttributeValues,
    spatial: readonly RawPointer[],
  ): void {
    const found = objectClassByAcronym(acronym);
    if (found === undefined) throw new RangeError(`${acronym} is not an object class.`);
    const attributes = rawAttributes(values);
    const isNational = ({ code }: RawAttribute) => NATIONAL_CODES.has(code);
    this.#features.push({
      kind: 'feature',
      id: this.#id(RECORD_KINDS.feature, String(number)),
      primitive,
      group: SKIN.has(acronym) && primitive === 3 ? 1 : 2,
      classCode: found.code,
      version: 1,
      instruction: 1,
      agency: this.#plan.agency,
      number,
      subdivision: 1,
      attributes: attributes.filter((attribute) => !isNational(attribute)),
      nationalAttributes: attributes.filter(isNational),
      relations: [],
      spatial,
    });
  }

  #node(kind: number, [x, y]: Position): { readonly name: number; readonly id: number } {
    const key = `node ${kind} ${x} ${y}`;
    const id = this.#id(kind, key);
    if (!this.#vectors.has(key)) {
      const coordinates = Int32Array.of(y, x);
      this.#vectors.set(key, { ...emptyVector(kind, id), coordinates, dimensions: 2 });
    }
    return { name: kind, id };
  }

  #edge(course: Course): { readonly name: number; readonly id: number } {
    const name = RECORD_KINDS.edge;
    const known = this.#courses.get(course);
    if (known !== undefined) return { name, id: known };
    const { positions, attributes = {} } = course;
    const key = `edge ${positions.join(' ')}`;
    const id = this.#id(name, key);
    const begin = this.#node(RECORD_KINDS.connectedNode, positions[0]!);
    const end = this.#node(RECORD_KINDS.connectedNode, positions.at(-1)!);
    const inner = positions.slice(1, -1).flatMap(([x, y]) => [y, x]);
    this.#vectors.set(key, {
      ...emptyVector(name, id),
      attributes: rawAttributes(attributes),
      pointers: [
        { ...begin, orientation: NULL, usage: NULL, topology: 1, mask: NULL },
        { ...end, orientation: NULL, usage: NULL, topology: 2, mask: NULL },
      ],
      coordinates: Int32Array.from(inner),
      dimensions: 2,
    });
    this.#courses.set(course, id);
    return { name, id };
  }

  /** Ids are sequential within a kind of record and are not reused within an edition. */
  #id(kind: number, key: string): number {
    const place = `${kind} ${key}`;
    const known = this.#ids.get(place);
    if (known !== undefined) return known;
    const next = (this.#ids.get(`last ${kind}`) ?? 0) + 1;
    this.#ids.set(`last ${kind}`, next);
    this.#ids.set(place, next);
    return next;
  }
}

/** Group 1 of the ENC Product Specification, clause 3.10.1. */
const SKIN = new Set(['DEPARE', 'DRGARE', 'FLODOC', 'HULKES', 'LNDARE', 'PONTON', 'UNSARE']);
const NATIONAL_CODES = new Set([...NATIONAL].map((acronym) => attributeByAcronym(acronym)?.code));

const emptyVector = (name: number, id: number) =>
  ({ kind: 'vector', name, id, version: 1, instruction: 1, attributes: [], pointers: [] }) as const;

const pointer = (
  target: { readonly name: number; readonly id: number },
  orientation: number,
  usage: number,
  mask: number,
): RawPointer => ({ ...target, orientation, usage, topology: NULL, mask });

/** @throws RangeError on an unknown acronym */
export function rawAttributes(values: AttributeValues): RawAttribute[] {
  return Object.entries(values).map(([acronym, value]) => {
    const attribute = attributeByAcronym(acronym);
    if (attribute === undefined) throw new RangeError(`${acronym} is not an attribute.`);
    return { code: attribute.code, value: String(value) };
  });
}
