// What navigability is made of: a shape on the hazard grid, and what it does to the water in it. A
// cell's features become items; a sheet of squares is painted with the items of all its owners.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import {
  type HazardFeature,
  type HazardKind,
  type Notice,
  type SeaZoom,
  SQUARE_CELLS,
} from '../../shared/route/sea.ts';
import { DEGREE } from '../quilt/coverage.ts';

/** What a thing does to the ground it lies on. */
export interface Effect {
  /** Kind of its exact edges; undefined where it has none, as it only gives cells flags. */
  readonly kind: HazardKind | undefined;
  /** Metres; NaN never safe; +∞ no limit. */
  readonly depth: number;
  /** Metres above; NaN unknown; +∞ no limit. */
  readonly clearance: number;
  /** SEA_FLAGS. */
  readonly flags: number;
  /** Degrees; undefined for no lane, or one of unknown direction. */
  readonly bearing: number | undefined;
  /** Metres around its points, lines or borders that belong to it. */
  readonly radius: number;
  /** Whether it says what the ground is: ground of which nothing does is not known to be water. */
  readonly isGround: boolean;
  /** Set if a path is to be warned of it by name; `RouteItem.text` says what it is. */
  readonly notice?: Notice['kind'];
}

export const NO_EFFECT: Effect = {
  kind: undefined,
  depth: Number.POSITIVE_INFINITY,
  clearance: Number.POSITIVE_INFINITY,
  flags: 0,
  bearing: undefined,
  radius: 0,
  isGround: false,
};

export const ITEM_SHAPES = ['area', 'line', 'point'] as const;

export interface RouteItem {
  readonly shape: (typeof ITEM_SHAPES)[number];
  /** x, y on the hazard grid: rings not closed by a repeated point, lines, or one point each. */
  readonly paths: readonly Flat[];
  readonly effect: Effect;
  /** Binary logarithm of how many cells the world is wide, in the detail that it asks for. */
  readonly detail: number;
  readonly feature: HazardFeature;
  /** Of a notice: the restriction, or what the chart says of the object. */
  readonly text?: string;
}

/** Zoom of the squares whose cells have a detail, or better. */
export function zoomOfDetail(detail: number): SeaZoom {
  const zoom = detail - Math.log2(SQUARE_CELLS);
  return zoom <= 8 ? 8 : zoom <= 11 ? 11 : 14;
}

/** Polar radius: the least, so that a length never comes out too short on the grid. */
const LEAST_RADIUS_METERS = 6_356_752;

/** Units of the hazard grid that a length takes at a row of it; never too few. */
export function gridUnits(meters: number, row: number): number {
  const cosine = 1 / Math.cosh(2 * Math.PI * (0.5 - row / HAZARD_GRID));
  return (meters * HAZARD_GRID) / (2 * Math.PI * LEAST_RADIUS_METERS * cosine);
}

/** Straight in degrees and straight in Mercator may lie so far apart, on the ground. */
const BEND_METERS = 0.05;
const DEGREE_METERS = 111_200;

/**
 * In how many pieces a segment bends little enough: the plane stretches with latitude, so the chart's
 * straight line bows by an eighth of tan φ · Δφ² off the one between its ends.
 */
function piecesOf(dx: number, y: number, dy: number): number {
  const latitude = (Math.max(Math.abs(y), Math.abs(y + dy)) / DEGREE) * (Math.PI / 180);
  const arc = (Math.abs(dy) / DEGREE) * (Math.PI / 180);
  const bow = (Math.tan(Math.min(latitude, 1.5)) * arc * arc * DEGREE_METERS * 180) / Math.PI / 8;
  const share = Math.abs(dx) / Math.max(Math.hypot(dx, dy), 1);
  return Math.max(1, Math.ceil(Math.sqrt((bow * share) / BEND_METERS)));
}

/** A path of the quilt's grid (degrees) on the hazard grid, long segments in pieces. */
export function onHazardGrid(path: Flat, isRing: boolean): Flat {
  const out: Flat = [];
  const count = path.length / 2;
  const add = (x: number, y: number): void => {
    const column = Math.round(mercatorX(x / DEGREE) * HAZARD_GRID);
    const row = Math.round(mercatorY(-y / DEGREE) * HAZARD_GRID);
    const n = out.length;
    if (n > 0 && out[n - 2] === column && out[n - 1] === row) return;
    out.push(column, row);
  };
  for (let i = 0; i < count; i++) {
    const x = path[2 * i]!;
    const y = path[2 * i + 1]!;
    add(x, y);
    if (i + 1 === count && !isRing) break;
    const next = (i + 1) % count;
    const dx = path[2 * next]! - x;
    const dy = path[2 * next + 1]! - y;
    const pieces = piecesOf(dx, y, dy);
    // From the same end whichever way the path runs, so that neighbours share each piece.
    const isTurned = dx < 0 || (dx === 0 && dy < 0);
    for (let k = 1; k < pieces; k++) {
      const share = isTurned ? (pieces - k) / pieces : k / pieces;
      if (isTurned) add(x + dx - dx * share, y + dy - dy * share);
      else add(x + dx * share, y + dy * share);
    }
  }
  const n = out.length;
  if (isRing && n > 2 && out[0] === out[n - 2] && out[1] === out[n - 1]) out.length = n - 2;
  return out;
}
