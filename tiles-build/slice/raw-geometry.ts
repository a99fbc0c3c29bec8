// Shapes on the grid as GeoJSON geometries, with as many decimals as their tile needs.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import { DEGREE, FULL_CIRCLE } from '../quilt/coverage.ts';
import { lastServedFrom } from '../quilt/made-tiles.ts';
import type { RawTile } from './cut-raw.ts';
import type { Shape } from './cut-shape.ts';

export type Position = readonly number[];
export interface Geometry {
  readonly type: string;
  readonly coordinates: unknown;
}

/** How the coordinates of a tile are written. */
interface Notation {
  /** Resolution in grid units, a power of ten. */
  readonly step: number;
  /** Added to longitudes, in grid units, to bring them within ±180°. */
  readonly shift: number;
}

/** Resolution per tile: at least a sixteenth of a pixel of a 512-pixel tile. */
const PARTS_OF_TILE = 2 ** 13;

/**
 * Full resolution if nothing deeper is made; otherwise the resolution of the last zoom that is
 * served from the tile, as deeper tiles have more.
 */
export function notationOf({ zoom, column, isDeepest }: RawTile): Notation {
  const shift = -Math.floor(column / 2 ** zoom) * FULL_CIRCLE;
  if (isDeepest) return { step: 1, shift };
  const unit = FULL_CIRCLE / 2 ** lastServedFrom(zoom) / PARTS_OF_TILE;
  return { step: 10 ** Math.floor(Math.log10(unit)), shift };
}

/** A point, with its depth in metres if it has one. */
export function positionOf(
  x: number,
  y: number,
  depth: number | undefined,
  { step, shift }: Notation,
): Position {
  const place = [degrees(x + shift, step), degrees(-y, step)];
  return depth === undefined ? place : [...place, Math.round(depth * 1000) / 1000];
}

/** The geometry of a part; `undefined` if nothing with a length or an area remains. */
export function geometryOf(shape: Shape, notation: Notation): Geometry | undefined {
  if (shape.type === 'line') {
    const lines = shape.lines.flatMap((line) => {
      const kept = withoutCloseVertices(line, notation.step, isLine);
      return kept === undefined ? [] : [positionsOf(kept, notation)];
    });
    if (lines.length === 0) return undefined;
    return lines.length === 1
      ? { type: 'LineString', coordinates: lines[0] }
      : { type: 'MultiLineString', coordinates: lines };
  }
  const polygons = shape.polygons.flatMap((rings) => {
    const [outer, ...holes] = rings.map((ring) =>
      withoutCloseVertices(ring, notation.step, isRing),
    );
    if (outer === undefined) return [];
    const kept = [outer, ...holes.filter((hole) => hole !== undefined)];
    return [kept.map((ring, i) => closedPositions(ring, i === 0, notation))];
  });
  if (polygons.length === 0) return undefined;
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/**
 * A path with only the vertices that differ at a step. A path that would vanish at the step is
 * written in full resolution, so that no object is lost; `undefined` if it is empty there too.
 */
function withoutCloseVertices(
  path: Flat,
  step: number,
  isSomething: (path: Flat) => boolean,
): Flat | undefined {
  const coarse = rounded(path, step);
  if (isSomething(coarse)) return coarse;
  const exact = step === 1 ? coarse : rounded(path, 1);
  return isSomething(exact) ? exact : undefined;
}

function rounded(path: Flat, step: number): Flat {
  const out: Flat = [];
  for (let i = 0; i < path.length; i += 2) {
    const x = Math.round(path[i]! / step) * step;
    const y = Math.round(path[i + 1]! / step) * step;
    const n = out.length;
    if (n === 0 || out[n - 2] !== x || out[n - 1] !== y) out.push(x, y);
  }
  return out;
}

const isLine = (path: Flat): boolean => path.length >= 4;
const isRing = (path: Flat): boolean => doubleArea(path) !== 0;

/** The exact decimal number with as many digits as the step allows. */
function degrees(units: number, step: number): number {
  return Math.round(units / step) / (DEGREE / step) || 0;
}

function positionsOf(path: Flat, { shift }: Notation): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < path.length; i += 2) {
    positions.push([(path[i]! + shift) / DEGREE || 0, -path[i + 1]! / DEGREE || 0]);
  }
  return positions;
}

/**
 * Exterior rings anticlockwise, holes clockwise (RFC 7946, section 3.1.6); y points down in the
 * input.
 */
function closedPositions(ring: Flat, exterior: boolean, notation: Notation): Position[] {
  const positions = positionsOf(ring, notation);
  if (doubleArea(ring) > 0 === exterior) positions.reverse();
  positions.push(positions[0]!);
  return positions;
}
