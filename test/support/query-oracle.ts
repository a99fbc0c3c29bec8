// The expected answer of a feature query, computed without the code of Leadline for reading, quilting or
// measuring: features as GDAL reads them, coverage from their M_COVR, geodesics from geographiclib
// (Karney 2013). Features are not clipped: a position belongs to the best cell that covers it.

import geodesic from 'geographiclib-geodesic';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import { readWithGdal } from './gdal.ts';
import { shapeOf } from './wkb.ts';

type XY = readonly [number, number];
type Path = readonly XY[];

export interface OracleCell {
  readonly name: string;
  readonly band: number;
  readonly scale: number;
  readonly editionDate: string;
  /** The rings of the areas with coverage. */
  readonly coverage: readonly Path[];
  readonly features: readonly OracleFeature[];
}

export interface OracleFeature {
  readonly id: string;
  readonly acronym: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly kind: 'point' | 'line' | 'area';
  /** Single points, lines, or closed rings of all polygons. */
  readonly paths: readonly Path[];
  readonly box: Box;
}

type Box = readonly [west: number, south: number, east: number, north: number];

/** A feature within the radius. `sure` is false if the result depends on points of a border. */
export interface OracleHit {
  readonly id: string;
  readonly acronym: string;
  readonly name: string | undefined;
  readonly distance: number;
  readonly sure: boolean;
}

/** Values of the header, which GDAL returns in another form. */
export type HeaderFacts = Pick<OracleCell, 'band' | 'scale'>;

export function readOracleCell(files: CellFiles, header: HeaderFacts): OracleCell {
  const all = readWithGdal(files);
  const coverage = all
    .filter(({ acronym, attributes }) => acronym === 'M_COVR' && attributes['CATCOV'] === '1')
    .flatMap(({ wkb }) => (shapeOf(wkb)?.parts ?? []) as unknown as readonly Path[]);
  const features = all.flatMap(({ acronym, lnam, attributes, wkb }): OracleFeature[] => {
    const geometry = shapeOf(wkb);
    if (geometry === undefined) return [];
    const part = (from: number, to: number) => Number.parseInt(lnam.slice(from, to), 16);
    const id = `${files.name}.${part(0, 4)}.${part(4, 12)}.${part(12, 16)}`;
    const common = { acronym, attributes };
    const parts = geometry.parts as unknown as readonly Path[];
    if (geometry.kind === 'POINT') {
      return parts.flat().map((at) => {
        const [x, y] = at;
        const place = acronym === 'SOUNDG' ? `.${Math.round(x * 1e7)}.${Math.round(y * 1e7)}` : '';
        return { ...common, id: id + place, kind: 'point', paths: [[at]], box: [x, y, x, y] };
      });
    }
    const kind = geometry.kind === 'LINE' ? 'line' : 'area';
    return [{ ...common, id, kind, paths: parts, box: boxOf(parts) }];
  });
  const editionDate = decodeFile(files.base!.bytes, files.name).dataSet!.issueDate;
  return { name: files.name, ...header, editionDate, coverage, features };
}

const NEVER = new Set(['M_NSYS', 'M_QUAL', 'M_NPUB', 'MAGVAR']);
const FIRST_ZOOMS = [0, 7, 9, 11, 13, 15];

/** The display scale at zoom 0 on the equator: tiles of 512 pixels of 0.28 mm (OGC standard pixel). */
const WORLD_SCALE = 40_075_016.7 / 512 / 0.00028;

/**
 * Whether a cell takes precedence at a zoom. First the bands whose first zoom is reached, finest
 * first. Then the others, coarsest first. Last the reached bands that are more than ten times too
 * coarse for the last zoom before the first zoom of the next band.
 */
function isBetter(a: OracleCell, b: OracleCell, zoom: number): boolean {
  const last = FIRST_ZOOMS.find((first) => first > zoom);
  const standing = (cell: OracleCell) => {
    if (FIRST_ZOOMS[cell.band - 1]! > zoom) return 'waiting';
    if (last === undefined) return 'due';
    const [, south, , north] = boxOf(cell.coverage);
    const cosine = Math.cos((((south + north) / 2) * Math.PI) / 180);
    const shown = (WORLD_SCALE * cosine) / 2 ** (last - 1);
    return cell.scale > 10 * shown ? 'enlarged' : 'due';
  };
  const order = ['due', 'waiting', 'enlarged'];
  if (standing(a) !== standing(b)) return order.indexOf(standing(a)) < order.indexOf(standing(b));
  if (a.band !== b.band) return standing(a) === 'waiting' ? a.band < b.band : a.band > b.band;
  if (a.scale !== b.scale) return a.scale < b.scale;
  if (a.editionDate !== b.editionDate) return a.editionDate > b.editionDate;
  return a.name < b.name;
}

