// A bin of crowdsourced depths: a square of the Web Mercator plane with what is known about the
// sea bed in it.

/** Tileset of the archive. */
export const CROWD_TILESET = 'crowd-depth-v1';

/** Shown wherever the depths are. */
export const CROWD_NOTICE = 'Crowd data, not for navigation. Not a part of the official chart.';

/** Prefix of the keys of everything that belongs to the published archive. */
export const CROWD_PREFIX = 'crowd/';

/** Zoom levels of the archive's tiles. Above the last one, tiles are made by overzoom. */
export const CROWD_MIN_ZOOM = 6;
export const CROWD_MAX_ZOOM = 15;

/** Bins along a side of a tile: a tile of zoom z has bins that are tiles of zoom z + 5. */
export const BIN_LEVELS = 5;
export const BINS_PER_SIDE = 2 ** BIN_LEVELS;

/** Zoom of the finest bins: about 24 m at 51° of latitude. */
export const FINEST_BIN_ZOOM = CROWD_MAX_ZOOM + BIN_LEVELS;

/** A bin with fewer independent contributors is not public. `charts crowd --contributors` can require more. */
export const MIN_CONTRIBUTORS = 2;

export interface CrowdBin {
  /** Tile coordinates of the bin at the zoom of its tile + `BIN_LEVELS`. */
  readonly x: number;
  readonly y: number;
  /** Safe depth to show: least supported sounding minus its uncertainty, rounded down to 0.1 m. */
  readonly depth: number;
  /** Least supported sounding after all corrections. */
  readonly least: number;
  /**
   * Median of the soundings after all corrections. Of joined bins: that of the shoalest part, as `unc`
   * and `charted`.
   */
  readonly median: number;
  /** 95 % uncertainty of the bed at the centre of the bin around `median`, metres. */
  readonly unc: number;
  /** Number of soundings. */
  readonly count: number;
  /** Independent contributors, at least `MIN_CONTRIBUTORS`. */
  readonly platforms: number;
  /** Months of the first and the last sounding, `YYYY-MM`. */
  readonly from: string;
  readonly to: string;
  /** False if at least one sounding could not be reduced to chart datum. */
  readonly reduced: boolean;
  /** Least charted depth where `median` is, metres; absent if no chart states one. */
  readonly charted?: number;
  /**
   * A possible shoal: metres by which the second-shoalest contributor is shoaler than the chart there, in any
   * part of a joined bin. Present only if that is more than both uncertainties together.
   */
  readonly diff?: number;
}

/** A bin is fully described by its zoom and its coordinates. */
export interface PlacedBin extends CrowdBin {
  readonly zoom: number;
}
