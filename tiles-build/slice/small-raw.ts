// Which features of a GeoJSON tile that is far too large are too small to be told apart at its zoom, and
// which of them stand for the others.

import type { Geometry, Position } from './raw-geometry.ts';

const DANGERS = new Set(['UWTROC', 'WRECKS', 'OBSTRN']);
/** Besides points: of what is small and lies together one stays, so that none is lost without a sign. */
const NEVER_GONE = new Set([...DANGERS, 'LNDARE', 'SOUNDG']);
/** Points stay at tolerances of fewer pixels: styles draw them larger than they are. */
const POINT_PIXELS = 4;
/** Tolerances up to this many pixels keep all that stands at one place: a light has many sectors. */
const TOGETHER_PIXELS = 4;

/** What has to be known of a feature. */
interface RawSize {
  readonly kind: string;
  readonly isPoint: boolean;
  /** Its middle, and the longer side of its box; degrees. */
  readonly x: number;
  readonly y: number;
  readonly side: number;
  /** Metres, the least of several; what is not known may be anything. */
  readonly depth: number;
}

/** The size of a feature, of its text up to the geometry and of that. */
export function sizeOfRaw(head: string, geometry: Geometry): RawSize {
  const kind = /"layerId":"(\w+)"/.exec(head)?.[1] ?? '';
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
    isPoint: geometry.type === 'Point',
    x: (west + east) / 2,
    y: (south + north) / 2,
    side: Math.max(east - west, north - south),
    depth: kind === 'SOUNDG' ? shoalest : Number(charted ?? Number.NEGATIVE_INFINITY),
  };
}

/**
 * Whether each feature stays where everything smaller than a limit is small. Small lines and areas go.
 * Of small dangers and land, and beyond a few pixels of points, one of its class stays in a square of the
 * limit: of dangers and soundings the shoalest, else the first and at first what stands at its place.
 * @param limit degrees
 * @param pixels the same
 */
export function staysOf(sizes: readonly RawSize[], limit: number, pixels: number): boolean[] {
  const best = new Map<string, RawSize>();
  const squareOf = ({ kind, x, y }: RawSize) =>
    `${kind} ${Math.floor(x / limit)} ${Math.floor(y / limit)}`;
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

/** Of the soundings of a feature the shoalest in each square; others as they are. */
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
