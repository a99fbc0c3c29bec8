// A bucket of the query archive: the features of one place, decoded on demand. The constructor
// reads the offset and box of each record. The rest is decoded for records close to the query's
// circle.
//
//   bucket  := version texts:count { text }  records:count length { record }
//   record  := shape class x y [width height]  body:length body
//   body    := cell agency number subdivision attributes …
//     sounding  … depth in millimetres
//     line      … paths          area … polygons:count { paths }
//     part      … home z, x, y  [of an area: reference x, y, inside]  paths
//   paths   := count { vertices:count { dx dy } }
//
// Numbers, texts and lengths use the encodings of Protocol Buffers (varint, zigzag if negative
// values occur, length-delimited UTF-8), read by `pbf`. x and y are the south-western corner of the
// box, or the position of a point. They are differences from the previous record. cell and
// attributes are indices of texts.

import { PbfReader } from 'pbf';
import type { Flat } from '../geo/clip-box.ts';
import type { TileId } from '../geo/tile.ts';
import type { QueryRecord, RecordShape } from './record.ts';

export const BUCKET_VERSION = 1;

export const SHAPE_CODES = {
  point: 0,
  sounding: 1,
  line: 2,
  area: 3,
  linePart: 4,
  areaPart: 5,
} as const;

const { point: POINT, sounding: SOUNDING, area: AREA } = SHAPE_CODES;
const { linePart: LINE_PART, areaPart: AREA_PART } = SHAPE_CODES;

/** Number of fields in a body before its shape. */
const BODY_FACTS = 5;

/** The fields of a record except its shape. */
export type RecordFacts = Omit<QueryRecord, 'shape'>;

export class Bucket {
  readonly count: number;
  /** For each record: its SHAPE_CODES number, and its object class code. */
  readonly shapes: Uint8Array;
  readonly classes: Uint16Array;
  /** For each record, on the grid: west, south, east, north. */
  readonly boxes: Float64Array;
  readonly #reader: PbfReader;
  /** Offsets of the texts and of the records' bodies. */
  readonly #texts: readonly number[];
  readonly #bodies: Uint32Array;
  readonly #decoded: string[] = [];
  #byIdentity: ReadonlyMap<string, number> | undefined;

  /** @throws Error if the bytes are not a valid bucket */
  constructor(bytes: Uint8Array) {
    const reader = new PbfReader(bytes);
    if (reader.readVarint() !== BUCKET_VERSION)
      throw new RangeError('not a bucket of this version');
    const texts: number[] = [];
    for (let left = reader.readVarint(); left > 0; left--) {
      texts.push(reader.pos);
      const length = reader.readVarint();
      reader.pos += length;
    }
    const count = reader.readVarint();
    reader.readVarint();
    // A record takes at least six bytes. A damaged count must not exhaust the memory.
    if (count * 6 > bytes.length) throw new RangeError('more records than bytes');
    this.count = count;
    this.shapes = new Uint8Array(count);
    this.classes = new Uint16Array(count);
    this.boxes = new Float64Array(4 * count);
    this.#reader = reader;
    this.#texts = texts;
    this.#bodies = new Uint32Array(count);
    let x = 0;
    let y = 0;
    for (let i = 0; i < count; i++) {
      const shape = reader.readVarint();
      this.shapes[i] = shape;
      this.classes[i] = reader.readVarint();
      x += reader.readSVarint();
      y += reader.readSVarint();
      const isPoint = shape === POINT || shape === SOUNDING;
      this.boxes[4 * i] = x;
      this.boxes[4 * i + 1] = y;
      this.boxes[4 * i + 2] = isPoint ? x : x + reader.readVarint();
      this.boxes[4 * i + 3] = isPoint ? y : y + reader.readVarint();
      const length = reader.readVarint();
      this.#bodies[i] = reader.pos;
      reader.pos += length;
    }
    if (reader.pos !== bytes.length) throw new RangeError('the bytes end within a record');
  }

  /** Approximate memory use in bytes. */
  get weight(): number {
    return this.#reader.length + 48 * this.count + 16 * this.#texts.length;
  }

  isPoint(index: number): boolean {
    return this.shapes[index]! <= SOUNDING;
  }

  /** Whether a record contains only the part of a large feature that lies in this bucket. */
  isPart(index: number): boolean {
    return this.shapes[index]! >= LINE_PART;
  }

