// Clips the GeoJSON of a stored tile to one of its descendants, to serve zooms that are not stored. Boxes are in
// degrees, so clipping is exact.

import { ringsApart } from '../geo/apart-rings.ts';
import { type Box, clipLine, type Flat } from '../geo/clip-box.ts';
import { doubleArea, groupRings } from '../geo/ring.ts';
import { splitPolygon } from '../geo/split-polygon.ts';
import { type TileId, tileBounds } from '../geo/tile.ts';

export type Position = readonly number[];

export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: readonly Position[] }
  | {
      readonly type: 'MultiLineString' | 'Polygon';
      readonly coordinates: readonly (readonly Position[])[];
    }
  | {
      readonly type: 'MultiPolygon';
      readonly coordinates: readonly (readonly (readonly Position[])[])[];
    };

export interface Feature {
  readonly type: 'Feature';
  readonly geometry: Geometry;
  readonly properties: unknown;
}

export interface FeatureCollection {
  readonly type: 'FeatureCollection';
  /** Features and single soundings removed because the stored tile was too large: see the build's fit-raw.ts. */
  readonly leftOut?: number;
  readonly features: readonly Feature[];
}

/**
 * Features of a stored tile clipped to a descendant; features that become empty are dropped.
 * @param from the stored tile
 */
export function clipCollection(
  collection: FeatureCollection,
  tile: TileId,
  from: TileId,
): FeatureCollection {
  const box = boxOf(tile);
  const whole = boxOf(from);
  // Rounded points may lie outside of the stored tile, and no other tile has them.
  const forPoints = {
    left: box.left === whole.left ? -Infinity : box.left,
    right: box.right === whole.right ? Infinity : box.right,
    top: box.top === whole.top ? -Infinity : box.top,
    bottom: box.bottom === whole.bottom ? Infinity : box.bottom,
  };
  const features = collection.features.flatMap((feature) => {
    const geometry = clipGeometry(feature.geometry, box, forPoints);
    return geometry === undefined ? [] : [{ ...feature, geometry }];
  });
  const { leftOut } = collection;
  return { type: 'FeatureCollection', ...(leftOut !== undefined && { leftOut }), features };
}

function boxOf(tile: TileId): Box {
  const [west, south, east, north] = tileBounds(tile);
  // Rounded like coordinates, or vertices on a border would lie next to it.
  return { left: rounded(west), right: rounded(east), top: rounded(south), bottom: rounded(north) };
}

/** @param box in degrees; `top` is the south, because latitudes grow northwards */
function clipGeometry(geometry: Geometry, box: Box, forPoints: Box): Geometry | undefined {
  switch (geometry.type) {
    case 'Point':
      return isIn(geometry.coordinates, forPoints) ? geometry : undefined;
    case 'MultiPoint': {
      const coordinates = geometry.coordinates.filter((position) => isIn(position, forPoints));
      return coordinates.length === 0 ? undefined : { type: 'MultiPoint', coordinates };
    }
    case 'LineString':
      return lines([geometry.coordinates], box);
    case 'MultiLineString':
      return lines(geometry.coordinates, box);
    case 'Polygon':
      return polygons([geometry.coordinates], box);
    case 'MultiPolygon':
      return polygons(geometry.coordinates, box);
  }
}

/** Half-open, so that a point is in one tile: the western and northern borders belong to it. */
const isIn = ([x, y]: Position, box: Box): boolean =>
  x! >= box.left && x! < box.right && y! > box.top && y! <= box.bottom;

function lines(given: readonly (readonly Position[])[], box: Box): Geometry | undefined {
  const kept = given.flatMap((line) => {
    const pieces = clipLine(flat(line), box).map(positions);
    return hasLength(line) ? pieces.filter(hasLength) : pieces;
  });
  if (kept.length === 0) return undefined;
  return kept.length === 1
    ? { type: 'LineString', coordinates: kept[0]! }
    : { type: 'MultiLineString', coordinates: kept };
}

/** A line that only touches the box has a piece without length. */
const hasLength = (line: readonly Position[]): boolean =>
  line.some(([x, y]) => x !== line[0]![0] || y !== line[0]![1]);

function polygons(
  given: readonly (readonly (readonly Position[])[])[],
  box: Box,
): Geometry | undefined {
  const kept = given.flatMap((rings) =>
    splitPolygon(
      rings.map((ring) => flat(ring.slice(0, -1))),
      box,
    ).flatMap((polygon) => withoutTouches(polygon).map((parts) => parts.map(closedPositions))),
  );
  if (kept.length === 0) return undefined;
  return kept.length === 1
    ? { type: 'Polygon', coordinates: kept[0]! }
    : { type: 'MultiPolygon', coordinates: kept };
}

/** An outer ring and a hole that touches it become one ring where the border cuts both. */
function withoutTouches(polygon: readonly Flat[]): readonly (readonly Flat[])[] {
  const whole = polygon.map((ring) => ring.map(rounded));
  const apart = ringsApart(whole);
  if (apart === whole) return [whole];
  const rings = apart.filter((ring) => doubleArea(ring) !== 0);
  const parts = groupRings(rings);
  // Rings that cross themselves can have any winding: they stay as they are.
  return parts.flat().length === rings.length ? parts : [whole];
}

/** The coordinates of a path. */
export function flat(path: readonly Position[]): Flat {
  const out: Flat = [];
  for (const [x, y] of path) out.push(x!, y!);
  return out;
}

function positions(path: Flat): Position[] {
  const out: Position[] = [];
  for (let i = 0; i < path.length; i += 2) out.push([rounded(path[i]!), rounded(path[i + 1]!)]);
  return out;
}

function closedPositions(ring: Flat): Position[] {
  const out = positions(ring);
  return [...out, out[0]!];
}

const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
