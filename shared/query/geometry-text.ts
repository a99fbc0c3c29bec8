// Writes shapes of the query archive as GeoJSON (RFC 7946), with exactly the charted digits.

import { boundsOf, type Flat } from '../geo/clip-box.ts';
import { metersPerDegree } from '../geo/geodesic.ts';
import { oriented } from '../geo/ring.ts';
import { vertexDistances } from '../geo/simplify.ts';
import { GRID, type RecordShape } from './record.ts';

/** A whole shape. Responses contain only these. */
export type WholeShape = Exclude<RecordShape, { readonly type: 'part' }>;

/** West, south, east, north in degrees; west is greater than east if the bounds cross 180°. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

export function geometryText(shape: WholeShape): string {
  switch (shape.type) {
    case 'point': {
      const depth = shape.depth === undefined ? '' : `,${shape.depth}`;
      return `{"type":"Point","coordinates":[${shape.x / GRID},${shape.y / GRID}${depth}]}`;
    }
    case 'line': {
      const lines = shape.lines.map((line) => `[${positions(line)}]`);
      return lines.length === 1
        ? `{"type":"LineString","coordinates":${lines[0]}}`
        : `{"type":"MultiLineString","coordinates":[${lines}]}`;
    }
    case 'area': {
      const polygons = shape.polygons.map(
        (rings) => `[${rings.map((ring, i) => ringText(oriented(ring, i === 0)))}]`,
      );
      return polygons.length === 1
        ? `{"type":"Polygon","coordinates":${polygons[0]}}`
        : `{"type":"MultiPolygon","coordinates":[${polygons}]}`;
    }
  }
}

/** @param ring anticlockwise if it is an outer ring, otherwise clockwise (section 3.1.6) */
function ringText(ring: Flat): string {
  return `[${positions(ring)},[${ring[0]! / GRID},${ring[1]! / GRID}]]`;
}

function positions(path: Flat): string {
  let text = `[${path[0]! / GRID},${path[1]! / GRID}]`;
  for (let i = 2; i < path.length; i += 2) text += `,[${path[i]! / GRID},${path[i + 1]! / GRID}]`;
  return text;
}

const pathsOf = (shape: WholeShape): readonly Flat[] => {
  if (shape.type === 'point') return [[shape.x, shape.y]];
  return shape.type === 'line' ? shape.lines : shape.polygons.flat();
};

export function verticesOf(shape: WholeShape): number {
  return pathsOf(shape).reduce((sum, path) => sum + path.length / 2, 0);
}

/** Bounds of a shape. If it lies on both sides of 180°, they cross it (RFC 7946, section 5.2). */
export function boundsOfShape(shape: WholeShape): Bounds {
  const paths = pathsOf(shape);
  const { left, top, right, bottom } = boundsOf(paths);
  const degrees = (value: number) => value / GRID;
  const half = 180 * GRID;
  if (left === -half && right === half) {
    const boxes = paths.map((path) => boundsOf([path]));
    const eastern = boxes.filter((box) => box.left > 0);
    const western = boxes.filter((box) => box.right < 0);
    if (eastern.length > 0 && eastern.length + western.length === boxes.length) {
      const west = eastern.reduce((least, box) => Math.min(least, box.left), half);
      const east = western.reduce((most, box) => Math.max(most, box.right), -half);
      return [degrees(west), degrees(top), degrees(east), degrees(bottom)];
    }
  }
  return [degrees(left), degrees(top), degrees(right), degrees(bottom)];
}

/** Minimum number of vertices of a ring. */
const MIN_RING = 3;

/**
 * Removes the vertices that change a shape by less than the tolerance. If a ring becomes too small,
 * a hole is removed and an outer ring is kept unchanged.
 */
export function simplified(shape: WholeShape, toleranceMeters: number): WholeShape {
  if (shape.type === 'point') return shape;
  const thin = (path: Flat) => thinned(path, toleranceMeters);
  if (shape.type === 'line') return { type: 'line', lines: shape.lines.map(thin) };
  const polygons = shape.polygons.map((rings) =>
    rings.flatMap((ring, i) => {
      const kept = thin(ring);
      if (kept.length >= 2 * MIN_RING) return [kept];
      return i === 0 ? [ring] : [];
    }),
  );
  return { type: 'area', polygons };
}

/** Keeps the ends of the path. */
function thinned(path: Flat, toleranceMeters: number): Flat {
  const scale = metersPerDegree(path[1]! / GRID);
  const plane = new Float64Array(path.length);
  for (let i = 0; i < path.length; i += 2) {
    plane[i] = (path[i]! / GRID) * scale.east;
    plane[i + 1] = (path[i + 1]! / GRID) * scale.north;
  }
  const distances = vertexDistances(plane);
  const kept: Flat = [];
  for (let i = 0; i < path.length; i += 2) {
    if (distances[i / 2]! > toleranceMeters) kept.push(path[i]!, path[i + 1]!);
  }
  return kept;
}
