// The sea as the planner sees it: squares of the Mercator plane with the least and most depth in
// each cell, finer squares below coarser ones, and the exact edges of whatever is not safe water.
// Whoever builds it rounds towards danger: between two cells nothing unsafe may hide.

import type { Flat } from '../geo/clip-box.ts';
import type { TileId } from '../geo/tile.ts';

/** Zooms at which squares are stored: a square has 8 × 8 finer ones below it. */
export const SEA_ZOOMS = [2, 5, 8, 11, 14] as const;
export type SeaZoom = (typeof SEA_ZOOMS)[number];

/** Cells along each side of a square: at zoom 14 a cell is 9.6 m at the equator. */
export const SQUARE_CELLS = 256;
/** Finer squares along each side of a square. */
export const FINER_SQUARES = 8;

/** What lies in a cell or touches it; bits of `SeaSquare.flags`. */
export const SEA_FLAGS = {
  /** RESTRN 7: entry prohibited; never crossed. */
  prohibited: 1,
  /** RESTRN 14 and zones that keep vessels out: areas to be avoided. */
  toBeAvoided: 2,
  /** Other caution: CTNARE, MIPARE and their like. */
  caution: 4,
  military: 8,
  /** FAIRWY, DRGARE, RECTRC and other water that ships are led through. */
  fairway: 16,
  /** TSSLPT, TSSRON: lane of a traffic separation scheme; `laneBearing` tells its direction. */
  lane: 32,
  /** TSEZNE: separation zone. */
  separation: 64,
  lock: 128,
  /** A bridge that opens: clearances are those of the open bridge, no limit where none is charted. */
  openingBridge: 256,
  /**
   * From the small-scale background: land and water alone are known, not depths. Where all of a cell
   * is such water its depth code is 255.
   */
  background: 512,
  /**
   * Depth is not charted (UNSARE, missing DRVAL1), taken as safe only where the trip allows it. This
   * flag alone says so: the cell's depth code comes from whatever else is there, 255 if nothing is.
   * With `background`: uncharted, and within 12 nautical miles of land.
   */
  unknownDepth: 1024,
  /** RESTRN 8: entry restricted, which includes regulated areas of ordinary traffic. */
  restricted: 2048,
  /** Something here is in `notices` of the square of zoom 8. */
  noticed: 4096,
  /** Water beside a pair of lateral marks, outside their channel: crossed only if nothing else is left. */
  besideMarks: 8192,
} as const;

/** Kinds of exact edges. */
export const HAZARD_KINDS = [
  'land',
  'depth',
  'unknown-depth',
  'danger',
  'structure',
  'overhead',
  'prohibited',
  'to-be-avoided',
  'no-data',
  'restricted',
] as const;
export type HazardKind = (typeof HAZARD_KINDS)[number];

/**
 * Exact edges of a square, column by column: all that reach it with their radius. Segments are
 * whole, not cut at its borders.
 */
export interface Hazards {
  readonly count: number;
  /** ax, ay, bx, by in the Mercator unit square (x may pass 0 or 1 near 180°); a point has a = b. */
  readonly ends: Float64Array;
  /** Index into HAZARD_KINDS. */
  readonly kind: Uint8Array;
  /**
   * Metres below chart datum on the shallower side; NaN never safe; +∞ does not limit depth. Single
   * precision: compare with a millimetre to spare. `unknown-depth` is NaN too, and told by its kind.
   */
  readonly depth: Float32Array;
  /** Metres of vertical clearance; +∞ does not limit height; NaN unknown. */
  readonly clearance: Float32Array;
  /** Metres around a point or line that belong to it. */
  readonly radius: Float32Array;
  /** Index into `features`. */
  readonly feature: Uint32Array;
  readonly features: readonly HazardFeature[];
}

/** The feature that an edge came from, for messages. */
export interface HazardFeature {
  /** As enc_query's `id`; empty for the background. */
  readonly id: string;
  /** S-57 acronym. */
  readonly objectClass: string;
  readonly objectName: string;
}

export const NOTICE_KINDS = ['restriction', 'without-rule'] as const;

/** An object that does not close the water, but that the mariner must know of where a path meets it. */
export interface Notice {
  /** A restriction in words, or an object that no rule for routes covers. */
  readonly kind: (typeof NOTICE_KINDS)[number];
  readonly shape: 'area' | 'line' | 'point';
  /** The restriction, or what the chart says of the object; may be empty. */
  readonly text: string;
  readonly feature: HazardFeature;
  /** Metres around its points and lines that belong to it. */
  readonly radius: number;
  /** x, y on the hazard grid (`HAZARD_GRID`), cut near the square: rings, lines, or one point each. */
  readonly paths: readonly Flat[];
}

/**
 * One square. A coarse cell promises for all finer ones below it: none is shallower than its
 * `leastDepth`, lower than its `clearance`, deeper than its `mostDepth`, or has a flag it lacks. So
 * the search goes no finer where a coarse cell is safe throughout, or nowhere.
 */
export interface SeaSquare {
  readonly zoom: SeaZoom;
  readonly x: number;
  readonly y: number;
  /** Depth code (`depth-code.ts`) of each cell, rows from the north; the least in the whole cell. */
  readonly leastDepth: Uint8Array;
  /** The most depth anywhere below the cell. The same array where nothing finer is known. */
  readonly mostDepth: Uint8Array;
  /** Clearance code of each cell, the least in it; absent where nothing is overhead. */
  readonly clearance?: Uint8Array;
  /** SEA_FLAGS of everything that touches a cell; absent where there is none. */
  readonly flags?: Uint16Array;
  /** Direction of the lane in steps of 1.5°, where `lane` is set; 255 where none is charted. */
  readonly laneBearing?: Uint8Array;
  /** 8 × 8, rows from the north: 1 where a finer square is stored. */
  readonly hasFiner: Uint8Array;
  /** Edges for the ground that no finer square tells more of. */
  readonly hazards: Hazards;
  /** Of squares of zoom 8: everything on its ground that a path is warned of by name. */
  readonly notices?: readonly Notice[];
}

/**
 * Where squares come from; all 16 of zoom 2 exist. The search is synchronous: it asks, and is run on
 * when they came.
 */
export interface Sea {
  /** @returns a stored square, or undefined while it has not been fetched; once there it stays there */
  square(zoom: SeaZoom, x: number, y: number): SeaSquare | undefined;
}

/** A square that has to be fetched before the search can go on. */
export type SquareId = TileId & { readonly z: SeaZoom };
