// Decodes S-57 records from the fields of an ISO 8211 file (binary implementation, Part 3, clause 7).

import type { Problem } from '../cell/cell.ts';
import type {
  DataSet,
  Instruction,
  Parameters,
  PointerControl,
  RawAttribute,
  RawFeature,
  RawFile,
  RawPointer,
  RawRelation,
  RawVector,
} from '../records/records.ts';
import { isPlainText, type LexicalLevel } from '../records/text.ts';
import { formatProblems } from './field-formats.ts';
import { FieldReader, FieldTooShort } from './field-reader.ts';
import { type FieldSpan, readIso8211 } from './iso8211.ts';
import { kindOfRecord, recordName } from './record-fields.ts';

/** The DEL character alone: the attribute is deleted (clause 8.4.2.2). */
const DELETED = '\x7f';
/** Above this number of broken records, the message says "many". */
const MAX_BROKEN_RECORDS = 20;

/** Decode one file. Broken records become problems; the others are kept. */
export function decodeFile(bytes: Uint8Array, file: string): RawFile {
  const { description, records, problems: found } = readIso8211(bytes, file);
  const problems: Problem[] = [...found, ...formatProblems(bytes, description, file)];
  const reader = new RecordReader(bytes);
  const vectors: RawVector[] = [];
  const features: RawFeature[] = [];
  let dataSet: DataSet | undefined;
  let parameters: Parameters | undefined;
  let broken = 0;
  const strange: (readonly FieldSpan[])[] = [];
  for (const fields of records) {
    const kind = kindOfRecord(fields);
    if (kind === 'other') continue;
    // A second record of the file would change the units or the lexical levels of all others.
    const isSecond =
      (kind === 'DSID' && dataSet !== undefined) || (kind === 'DSPM' && parameters !== undefined);
    if (kind === 'strange' || isSecond) {
      strange.push(fields);
      continue;
    }
    try {
      reader.take(fields);
      if (kind === 'DSID') dataSet = reader.dataSet();
      else if (kind === 'DSPM') parameters = reader.parameters();
      else if (kind === 'VRID') vectors.push(reader.vector());
      else features.push(reader.feature(dataSet?.attributeLevel ?? 1, dataSet?.nationalLevel ?? 1));
    } catch (error) {
      if (error instanceof StrangeValue) strange.push(fields);
      else if (error instanceof FieldTooShort) broken++;
      else throw error;
    }
  }
  if (strange.length > 0) {
    problems.push({
      code: 'strange-record',
      message: `${strange.length > MAX_BROKEN_RECORDS ? 'many' : strange.length} records contain invalid fields or values, or repeat DSID or DSPM, and were ignored (first: record ${recordName(bytes, strange[0]!)})`,
      file,
      severity: 'error',
    });
  }
  if (broken > 0) {
    problems.push({
      code: 'broken-record',
      message: `${broken > MAX_BROKEN_RECORDS ? 'many' : broken} records are truncated and were ignored`,
      file,
      severity: 'error',
    });
  }
  return {
    ...(dataSet === undefined ? {} : { dataSet }),
    ...(parameters === undefined ? {} : { parameters }),
    vectors,
    features,
    problems,
  };
}

/** A subfield has an invalid value, so the record is damaged. */
class StrangeValue extends Error {}

const level = (value: number): LexicalLevel => (value === 0 || value === 2 ? value : 1);
/** @throws StrangeValue if the value is not insert, delete or modify */
function instruction(value: number): Instruction {
  if (value === 1 || value === 2 || value === 3) return value;
  throw new StrangeValue();
}

/** @throws StrangeValue if `value` is not in `values` */
function among(values: readonly number[], value: number): number {
  if (!values.includes(value)) throw new StrangeValue();
  return value;
}

/** @throws StrangeValue on some control characters: a lost terminator joins a text to the bytes after it */
function plain(text: string): string {
  if (!isPlainText(text)) throw new StrangeValue();
  return text;
}

/** Content fields. A record that deletes must not have them (clause 8.4.2). */
const CONTENT = new Set(['ATTF', 'NATF', 'FFPT', 'FSPT', 'ATTV', 'VRPT', 'SG2D', 'SG3D']);

