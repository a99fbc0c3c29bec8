// The state of a cell while updates are applied. Records are keyed by the ids that updates use. The changes
// of an update are collected first, so that an update is applied completely or not at all.

import type { Problem } from '../cell/cell.ts';
import type {
  DataSet,
  Parameters,
  PointerControl,
  RawAttribute,
  RawFeature,
  RawFile,
  RawPointer,
  RawVector,
} from '../records/records.ts';
import { attributeByCode } from '../vocabulary/attributes.ts';

/** RCNM of isolated nodes and of edges. */
export const ISOLATED = 110;
export const EDGE = 130;

/** The current state of a vector record. */
export interface VectorState
  extends Pick<RawVector, 'name' | 'id' | 'version' | 'attributes' | 'pointers' | 'dimensions'> {
  readonly coordinates: Int32Array;
}

export type FeatureState = Omit<
  RawFeature,
  'kind' | 'instruction' | 'relationControl' | 'spatialControl'
>;

export interface CellState {
  readonly dataSet: DataSet;
  /** Issue date of the base file, yyyymmdd. */
  readonly editionDate: string;
  readonly parameters: Parameters;
  readonly vectors: Map<number, VectorState>;
  readonly features: Map<number, FeatureState>;
}

/** RCNM and RCID as one number (RCID < 2^32). */
export const vectorKey = (name: number, id: number): number => name * 4_294_967_296 + id;

const NO_COORDINATES = new Int32Array(0);

/** The reason why an update cannot be applied. */
export class UpdateConflict extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Create the state from the records of a base cell. Of records with the same id, the first is kept and a problem is reported. */
export function baseState(
  raw: RawFile,
  dataSet: DataSet,
  parameters: Parameters,
  file: string,
): { state: CellState; problems: Problem[] } {
  const vectors = new Map<number, VectorState>();
  const features = new Map<number, FeatureState>();
  let repeated = 0;
  for (const record of raw.vectors) {
    const key = vectorKey(record.name, record.id);
    if (vectors.has(key)) repeated++;
    else vectors.set(key, newVector(record));
  }
  for (const record of raw.features) {
    if (features.has(record.id)) repeated++;
    else features.set(record.id, newFeature(record));
  }
  const problem: Problem = {
    code: 'repeated-record',
    message: `${repeated} records repeat the id of an earlier record and were ignored`,
    file,
    severity: 'error',
  };
  return {
    state: { dataSet, editionDate: dataSet.issueDate, parameters, vectors, features },
    problems: repeated === 0 ? [] : [problem],
  };
}

/** An independent copy that shares the records. */
export function copyOf(state: CellState): CellState {
  return { ...state, vectors: new Map(state.vectors), features: new Map(state.features) };
}

/**
 * Apply an update to a state, in place.
 * @throws UpdateConflict if a record conflicts with the state, which is then unchanged
 */
export function applyUpdate(state: CellState, raw: RawFile, dataSet: DataSet): CellState {
  const vectors = new Changes(state.vectors);
  const features = new Changes(state.features);
  for (const record of raw.vectors) {
    const label = `vector record ${record.name}/${record.id}`;
    const key = vectorKey(record.name, record.id);
    applyRecord(vectors, { key, record, label }, newVector, modifyVector);
  }
  for (const record of raw.features) {
    const label = `feature record ${record.id}`;
    checkIdentity(label, features.get(record.id), record);
    applyRecord(features, { key: record.id, record, label }, newFeature, modifyFeature);
  }
  checkPointers(vectors, features);
  vectors.takeOver();
  features.takeOver();
  // The base decides the usage band. Some updates omit it.
  return { ...state, dataSet: { ...dataSet, usageBand: state.dataSet.usageBand } };
}

/** The pending changes of an update to a set of records. */
class Changes<T> {
  readonly #records: Map<number, T>;
  readonly #changed = new Map<number, T | undefined>();

  constructor(records: Map<number, T>) {
    this.#records = records;
  }

