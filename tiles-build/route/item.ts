// The unit of navigability: a shape on the hazard grid, and its effect on the water in it. The
// features of a cell become items. A sheet of squares is painted with the items of all its owners.

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

/** The effect of an object on the ground that it covers. */
export interface Effect {
  /**
   * Kind of the exact edges; `undefined` if the effect has no edges and only sets flags of cells.
   */
  readonly kind: HazardKind | undefined;
  /** Metres; NaN: never safe; +∞: no limit. */
  readonly depth: number;
  /** Metres above; NaN: unknown; +∞: no limit. */
  readonly clearance: number;
  /** SEA_FLAGS. */
  readonly flags: number;
  /** Degrees; `undefined` if there is no lane or one-way fairway, or its direction is unknown. */
  readonly bearing: number | undefined;
  /** Metres around its points, lines or borders that are part of the object. */
  readonly radius: number;
  /**
   * Whether the object defines the ground. Ground that no object defines is not known to be water.
   */
  readonly isGround: boolean;
  /** Set if a path gets a warning that names the object; `RouteItem.text` describes it. */
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
  /**
   * x, y on the hazard grid: rings without a repeated last point, lines, or one point each. In a
   * cell's areas, outer rings have a positive area and holes a negative one (`doubleArea`).
   */
  readonly paths: readonly Flat[];
  readonly effect: Effect;
  /** Resolution that the item requires: binary logarithm of the cells across the world. */
  readonly detail: number;
  readonly feature: HazardFeature;
  /** For a notice: the restriction, or what the chart states about the object. */
  readonly text?: string;
}

/** Zoom of the squares whose cells have at least a given resolution. */
export function zoomOfDetail(detail: number): SeaZoom {
  const zoom = detail - Math.log2(SQUARE_CELLS);
  return zoom <= 8 ? 8 : zoom <= 11 ? 11 : 14;
}

/** Polar radius, the smallest one, so that a length is never too short on the grid. */
const MIN_RADIUS_METERS = 6_356_752;

/** Upper bound of the units of the hazard grid for a length at a row. */
export function gridUnits(meters: number, row: number): number {
  const cosine = 1 / Math.cosh(2 * Math.PI * (0.5 - row / HAZARD_GRID));
  return (meters * HAZARD_GRID) / (2 * Math.PI * MIN_RADIUS_METERS * cosine);
}

/**
 * Maximum distance on the ground between a line straight in degrees and one straight in Mercator.
 */
const BEND_METERS = 0.05;
const DEGREE_METERS = 111_200;

/**
 * Number of pieces into which a segment is split so that each bends little enough. The plane
 * stretches with latitude, so the chart's straight line deviates by tan φ · Δφ² / 8 from the line
 * between its ends.
 */
function piecesOf(dx: number, y: number, dy: number): number {
  const latitude = (Math.max(Math.abs(y), Math.abs(y + dy)) / DEGREE) * (Math.PI / 180);
  const arc = (Math.abs(dy) / DEGREE) * (Math.PI / 180);
  const bow = (Math.tan(Math.min(latitude, 1.5)) * arc * arc * DEGREE_METERS * 180) / Math.PI / 8;
  const share = Math.abs(dx) / Math.max(Math.hypot(dx, dy), 1);
  return Math.max(1, Math.ceil(Math.sqrt((bow * share) / BEND_METERS)));
}

/**
 * Converts a path of the quilt's grid (degrees) to the hazard grid, with long segments in pieces.
 */
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
    // Starts at the same end for both directions of the path, so that neighbours share each piece.
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
