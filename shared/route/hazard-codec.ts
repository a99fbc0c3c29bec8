// Encodes and decodes hazards as chains of consecutive segments with the same source.
//
//   hazards  := features:count { id class name }
//               sources:count { kind feature depth clearance radius }
//               chains:count { source points:count }  { x y of every point, chain after chain }
//
// Numbers and texts are encoded as in Protocol Buffers. x, y are integer units of the hazard grid,
// each relative to the previous point; the first is relative to the square's corner. Depths are
// rounded towards danger.

import type { PbfReader } from 'pbf';
import type { IntegerWriter } from '../bytes/integer-writer.ts';
import { HAZARD_KINDS, type HazardFeature, type Hazards } from './sea.ts';

/**
 * The world's width in units of the grid for the ends of hazards. A unit is 3.7 cm at the equator.
 */
export const HAZARD_GRID = 2 ** 30;

/** Lengths are stored as centimetres. */
const PER_METER = 100;
/** Stored values for NaN and for no limit. Lengths are shifted so that they do not collide. */
const UNKNOWN = 0;
const UNLIMITED = 1;
const FIRST_LENGTH = 2;
/** Subtracted so that drying heights are positive: no height dries higher than this. */
const LOWEST_METERS = -1000;

/** Allocates the columns for `count` hazards. */
export function hazardColumns(count: number, features: readonly HazardFeature[]): Hazards {
  return {
    count,
    ends: new Float64Array(4 * count),
    kind: new Uint8Array(count),
    depth: new Float32Array(count),
    clearance: new Float32Array(count),
    radius: new Float32Array(count),
    feature: new Uint32Array(count),
    features,
  };
}

/** Sets the ends of hazard `i`, on the hazard grid. */
export function putEnds(
  { ends }: Hazards,
  i: number,
  [ax, ay, bx, by]: readonly [number, number, number, number],
): void {
  ends[4 * i] = ax / HAZARD_GRID;
  ends[4 * i + 1] = ay / HAZARD_GRID;
  ends[4 * i + 2] = bx / HAZARD_GRID;
  ends[4 * i + 3] = by / HAZARD_GRID;
}

export const NO_HAZARDS: Hazards = hazardColumns(0, []);

/** The corner of a square, in units of the hazard grid. */
interface GridCorner {
  readonly x: number;
  readonly y: number;
}

export function writeHazards(out: IntegerWriter, hazards: Hazards, corner: GridCorner): void {
  out.writeVarint(hazards.features.length);
  for (const { id, objectClass, objectName } of hazards.features) {
    out.writeString(id);
    out.writeString(objectClass);
    out.writeString(objectName);
  }
  const { sources, chains } = chained(hazards);
  out.writeVarint(sources.length);
  for (const i of sources) {
    out.writeVarint(hazards.kind[i]!);
    out.writeVarint(hazards.feature[i]!);
    out.writeVarint(lengthCode(hazards.depth[i]!, Math.floor));
    out.writeVarint(lengthCode(hazards.clearance[i]!, Math.floor));
    out.writeVarint(Math.ceil(hazards.radius[i]! * PER_METER - 1e-6));
  }
  out.writeVarint(chains.length);
  for (const { source, points } of chains) {
    out.writeVarint(source);
    out.writeVarint(points.length / 2);
  }
  let { x, y } = corner;
  for (const { points } of chains) {
    for (let i = 0; i < points.length; i += 2) {
      out.writeSVarint(points[i]! - x);
      out.writeSVarint(points[i + 1]! - y);
      x = points[i]!;
      y = points[i + 1]!;
    }
  }
}

interface Chain {
  readonly source: number;
  /** x, y on the hazard grid. */
  readonly points: number[];
}

