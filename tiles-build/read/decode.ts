// S-57 records from the fields of an ISO 8211 file: binary implementation, Part 3, clause 7.

import type { Problem } from './cell.ts';
import { FieldReader, ShortField } from './field-reader.ts';
import { type FieldSpan, readIso8211 } from './iso8211.ts';
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
} from './records.ts';
import type { LexicalLevel } from './text.ts';

/** The DEL character alone: the attribute is deleted (clause 8.4.2.2). */
const DELETED = '\x7f';
/** Of one kind of problem at most this many are told apart; the rest is counted. */
const MAX_BROKEN_RECORDS = 20;

/** Decode one file. Broken records become problems; the others are kept. */
export function decodeFile(bytes: Uint8Array, file: string): RawFile {
  const { records, problems: found } = readIso8211(bytes, file);
  const problems: Problem[] = [...found];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vectors: RawVector[] = [];
  const features: RawFeature[] = [];
  let dataSet: DataSet | undefined;
  let parameters: Parameters | undefined;
  let broken = 0;
  for (const fields of records) {
    try {
      const kind = fields.find((field) => HEADS.has(field.tag))?.tag;
      const record = new RecordReader(bytes, view, fields);
      if (kind === 'DSID') dataSet = record.dataSet();
      else if (kind === 'DSPM') parameters = record.parameters();
      else if (kind === 'VRID') vectors.push(record.vector());
      else if (kind === 'FRID') {
        features.push(record.feature(dataSet?.attributeLevel ?? 1, dataSet?.nationalLevel ?? 1));
      }
    } catch (error) {
      if (!(error instanceof ShortField)) throw error;
      broken++;
    }
  }
  if (broken > 0) {
    problems.push({
      code: 'broken-record',
      message: `${broken > MAX_BROKEN_RECORDS ? 'many' : broken} records end before their fields do and were left out`,
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

const HEADS = new Set(['DSID', 'DSPM', 'VRID', 'FRID']);

const level = (value: number): LexicalLevel => (value === 0 || value === 2 ? value : 1);
const instruction = (value: number): Instruction => (value === 2 || value === 3 ? value : 1);

class RecordReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #fields: readonly FieldSpan[];

  constructor(bytes: Uint8Array, view: DataView, fields: readonly FieldSpan[]) {
    this.#bytes = bytes;
    this.#view = view;
    this.#fields = fields;
  }

  #open(tag: string): FieldReader | undefined {
    const span = this.#fields.find((field) => field.tag === tag);
    return span === undefined ? undefined : new FieldReader(this.#bytes, this.#view, span);
  }

  #must(tag: string): FieldReader {
    const field = this.#open(tag);
    if (field === undefined) throw new ShortField();
    return field;
  }

  /** Every field of a tag: some producers repeat SG2D, SG3D, FSPT rather than lengthen one. */
  #all(tag: string): FieldReader[] {
    return this.#fields
      .filter((field) => field.tag === tag)
      .map((field) => new FieldReader(this.#bytes, this.#view, field));
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
    field.u8(); // HDAT
    field.u8(); // VDAT
    field.u8(); // SDAT
    const scaleDenominator = field.u32();
    const depthUnit = field.u8();
    const heightUnit = field.u8();
    field.u8(); // PUNI
    const coordinateUnit = field.u8();
    const coordinateFactor = field.u32();
    const soundingFactor = field.u32();
    return {
      scaleDenominator,
      depthUnit,
      heightUnit,
      coordinateUnit,
      coordinateFactor,
      soundingFactor,
    };
  }

  vector(): RawVector {
    const head = this.#must('VRID');
    const name = head.u8();
    const id = head.u32();
    const version = head.u16();
    const todo = instruction(head.u8());
    const pointerControl = this.#control('VRPC');
    const coordinateControl = this.#control('SGCC');
    const pointers = this.#all('VRPT').flatMap((field) => {
      const list: RawPointer[] = [];
      while (field.left() >= 9) {
        list.push({
          name: field.u8(),
          id: field.u32(),
          orientation: field.u8(),
          usage: field.u8(),
          topology: field.u8(),
          mask: field.u8(),
        });
      }
      return list;
    });
    const flat = this.#all('SG2D');
    const deep = this.#all('SG3D');
    const coordinates = flat.length + deep.length === 0 ? undefined : integers([...flat, ...deep]);
    return {
      kind: 'vector',
      name,
      id,
      version,
      instruction: todo,
      attributes: this.#attributes('ATTV', 1),
      pointers,
      dimensions: deep.length > 0 ? 3 : 2,
      ...(pointerControl === undefined ? {} : { pointerControl }),
      ...(coordinateControl === undefined ? {} : { coordinateControl }),
      ...(coordinates === undefined ? {} : { coordinates }),
    };
  }

  feature(attributeLevel: LexicalLevel, nationalLevel: LexicalLevel): RawFeature {
    const head = this.#must('FRID');
    head.u8(); // RCNM
    const id = head.u32();
    const primitive = head.u8();
    const group = head.u8();
    const classCode = head.u16();
    const version = head.u16();
    const todo = instruction(head.u8());
    // A deletion names the record alone; its identity stands in the record to be deleted.
    const identity = todo === 2 ? this.#open('FOID') : this.#must('FOID');
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
      relations: this.#relations(),
      spatial: this.#spatial(),
      ...(relationControl === undefined ? {} : { relationControl }),
      ...(spatialControl === undefined ? {} : { spatialControl }),
    };
  }

  #attributes(tag: string, textLevel: LexicalLevel): RawAttribute[] {
    return this.#all(tag).flatMap((field) => {
      const list: RawAttribute[] = [];
      while (field.left() >= 3) {
        const code = field.u16();
        const value = field.text(textLevel);
        list.push({ code, value: value === DELETED ? undefined : value });
      }
      return list;
    });
  }

  #control(tag: string): PointerControl | undefined {
    const field = this.#open(tag);
    if (field === undefined) return undefined;
    return { instruction: instruction(field.u8()), index: field.u16(), count: field.u16() };
  }

  #relations(): RawRelation[] {
    return this.#all('FFPT').flatMap((field) => {
      const list: RawRelation[] = [];
      while (field.left() >= 9) {
        const relation = {
          agency: field.u16(),
          number: field.u32(),
          subdivision: field.u16(),
          indicator: field.u8(),
        };
        field.text(1); // COMT
        list.push(relation);
      }
      return list;
    });
  }

  #spatial(): RawPointer[] {
    return this.#all('FSPT').flatMap((field) => {
      const list: RawPointer[] = [];
      while (field.left() >= 8) {
        list.push({
          name: field.u8(),
          id: field.u32(),
          orientation: field.u8(),
          usage: field.u8(),
          mask: field.u8(),
          topology: 255,
        });
      }
      return list;
    });
  }
}

/** Whole 4-byte integers of several fields, one after another. */
function integers(fields: readonly FieldReader[]): Int32Array {
  const total = fields.reduce((sum, field) => sum + Math.floor(field.left() / 4), 0);
  const values = new Int32Array(total);
  let at = 0;
  for (const field of fields) while (field.left() >= 4) values[at++] = field.i32();
  return values;
}
