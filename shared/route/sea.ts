// The planner's model of the sea: squares of the Mercator plane with the least and most depth in
// each cell, finer squares below coarser ones, and the exact edges of everything that is not safe
// water. Builders round towards danger: nothing unsafe may be hidden between two cells.

import type { Flat } from '../geo/clip-box.ts';
import type { TileId } from '../geo/tile.ts';

/** Zooms at which squares are stored: a square has 8 × 8 finer ones below it. */
export const SEA_ZOOMS = [2, 5, 8, 11, 14] as const;
export type SeaZoom = (typeof SEA_ZOOMS)[number];

/** Cells along each side of a square: at zoom 14 a cell is 9.6 m at the equator. */
export const SQUARE_CELLS = 256;
/** Finer squares along each side of a square. */
export const FINER_SQUARES = 8;

/** What is in a cell or touches it; bits of `SeaSquare.flags`. */
export const SEA_FLAGS = {
  /** RESTRN 7: entry prohibited; never crossed. */
  prohibited: 1,
  /** RESTRN 14 and zones that keep vessels out: areas to be avoided. */
  toBeAvoided: 2,
  /** Other areas that need caution: CTNARE, MIPARE and similar. */
  caution: 4,
  military: 8,
  /** FAIRWY, DRGARE, RECTRC and other water that is charted as a way for ships. */
  fairway: 16,
  /** TSSLPT, TSSRON: lane of a traffic separation scheme; `laneBearing` is its direction. */
  lane: 32,
  /** TSEZNE: separation zone. */
  separation: 64,
  lock: 128,
  /**
   * A bridge that opens. Clearances are those of the open bridge (VERCOP). Without VERCOP, a lifting
   * bridge has its least charted clearance, and the others have no limit.
   */
  openingBridge: 256,
  /**
   * From the small-scale background: only land and water are known, not depths. If all of a cell is
   * such water, its depth code is 255.
   */
  background: 512,
  /**
   * Depth is not charted (UNSARE, missing DRVAL1). Safe only if the trip allows it. Only this flag
   * shows it: the depth code comes from other objects in the cell, and is 255 without any.
   * With `background`: uncharted, and within 12 nautical miles of land.
   */
  unknownDepth: 1024,
  /** RESTRN 8: entry restricted, which includes regulated areas of ordinary traffic. */
  restricted: 2048,
  /** An object in this cell is in `notices` of the square of zoom 8. */
  noticed: 4096,
  /**
   * Water at a pair of lateral marks, outside their channel: crossed only if no other path exists.
   */
  besideMarks: 8192,
  /** Corridor of a strait or canal in the background (`passages.ts`): open if the vessel fits. */
  passage: 16384,
  /** A way for ships in one direction, which is `laneBearing` in cells without `lane`. */
  oneWay: 32768,
} as const;

/**
 * Values of `laneBearing` that are not directions. `meet`: lanes of different directions. `none`:
 * no lane; earlier squares have 0. `unknown`: no direction is charted; in earlier squares also for
 * lanes that meet.
 */
export const LANE_CODES = { meet: 253, none: 254, unknown: 255 } as const;

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
 * Exact edges of a square in columns: all edges that reach the square with their radius. Segments
 * are not cut at its borders.
 */
export interface Hazards {
  readonly count: number;
  /**
   * ax, ay, bx, by in the Mercator unit square (x may pass 0 or 1 near 180°); a point has a = b.
   */
  readonly ends: Float64Array;
  /** Index into HAZARD_KINDS. */
  readonly kind: Uint8Array;
  /**
   * Metres below chart datum on the shallower side; NaN: never safe; +∞: no depth limit. Single
   * precision: compare with a tolerance of a millimetre. An `unknown-depth` edge has the greatest
   * possible depth (DRVAL2), otherwise +∞, or NaN in archives of earlier builds.
   */
  readonly depth: Float32Array;
  /** Metres of vertical clearance; +∞: no height limit; NaN: unknown. */
  readonly clearance: Float32Array;
  /** Metres around a point or line that are part of the hazard. */
  readonly radius: Float32Array;
  /** Index into `features`. */
  readonly feature: Uint32Array;
  readonly features: readonly HazardFeature[];
}

/** The feature that an edge came from, for messages. */
export interface HazardFeature {
  /** The same as `id` in enc_query; empty for the background. */
  readonly id: string;
  /** S-57 acronym. */
  readonly objectClass: string;
  readonly objectName: string;
}