/** Joins segments that begin at the end of the previous one. `sources` are the first segments. */
function chained(hazards: Hazards): { readonly sources: number[]; readonly chains: Chain[] } {
  const sources: number[] = [];
  const numbers = new Map<string, number>();
  const chains: Chain[] = [];
  const { ends, kind, depth, clearance, radius, feature } = hazards;
  const unit = (at: number) => Math.round(ends[at]! * HAZARD_GRID);
  let source = 0;
  for (let i = 0; i < hazards.count; i++) {
    const isAsBefore =
      i > 0 &&
      kind[i] === kind[i - 1] &&
      feature[i] === feature[i - 1] &&
      Object.is(depth[i], depth[i - 1]) &&
      Object.is(clearance[i], clearance[i - 1]) &&
      radius[i] === radius[i - 1];
    if (!isAsBefore) {
      const key = `${kind[i]} ${feature[i]} ${depth[i]} ${clearance[i]} ${radius[i]}`;
      source = numbers.get(key) ?? sources.push(i) - 1;
      numbers.set(key, source);
    }
    const [ax, ay, bx, by] = [unit(4 * i), unit(4 * i + 1), unit(4 * i + 2), unit(4 * i + 3)];
    const last = chains.at(-1);
    const isPoint = ax === bx && ay === by;
    const goesOn =
      !isPoint &&
      last !== undefined &&
      last.source === source &&
      last.points.length > 2 &&
      last.points.at(-2) === ax &&
      last.points.at(-1) === ay;
    if (goesOn) last.points.push(bx, by);
    else chains.push({ source, points: isPoint ? [ax, ay] : [ax, ay, bx, by] });
  }
  return { sources, chains };
}

function lengthCode(meters: number, round: (value: number) => number): number {
  if (Number.isNaN(meters)) return UNKNOWN;
  if (meters === Number.POSITIVE_INFINITY) return UNLIMITED;
  // A 32-bit float may lie just below the intended centimetre.
  const above = round((meters - LOWEST_METERS) * PER_METER + 1e-2);
  return FIRST_LENGTH + Math.max(0, above);
}

function lengthOf(code: number): number {
  if (code === UNKNOWN) return Number.NaN;
  if (code === UNLIMITED) return Number.POSITIVE_INFINITY;
  return (code - FIRST_LENGTH) / PER_METER + LOWEST_METERS;
}

/** @throws RangeError if the bytes cannot be hazards */
export function readHazards(reader: PbfReader, corner: GridCorner): Hazards {
  const features: HazardFeature[] = [];
  for (let left = countOf(reader, 3); left > 0; left--) {
    const id = reader.readString();
    const objectClass = reader.readString();
    features.push({ id, objectClass, objectName: reader.readString() });
  }
  const sources: number[][] = [];
  for (let left = countOf(reader, 5); left > 0; left--) {
    const row = [0, 1, 2, 3, 4].map(() => reader.readVarint());
    if (!(row[0]! < HAZARD_KINDS.length && row[1]! < features.length)) {
      throw new RangeError('a hazard of no kind or feature');
    }
    sources.push(row);
  }
  const chains: [source: number, points: number][] = [];
  let points = 0;
  let count = 0;
  for (let left = countOf(reader, 2); left > 0; left--) {
    const source = reader.readVarint();
    const length = reader.readVarint();
    if (!(source < sources.length && length > 0)) throw new RangeError('a chain of nothing');
    chains.push([source, length]);
    points += length;
    count += Math.max(1, length - 1);
  }
  if (points * 2 > reader.length - reader.pos) throw new RangeError('more points than bytes');
  return readChains(reader, corner, { features, sources, chains, count });
}

interface Parts {
  readonly features: readonly HazardFeature[];
  readonly sources: readonly (readonly number[])[];
  readonly chains: readonly (readonly [source: number, points: number])[];
  readonly count: number;
}

function readChains(
  reader: PbfReader,
  corner: GridCorner,
  { features, sources, chains, count }: Parts,
): Hazards {
  const hazards = hazardColumns(count, features);
  let { x, y } = corner;
  let at = 0;
  const put = (source: number, ax: number, ay: number): void => {
    const [kind, feature, depth, clearance, radius] = sources[source]!;
    putEnds(hazards, at, [ax, ay, x, y]);
    hazards.kind[at] = kind!;
    hazards.feature[at] = feature!;
    hazards.depth[at] = lengthOf(depth!);
    hazards.clearance[at] = lengthOf(clearance!);
    hazards.radius[at] = radius! / PER_METER;
    at++;
  };
  for (const [source, points] of chains) {
    for (let i = 0; i < points; i++) {
      const ax = x;
      const ay = y;
      x += reader.readSVarint();
      y += reader.readSVarint();
      if (i > 0) put(source, ax, ay);
      else if (points === 1) put(source, x, y);
    }
  }
  return hazards;
}

/** Reads a count of items of at least `bytesEach` bytes. Limits memory if the count is corrupt. */
function countOf(reader: PbfReader, bytesEach: number): number {
  const count = reader.readVarint();
  if (!(count * bytesEach <= reader.length - reader.pos)) {
    throw new RangeError('more things than bytes');
  }
  return count;
}