export interface OracleQuestion {
  readonly longitude: number;
  readonly latitude: number;
  readonly radius: number;
  /** As requested. A fraction counts as the zoom below. */
  readonly zoom: number;
}

/** Every feature within the radius, in no particular order. */
export function askOracle(cells: readonly OracleCell[], question: OracleQuestion): OracleHit[] {
  const zoom = Math.min(Math.max(Math.floor(question.zoom), 0), 16);
  const circle = new OracleCircle(question);
  return cells.flatMap((cell) => {
    const better = cells
      .filter((other) => other !== cell && isBetter(other, cell, zoom))
      .map((other) => other.coverage);
    const ground = new Ground(cell.coverage, better, circle);
    if (ground.isFar || ground.isHidden) return [];
    return cell.features.flatMap((feature) => {
      if (NEVER.has(feature.acronym) || !circle.reaches(feature.box)) return [];
      if (zoom <= 12 && ['DEPCNT', 'SOUNDG'].includes(feature.acronym)) return [];
      const { distance, sure } = distanceOf(feature, ground, circle);
      const [id, acronym, name] = [feature.id, feature.acronym, feature.attributes['OBJNAM']];
      return distance <= question.radius + 0.05 ? [{ id, acronym, name, distance, sure }] : [];
    });
  });
}

function distanceOf(feature: OracleFeature, ground: Ground, circle: OracleCircle) {
  const at = circle.middle;
  if (feature.kind === 'point') {
    const [[place]] = feature.paths as unknown as [[XY]];
    const side = ground.sideOf(place);
    const distance = side === 'out' ? Number.POSITIVE_INFINITY : circle.distanceTo(place);
    return { distance, sure: side === 'in' };
  }
  if (feature.kind === 'line') {
    const inside = circle.toPieces(feature.paths, ground.borders, (p) => ground.sideOf(p) === 'in');
    const along = circle.toPieces(feature.paths, ground.borders, (p) => ground.sideOf(p) !== 'out');
    const sure = inside <= along + 0.02;
    return { distance: Math.min(inside, along), sure };
  }
  const rings = circle.eastward(feature.paths);
  const holds = (place: XY) => isInRings(place, rings);
  const both = (place: XY) => holds(place) && ground.sideOf(place) === 'in';
  if (both(at)) return { distance: 0, sure: true };
  // A piece bounds the remaining area if one of its two sides is in that area.
  const borders = circle.near(ground.borders);
  const own = circle.near(feature.paths);
  const touches = (_: XY, sides: readonly [XY, XY]) => sides.some(both);
  return {
    distance: Math.min(
      circle.toPieces(own, borders, touches),
      circle.toPieces(borders, [...own, ...borders], touches),
    ),
    sure: true,
  };
}

/** The ground of a cell near a circle: its coverage without that of better cells. */
class Ground {
  readonly isFar: boolean;
  readonly isHidden: boolean;
  readonly borders: readonly Path[];
  readonly #own: Float64Array;
  readonly #better: readonly Float64Array[];

  constructor(own: readonly Path[], better: readonly (readonly Path[])[], circle: OracleCircle) {
    this.isFar = !circle.reaches(boxOf(own));
    const near = this.isFar ? [] : better.filter((rings) => circle.reaches(boxOf(rings)));
    this.#own = circle.eastward(own);
    this.#better = near.map((rings) => circle.eastward(rings));
    this.borders = this.isFar ? [] : circle.near([...own, ...near.flat()]);
    // One better cell that covers the whole circle hides everything.
    this.isHidden = near.some(
      (rings, i) => circle.near(rings).length === 0 && isInRings(circle.middle, this.#better[i]!),
    );
  }

  sideOf(place: XY): 'in' | 'on' | 'out' {
    if (isOnPaths(place, this.borders)) {
      // On a border, a position is out only if a better cell contains it or its own coverage does not.
      const sides = around(place).map((near) => this.#isIn(near));
      return sides.some(Boolean) ? 'on' : 'out';
    }
    return this.#isIn(place) ? 'in' : 'out';
  }

  #isIn(place: XY): boolean {
    return isInRings(place, this.#own) && !this.#better.some((rings) => isInRings(place, rings));
  }
}

/** About a tenth of a metre. */
const OFFSET = 1e-6;
const around = ([x, y]: XY): XY[] =>
  [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy): XY => [x + dx * OFFSET, y + dy * OFFSET]));