export const NOTICE_KINDS = ['restriction', 'without-rule', 'datum'] as const;

/** An object that does not close the water. The mariner is warned of it if a path meets it. */
export interface Notice {
  /**
   * A restriction in words, an object that no route rule covers, or the vertical datum of a
   * clearance that is not above high water.
   */
  readonly kind: (typeof NOTICE_KINDS)[number];
  readonly shape: 'area' | 'line' | 'point';
  /** The restriction, or what the chart states about the object; may be empty. */
  readonly text: string;
  readonly feature: HazardFeature;
  /** Metres around its points and lines that are part of the object. */
  readonly radius: number;
  /**
   * x, y on the hazard grid (`HAZARD_GRID`), cut near the square: rings, lines, or one point each.
   */
  readonly paths: readonly Flat[];
}

/** A square without its cells. */
export interface SeaGround {
  readonly zoom: SeaZoom;
  readonly x: number;
  readonly y: number;
  /**
   * Columns and rows of the planes, a power of two. If it is less than 256, each value stands for
   * several cells; decoded squares have 8 or more. Default: 256.
   */
  readonly width?: number;
  /**
   * Direction of the lane in steps of 1.5° if `lane` or `oneWay` is set, or one of LANE_CODES.
   */
  readonly laneBearing?: Uint8Array;
  /** 8 × 8, rows from the north: 1 if a finer square is stored. */
  readonly hasFiner: Uint8Array;
  /** Edges for the ground that no finer square describes in more detail. */
  readonly hazards: Hazards;
  /** Only in squares of zoom 8: everything on its ground that a path is warned about by name. */
  readonly notices?: readonly Notice[];
}

/**
 * One square. A coarse cell is a bound for all finer cells below it: none is shallower than its
 * `leastDepth`, lower than its `clearance` or deeper than its `mostDepth`, and none has a flag that
 * it does not have. The search therefore does not divide a coarse cell that is safe throughout, or
 * nowhere safe.
 */
export interface SeaSquare extends SeaGround {
  /**
   * Depth code (`depth-code.ts`) of each cell, rows from the north; the least in the whole cell.
   */
  readonly leastDepth: Uint8Array;
  /** The most depth below the cell. The same array as `leastDepth` if nothing finer is known. */
  readonly mostDepth: Uint8Array;
  /** Least clearance code of each cell; absent if nothing is overhead. */
  readonly clearance?: Uint8Array;
  /** SEA_FLAGS of everything that touches a cell; absent if there are no flags. */
  readonly flags?: Uint16Array;
}

type CellIndices = Uint8Array | Uint16Array | Uint32Array;

/** A level of a table. `entryAt` reads it. */
export interface CellLevel {
  /** By rows from the north, or in blocks of 16 × 16 if there are `starts`. */
  readonly entries: CellIndices;
  /** The number of each block in `entries`, by rows: equal blocks are stored once. */
  readonly starts: Uint8Array | undefined;
  /** Binary logarithm of the width. */
  readonly bits: number;
}

/** Values of the different cells, in columns, and an index into them for each block of cells. */
export interface CellTable {
  /**
   * Levels 0 (cells) to 8 (the whole square). If one value of a plane stands for several cells, the
   * first levels are the same (see `indexIn` in `water.ts`).
   */
  readonly levels: readonly CellLevel[];
  /** The least and the most depth code in a block. */
  readonly least: Uint8Array;
  readonly most: Uint8Array;
  /** The least clearance code. */
  readonly clearance: Uint8Array;
  /**
   * Flags of any cell in a block, and flags that all cells have. A flag of a coarse cell may apply
   * to any part of it, so it is not certain if finer squares exist.
   */
  readonly anyFlags: Uint16Array;
  readonly allFlags: Uint16Array;
}

/** A square with a table instead of its planes, which takes a quarter of their memory. */
export interface CompactSquare extends SeaGround {
  readonly cells: CellTable;
}

/**
 * The source of squares. All 16 squares of zoom 2 exist. The search is synchronous: it stops if a
 * square is missing, and continues when the caller has fetched it.
 */
export interface Sea {
  /** @returns a stored square, or `undefined` if it is not fetched yet; once present it stays */
  square(zoom: SeaZoom, x: number, y: number): SeaSquare | CompactSquare | undefined;
}

/** A square that must be fetched before the search can continue. */
export type SquareId = TileId & { readonly z: SeaZoom };
