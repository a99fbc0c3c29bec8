// GeoJSON tiles of bounded size. A tile within the limit is unchanged. Otherwise positions, except
// those of points, are rounded to the resolution of the zoom, then features hidden by SCAMIN are
// removed, then features too small to see.

import { flat } from '../../shared/chart/clip-geojson.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import { vertexDistances } from '../../shared/geo/simplify.ts';
import { lastServedFrom, RAW_ZOOMS } from '../quilt/made-tiles.ts';
import type { Geometry, Position } from './raw-geometry.ts';
import { fewerSoundings, kindOf, NEVER_GONE, sizeOfRaw, staysOf } from './small-raw.ts';

/** Maximum size of a GeoJSON tile in bytes, uncompressed. */
export const MAX_RAW_BYTES = 4_000_000;

/**
 * First character of a line whose feature is in no vector tile at the zooms that its tile serves.
 */
export const NOT_DRAWN = '\v';

export interface RawLimits {
  /** Zoom of the tile; default: the lowest stored zoom. */
  readonly zoom?: number;
  readonly bytes?: number;
  /** Number of features removed before. */
  readonly leftOut?: number;
}

export interface FittedRaw {
  readonly bytes: Uint8Array;
  /** Number of removed features, and of removed soundings of the remaining ones. */
  readonly removedParts: number;
}

/**
 * Tolerances of positions in pixels: the resolution of the zoom, then coarser until the tile fits.
 */
const TOLERANCES = [0.25, 1, 2, 4, 8, 16, 32, 64, 128] as const;
const TILE_PIXELS = 512;

const encoder = new TextEncoder();

/**
 * A FeatureCollection from lines of text with one feature each, optionally after `NOT_DRAWN`. Above
 * the limit, positions of lines, areas and soundings are rounded to a quarter of a pixel. If that is
 * not enough, features not drawn at the zooms of the tile are removed and counted in `leftOut`, a
 * member of the collection. If that is not enough either, these positions are rounded to a pixel and
 * more, and smaller features are removed or represented by others (`staysOf`). At last, the longest
 * features are removed.
 */
export function fitRaw(lines: readonly string[], limits: RawLimits = {}): FittedRaw {
  const { zoom = RAW_ZOOMS[0]!, bytes: limit = MAX_RAW_BYTES } = limits;
  const whole = lines.map(withoutMark);
  const before = limits.leftOut ?? 0;
  const raw = collectionOf(whole, before);
  if (raw.length <= limit) return { bytes: raw, removedParts: before };
  const pixel = pixelOf(zoom);
  const [quarter, ...others] = TOLERANCES;
  const all = coarser(whole, quarter * pixel);
  let bytes = collectionOf(all, before);
  if (bytes.length <= limit) return { bytes, removedParts: before };

  const isDrawn = lines.map((line) => !line.startsWith(NOT_DRAWN));
  const drawn = whole.filter((_, i) => isDrawn[i]);
  const leftOut = before + lines.length - drawn.length;
  bytes = collectionOf(
    all.filter((_, i) => isDrawn[i]),
    leftOut,
  );
  let removedParts = leftOut;
  let kept: readonly string[] = drawn;
  const sizes = bytes.length <= limit ? [] : drawn.map(sizeOfLine);
  for (const pixels of others) {
    if (bytes.length <= limit) break;
    const fewer = fewerLines(drawn, sizes, pixels, pixel);
    removedParts = leftOut + fewer.leftOut;
    bytes = collectionOf(fewer.lines, removedParts);
    kept = fewer.lines;
  }
  if (bytes.length > limit) {
    const shorter = withoutLongest(kept, bytes.length - limit);
    removedParts += kept.length - shorter.length;
    bytes = collectionOf(shorter, removedParts);
  }
  return { bytes, removedParts };
}

/** Without the longest lines, except dangers, land and soundings, until an excess of bytes is gone. */
function withoutLongest(lines: readonly string[], excess: number): readonly string[] {
  let left = excess;
  const gone = new Set<string>();
  for (const line of [...lines].sort((a, b) => b.length - a.length)) {
    if (left <= 0) break;
    if (NEVER_GONE.has(kindOf(line))) continue;
    gone.add(line);
    left -= line.length;
  }
  return lines.filter((line) => !gone.has(line));
}

/** Degrees of longitude per pixel at the last zoom that the tile serves. */
const pixelOf = (zoom: number): number => 360 / 2 ** lastServedFrom(zoom) / TILE_PIXELS;

/**
 * Reduces the lines of a tile that far exceeds the limit before all of them have arrived: rounds
 * positions as `fitRaw` would in any case; later rounds round more and remove features not drawn,
 * in the same order.
 */
export function condenseRaw(
  lines: readonly string[],
  zoom: number,
  round: number,
): { readonly lines: string[]; readonly leftOut: number } {
  const pixels = TOLERANCES[Math.min(Math.max(round - 1, 0), TOLERANCES.length - 1)]!;
  const pixel = pixelOf(zoom);
  if (pixels > TOLERANCES[0]) {
    const drawn = lines.filter((line) => !line.startsWith(NOT_DRAWN));
    const fewer = fewerLines(drawn, drawn.map(sizeOfLine), pixels, pixel);
    return { lines: fewer.lines, leftOut: lines.length - drawn.length + fewer.leftOut };
  }
  const kept = round === 0 ? lines : lines.filter((line) => !line.startsWith(NOT_DRAWN));
  const coarse = coarser(kept.map(withoutMark), pixels * pixel);
  return {
    lines: coarse.map((line, i) => (kept[i]!.startsWith(NOT_DRAWN) ? NOT_DRAWN + line : line)),
    leftOut: lines.length - kept.length,
  };
}