/** RCNM of features and of vectors: isolated and connected nodes, edges, faces. */
const FEATURE = [100];
const VECTORS = [110, 120, 130, 140];
const ISOLATED_NODE = 110;
const CONNECTED_NODE = 120;
/** PRIM: point, line, area, none. */
const PRIMITIVES = [1, 2, 3, 255];

/** Shared by all records that lack a field, to save allocations. */
const NONE: readonly never[] = [];

/** Whether a vector may have these coordinates: soundings only in isolated nodes, one position per node. */
function areOf(name: number, deep: Int32Array | undefined, flat: Int32Array | undefined): boolean {
  if (deep !== undefined) return name === ISOLATED_NODE && flat === undefined;
  const isNode = name === ISOLATED_NODE || name === CONNECTED_NODE;
  return !isNode || flat === undefined || flat.length === 2;
}

/** Reads the records of one file in sequence. */
class RecordReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #coordinates: CoordinatePool;
  #fields: readonly FieldSpan[] = NONE;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#coordinates = new CoordinatePool(Math.floor(bytes.length / 4));
  }

  /** Select the record to read. */
  take(fields: readonly FieldSpan[]): void {
    this.#fields = fields;
  }

  #open(tag: string): FieldReader | undefined {
    for (const span of this.#fields) {
      if (span.tag === tag) return new FieldReader(this.#bytes, this.#view, span);
    }
    return undefined;
  }

  #must(tag: string): FieldReader {
    const field = this.#open(tag);
    if (field === undefined) throw new FieldTooShort();
    return field;
  }

  /**
   * The elements, each of at least `size` bytes, of every field with a tag. Some producers repeat ATTF,
   * FSPT or SG2D instead of extending one field.
   */
  #each<T>(tag: string, size: number, read: (field: FieldReader) => T): readonly T[] {
    let list: T[] | undefined;
    for (const span of this.#fields) {
      if (span.tag !== tag) continue;
      list ??= [];
      const field = new FieldReader(this.#bytes, this.#view, span);
      while (field.bytesLeft() >= size) list.push(read(field));
    }
    return list ?? NONE;
  }

  /** The 32-bit integers of every field with a tag; `undefined` if there is no such field. */
  #integers(tag: string): Int32Array | undefined {
    const from = this.#coordinates.length;
    let present = false;
    for (const { tag: own, start, end } of this.#fields) {
      if (own !== tag) continue;
      present = true;
      for (let at = start; at + 4 <= end; at += 4) {
        this.#coordinates.push(this.#view.getInt32(at, true));
      }
    }
    return present ? this.#coordinates.since(from) : undefined;
  }

  dataSet(): DataSet {
    const id = this.#must('DSID');
    id.u8(); // RCNM
    id.u32(); // RCID
    const purpose = id.u8();
    const usageBand = id.u8();
    const name = id.text(0);
    const edition = id.text(0);
    const update = id.text(0);
    id.text(0, 8); // UADT
    const issueDate = id.text(0, 8);
    id.text(0, 4); // STED
    id.u8(); // PRSP
    id.text(0); // PSDN
    id.text(0); // PRED
    id.u8(); // PROF
    const agency = id.u16();
    const info = this.#open('DSSI');
    const counts: number[] = [];
    let attributeLevel: LexicalLevel = 1;
    let nationalLevel: LexicalLevel = 1;
    if (info !== undefined) {
      info.u8(); // DSTR
      attributeLevel = level(info.u8());
      nationalLevel = level(info.u8());
      while (counts.length < 8) counts.push(info.u32());
    }
    return {
      purpose,
      usageBand,
      name,
      edition,
      update,
      issueDate,
      agency,
      attributeLevel,
      nationalLevel,
      counts,
    };
  }

  parameters(): Parameters {
    const field = this.#must('DSPM');
    field.u8(); // RCNM
    field.u32(); // RCID
    const horizontalDatum = field.u8();
    const verticalDatum = field.u8();
    field.u8(); // SDAT
    const scaleDenominator = field.u32();
    const depthUnit = field.u8();
    const heightUnit = field.u8();
    const accuracyUnit = field.u8();
    const coordinateUnit = field.u8();
    const coordinateFactor = field.u32();
    const soundingFactor = field.u32();
    return {
      horizontalDatum,
      verticalDatum,
      scaleDenominator,
      depthUnit,
      heightUnit,
      accuracyUnit,
      coordinateUnit,
      coordinateFactor,
      soundingFactor,
    };
  }

  vector(): RawVector {
    const head = this.#must('VRID');
    const name = among(VECTORS, head.u8());
    const id = head.u32();
    const version = head.u16();
    const todo = instruction(head.u8());
    const pointerControl = this.#control('VRPC');
    const coordinateControl = this.#control('SGCC');
    const deep = this.#integers('SG3D');
    const flat = this.#integers('SG2D');
    const coordinates = deep ?? flat;
    if (!areOf(name, deep, flat)) throw new StrangeValue();
    this.#refuseDeletedContent(todo);
    return {
      kind: 'vector',
      name,
      id,
      version,
      instruction: todo,
      attributes: this.#attributes('ATTV', 1),
      pointers: this.#each('VRPT', 9, vectorPointer),
      dimensions: deep === undefined ? 2 : 3,
      ...(pointerControl === undefined ? {} : { pointerControl }),
      ...(coordinateControl === undefined ? {} : { coordinateControl }),
      ...(coordinates === undefined ? {} : { coordinates }),
    };
  }

  /** A deletion identifies a record and must not have content. */
  #refuseDeletedContent(todo: Instruction): void {
    if (todo === 2 && this.#fields.some(({ tag }) => CONTENT.has(tag))) throw new StrangeValue();
  }

  feature(attributeLevel: LexicalLevel, nationalLevel: LexicalLevel): RawFeature {
    const head = this.#must('FRID');
    among(FEATURE, head.u8());
    const id = head.u32();
    const primitive = among(PRIMITIVES, head.u8());
    const group = head.u8();
    const classCode = head.u16();
    const version = head.u16();
    const todo = instruction(head.u8());
    // A deletion may omit FOID, because the record to be deleted has it.
    const identity = todo === 2 ? this.#open('FOID') : this.#must('FOID');
    this.#refuseDeletedContent(todo);
    const relationControl = this.#control('FFPC');
    const spatialControl = this.#control('FSPC');
    return {
      kind: 'feature',
      id,
      primitive,
      group,
      classCode,
      version,
      instruction: todo,
      agency: identity?.u16() ?? 0,
      number: identity?.u32() ?? 0,
      subdivision: identity?.u16() ?? 0,
      attributes: this.#attributes('ATTF', attributeLevel),
      nationalAttributes: this.#attributes('NATF', nationalLevel),
      relations: this.#each('FFPT', 9, relation),
      spatial: this.#each('FSPT', 8, featurePointer),
      ...(relationControl === undefined ? {} : { relationControl }),
      ...(spatialControl === undefined ? {} : { spatialControl }),
    };
  }

  #attributes(tag: string, textLevel: LexicalLevel): readonly RawAttribute[] {
    return this.#each(tag, 3, (field) => {
      const code = field.u16();
      const value = plain(field.text(textLevel));
      return { code, value: value === DELETED ? undefined : value };
    });
  }

  #control(tag: string): PointerControl | undefined {
    const field = this.#open(tag);
    if (field === undefined) return undefined;
    return { instruction: instruction(field.u8()), index: field.u16(), count: field.u16() };
  }
}

// The properties of these literals are in the order of the subfields: each one reads the next subfield.

const vectorPointer = (field: FieldReader): RawPointer => ({
  name: field.u8(),
  id: field.u32(),
  orientation: field.u8(),
  usage: field.u8(),
  topology: field.u8(),
  mask: field.u8(),
});

const featurePointer = (field: FieldReader): RawPointer => ({
  name: field.u8(),
  id: field.u32(),
  orientation: field.u8(),
  usage: field.u8(),
  mask: field.u8(),
  topology: 255,
});

function relation(field: FieldReader): RawRelation {
  const target = {
    agency: field.u16(),
    number: field.u32(),
    subdivision: field.u16(),
    indicator: field.u8(),
  };
  plain(field.text(1)); // COMT
  return target;
}

/**
 * One allocation for all coordinates of a file: tens of thousands of small arrays cost more than reading
 * them.
 */
class CoordinatePool {
  readonly #values: Int32Array;
  length = 0;

  constructor(capacity: number) {
    this.#values = new Int32Array(capacity);
  }

  push(value: number): void {
    this.#values[this.length++] = value;
  }

  since(from: number): Int32Array {
    return new Int32Array(this.#values.buffer, from * 4, this.length - from);
  }
}
