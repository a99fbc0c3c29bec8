// Finds features near a place. Returns each feature within the circle once, nearest first.

import { type Days, isInForce } from '../chart/in-force.ts';
import type { boundsOf, Flat } from '../geo/clip-box.ts';
import { objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { periodOf } from '../s57/vocabulary/periods.ts';
import { type Bucket, SHAPE_CODES } from './bucket.ts';
import type { CircleView } from './circle.ts';
import { Nearness } from './nearness.ts';
import type { PartShape } from './record.ts';

/** A bucket, and the view of the circle that touches it. */
interface OpenBucket {
  readonly bucket: Bucket;
  readonly view: CircleView;
}

/** A found feature: one of its records, and its distance. */
export interface Found {
  readonly distanceMeters: number;
  readonly bucket: Bucket;
  readonly index: number;
}

export interface Search {
  readonly radiusMeters: number;
  /** Maximum number of features to return. */
  readonly limit: number;
  readonly isWanted: (classCode: number) => boolean;
  /** The days of the displayed chart. Features that are not in force are not found. */
  readonly days: Days;
}

interface SearchResult {
  /** Nearest first. At equal distances: points, lines, areas, and then by identity. */
  readonly found: readonly Found[];
  /** Number of features within the radius, including those that are not returned. */
  readonly total: number;
}

/** A feature within the circle, with bounds of its distance. The bounds are equal once measured. */
interface Candidate {
  readonly key: string;
  readonly bucket: Bucket;
  readonly index: number;
  readonly near: Nearness;
  readonly atLeast: number;
  readonly atMost: number;
}

/**
 * Measures only features that may be among the nearest. For the others, it is enough to know that
 * they are within the circle.
 * @param buckets their order matters: of equal points on a border of cells, the first is kept
 */
export function searchBuckets(buckets: readonly OpenBucket[], search: Search): SearchResult {
  const within = new Map<string, Candidate>();
  for (const open of buckets) {
    for (const one of candidatesOf(open, search)) {
      const known = within.get(one.key);
      if (known === undefined || one.atLeast < known.atLeast) within.set(one.key, one);
    }
  }
  const candidates = [...within.values()];
  const enough = distanceOfLast(candidates, search.limit);
  const measured = candidates
    .filter(({ atLeast }) => atLeast <= enough)
    .map((one) => ({ ...one, distanceMeters: measuredDistance(one) }));
  measured.sort((a, b) => {
    const byDistance = a.distanceMeters - b.distanceMeters;
    if (byDistance !== 0) return byDistance;
    const byShape = extentOf(a) - extentOf(b);
    return byShape !== 0 ? byShape : a.key < b.key ? -1 : 1;
  });
  const found = measured
    .slice(0, search.limit)
    .map(({ distanceMeters, bucket, index }) => ({ distanceMeters, bucket, index }));
  return { found, total: candidates.length };
}

/** A distance that includes at least `limit` candidates; Infinity if there are at most `limit`. */
function distanceOfLast(candidates: readonly Candidate[], limit: number): number {
  if (candidates.length <= limit) return Number.POSITIVE_INFINITY;
  return Float64Array.from(candidates, ({ atMost }) => atMost).sort()[limit - 1] ?? 0;
}

function measuredDistance({ bucket, index, near, atLeast, atMost }: Candidate): number {
  return atLeast === atMost ? atLeast : distanceTo(bucket, index, near);
}

function* candidatesOf(
  { bucket, view }: OpenBucket,
  { radiusMeters, isWanted, days }: Search,
): Generator<Candidate, void, undefined> {
  const near = new Nearness(view, radiusMeters);
  const { left, right, top, bottom } = view.box;
  const { count, classes, boxes } = bucket;
  const counts = new Map<string, number>();
  for (let index = 0; index < count; index++) {
    const at = 4 * index;
    if (boxes[at]! > right || boxes[at + 2]! < left) continue;
    if (boxes[at + 1]! > bottom || boxes[at + 3]! < top) continue;
    if (!isWanted(classes[index]!)) continue;
    const bounds = boundsOfDistance(bucket, index, near);
    if (bounds.atMost > radiusMeters || !isShown(bucket, index, days)) continue;
    yield {
      key: numbered(keyOf({ bucket, index }), bucket, index, counts),
      bucket,
      index,
      near,
      ...bounds,
    };
  }
}

/** Points of one cell are separate objects, even if they have the same identity and position. */
function numbered(key: string, bucket: Bucket, index: number, counts: Map<string, number>): string {
  if (bucket.shapes[index] !== SHAPE_CODES.point) return key;
  const identity = `${bucket.identity(index)} ${key}`;
  const before = counts.get(identity) ?? 0;
  counts.set(identity, before + 1);
  return before === 0 ? key : `${key} ${before}`;
}

/** Bounds from the feature's box if they show whether it is in the circle; otherwise its distance. */
function boundsOfDistance(
  bucket: Bucket,
  index: number,
  near: Nearness,
): Pick<Candidate, 'atLeast' | 'atMost'> {
  const { left, top, right, bottom } = boxOf(bucket, index);
  const atLeast = near.bounds.atLeast(left, top, right, bottom);
  const atMost = near.bounds.atMost(left, top, right, bottom);
  // The box of a part can be larger than the part.
  const isSettled = atLeast > near.radiusMeters || atMost <= near.radiusMeters;
  if (isSettled && !bucket.isPart(index)) return { atLeast, atMost };
  const distance = distanceTo(bucket, index, near);
  return { atLeast: distance, atMost: distance };
}

function isShown(bucket: Bucket, index: number, days: Days): boolean {
  const { attributes, classCode } = bucket.facts(index);
  // Few objects have dates, and parsing all attributes takes time.
  if (!/"dat(sta|end)"/.test(attributes)) return true;
  const { datsta = '', datend = '' } = JSON.parse(attributes) as Record<string, string>;
  const acronym = objectClassByCode(classCode)?.acronym ?? '';
  return isInForce(acronym, periodOf({ DATSTA: datsta, DATEND: datend }), days);
}

function distanceTo(bucket: Bucket, index: number, near: Nearness): number {
  const shape = bucket.shape(index);
  switch (shape.type) {
    case 'point':
      return near.toPoint(shape.x, shape.y);
    case 'line':
      return near.toLines(shape.lines);
    case 'area':
      return near.toArea(shape.polygons);
    case 'part':
      return isInsidePart(shape, near.view, boxOf(bucket, index)) ? 0 : near.toLines(shape.lines);
  }
}

/**
 * Whether the centre lies in the bucket and in the area. Each crossing of the boundary on the
 * segment from the reference point to the centre changes between inside and outside.
 */
function isInsidePart(
  { reference, lines }: PartShape,
  { x, y }: CircleView,
  box: ReturnType<typeof boundsOf>,
): boolean {
  if (reference === undefined) return false;
  if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
  return lines.reduce(
    (inside, line) => inside !== crossesOddly(line, x, y, reference.x, reference.y),
    reference.inside,
  );
}

/** Whether a line crosses the segment between two places an odd number of times. */
function crossesOddly(line: Flat, x: number, y: number, toX: number, toY: number): boolean {
  const wayX = toX - x;
  const wayY = toY - y;
  const sideOf = (i: number) => wayX * (line[i + 1]! - y) - wayY * (line[i]! - x) > 0;
  let odd = false;
  let side = sideOf(0);
  for (let i = 2; i < line.length; i += 2) {
    const next = sideOf(i);
    if (next === side) continue;
    side = next;
    const dx = line[i]! - line[i - 2]!;
    const dy = line[i + 1]! - line[i - 1]!;
    const start = dx * (y - line[i - 1]!) - dy * (x - line[i - 2]!);
    const end = dx * (toY - line[i - 1]!) - dy * (toX - line[i - 2]!);
    if (start > 0 !== end > 0) odd = !odd;
  }
  return odd;
}

function boxOf({ boxes }: Bucket, index: number) {
  const at = 4 * index;
  return { left: boxes[at]!, top: boxes[at + 1]!, right: boxes[at + 2]!, bottom: boxes[at + 3]! };
}

/** 0 for points, 1 for lines, 2 for areas. */
const extentOf = ({ bucket, index }: Pick<Found, 'bucket' | 'index'>): number =>
  [0, 0, 1, 2, 1, 2][bucket.shapes[index]!]!;

/**
 * Equal points of two cells on their common border have the same key, as in the tiles. Soundings of
 * one cluster differ in position. Lines and areas are distinguished by cell, FOID, class and box: a
 * cell can contain a FOID more than once. Parts of one object have different boxes but the same home.
 */
export function keyOf({ bucket, index }: Pick<Found, 'bucket' | 'index'>): string {
  const identity = bucket.identity(index);
  if (extentOf({ bucket, index }) > 0) {
    const home = bucket.homeOf(index);
    const place = home ? [home.z, home.x, home.y] : Object.values(boxOf(bucket, index));
    return `${identity} ${bucket.classes[index]} ${place.join(' ')}`;
  }
  const foid = identity.slice(identity.indexOf('/'));
  return `${foid} ${bucket.boxes[4 * index]} ${bucket.boxes[4 * index + 1]}`;
}
