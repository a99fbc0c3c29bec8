// Lines to shapes: each segment a rectangle, each bend a disc, dashes walked along the line.

import { TILE_PIXELS } from '../display-list.ts';
import type { Coverage } from './coverage.ts';

/** Points of the disc that joins two wide segments; eight suffice at chart line widths. */
const JOIN_POINTS = 8;

/** Adds a line of the given width to a shape. Parts far outside the tile are left out. */
export function addStroke(
  shape: Coverage,
  path: Float32Array,
  widthPixels: number,
  dashPixels: readonly number[],
  roundCaps: boolean,
): void {
  const half = Math.max(widthPixels, 0.5) / 2;
  if (dashPixels.length < 2 || dashPixels.every((length) => length <= 0)) {
    addSolid(shape, path, half, roundCaps);
    return;
  }
  for (const piece of dashes(path, dashPixels)) addSolid(shape, piece, half, false);
}

function addSolid(shape: Coverage, path: Float32Array, half: number, roundCaps: boolean): void {
  const low = -half - 2;
  const high = TILE_PIXELS + half + 2;
  const last = path.length - 2;
  for (let i = 0; i < last; i += 2) {
    const x0 = path[i]!;
    const y0 = path[i + 1]!;
    const x1 = path[i + 2]!;
    const y1 = path[i + 3]!;
    if (Math.max(x0, x1) < low || Math.min(x0, x1) > high) continue;
    if (Math.max(y0, y1) < low || Math.min(y0, y1) > high) continue;
    const length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2);
    if (length === 0) continue;
    const nx = (-(y1 - y0) / length) * half;
    const ny = ((x1 - x0) / length) * half;
    shape.addEdge(x0 + nx, y0 + ny, x1 + nx, y1 + ny);
    shape.addEdge(x1 + nx, y1 + ny, x1 - nx, y1 - ny);
    shape.addEdge(x1 - nx, y1 - ny, x0 - nx, y0 - ny);
    shape.addEdge(x0 - nx, y0 - ny, x0 + nx, y0 + ny);
    // Joins only matter where the line is wide enough for a notch to be seen.
    if (half > 0.6 && (i > 0 || roundCaps)) addDisc(shape, x0, y0, half);
    if (half > 0.6 && roundCaps && i + 2 === last) addDisc(shape, x1, y1, half);
  }
}

/** The disc's points at a radius of 1, x and y by twos, clockwise from the x axis and back to it. */
const DISC = Float64Array.from({ length: 2 * (JOIN_POINTS + 1) }, (_, i) => {
  const angle = (-(i >> 1) / JOIN_POINTS) * 2 * Math.PI;
  return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

function addDisc(shape: Coverage, x: number, y: number, radius: number): void {
  let px = x + radius;
  let py = y;
  for (let i = 2; i < DISC.length; i += 2) {
    const qx = x + radius * DISC[i]!;
    const qy = y + radius * DISC[i + 1]!;
    shape.addEdge(px, py, qx, qy);
    px = qx;
    py = qy;
  }
}

/** A dash may not be shorter than this: a pattern of hair-thin dashes on a long line is a solid. */
const MIN_DASH_PIXELS = 0.25;

function* dashes(path: Float32Array, pattern: readonly number[]): Iterable<Float32Array> {
  const lengths = pattern.map((length) => Math.max(length, MIN_DASH_PIXELS));
  let index = 0;
  let left = lengths[0]!;
  let piece: number[] = [path[0]!, path[1]!];
  for (let i = 0; i + 3 < path.length; i += 2) {
    let x = path[i]!;
    let y = path[i + 1]!;
    const x1 = path[i + 2]!;
    const y1 = path[i + 3]!;
    let rest = Math.sqrt((x1 - x) ** 2 + (y1 - y) ** 2);
    while (rest > left) {
      const t = left / rest;
      x += (x1 - x) * t;
      y += (y1 - y) * t;
      rest -= left;
      if (index % 2 === 0) {
        piece.push(x, y);
        yield Float32Array.from(piece);
      }
      index = (index + 1) % lengths.length;
      left = lengths[index]!;
      piece = [x, y];
    }
    left -= rest;
    piece.push(x1, y1);
  }
  if (index % 2 === 0 && piece.length >= 4) yield Float32Array.from(piece);
}
