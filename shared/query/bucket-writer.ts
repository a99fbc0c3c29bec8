// Encodes records as a bucket. `bucket.ts` describes the format.

import { IntegerWriter } from '../bytes/integer-writer.ts';
import { type Box, boundsOf, type Flat } from '../geo/clip-box.ts';
import { BUCKET_VERSION, SHAPE_CODES } from './bucket.ts';
import type { QueryRecord, RecordShape } from './record.ts';

/** Collects the records of one bucket. */
export class BucketWriter {
  readonly #records = new IntegerWriter();
  readonly #texts = new Map<string, number>();
  readonly #box: Box;
  #count = 0;
  #lastX = 0;
  #lastY = 0;

  /** @param box the bucket's box on the grid; parts of areas can lie anywhere in it */
  constructor(box: Box) {
    this.#box = box;
  }

  add(record: QueryRecord): void {
    const { shape } = record;
    const out = this.#records;
    const box = this.#boxOf(shape);
    out.writeVarint(codeOf(shape));
    out.writeVarint(record.classCode);
    out.writeSVarint(box.left - this.#lastX);
    out.writeSVarint(box.top - this.#lastY);
    this.#lastX = box.left;
    this.#lastY = box.top;
    if (shape.type !== 'point') {
      out.writeVarint(box.right - box.left);
      out.writeVarint(box.bottom - box.top);
    }
    out.writeBytes(this.#body(record, box));
    this.#count++;
  }

  finish(): Uint8Array {
    const out = new IntegerWriter();
    out.writeVarint(BUCKET_VERSION);
    out.writeVarint(this.#texts.size);
    for (const text of this.#texts.keys()) out.writeString(text);
    out.writeVarint(this.#count);
    out.writeBytes(this.#records.finish());
    return out.finish();
  }

  #body({ cell, agency, number, subdivision, attributes, shape }: QueryRecord, box: Box) {
    const body = new IntegerWriter();
    body.writeVarint(this.#textNumber(cell));
    body.writeVarint(agency);
    body.writeVarint(number);
    body.writeVarint(subdivision);
    body.writeVarint(this.#textNumber(attributes));
    switch (shape.type) {
      case 'point':
        if (shape.depth !== undefined) body.writeSVarint(Math.round(shape.depth * 1000));
        break;
      case 'line':
        writePaths(body, shape.lines, box);
        break;
      case 'area':
        body.writeVarint(shape.polygons.length);
        for (const rings of shape.polygons) writePaths(body, rings, box);
        break;
      case 'part':
        body.writeVarint(shape.home.z);
        body.writeVarint(shape.home.x);
        body.writeVarint(shape.home.y);
        if (shape.reference !== undefined) {
          body.writeVarint(shape.reference.x - box.left);
          body.writeVarint(shape.reference.y - box.top);
          body.writeVarint(shape.reference.inside ? 1 : 0);
        }
        writePaths(body, shape.lines, box);
    }
    return body.finish();
  }

  #textNumber(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }

  #boxOf(shape: RecordShape): Box {
    switch (shape.type) {
      case 'point':
        return { left: shape.x, top: shape.y, right: shape.x, bottom: shape.y };
      case 'line':
        return boundsOf(shape.lines);
      case 'area':
        return boundsOf(shape.polygons.flat());
      case 'part':
        return shape.of === 'area' ? this.#box : boundsOf(shape.lines);
    }
  }
}

function codeOf(shape: RecordShape): number {
  if (shape.type === 'point')
    return shape.depth === undefined ? SHAPE_CODES.point : SHAPE_CODES.sounding;
  if (shape.type === 'part')
    return shape.of === 'line' ? SHAPE_CODES.linePart : SHAPE_CODES.areaPart;
  return SHAPE_CODES[shape.type];
}

/** Writes differences: the first vertex from the box's corner, the others from the previous one. */
function writePaths(out: IntegerWriter, paths: readonly Flat[], box: Box): void {
  out.writeVarint(paths.length);
  for (const path of paths) {
    out.writeVarint(path.length / 2);
    let x = box.left;
    let y = box.top;
    for (let i = 0; i < path.length; i += 2) {
      out.writeSVarint(path[i]! - x);
      out.writeSVarint(path[i + 1]! - y);
      x = path[i]!;
      y = path[i + 1]!;
    }
  }
}
