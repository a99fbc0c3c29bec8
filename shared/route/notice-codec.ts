// Encodes and decodes notices.
//
//   notices := count { kind shape text id class name radius paths:count { points:count { x y } } }
//
// Numbers and texts are encoded as in Protocol Buffers. x, y are integer units of the hazard grid,
// each relative to the previous point; the first is relative to the square's corner. Radii are in
// centimetres, rounded up.

import type { PbfReader, PbfWriter } from 'pbf';
import type { Flat } from '../geo/clip-box.ts';
import { NOTICE_KINDS, type Notice } from './sea.ts';

const SHAPES = ['area', 'line', 'point'] as const;
const PER_METER = 100;

interface GridCorner {
  readonly x: number;
  readonly y: number;
}

export function writeNotices(out: PbfWriter, notices: readonly Notice[], corner: GridCorner): void {
  out.writeVarint(notices.length);
  let { x, y } = corner;
  for (const { kind, shape, text, feature, radius, paths } of notices) {
    out.writeVarint(NOTICE_KINDS.indexOf(kind));
    out.writeVarint(SHAPES.indexOf(shape));
    for (const value of [text, feature.id, feature.objectClass, feature.objectName]) {
      out.writeString(value);
    }
    out.writeVarint(Math.ceil(radius * PER_METER - 1e-6));
    out.writeVarint(paths.length);
    for (const path of paths) {
      out.writeVarint(path.length / 2);
      for (let i = 0; i < path.length; i += 2) {
        const [column, row] = [Math.round(path[i]!), Math.round(path[i + 1]!)];
        out.writeSVarint(column - x);
        out.writeSVarint(row - y);
        x = column;
        y = row;
      }
    }
  }
}

/** @throws RangeError if the bytes are not notices */
export function readNotices(reader: PbfReader, corner: GridCorner): Notice[] {
  let { x, y } = corner;
  const count = countOf(reader, 8);
  const notices: Notice[] = [];
  for (let i = 0; i < count; i++) {
    const kind = NOTICE_KINDS[reader.readVarint()];
    const shape = SHAPES[reader.readVarint()];
    if (kind === undefined || shape === undefined) throw new RangeError('a notice of no kind');
    const [text, id, objectClass, objectName] = [0, 1, 2, 3].map(() => reader.readString());
    const feature = { id: id!, objectClass: objectClass!, objectName: objectName! };
    const radius = reader.readVarint() / PER_METER;
    const paths: Flat[] = [];
    for (let left = countOf(reader, 1); left > 0; left--) {
      const path: Flat = [];
      for (let points = countOf(reader, 2); points > 0; points--) {
        x += reader.readSVarint();
        y += reader.readSVarint();
        path.push(x, y);
      }
      paths.push(path);
    }
    notices.push({ kind, shape, text: text!, feature, radius, paths });
  }
  return notices;
}

/** Reads a count of items of at least `bytesEach` bytes. Limits memory if the count is corrupt. */
function countOf(reader: PbfReader, bytesEach: number): number {
  const count = reader.readVarint();
  if (!(count * bytesEach <= reader.length - reader.pos)) {
    throw new RangeError('more things than bytes');
  }
  return count;
}