const withoutMark = (line: string): string =>
  line.startsWith(NOT_DRAWN) ? line.slice(NOT_DRAWN.length) : line;

function collectionOf(lines: readonly string[], leftOut: number): Uint8Array {
  const count = leftOut === 0 ? '' : `"leftOut":${leftOut},`;
  const text = `{"type":"FeatureCollection",${count}"features":[\n${lines.join(',\n')}\n]}`;
  return encoder.encode(text);
}

function coarser(lines: readonly string[], toleranceDegrees: number): string[] {
  const scale = scaleOf(toleranceDegrees);
  return lines.map((line) => {
    const { head, geometry } = parted(line);
    return lineOf(head, coarserGeometry(geometry, toleranceDegrees, scale));
  });
}

/** Lines rounded to a tolerance of at least one pixel, without smaller features. */
function fewerLines(
  lines: readonly string[],
  sizes: readonly ReturnType<typeof sizeOfLine>[],
  pixels: number,
  pixel: number,
): { readonly lines: string[]; readonly leftOut: number } {
  const tolerance = pixels * pixel;
  const stays = staysOf(sizes, tolerance, pixels);
  const scale = scaleOf(tolerance);
  let soundings = 0;
  const kept = lines.flatMap((line, i) => {
    if (!stays[i]) return [];
    const { head, geometry } = parted(line);
    if (geometry.type !== 'MultiPoint') {
      return [lineOf(head, coarserGeometry(geometry, tolerance, scale))];
    }
    const all = geometry.coordinates as Position[];
    const coordinates = fewerSoundings(all, tolerance);
    soundings += all.length - coordinates.length;
    return [lineOf(head, coarserGeometry({ ...geometry, coordinates }, tolerance, scale))];
  });
  return { lines: kept, leftOut: lines.length - kept.length + soundings };
}

/** Positions are written in this many parts of a degree. */
const scaleOf = (toleranceDegrees: number): number =>
  10 ** Math.min(Math.max(Math.round(-Math.log10(toleranceDegrees)), 0), 7);

const GEOMETRY = '"geometry":';

/** A feature ends with its geometry, in which no text can resemble the name of a member. */
function parted(line: string): { readonly head: string; readonly geometry: Geometry } {
  const start = line.lastIndexOf(GEOMETRY) + GEOMETRY.length;
  return { head: line.slice(0, start), geometry: JSON.parse(line.slice(start, -1)) as Geometry };
}

const lineOf = (head: string, geometry: Geometry): string => `${head}${JSON.stringify(geometry)}}`;

function sizeOfLine(line: string) {
  const { head, geometry } = parted(line);
  return sizeOfRaw(head, geometry);
}

function coarserGeometry(geometry: Geometry, tolerance: number, scale: number): Geometry {
  const line = (path: readonly Position[]) => coarserLine(path, tolerance, scale);
  const polygon = (rings: readonly (readonly Position[])[]) =>
    coarserRings(rings, tolerance, scale);
  const { type, coordinates } = geometry;
  switch (type) {
    case 'Point':
      return geometry;
    case 'MultiPoint':
      return { type, coordinates: (coordinates as Position[]).map((at) => place(at, scale)) };
    case 'LineString':
      return { type, coordinates: line(coordinates as Position[]) };
    case 'MultiLineString':
      return { type, coordinates: (coordinates as Position[][]).map(line) };
    case 'Polygon':
      return { type, coordinates: polygon(coordinates as Position[][]) };
    default:
      return { type, coordinates: (coordinates as Position[][][]).map(polygon) };
  }
}

/** A position with its depth, if it has one. */
function place([x, y, ...depth]: Position, scale: number): Position {
  return [Math.round(x! * scale) / scale || 0, Math.round(y! * scale) / scale || 0, ...depth];
}

/** A line that would shrink to nothing keeps its ends unchanged. */
function coarserLine(path: readonly Position[], tolerance: number, scale: number): Position[] {
  const kept = fewerPlaces(path, tolerance, scale);
  return kept.length > 1 ? kept : [path[0]!, path.at(-1)!];
}

/**
 * An outer ring that would shrink to nothing keeps three of its positions; such holes are removed.
 */
function coarserRings(
  rings: readonly (readonly Position[])[],
  tolerance: number,
  scale: number,
): Position[][] {
  return rings.flatMap((ring, i) => {
    const kept = fewerPlaces(ring, tolerance, scale);
    if (areaOf(kept) !== 0 && areaOf(kept) > 0 === areaOf(ring) > 0) return [kept];
    if (i > 0) return [];
    const third = Math.floor((ring.length - 1) / 3);
    const few = [ring[0]!, ring[third]!, ring[2 * third]!, ring[0]!];
    return [
      third > 0 && areaOf(few) > 0 === areaOf(ring) > 0 && areaOf(few) !== 0 ? few : [...ring],
    ];
  });
}

function fewerPlaces(path: readonly Position[], tolerance: number, scale: number): Position[] {
  const distances = vertexDistances(flat(path));
  const kept: Position[] = [];
  path.forEach((at, i) => {
    if (!(distances[i]! > tolerance)) return;
    const rounded = place(at, scale);
    const last = kept.at(-1);
    if (last === undefined || last[0] !== rounded[0] || last[1] !== rounded[1]) kept.push(rounded);
  });
  return kept;
}

const areaOf = (ring: readonly Position[]): number =>
  ring.length < 4 ? 0 : doubleArea(flat(ring.slice(0, -1)));
