// Chooses the zooms at which points are shown, so that visible points have a minimum distance. Each
// hidden point has a more important visible point near it. The result is deterministic.

/** A point to be ranked. Zooms are those of 512-pixel tiles, whole unless stated. */
export interface Rankable {
  /** Position in Web Mercator, from 0 to 1. */
  readonly x: number;
  readonly y: number;
  /** First zoom at which SCAMIN (minimum scale) allows the point. */
  readonly first: number;
  /** Zoom from which the point is always shown; default: after the last ranked zoom. */
  readonly alwaysFrom?: number;
  /**
   * Fractional zoom from which the point is visible. At a whole zoom, it can hide only points that
   * are not visible earlier. Infinite for a point that hides no others.
   */
  readonly visibleFrom: number;
  /** Group of the point: `Spacing` has one distance in a kind and one between kinds. */
  readonly kind: number;
  /** Width in pixels. Points of different kinds also keep half the sum of their widths apart. */
  readonly width?: number;
}

/** Minimum distances on the screen, in pixels, between points of the same kind and of other kinds. */
export interface Spacing {
  readonly sameKind: number;
  readonly otherKind: number;
  /** Factor for `alike` at a zoom; must not grow with the zoom. Default: 1. */
  readonly widerAt?: (zoom: number) => number;
  /** Maximum distance from a hidden point to a more important visible one of any kind. */
  readonly reach?: number;
}

/** The zooms at which points are shown. */
export interface SpacedRanks {
  readonly lastZoom: number;
  /**
   * For each point, one bit per zoom at which it is shown; after `lastZoom` all points are shown.
   */
  readonly shown: Uint32Array;
}

const TILE_PIXELS = 512;

/** The distances at a zoom. */
export function spacingAt({ sameKind, widerAt, ...others }: Spacing, zoom: number): Spacing {
  return { ...others, sameKind: sameKind * (widerAt?.(zoom) ?? 1) };
}

/**
 * Ranks points, given in order of importance. At each zoom from 0 to `lastZoom` (at most 20), visible
 * points have at least the distances in `spacing`. Exception: points that become visible between this
 * zoom and the next because of SCAMIN. If a point is hidden although SCAMIN allows it, a more important
 * visible point is within `reach`.
 *
 * If `reach` is absent, the more important point is within twice the distance. A point that is shown
 * at a zoom is then also shown at higher zooms, unless SCAMIN adds a more important point near it.
 */
export function spacedRanks(
  points: readonly Rankable[],
  spacing: Spacing,
  lastZoom: number,
): SpacedRanks {
  const shown = new Uint32Array(points.length);
  const grids = Array.from(
    { length: lastZoom + 1 },
    (_, z) => new PointGrid(points, spacingAt(spacing, z), z),
  );
  points.forEach((point, i) => {
    // Lowest `visibleFrom` of the points that are too near at this zoom or a higher zoom.
    let neighbourFrom = Number.POSITIVE_INFINITY;
    for (let z = lastZoom; z >= point.first; z--) {
      const [grid, latestHider] = [grids[z]!, latestHiderOf(point, z)];
      const isAlways = z >= (point.alwaysFrom ?? Number.POSITIVE_INFINITY);
      if (!isAlways) neighbourFrom = Math.min(neighbourFrom, grid.firstTooNear(point));
      const isShown =
        isAlways || neighbourFrom > latestHider || grid.firstWithinReach(point) > latestHider;
      if (isShown) shown[i]! |= 1 << z;
    }
    if (!Number.isFinite(point.visibleFrom)) return;
    for (let z = point.first; z <= lastZoom; z++) {
      if ((shown[i]! & (1 << z)) !== 0) grids[z]!.add(i);
    }
  });
  return { lastZoom, shown };
}

/** Whether a point is shown at a zoom, for zooms from its `first` on. */
export const isShownAt = ({ lastZoom, shown }: SpacedRanks, index: number, zoom: number): boolean =>
  zoom > lastZoom || (shown[index]! & (1 << zoom)) !== 0;

/**
 * For each point that is hidden at a zoom although SCAMIN allows it, the nearest more important
 * point that is shown there; `undefined` for all others. Empty above `lastZoom`.
 */
