// Cuts a whole shape to the ground that its cell owns, independent of tiles: the shapes that a
// feature query returns. Coordinates are those of the grid (coverage.ts).

import { type Box, boundsOf, boxesMeet, clipLine, type Flat } from '../../shared/geo/clip-box.ts';
import { doubleArea, groupRings, sideOfRings } from '../../shared/geo/ring.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { DEGREE, FULL_CIRCLE } from '../quilt/coverage.ts';
import { inParts } from '../quilt/in-parts.ts';
import { linesOnGround } from './along-border.ts';
import { bordersMeet, orientedRings, pathsOf, type Shape } from './cut-shape.ts';
import { ringsNear } from './rings-near.ts';

/** The part of the shape inside the face; `undefined` if nothing remains. */
export function cutToFace(
  shape: Shape,
  whole: readonly Flat[],
  faceBox: Box,
  clipper: Clipper,
): Shape | undefined {
  const paths = pathsOf(shape);
  const bounds = boundsOf(paths);
  if (paths.length === 0 || !boxesMeet(bounds, faceBox)) return undefined;
  const face = ringsNear(whole, bounds);
  if (!bordersMeet(face, bounds)) {
    const [x, y] = paths[0]!;
    return sideOfRings(x!, y!, face) >= 0 ? shape : undefined;
  }
  if (shape.type === 'line')
    return filled({ type: 'line', lines: linesOnGround(shape.lines, face, clipper) });
  const rings = orientedRings(shape.polygons);
  return filled({ type: 'area', polygons: groupRings(ringsWithin(rings, face, clipper)) });
}

/** Larger rings bypass the engine if possible: its time grows with the square of their size. */
const LARGE_RING = 20_000;

/** Cuts rings to the face. Large holes away from its border are kept unchanged or dropped. */
function ringsWithin(rings: readonly Flat[], face: readonly Flat[], clipper: Clipper): Flat[] {
  const isApart = (ring: Flat) =>
    ring.length > 2 * LARGE_RING && doubleArea(ring) < 0 && !bordersMeet(face, boundsOf([ring]));
  const apart = rings.filter(isApart);
  const near = apart.length === 0 ? rings : rings.filter((ring) => !apart.includes(ring));
  const inside = apart.filter(([x, y]) => sideOfRings(x!, y!, face) > 0);
  return [...inParts(clipper.intersection)(near, face), ...inside];
}

const filled = (shape: Shape): Shape | undefined =>
  pathsOf(shape).length === 0 ? undefined : shape;

/**
 * A shape that continues past 180° as a shape within ±180° (RFC 7946, section 3.1.9), with
 * integers.
 */
export function withinWorld(shape: Shape, clipper: Clipper): Shape {
  const paths = pathsOf(shape);
  const { left, right, top, bottom } = boundsOf(paths);
  const limit = FULL_CIRCLE / 2;
  if (left >= -limit && right <= limit) return shape;
  const worlds: Shape[] = [];
  for (let shift = -FULL_CIRCLE; shift <= FULL_CIRCLE; shift += FULL_CIRCLE) {
    const box = {
      left: shift - limit,
      right: shift + limit,
      top: top - DEGREE,
      bottom: bottom + DEGREE,
    };
    if (right < box.left || left > box.right) continue;
    worlds.push(moved(cutToWorld(shape, box, clipper), -shift));
  }
  return shape.type === 'line'
    ? { type: 'line', lines: worlds.flatMap((one) => (one.type === 'line' ? one.lines : [])) }
    : {
        type: 'area',
        polygons: worlds.flatMap((one) => (one.type === 'area' ? one.polygons : [])),
      };
}

function cutToWorld(shape: Shape, box: Box, clipper: Clipper): Shape {
  if (shape.type === 'line') {
    const pieces = shape.lines.flatMap((line) => clipLine(line, box));
    return { type: 'line', lines: pieces.map((piece) => piece.map(Math.round)) };
  }
  const { left, right, top, bottom } = box;
  const world = [[left, top, right, top, right, bottom, left, bottom]];
  const rings = orientedRings(shape.polygons);
  return { type: 'area', polygons: groupRings(clipper.intersection(rings, world)) };
}

function moved(shape: Shape, by: number): Shape {
  const move = (path: Flat): Flat => path.map((value, i) => (i % 2 === 0 ? value + by : value));
  return shape.type === 'line'
    ? { type: 'line', lines: shape.lines.map(move) }
    : { type: 'area', polygons: shape.polygons.map((rings) => rings.map(move)) };
}