  /** The bucket with the whole geometry of a part; `undefined` for other records. */
  homeOf(index: number): TileId | undefined {
    if (!this.isPart(index)) return undefined;
    const reader = this.#reader;
    reader.pos = this.#bodies[index]!;
    for (let field = 0; field < BODY_FACTS; field++) reader.readVarint();
    return tileFrom(reader);
  }

  /**
   * Cell and FOID of a record's feature; equal in every record of the feature. Some producers give
   * one FOID to several features of a cell.
   */
  identity(index: number): string {
    const reader = this.#reader;
    reader.pos = this.#bodies[index]!;
    const cell = reader.readVarint();
    const foid = `${reader.readVarint()}.${reader.readVarint()}.${reader.readVarint()}`;
    return `${this.#text(cell)}/${foid}`;
  }

  /** Index of a feature's record; `undefined` if the bucket does not contain the feature. */
  find({ cell, agency, number, subdivision, classCode }: RecordFacts): number | undefined {
    this.#byIdentity ??= new Map(
      Array.from({ length: this.count }, (_, index) => [
        `${this.identity(index)} ${this.classes[index]}`,
        index,
      ]),
    );
    return this.#byIdentity.get(`${cell}/${agency}.${number}.${subdivision} ${classCode}`);
  }

  facts(index: number): RecordFacts {
    this.#reader.pos = this.#bodies[index]!;
    return this.#facts(index);
  }

  record(index: number): QueryRecord {
    this.#reader.pos = this.#bodies[index]!;
    return { ...this.#facts(index), shape: this.#shape(index) };
  }

  /** Decodes the shape only. */
  shape(index: number): RecordShape {
    this.#reader.pos = this.#bodies[index]!;
    for (let field = 0; field < BODY_FACTS; field++) this.#reader.readVarint();
    return this.#shape(index);
  }

  #facts(index: number): RecordFacts {
    const reader = this.#reader;
    const cell = reader.readVarint();
    const agency = reader.readVarint();
    const number = reader.readVarint();
    const subdivision = reader.readVarint();
    const attributes = reader.readVarint();
    const after = reader.pos;
    const facts = {
      classCode: this.classes[index]!,
      cell: this.#text(cell),
      agency,
      number,
      subdivision,
      attributes: this.#text(attributes),
    };
    reader.pos = after;
    return facts;
  }

  #text(number: number): string {
    const known = this.#decoded[number];
    if (known !== undefined) return known;
    const at = this.#texts[number];
    if (at === undefined) throw new RangeError('a text is missing');
    this.#reader.pos = at;
    const text = this.#reader.readString();
    this.#decoded[number] = text;
    return text;
  }

  #shape(index: number): RecordShape {
    const reader = this.#reader;
    const x = this.boxes[4 * index]!;
    const y = this.boxes[4 * index + 1]!;
    const code = this.shapes[index]!;
    if (code === POINT) return { type: 'point', x, y };
    if (code === SOUNDING) return { type: 'point', x, y, depth: reader.readSVarint() / 1000 };
    if (code === AREA) {
      const polygons: Flat[][] = [];
      for (let left = reader.readVarint(); left > 0; left--) polygons.push(readPaths(reader, x, y));
      return { type: 'area', polygons };
    }
    if (code < LINE_PART) return { type: 'line', lines: readPaths(reader, x, y) };
    const home = tileFrom(reader);
    if (code !== AREA_PART) {
      return { type: 'part', of: 'line', home, lines: readPaths(reader, x, y) };
    }
    const reference = {
      x: x + reader.readVarint(),
      y: y + reader.readVarint(),
      inside: reader.readVarint() === 1,
    };
    return { type: 'part', of: 'area', home, reference, lines: readPaths(reader, x, y) };
  }
}

/** The fields are read in the order of this literal. */
const tileFrom = (reader: PbfReader): TileId => ({
  z: reader.readVarint(),
  x: reader.readVarint(),
  y: reader.readVarint(),
});

function readPaths(reader: PbfReader, left: number, south: number): Flat[] {
  const paths: Flat[] = [];
  for (let rest = reader.readVarint(); rest > 0; rest--) {
    const path: Flat = [];
    let x = left;
    let y = south;
    for (let vertices = reader.readVarint(); vertices > 0; vertices--) {
      x += reader.readSVarint();
      y += reader.readSVarint();
      path.push(x, y);
    }
    paths.push(path);
  }
  return paths;
}