export function representativesAt(
  points: readonly Rankable[],
  ranks: SpacedRanks,
  spacing: Spacing,
  zoom: number,
): readonly (number | undefined)[] {
  if (zoom > ranks.lastZoom) return [];
  const {
    sameKind,
    otherKind,
    reach = 2 * Math.max(sameKind, otherKind),
  } = spacingAt(spacing, zoom);
  const grid = new PointGrid(points, { sameKind: reach, otherKind: reach }, zoom);
  points.forEach(({ first, visibleFrom }, i) => {
    if (first <= zoom && Number.isFinite(visibleFrom) && isShownAt(ranks, i, zoom)) grid.add(i);
  });
  return points.map((point, i) =>
    point.first > zoom || isShownAt(ranks, i, zoom)
      ? undefined
      : grid.nearestMoreImportant(point, i),
  );
}

/** Highest `visibleFrom` with which another point can hide this point at a whole zoom. */
const latestHiderOf = ({ visibleFrom }: Rankable, zoom: number): number =>
  Number.isFinite(visibleFrom) ? Math.max(zoom, visibleFrom) : zoom;

/** A grid index of points. The side of its squares is the largest distance that is tested. */
class PointGrid {
  readonly #points: readonly Rankable[];
  readonly #squares = new Map<number, number[]>();
  readonly #zoom: number;
  readonly #perPixel: number;
  readonly #side: number;
  readonly #alike: number;
  readonly #different: number;
  /** Infinite if there is no reach. */
  readonly #reach: number;

  constructor(points: readonly Rankable[], { sameKind, otherKind, reach }: Spacing, zoom: number) {
    this.#points = points;
    this.#zoom = zoom;
    this.#perPixel = 1 / (TILE_PIXELS * 2 ** zoom);
    const widest = points.reduce((most, { width = 0 }) => Math.max(most, width), 0);
    this.#side = Math.max(sameKind, otherKind, reach ?? 0, widest) * this.#perPixel;
    this.#alike = (sameKind * this.#perPixel) ** 2;
    this.#different = (otherKind * this.#perPixel) ** 2;
    this.#reach = reach === undefined ? Number.POSITIVE_INFINITY : (reach * this.#perPixel) ** 2;
  }

  add(index: number): void {
    const { x, y } = this.#points[index]!;
    const key = keyOf(Math.floor(x / this.#side), Math.floor(y / this.#side));
    const square = this.#squares.get(key);
    if (square === undefined) this.#squares.set(key, [index]);
    else square.push(index);
  }

  /** Lowest `visibleFrom` of the added points that are too near to a point. */
  firstTooNear(point: Rankable): number {
    let least = Number.POSITIVE_INFINITY;
    this.#visit(point, (other) => {
      const isNear =
        other.kind === point.kind
          ? squaredDistance(point, other) < this.#alike
          : squaredDistance(point, other, this.#horizontalFactor(point, other)) < this.#different;
      if (isNear) least = Math.min(least, other.visibleFrom);
    });
    return least;
  }

  /** Lowest `visibleFrom` of the added points within `reach`; 0 if there is no reach. */
  firstWithinReach(point: Rankable): number {
    if (!Number.isFinite(this.#reach)) return 0;
    let least = Number.POSITIVE_INFINITY;
    this.#visit(point, (other) => {
      if (squaredDistance(point, other) < this.#reach) least = Math.min(least, other.visibleFrom);
    });
    return least;
  }

  nearestMoreImportant(point: Rankable, before: number): number | undefined {
    let nearest: number | undefined;
    let least = this.#alike;
    const latest = latestHiderOf(point, this.#zoom);
    this.#visit(point, (other, index) => {
      const distance = squaredDistance(point, other);
      if (index >= before || distance >= least || other.visibleFrom > latest) return;
      least = distance;
      nearest = index;
    });
    return nearest;
  }

  /** Factor for horizontal distances. Points then keep at least the mean of their widths apart. */
  #horizontalFactor({ width: a = 0 }: Rankable, { width: b = 0 }: Rankable): number {
    const wanted = ((a + b) / 2) * this.#perPixel;
    return Math.min(1, Math.sqrt(this.#different) / Math.max(wanted, Number.MIN_VALUE));
  }

  #visit({ x, y }: Rankable, look: (other: Rankable, index: number) => void): void {
    const column = Math.floor(x / this.#side);
    const row = Math.floor(y / this.#side);
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const square = this.#squares.get(keyOf(column + dx, row + dy));
        if (square !== undefined) for (const index of square) look(this.#points[index]!, index);
      }
    }
  }
}

/** Unique while rows are below 2²⁶: up to zoom 20 with a distance of 16 pixels. */
const keyOf = (column: number, row: number): number => (column + 2) * 2 ** 26 + row + 2;

const squaredDistance = (a: Rankable, b: Rankable, horizontalFactor = 1): number =>
  ((a.x - b.x) * horizontalFactor) ** 2 + (a.y - b.y) ** 2;
