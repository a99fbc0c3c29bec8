// Creates the smallest update file that turns one state of a cell into the next (S-57 Part 3, clause 8).

import type {
  PointerControl,
  RawAttribute,
  RawFeature,
  RawPointer,
  RawVector,
} from '../records/records.ts';
import type { FileContents } from './encode-file.ts';
import { recordCounts } from './record-counts.ts';

const INSERT = 1;
const DELETE = 2;
const MODIFY = 3;

interface UpdateOptions {
  /** UPDN. */
  readonly update: number;
  /** yyyymmdd */
  readonly issueDate: string;
}

/**
 * The update from `before` to `after`, both complete cells with the same ids for the same objects. Record
 * versions continue from `before`; pass the returned `state` to the next call as `before`.
 * @throws RangeError if one update cannot express the change: a feature changes its class, or positions or
 *   pointers are replaced by a different number of them
 */
export function updateBetween(
  before: FileContents,
  after: FileContents,
  { update, issueDate }: UpdateOptions,
): { readonly file: FileContents; readonly state: FileContents } {
  const vectors = changes(before.vectors, after.vectors, (v) => `${v.name} ${v.id}`, changeVector);
  const features = changes(before.features, after.features, (f) => `${f.id}`, changeFeature);
  const dataSet = {
    ...after.dataSet,
    purpose: 2,
    name: after.dataSet.name.replace(/\d{3}$/, String(update).padStart(3, '0')),
    update: String(update),
    issueDate,
    counts: recordCounts(vectors.records, features.records),
  };
  return {
    file: { dataSet, vectors: vectors.records, features: features.records },
    state: { ...after, vectors: vectors.state, features: features.state },
  };
}

interface Versioned {
  readonly version: number;
  readonly instruction: 1 | 2 | 3;
}

function changes<R extends Versioned>(
  before: readonly R[],
  after: readonly R[],
  keyOf: (record: R) => string,
  change: (old: R, now: R) => R | undefined,
): { readonly records: R[]; readonly state: R[] } {
  const old = new Map(before.map((record) => [keyOf(record), record]));
  const kept = new Set(after.map(keyOf));
  const records: R[] = [];
  const state: R[] = [];
  for (const now of after) {
    const was = old.get(keyOf(now));
    if (was === undefined) {
      records.push({ ...now, version: 1, instruction: INSERT });
      state.push(now);
      continue;
    }
    const changed = change(was, now);
    const version = changed === undefined ? was.version : was.version + 1;
    if (changed !== undefined) records.push({ ...changed, version, instruction: MODIFY });
    state.push({ ...now, version });
  }
  for (const [key, was] of old) {
    if (!kept.has(key)) records.push(deletion(was));
  }
  return { records, state };
}

/** A deletion has no content (clause 8.4.1). */
function deletion<R extends Versioned>(was: R): R {
  const bare = { attributes: [], nationalAttributes: [], relations: [], spatial: [], pointers: [] };
  const deleted = { ...was, ...bare, version: was.version + 1, instruction: DELETE };
  return { ...deleted, coordinates: new Int32Array(0) };
}

function changeVector(was: RawVector, now: RawVector): RawVector | undefined {
  const attributes = changedAttributes(was.attributes, now.attributes);
  const splice = spliceBetween(
    inTuples(was.coordinates ?? [], was.dimensions),
    inTuples(now.coordinates ?? [], now.dimensions),
    (a, b) => a.every((value, i) => value === b[i]),
  );
  if (attributes.length === 0 && splice === undefined) return undefined;
  const { coordinates, coordinateControl, ...rest } = now;
  return {
    ...rest,
    attributes,
    pointers: [],
    ...(splice && {
      coordinateControl: splice.control,
      coordinates: Int32Array.from(splice.inserted.flat()),
    }),
  };
}

/** @throws RangeError if class or primitive differ */
function changeFeature(was: RawFeature, now: RawFeature): RawFeature | undefined {
  if (was.classCode !== now.classCode || was.primitive !== now.primitive) {
    throw new RangeError(`Feature ${now.number} must not change its class or primitive.`);
  }
  const attributes = changedAttributes(was.attributes, now.attributes);
  const nationalAttributes = changedAttributes(was.nationalAttributes, now.nationalAttributes);
  const spatial = spliceBetween(was.spatial, now.spatial, samePointer);
  const relations = spliceBetween(
    was.relations,
    now.relations,
    (a, b) => a.number === b.number && a.indicator === b.indicator,
  );
  if (attributes.length + nationalAttributes.length === 0 && !spatial && !relations) {
    return undefined;
  }
  return {
    ...now,
    attributes,
    nationalAttributes,
    spatial: spatial?.inserted ?? [],
    relations: relations?.inserted ?? [],
    ...(spatial && { spatialControl: spatial.control }),
    ...(relations && { relationControl: relations.control }),
  };
}

/** New and changed values, and the DEL value (`undefined`) for removed attributes (clause 8.4.2.2). */
function changedAttributes(
  was: readonly RawAttribute[],
  now: readonly RawAttribute[],
): RawAttribute[] {
  const old = new Map(was.map(({ code, value }) => [code, value]));
  const kept = new Set(now.map(({ code }) => code));
  return [
    ...now.filter(({ code, value }) => old.get(code) !== value),
    ...was.filter(({ code }) => !kept.has(code)).map(({ code }) => ({ code, value: undefined })),
  ];
}

const samePointer = (a: RawPointer, b: RawPointer) =>
  a.name === b.name &&
  a.id === b.id &&
  a.orientation === b.orientation &&
  a.usage === b.usage &&
  a.mask === b.mask;

/**
 * The single insertion, deletion or replacement that turns `was` into `now`. A record has only one control
 * field of a kind (clause 8.4.2).
 * @throws RangeError if one operation is not enough
 */
function spliceBetween<T>(
  was: readonly T[],
  now: readonly T[],
  same: (a: T, b: T) => boolean,
): { readonly control: PointerControl; readonly inserted: readonly T[] } | undefined {
  let start = 0;
  while (start < was.length && start < now.length && same(was[start]!, now[start]!)) start++;
  let [wasEnd, nowEnd] = [was.length, now.length];
  while (wasEnd > start && nowEnd > start && same(was[wasEnd - 1]!, now[nowEnd - 1]!)) {
    wasEnd--;
    nowEnd--;
  }
  const [gone, come] = [wasEnd - start, nowEnd - start];
  if (gone === 0 && come === 0) return undefined;
  const index = start + 1;
  const inserted = now.slice(start, nowEnd);
  if (gone === 0) return { control: { instruction: INSERT, index, count: come }, inserted };
  if (come === 0) return { control: { instruction: DELETE, index, count: gone }, inserted };
  if (gone === come) return { control: { instruction: MODIFY, index, count: come }, inserted };
  throw new RangeError(`One control field cannot replace ${gone} elements by ${come}.`);
}

function inTuples(values: ArrayLike<number>, size: number): number[][] {
  const list = Array.from(values);
  return Array.from({ length: list.length / size }, (_, i) => list.slice(i * size, (i + 1) * size));
}
