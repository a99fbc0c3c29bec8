// Finds all areas of the skin that contain a point, by counting crossings of their shared edges
// with a ray to the east. Edges are indexed by horizontal slabs, so that few are examined per
// point.

import type { Cell } from '../../../shared/s57/cell/cell.ts';
import type { Skin } from './skin.ts';

/** Returns the indices of the skin areas that contain a position (degrees). */
export type FindAreas = (longitude: number, latitude: number) => readonly number[];

interface SkinIndex {
  readonly findAreas: FindAreas;
  /**
   * Parts of a segment (degrees), from 0 to 1, in order. Between two of them, it crosses no edge of the
   * skin: it lies in the same areas, or along an edge.
   */
  readonly partsAlong: (ax: number, ay: number, bx: number, by: number) => readonly number[];
}

/** The areas along each edge. */
type Areas = Pick<Skin, 'areasOfEdge'> & { readonly areas: { readonly length: number } };

const SEGMENTS_PER_SLAB = 48;
const MAX_SLABS = 4096;

export const prepareFindAreas = (cell: Cell, skin: Areas): FindAreas =>
  indexSkin(cell, skin).findAreas;

/**
 * Builds the index: one pass over the vertices of the skin. A lookup then examines a few dozen
 * segments.
 */
export function indexSkin(cell: Cell, skin: Areas): SkinIndex {
  const edgeAreas: (readonly number[])[] = [];
  const lines: Float64Array[] = [];
  let segmentCount = 0;
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (const [edgeId, areas] of skin.areasOfEdge) {
    const positions = cell.edges.get(edgeId)?.positions;
    if (positions === undefined || positions.length < 4) continue;
    edgeAreas.push(areas);
    lines.push(positions);
    segmentCount += positions.length / 2 - 1;
    for (let i = 1; i < positions.length; i += 2) {
      south = Math.min(south, positions[i]!);
      north = Math.max(north, positions[i]!);
    }
  }
  if (segmentCount === 0) return { findAreas: () => [], partsAlong: () => [0, 1] };

  const slabs = Math.min(MAX_SLABS, Math.ceil(segmentCount / SEGMENTS_PER_SLAB));
  const perDegree = slabs / Math.max(north - south, 1e-12);
  const slabOf = (latitude: number) =>
    Math.max(0, Math.min(slabs - 1, Math.floor((latitude - south) * perDegree)));

  // Compressed rows: the segments of a slab begin at `starts[slab]` in `entries`. A segment is the
  // index of a line and the index of its first coordinate.
  const starts = new Uint32Array(slabs + 1);
  forEachSlab(lines, slabOf, (slab) => {
    starts[slab + 1]! += 1;
  });
  for (let slab = 0; slab < slabs; slab += 1) starts[slab + 1]! += starts[slab]!;
  const next = starts.slice(0, slabs);
  const entries = new Uint32Array(starts[slabs]! * 2);
  forEachSlab(lines, slabOf, (slab, line, at) => {
    const slot = next[slab]!;
    next[slab] = slot + 1;
    entries[slot * 2] = line;
    entries[slot * 2 + 1] = at;
  });

  const inside = new Uint8Array(skin.areas.length);
  const findAreas: FindAreas = (longitude, latitude) => {
    if (!(latitude >= south && latitude <= north)) return [];
    const slab = slabOf(latitude);
    const touched: number[] = [];
    for (let slot = starts[slab]!; slot < starts[slab + 1]!; slot += 1) {
      const line = entries[slot * 2]!;
      if (!crossesEastward(lines[line]!, entries[slot * 2 + 1]!, longitude, latitude)) continue;
      for (const area of edgeAreas[line]!) {
        inside[area]! ^= 1;
        touched.push(area);
      }
    }
    const found: number[] = [];
    for (const area of touched) {
      if (inside[area] === 1) found.push(area);
      inside[area] = 0;
    }
    return found;
  };
  const partsAlong: SkinIndex['partsAlong'] = (ax, ay, bx, by) => {
    const parts: number[] = [0, 1];
    const end = starts[slabOf(Math.max(ay, by)) + 1]!;
    for (let slot = starts[slabOf(Math.min(ay, by))]!; slot < end; slot += 1) {
      const line = lines[entries[slot * 2]!]!;
      for (const part of meetings(line, entries[slot * 2 + 1]!, ax, ay, bx, by)) parts.push(part);
    }
    return parts.filter((part) => part >= 0 && part <= 1).sort((a, b) => a - b);
  };
  return { findAreas, partsAlong };
}

const NONE: readonly number[] = [];

/** Parts of the segment from a to b where it meets the line of an edge's segment, if their boxes meet. */
function meetings(
  p: Float64Array,
  at: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): readonly number[] {
  const [cx, cy, ex, ey] = [p[at]!, p[at + 1]!, p[at + 2]!, p[at + 3]!];
  if (Math.max(cx, ex) < Math.min(ax, bx) || Math.min(cx, ex) > Math.max(ax, bx)) return NONE;
  if (Math.max(cy, ey) < Math.min(ay, by) || Math.min(cy, ey) > Math.max(ay, by)) return NONE;
  const [dx, dy] = [bx - ax, by - ay];
  const across = dx * (ey - cy) - dy * (ex - cx);
  if (across !== 0) return [((cx - ax) * (ey - cy) - (cy - ay) * (ex - cx)) / across];
  const square = dx * dx + dy * dy;
  return [((cx - ax) * dx + (cy - ay) * dy) / square, ((ex - ax) * dx + (ey - ay) * dy) / square];
}

function forEachSlab(
  lines: readonly Float64Array[],
  slabOf: (latitude: number) => number,
  visit: (slab: number, line: number, at: number) => void,
): void {
  for (const [line, positions] of lines.entries()) {
    for (let at = 0; at + 3 < positions.length; at += 2) {
      const first = slabOf(positions[at + 1]!);
      const last = slabOf(positions[at + 3]!);
      for (let slab = Math.min(first, last); slab <= Math.max(first, last); slab += 1) {
        visit(slab, line, at);
      }
    }
  }
}

/** Half-open in latitude, so that a ray through a vertex crosses one of its two segments. */
function crossesEastward(p: Float64Array, at: number, longitude: number, latitude: number) {
  const y1 = p[at + 1]!;
  const y2 = p[at + 3]!;
  if (y1 > latitude === y2 > latitude) return false;
  const x1 = p[at]!;
  return x1 + ((latitude - y1) / (y2 - y1)) * (p[at + 2]! - x1) > longitude;
}
