// One cell's features as raw data, cut to the ground it owns: full resolution, every attribute.

import { tierForZoom } from '../../shared/chart/band-for-zoom.ts';
import type { Flat } from '../../shared/geo/clip-box.ts';
import type { Cell, Feature } from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf } from '../../shared/s57/cell/geometry.ts';
import { objectIdOf } from '../../shared/s57/vocabulary/feature-id.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { DEGREE, gridX, gridY } from '../quilt/coverage.ts';
import { madeRawTiles, RAW_ZOOMS } from '../quilt/made-tiles.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { cutShape, type Shape } from './cut-shape.ts';
import { EdgeShapes } from './edge-shapes.ts';
import { type Fragment, inTileOrder, tileIdOf } from './fragment.ts';
import { degreeFrame, type Frame } from './frame.ts';
import { type OwnsPoint, pointOwner } from './own-point.ts';
import type { Owner } from './owner.ts';
import { territoryOf, tileKey } from './territory.ts';

type Position = readonly number[];
type Geometry = { readonly type: string; readonly coordinates: unknown };

/**
 * Raw fragments of a cell at the stored zooms. A fragment is a JSON array of GeoJSON features; a
 * sounding feature is a MultiPoint whose third coordinate is the depth in metres.
 */
export function* sliceRaw(
  owner: Owner,
  cell: Cell,
  ownership: Ownership,
  clipper: Clipper,
): Generator<Fragment, void, undefined> {
  const edges = new EdgeShapes(owner.unwrapped);
  const isMade = madeRawTiles(ownership.makers);
  for (const zoom of RAW_ZOOMS) {
    const face = ownership.faces.find(({ tier }) => tier === tierForZoom(zoom))!;
    if (face.rings.length === 0) continue;
    const frame = degreeFrame(zoom);
    const territory = territoryOf(face.rings, frame, isMade);
    if (territory.tiles.size === 0) continue;
    edges.begin(frame, 0);
    const ownsPoint = pointOwner(ownership, face);
    const tiles = new Map<number, string[]>();
    const put = (column: number, row: number, feature: Feature, geometry: Geometry) => {
      const key = tileIdOf(zoom, column, row);
      const list = tiles.get(key) ?? [];
      tiles.set(key, list);
      list.push(featureText(cell, feature, geometry));
    };
    for (const feature of cell.features) {
      if (feature.primitive === 'point') {
        for (const [key, points] of pointsByTile(cell, feature, owner, frame, ownsPoint)) {
          const [column, row] = key;
          if (!isMade(zoom, zoom, column, row)) continue;
          put(column, row, feature, pointGeometry(feature, points));
        }
        continue;
      }
      const shape = shapeOf(cell, feature, edges);
      if (shape === undefined) continue;
      cutShape(shape, frame, territory, clipper, (tile, cut) =>
        put(tile.column, tile.row, feature, geometryOf(cut)),
      );
    }
    const fragments = [...tiles].map(([tileId, features]) => ({
      tileId,
      bytes: new TextEncoder().encode(`[${features.join(',')}]`),
    }));
    yield* inTileOrder(fragments);
  }
}

function shapeOf(cell: Cell, feature: Feature, edges: EdgeShapes): Shape | undefined {
  if (feature.primitive === 'line') {
    return { type: 'line', lines: edges.lines(chainsOf(cell, feature)) };
  }
  if (feature.primitive === 'area') {
    return { type: 'area', polygons: edges.polygons(areaOf(cell, feature)) };
  }
  return undefined;
}

/** Owned positions of a point feature by tile; soundings may lie in many. */
function pointsByTile(
  cell: Cell,
  feature: Feature,
  owner: Owner,
  frame: Frame,
  ownsPoint: OwnsPoint,
): Iterable<[readonly [number, number], Position[]]> {
  const tiles = new Map<number, [readonly [number, number], Position[]]>();
  for (const node of nodesOf(cell, feature)) {
    for (let i = 0; i < node.positions.length; i += 2) {
      const x = gridX(node.positions[i]!, owner.unwrapped);
      const y = gridY(node.positions[i + 1]!);
      if (!ownsPoint(x, y)) continue;
      const column = frame.columnAt(x);
      const row = frame.rowAt(y);
      const depth = node.depths?.[i / 2];
      const position =
        depth === undefined
          ? [degrees(x), -degrees(y)]
          : [degrees(x), -degrees(y), Math.round(depth * 1000) / 1000];
      const key = tileKey(column, row);
      const found = tiles.get(key);
      if (found === undefined) tiles.set(key, [[column, row], [position]]);
      else found[1].push(position);
    }
  }
  return tiles.values();
}

function pointGeometry(feature: Feature, points: readonly Position[]): Geometry {
  return feature.acronym === 'SOUNDG' || points.length > 1
    ? { type: 'MultiPoint', coordinates: points }
    : { type: 'Point', coordinates: points[0] };
}

/** Longitudes back within ±180°. */
function degrees(grid: number): number {
  const wrapped = grid > 180 * DEGREE ? grid - 360 * DEGREE : grid;
  return Math.round(wrapped) / DEGREE;
}

function positionsOf(path: Flat, closed: boolean): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < path.length; i += 2) {
    positions.push([degrees(path[i]!), -degrees(path[i + 1]!)]);
  }
  if (closed && positions.length > 0) positions.push(positions[0]!);
  return positions;
}

function geometryOf(shape: Shape): Geometry {
  if (shape.type === 'line') {
    const lines = shape.lines.map((line) => positionsOf(line, false));
    return lines.length === 1
      ? { type: 'LineString', coordinates: lines[0] }
      : { type: 'MultiLineString', coordinates: lines };
  }
  const polygons = shape.polygons.map((rings) =>
    rings.map((ring, i) => wound(positionsOf(ring, true), i === 0)),
  );
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/** Exterior rings anticlockwise, holes clockwise (RFC 7946, section 3.1.6). */
function wound(ring: Position[], exterior: boolean): Position[] {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1]!;
    const [x1, y1] = ring[i]!;
    sum += (x1! - x0!) * (y1! + y0! - 2 * ring[0]![1]!);
  }
  return sum < 0 === exterior ? ring : ring.reverse();
}

function featureText(cell: Cell, feature: Feature, geometry: Geometry): string {
  return JSON.stringify({
    type: 'Feature',
    id: objectIdOf(cell.header.name, feature.id),
    properties: { layerId: feature.acronym, attributes: feature.attributes },
    geometry,
  });
}
