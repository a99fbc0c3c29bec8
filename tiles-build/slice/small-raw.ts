// Selects the features of a far too large GeoJSON tile that are too small to distinguish at its
// zoom, and the features that represent them.

import { DANGERS } from '../generalise/below-scale.ts';
import type { Geometry, Position } from './raw-geometry.ts';

/**
 * Of these classes, one of several small features close together remains, so that none is lost
 * without a sign.
 */
export const NEVER_GONE = new Set([...DANGERS, 'LNDARE', 'SOUNDG']);
/** Points remain at tolerances below this many pixels, because styles draw them larger. */
const POINT_PIXELS = 4;
/**
 * Up to this tolerance in pixels, all features at one place remain, for example the sectors of a
 * light.
 */
const TOGETHER_PIXELS = 4;

/** The properties of a feature that decide whether it stays. */
interface RawSize {
  readonly kind: string;
  /** DATSTA and DATEND: a feature represents only features with the same dates. */
  readonly dates: string;
  readonly isPoint: boolean;
  /** The centre, and the longer side of its box; degrees. */
  readonly x: number;
  readonly y: number;
  readonly side: number;
  /** Metres, the least of several; an unknown depth counts as the shoalest. */
  readonly depth: number;
}

/** The class of a feature, from its text; in capitals, as classes of inland charts can be in small letters. */
export const kindOf = (head: string): string =>
  (/"layerId":"(\w+)"/.exec(head)?.[1] ?? '').toUpperCase();

/** The size of a feature, from the text before its geometry and the geometry. */
export function sizeOfRaw(head: string, geometry: Geometry): RawSize {
  const kind = kindOf(head);
  const box = [1, 1, -1, -1].map((sign) => sign * Number.POSITIVE_INFINITY);
  let shoalest = Number.POSITIVE_INFINITY;
  visit(geometry.coordinates, ([x, y, depth]) => {
    shoalest = Math.min(shoalest, depth ?? Number.POSITIVE_INFINITY);
    box[0] = Math.min(box[0]!, x!);
    box[1] = Math.min(box[1]!, y!);
    box[2] = Math.max(box[2]!, x!);
    box[3] = Math.max(box[3]!, y!);
  });
  const [west, south, east, north] = box as [number, number, number, number];
  const charted = DANGERS.has(kind) ? /"VALSOU":(-?[\d.]+)/.exec(head)?.[1] : undefined;
  return {
    kind,
    dates: (head.match(/"DAT(STA|END)":"[^"]*"/g) ?? []).join(),
    isPoint: geometry.type === 'Point',
    x: (west + east) / 2,
    y: (south + north) / 2,
    side: Math.max(east - west, north - south),
    depth: kind === 'SOUNDG' ? shoalest : Number(charted ?? Number.NEGATIVE_INFINITY),
  };
}

/**
 * Whether each feature stays if features smaller than a limit are removed. Small lines and areas
 * are removed. Of small dangers and land, and beyond a few pixels of points, one per class and dates
 * stays in each square of the limit: the shoalest danger or sounding, otherwise the first, at first
 * with all features at its place.
 * @param limit in degrees
 * @param pixels the same limit in pixels
 */
export function staysOf(sizes: readonly RawSize[], limit: number, pixels: number): boolean[] {
  const best = new Map<string, RawSize>();
  const squareOf = ({ kind, dates, x, y }: RawSize) =>
    `${kind} ${dates} ${Math.floor(x / limit)} ${Math.floor(y / limit)}`;
  const isSmall = ({ isPoint, side }: RawSize) => (isPoint ? pixels >= POINT_PIXELS : side < limit);
  const isKept = ({ kind, isPoint }: RawSize) => isPoint || NEVER_GONE.has(kind);
  for (const size of sizes) {
    if (!isSmall(size) || !isKept(size)) continue;
    const key = squareOf(size);
    const other = best.get(key);
    if (other === undefined || size.depth < other.depth) best.set(key, size);
  }
  return sizes.map((size) => {
    if (!isSmall(size)) return true;
    if (!isKept(size)) return false;
    const first = best.get(squareOf(size))!;
    if (first === size) return true;
    const isTogether = first.x === size.x && first.y === size.y;
    return pixels <= TOGETHER_PIXELS && isTogether && !DANGERS.has(size.kind);
  });
}

/** The shoalest sounding of a feature in each square; other positions unchanged. */
export function fewerSoundings(positions: readonly Position[], limit: number): Position[] {
  const shoalest = new Map<string, Position>();
  for (const position of positions) {
    const [x, y, depth] = position;
    if (depth === undefined) return [...positions];
    const key = `${Math.floor(x! / limit)} ${Math.floor(y! / limit)}`;
    const other = shoalest.get(key);
    if (other === undefined || depth < other[2]!) shoalest.set(key, position);
  }
  return [...shoalest.values()];
}

function visit(coordinates: unknown, look: (position: Position) => void): void {
  const list = coordinates as readonly unknown[];
  if (typeof list[0] === 'number') look(list as Position);
  else for (const one of list) visit(one, look);
}