class OracleCircle {
  readonly middle: XY;
  readonly #radius: number;
  readonly #box: Box;

  constructor({ longitude, latitude, radius }: OracleQuestion) {
    this.middle = [longitude, latitude];
    this.#radius = radius;
    const high = (radius + 5) / 110_000;
    const wide = high / Math.cos((Math.abs(latitude) + high) * (Math.PI / 180));
    this.#box = [longitude - wide, latitude - high, longitude + wide, latitude + high];
  }

  reaches([west, south, east, north]: Box): boolean {
    const [w, s, e, n] = this.#box;
    return west <= e && east >= w && south <= n && north >= s;
  }

  distanceTo([x, y]: XY): number {
    const [longitude, latitude] = this.middle;
    return geodesic.Geodesic.WGS84.Inverse(latitude, longitude, y, x).s12!;
  }

  /** The segments inside the box of the circle, each as a separate path. */
  near(paths: readonly Path[]): Path[] {
    const [w, s, e, n] = this.#box;
    return segmentsIn(paths, w, s, e, n).flatMap(([a, b]) => {
      const [from, to] = [0, 1].reduce(
        ([low, high], axis) => {
          const step = b![axis]! - a![axis]!;
          if (step === 0) return [low, high] as const;
          const ts = [axis === 0 ? w : s, axis === 0 ? e : n].map((at) => (at - a![axis]!) / step);
          return [Math.max(low, Math.min(...ts)), Math.min(high, Math.max(...ts))] as const;
        },
        [0, 1] as readonly [number, number],
      );
      return from < to ? [[between(a!, b!, from), between(a!, b!, to)]] : [];
    });
  }

  /** The segments that a ray eastward from anywhere in the circle can cross. */
  eastward(paths: readonly Path[]): Float64Array {
    const [w, s, , n] = this.#box;
    const margin = 2 * OFFSET;
    const found = segmentsIn(paths, w - margin, s - margin, Number.POSITIVE_INFINITY, n + margin);
    return Float64Array.from(found.flat(2));
  }