  get(key: number): T | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#records.get(key);
  }

  /** `undefined` deletes the record. */
  set(key: number, value: T | undefined): void {
    this.#changed.set(key, value);
  }

  deletedKeys(): ReadonlySet<number> {
    return new Set(
      [...this.#changed].filter(([, value]) => value === undefined).map(([key]) => key),
    );
  }

  /** The new and changed records, and the others too if `all`, each with the record before the changes. */
  *values(all: boolean): Iterable<readonly [record: T, old: T | undefined]> {
    if (all) {
      for (const [key, value] of this.#records) if (!this.#changed.has(key)) yield [value, value];
    }
    for (const [key, value] of this.#changed) {
      if (value !== undefined) yield [value, this.#records.get(key)];
    }
  }

  takeOver(): void {
    for (const [key, value] of this.#changed) {
      if (value === undefined) this.#records.delete(key);
      else this.#records.set(key, value);
    }
  }
}

/** An update must not leave or bring pointers to missing records: objects would lose their geometry. */
function checkPointers(vectors: Changes<VectorState>, features: Changes<FeatureState>): void {
  const deleted = vectors.deletedKeys();
  const keyOf = ({ name, id }: RawPointer) => vectorKey(name, id);
  const check = (
    label: string,
    pointers: readonly RawPointer[],
    old: readonly RawPointer[] = [],
  ) => {
    const missing = pointers.filter((pointer) => vectors.get(keyOf(pointer)) === undefined);
    if (missing.length === 0) return;
    // A pointer that led nowhere before is a fault of the base.
    const known = new Set(old.map(keyOf));
    for (const pointer of missing) {
      const target = `vector record ${pointer.name}/${pointer.id}`;
      if (deleted.has(keyOf(pointer))) {
        const message = `${target} is deleted, but ${label} still refers to it`;
        throw new UpdateConflict('update-leaves-pointers', message);
      }
      if (known.has(keyOf(pointer))) continue;
      throw new UpdateConflict(
        'update-dangling',
        `${label} refers to ${target}, which is not in the cell`,
      );
    }
  };
  const all = deleted.size > 0;
  for (const [{ name, id, pointers }, old] of vectors.values(all)) {
    check(`vector record ${name}/${id}`, pointers, old?.pointers);
  }
  for (const [{ id, spatial }, old] of features.values(all)) {
    check(`feature record ${id}`, spatial, old?.spatial);
  }
}

function applyRecord<R extends RawVector | RawFeature, T extends { readonly version: number }>(
  records: Changes<T>,
  { key, record, label }: { readonly key: number; readonly record: R; readonly label: string },
  insert: (record: R) => T,
  modify: (old: T, record: R, label: string) => T,
): void {
  const old = records.get(key);
  if (record.instruction === 1) {
    if (old !== undefined) throw new UpdateConflict('update-conflict', `${label} already exists`);
    records.set(key, insert(record));
    return;
  }
  if (old === undefined) {
    throw new UpdateConflict('update-target-missing', `${label} is not in the cell`);
  }
  checkVersion(label, old.version, record.version);
  records.set(key, record.instruction === 2 ? undefined : modify(old, record, label));
}

/** RVER of a change must be one more than that of the current record (clause 8.4.2). */
function checkVersion(label: string, old: number, next: number): void {
  if (next !== (old + 1) % 65_536) {
    throw new UpdateConflict(
      'update-version-mismatch',
      `${label} has version ${old}, but the update has version ${next}`,
    );
  }
}

/** A change must have the identity of the object that it changes (clause 8.4.2). */
function checkIdentity(label: string, old: FeatureState | undefined, record: RawFeature): void {
  if (old === undefined || record.instruction === 1) return;
  // A deletion may omit identity and class.
  const isNamed = record.agency !== 0 || record.number !== 0 || record.subdivision !== 0;
  const isSame =
    old.agency === record.agency &&
    old.number === record.number &&
    old.subdivision === record.subdivision;
  const isOfKind =
    record.instruction === 2 ||
    (old.classCode === record.classCode && old.primitive === record.primitive);
  if ((isNamed && !isSame) || !isOfKind) {
    throw new UpdateConflict(
      'update-identity-mismatch',
      `${label} is a different object in the cell`,
    );
  }
}

/** Apply changes in order: a value replaces or adds the attribute, DEL deletes it. */
function merge(
  old: readonly RawAttribute[],
  changes: readonly RawAttribute[],
  label: string,
): readonly RawAttribute[] {
  if (changes.length === 0) return old;
  const merged = new Map(old.map((attribute) => [attribute.code, attribute]));
  for (const attribute of changes) {
    if (attribute.value === undefined) {
      const isThere = merged.delete(attribute.code);
      // Some producers delete an attribute twice. An unknown code means a damaged record.
      if (!isThere && attributeByCode(attribute.code) === undefined) {
        throw new UpdateConflict(
          'update-attribute-missing',
          `${label} has no attribute ${attribute.code} to delete`,
        );
      }
    } else merged.set(attribute.code, attribute);
  }
  return [...merged.values()];
}

function newVector(record: RawVector): VectorState {
  return {
    name: record.name,
    id: record.id,
    version: record.version,
    attributes: record.attributes,
    pointers: record.pointers,
    coordinates: record.coordinates ?? NO_COORDINATES,
    dimensions: record.dimensions,
  };
}

function newFeature(record: RawFeature): FeatureState {
  return {
    id: record.id,
    primitive: record.primitive,
    group: record.group,
    classCode: record.classCode,
    version: record.version,
    agency: record.agency,
    number: record.number,
    subdivision: record.subdivision,
    attributes: record.attributes,
    nationalAttributes: record.nationalAttributes,
    relations: record.relations,
    spatial: record.spatial,
  };
}

function modifyVector(old: VectorState, record: RawVector, label: string): VectorState {
  const given = record.coordinates?.length ?? 0;
  const dimensions =
    record.coordinates !== undefined && old.coordinates.length === 0
      ? record.dimensions
      : old.dimensions;
  const coordinates = editCoordinates(old.coordinates, record, dimensions, label);
  const isOneNode = record.name !== EDGE && dimensions === 2;
  if ((given > 0 && record.dimensions !== dimensions) || (isOneNode && coordinates.length > 2)) {
    throw new UpdateConflict(
      'update-conflict',
      `${label} would have positions and soundings, or several positions`,
    );
  }
  return {
    ...old,
    version: record.version,
    attributes: merge(old.attributes, record.attributes, label),
    pointers: edit(old.pointers, record.pointers, record.pointerControl, label),
    coordinates,
    dimensions,
  };
}

function editCoordinates(
  old: Int32Array,
  record: RawVector,
  dimensions: 2 | 3,
  label: string,
): Int32Array {
  const given = record.coordinates;
  const control = record.coordinateControl;
  if (control === undefined) {
    // Coordinates without a control are the first ones of a straight edge, or the new position of a node
    // (clauses 5.1.4.4 and 8.4.3.3).
    if (given === undefined || old.length === 0) return given ?? old;
    const isNode = record.name !== EDGE;
    if (isNode && old.length === dimensions && given.length === dimensions) return given;
    // Other coordinates of an edge, or other soundings, would be lost.
    throw new UpdateConflict(
      'update-without-control',
      `${label} has coordinates without a control`,
    );
  }
  const added = given ?? NO_COORDINATES;
  const { start, end } = editedRange(old.length, added.length, control, dimensions, label);
  const brought = control.instruction === 2 ? NO_COORDINATES : added;
  const edited = new Int32Array(old.length - (end - start) + brought.length);
  edited.set(old.subarray(0, start));
  edited.set(brought, start);
  edited.set(old.subarray(end), start + brought.length);
  return edited;
}

function modifyFeature(old: FeatureState, record: RawFeature, label: string): FeatureState {
  return {
    ...old,
    version: record.version,
    attributes: merge(old.attributes, record.attributes, label),
    nationalAttributes: merge(old.nationalAttributes, record.nationalAttributes, label),
    relations: edit(old.relations, record.relations, record.relationControl, label),
    spatial: edit(old.spatial, record.spatial, record.spatialControl, label),
  };
}

/** Insert, delete or overwrite pointers. */
function edit<T>(
  old: readonly T[],
  given: readonly T[],
  control: PointerControl | undefined,
  label: string,
): readonly T[] {
  if (control === undefined) {
    if (given.length === 0) return old;
    if (old.length === 0) return given;
    throw new UpdateConflict('update-without-control', `${label} has pointers without a control`);
  }
  const { start, end } = editedRange(old.length, given.length, control, 1, label);
  const brought = control.instruction === 2 ? [] : given;
  return [...old.slice(0, start), ...brought, ...old.slice(end)];
}

/**
 * The range that is replaced. It is empty if elements are inserted before the 1-based index (clauses 8.4.2.3
 * and 8.4.3.2).
 * @param size number of old values; each counted element has `width` of them
 * @param given number of new values
 */
function editedRange(
  size: number,
  given: number,
  { instruction, index, count }: PointerControl,
  width: number,
  label: string,
): { readonly start: number; readonly end: number } {
  const start = (index - 1) * width;
  const length = count * width;
  const end = instruction === 1 ? start : start + length;
  // A deletion needs no elements. A surplus would be lost.
  const isExact = instruction === 2 || given === length;
  if (start < 0 || end > size || !isExact) {
    throw new UpdateConflict(
      'update-index-out-of-range',
      `${label}: ${count} elements from ${index} of ${size / width} cannot be changed by ${given / width}`,
    );
  }
  return { start, end };
}
