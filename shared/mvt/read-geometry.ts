// Decodes feature geometries (Mapbox Vector Tile specification 2.1, 4.3) directly to flat
// coordinates. This is the slowest part of reading a tile; libraries create an object for every
// point.

import type { Flat } from '../geo/clip-box.ts';
import type { GeometryType } from './encode.ts';

const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 7;
const POINTS = 1;
const LINES = 2;
/** Bits of the command id in a command integer; the rest is the repeat count. */
const COMMAND_BITS = 3;
const COMMAND_MASK = 7;
/** Last shift of a 32-bit varint, which has at most five bytes. */
const LAST_SHIFT = 28;

/**
 * Points: one path with all points. Lines: one path each. Polygons: rings that do not repeat the
 * first point.
 * @param start,end byte range of the geometry
 * @throws Error if the geometry is invalid
 */
export function readGeometry(
  bytes: Uint8Array,
  start: number,
  end: number,
  type: GeometryType,
): Flat[] {
  let path: Flat = [];
  const paths: Flat[] = type === POINTS ? [path] : [];
  let command = 0;
  let repeats = 0;
  let isAtY = false;
  let x = 0;
  let y = 0;
  let at = start;
  while (at < end) {
    let byte = bytes[at++]!;
    let number = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      if (at >= end) throw new Error('a geometry ends within a varint');
      if (shift > LAST_SHIFT) throw new Error('a geometry has a varint longer than 32 bits');
      byte = bytes[at++]!;
      number |= (byte & 0x7f) << shift;
    }
    if (repeats === 0) {
      command = number & COMMAND_MASK;
      repeats = number >>> COMMAND_BITS;
      if (command === CLOSE_PATH) {
        // Rings are closed implicitly; a closed line repeats its first point.
        if (type === LINES && repeats > 0 && path.length > 0) path.push(path[0]!, path[1]!);
        repeats = 0;
      } else if (command !== MOVE_TO && command !== LINE_TO) {
        throw new Error(`a geometry has an unknown command: ${command}`);
      }
      continue;
    }
    const step = (number >>> 1) ^ -(number & 1);
    if (!isAtY) {
      x += step;
      isAtY = true;
      continue;
    }
    y += step;
    isAtY = false;
    repeats--;
    if (command === MOVE_TO && type !== POINTS) {
      path = [];
      paths.push(path);
    }
    if (paths.length === 0) throw new Error('a geometry has a line without a start point');
    path.push(x, y);
  }
  if (repeats > 0) throw new Error('a geometry ends within a command');
  return paths;
}
