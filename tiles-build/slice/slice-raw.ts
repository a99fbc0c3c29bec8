// The features of a cell as raw data, cut to the ground on which it is the finest: with all
// attributes, at every zoom.

import { boundsOf } from '../../shared/geo/clip-box.ts';
import { pushTo } from '../../shared/geo/map-entries.ts';
import type { Cell, Feature } from '../../shared/s57/cell/cell.ts';
import { nodesOf } from '../../shared/s57/cell/geometry.ts';
import { objectIdOf } from '../../shared/s57/vocabulary/feature-id.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { DEGREE, gridX, gridY } from '../quilt/coverage.ts';
import { lastServedFrom, madeRawTiles, RAW_ZOOMS } from '../quilt/made-tiles.ts';
import { finestFace, type Ownership } from '../quilt/ownership.ts';
import { cutToRawTiles, type RawTile, RawTiles } from './cut-raw.ts';
import { cutToFace } from './cut-to-face.ts';
import { EdgeShapes } from './edge-shapes.ts';
import { firstZoomOf } from './first-zoom.ts';
import { NOT_DRAWN } from './fit-raw.ts';
import { type Fragment, inTileOrder, tileIdOf } from './fragment.ts';
import { degreeFrame } from './frame.ts';
import { ON_BORDER } from './merge-raw.ts';
import { type PlaceOfPoint, placeOfPoint } from './own-point.ts';
import type { Owner } from './owner.ts';
import {
  type Geometry,
  geometryOf,
  notationOf,
  type Position,
  positionOf,
} from './raw-geometry.ts';

/**
 * Raw fragments of a cell at the stored zooms. A fragment has one GeoJSON feature per line
 * (`merge-raw.ts`); a sounding feature is a MultiPoint whose third coordinate is the depth in
 * metres.
 */
export function sliceRaw(
  owner: Owner,
  cell: Cell,
  ownership: Ownership,
  clipper: Clipper,
): Fragment[] {
  const face = finestFace(ownership);
  if (face.rings.length === 0) return [];
  const faceBox = boundsOf(face.rings);
  const placeOf = placeOfPoint(ownership, face);
  const edges = new EdgeShapes();
  edges.begin(degreeFrame(0), 0);
  const tiles = new RawTiles(madeRawTiles(ownership.makers));
  const lines = new Map<number, string[]>();
  const latitude = farthestFromEquator(owner);
  const put = (tile: RawTile, line: string): void => {
    const id = tileIdOf(tile.zoom, tile.column, tile.row);
    pushTo(lines, id, line);
  };

  for (const feature of cell.features) {
    if (feature.primitive === 'none') continue;
    const head = headOf(cell, feature);
    const drawnFrom = firstZoomOf(feature, latitude);
    const hiddenMark = (tile: RawTile) => (drawnFrom > lastAnswered(tile) ? NOT_DRAWN : '');
    if (feature.primitive === 'point') {
      for (const { tile, positions, onBorder } of pointsByTile(
        pointsOf(cell, feature, placeOf),
        tiles,
      )) {
        const line = `${head}${JSON.stringify(pointGeometry(feature, positions))}}`;
        put(tile, `${hiddenMark(tile)}${onBorder ? ON_BORDER : ''}${line}`);
      }
      continue;
    }
    const drawn = edges.shapeOfFeature(cell, feature);
    const owned = cutToFace(drawn, face.rings, faceBox, clipper);
    if (owned === undefined) continue;
    cutToRawTiles(owned, tiles, (tile, part) => {
      const geometry = geometryOf(part, notationOf(tile));
      if (geometry !== undefined)
        put(tile, `${hiddenMark(tile)}${head}${JSON.stringify(geometry)}}`);
    });
  }
  const encoder = new TextEncoder();
  return inTileOrder(
    [...lines].map(([tileId, list]) => ({ tileId, bytes: encoder.encode(list.join('\n')) })),
  );
}

/** The latitude of a cell's coverage at which SCAMIN shows objects first. */
function farthestFromEquator({ coverage }: Owner): number {
  if (coverage === undefined) return 0;
  return Math.max(Math.abs(coverage.box.top), Math.abs(coverage.box.bottom)) / DEGREE;
}

/** The last zoom that a tile serves: deeper requests use a deeper tile, if there is one. */
const lastAnswered = ({ zoom, isDeepest }: RawTile): number =>
  isDeepest ? Number.POSITIVE_INFINITY : lastServedFrom(zoom);

/** The text of a feature before its geometry, which is equal in all tiles. */
function headOf(cell: Cell, feature: Feature): string {
  const id = JSON.stringify(objectIdOf(cell.header.name, feature.id));
  const properties = JSON.stringify({
    layerId: feature.acronym,
    attributes: feature.attributes,
  });
  return `{"type":"Feature","id":${id},"properties":${properties},"geometry":`;
}

/** A grid position that the owner may show. */
interface OwnedPoint {
  readonly x: number;
  readonly y: number;
  readonly depth: number | undefined;
  readonly onBorder: boolean;
}

function pointsOf(cell: Cell, feature: Feature, placeOf: PlaceOfPoint): readonly OwnedPoint[] {
  const points: OwnedPoint[] = [];
  for (const node of nodesOf(cell, feature)) {
    for (let i = 0; i < node.positions.length; i += 2) {
      const x = gridX(node.positions[i]!);
      const y = gridY(node.positions[i + 1]!);
      const place = placeOf(x, y);
      if (place === 'elsewhere') continue;
      points.push({ x, y, depth: node.depths?.[i / 2], onBorder: place === 'border' });
    }
  }
  return points;
}

interface PointsOfTile {
  readonly tile: RawTile;
  readonly positions: Position[];
  onBorder: boolean;
}

/** Points by tile at every stored zoom; the points of a sounding feature may be in many tiles. */
function pointsByTile(points: readonly OwnedPoint[], tiles: RawTiles): PointsOfTile[] {
  const { frame } = tiles;
  return RAW_ZOOMS.flatMap((zoom) => {
    const up = 2 ** (frame.zoom - zoom);
    const found = new Map<RawTile, PointsOfTile>();
    for (const { x, y, depth, onBorder } of points) {
      const column = Math.floor(frame.columnAt(x) / up);
      const row = Math.floor(frame.rowAt(y) / up);
      if (row < 0 || row >= 2 ** zoom) continue;
      const { tile } = tiles.node(zoom, column, row);
      if (tile === undefined) continue;
      const position = positionOf(x, y, depth, notationOf(tile));
      const known = found.get(tile);
      if (known === undefined) found.set(tile, { tile, positions: [position], onBorder });
      else {
        known.positions.push(position);
        known.onBorder ||= onBorder;
      }
    }
    return [...found.values()];
  });
}

function pointGeometry(feature: Feature, points: readonly Position[]): Geometry {
  return feature.acronym === 'SOUNDG' || points.length > 1
    ? { type: 'MultiPoint', coordinates: points }
    : { type: 'Point', coordinates: points[0] };
}