  /** The distance to the selected pieces of the paths, which are cut at crossings with others. */
  toPieces(
    paths: readonly Path[],
    cutters: readonly Path[],
    isWanted: (middle: XY, sides: readonly [XY, XY]) => boolean,
  ): number {
    let best = Number.POSITIVE_INFINITY;
    const segments = (this.near(paths) as unknown as [XY, XY][])
      .map(([from, to]) => ({ from, to, least: this.#leastPossible(from, to) }))
      .filter(({ least }) => least <= this.#radius + 1)
      .sort((a, b) => a.least - b.least);
    for (const { from, to, least } of segments) {
      if (least > best) break;
      const cuts = [0, ...crossings(from, to, cutters), 1].sort((a, b) => a - b);
      for (let i = 1; i < cuts.length; i++) {
        if (cuts[i]! - cuts[i - 1]! < 1e-12) continue;
        const a = between(from, to, cuts[i - 1]!);
        const b = between(from, to, cuts[i]!);
        if (this.#leastPossible(a, b) > Math.min(best, this.#radius + 1)) continue;
        const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
        const across: XY = [(-(b[1] - a[1]) / length) * OFFSET, ((b[0] - a[0]) / length) * OFFSET];
        const middle = between(a, b, 0.5);
        const sides: [XY, XY] = [
          [middle[0] + across[0], middle[1] + across[1]],
          [middle[0] - across[0], middle[1] - across[1]],
        ];
        if (isWanted(middle, sides)) best = Math.min(best, this.#toSegment(a, b));
      }
    }
    return best;
  }

  /** Ternary search: the distance along a segment decreases to its minimum and then increases. */
  #toSegment(a: XY, b: XY): number {
    let low = 0;
    let high = 1;
    const at = (t: number) => this.distanceTo(between(a, b, t));
    const length = roughMeters(a, b);
    while ((high - low) * length > 0.02) {
      const first = low + (high - low) * 0.382;
      const second = low + (high - low) * 0.618;
      if (at(first) < at(second)) high = second;
      else low = first;
    }
    return Math.min(at((low + high) / 2), at(0), at(1));
  }

  /** A lower bound for the distance to any position on the segment. */
  #leastPossible(a: XY, b: XY): number {
    const kx = Math.cos((this.middle[1] * Math.PI) / 180) * 111_320;
    const ky = 110_574;
    const [ax, ay] = [(a[0] - this.middle[0]) * kx, (a[1] - this.middle[1]) * ky];
    const [dx, dy] = [(b[0] - a[0]) * kx, (b[1] - a[1]) * ky];
    const squared = dx * dx + dy * dy;
    const t = squared === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / squared));
    const gap = Math.hypot(ax + t * dx, ay + t * dy);
    return gap * 0.97 - 0.02 * Math.sqrt(squared) - 0.1;
  }
}

function segmentsIn(paths: readonly Path[], w: number, s: number, e: number, n: number): Path[] {
  const found: Path[] = [];
  for (const path of paths) {
    for (let i = 1; i < path.length; i++) {
      const from = path[i - 1]!;
      const to = path[i]!;
      if ((from[0] < w && to[0] < w) || (from[0] > e && to[0] > e)) continue;
      if ((from[1] < s && to[1] < s) || (from[1] > n && to[1] > n)) continue;
      found.push([from, to]);
    }
  }
  return found;
}

const between = (a: XY, b: XY, t: number): XY => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
];

const roughMeters = (a: XY, b: XY): number =>
  Math.hypot((b[0] - a[0]) * 111_320 * Math.cos((a[1] * Math.PI) / 180), (b[1] - a[1]) * 110_574);

/** The positions along a segment at which other segments cross it or end on it. */
function crossings(a: XY, b: XY, cutters: readonly Path[]): number[] {
  const found: number[] = [];
  const [west, south, east, north] = boxOf([[a, b]]);
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const squared = dx * dx + dy * dy;
  for (const path of cutters) {
    for (let i = 1; i < path.length; i++) {
      const c = path[i - 1]!;
      const d = path[i]!;
      if ((c[0] > east && d[0] > east) || (c[0] < west && d[0] < west)) continue;
      if ((c[1] > north && d[1] > north) || (c[1] < south && d[1] < south)) continue;
      const cross = dx * (d[1] - c[1]) - dy * (d[0] - c[0]);
      if (Math.abs(cross) > 1e-20) {
        const t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / cross;
        if (t > 0 && t < 1) found.push(t);
      }
      for (const end of [c, d]) {
        const t = ((end[0] - a[0]) * dx + (end[1] - a[1]) * dy) / squared;
        if (t > 0 && t < 1 && isOnPaths(end, [[a, b]])) found.push(t);
      }
    }
  }
  return found;
}

/** Nearer than a third of the coordinate unit of S-57. */
const ON_LINE = 3e-8;

function isOnPaths([x, y]: XY, paths: readonly Path[]): boolean {
  return paths.some((path) => {
    for (let i = 1; i < path.length; i++) {
      const [ax, ay] = path[i - 1]!;
      const [bx, by] = path[i]!;
      if (x < Math.min(ax, bx) - ON_LINE || x > Math.max(ax, bx) + ON_LINE) continue;
      if (y < Math.min(ay, by) - ON_LINE || y > Math.max(ay, by) + ON_LINE) continue;
      const length = Math.hypot(bx - ax, by - ay);
      const off = length === 0 ? 0 : ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length;
      if (Math.abs(off) <= ON_LINE) return true;
    }
    return false;
  });
}

/** Uses the segments that a ray eastward can cross: x, y, x, y for each. */
function isInRings([x, y]: XY, segments: Float64Array): boolean {
  let inside = false;
  for (let i = 0; i < segments.length; i += 4) {
    const ay = segments[i + 1]!;
    const by = segments[i + 3]!;
    if (ay > y === by > y) continue;
    const ax = segments[i]!;
    if (x < ((segments[i + 2]! - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

function boxOf(paths: readonly Path[]): Box {
  let [w, s, e, n] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of paths) {
    for (const [x, y] of path) {
      if (x < w) w = x;
      if (x > e) e = x;
      if (y < s) s = y;
      if (y > n) n = y;
    }
  }
  return [w, s, e, n];
}
