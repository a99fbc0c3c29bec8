// Chooses the zooms at which points are shown, so that visible points have a minimum distance. Each
// hidden point has a more important visible point near it. The result is deterministic.

/** A point to be ranked. Zooms are those of 512-pixel tiles, whole unless stated. */
export interface Rankable {
  /** Place in the Mercator square. */
  readonly x: number;
  readonly y: number;
  /** First zoom at which SCAMIN allows it. */
  readonly first: number;
  /** Zoom from which it is always shown; default: after the last ranked zoom. */
  readonly free?: number;
  /**
   * Fractional zoom from which it is visible. It can hide another point only if that point becomes
   * visible no earlier. Infinite for a point that hides no others.
   */
  readonly solid: number;
  /** Points of different kinds may be closer together than points of the same kind. */
  readonly kind: number;
  /** Width in pixels. Points of different kinds also keep half the sum of their widths apart. */
  readonly width?: number;
}

/** Minimum distances on the screen, in pixels. */
export interface Spacing {
  readonly alike: number;
  readonly different: number;
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
export function spacingAt({ alike, widerAt, ...others }: Spacing, zoom: number): Spacing {
  return { ...others, alike: alike * (widerAt?.(zoom) ?? 1) };
}

/**
 * Ranks points, given in order of importance. At each zoom from 0 to `lastZoom` (at most 20), visible
 * points keep the distances in `spacing`, except for points that SCAMIN adds between this zoom and
 * the next. Each point that is hidden although SCAMIN allows it has a more important visible point
 * within `reach`.
 *
 * Without `reach`, that point is within twice the distance, because the point that hides it may be
 * hidden at a lower zoom. A point shown at a zoom is then also shown at higher zooms, unless SCAMIN
 * adds a more important point.
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
    // The lowest `solid` of the points that are too near at this zoom or a higher zoom.
    let seenFrom = Number.POSITIVE_INFINITY;
    for (let z = lastZoom; z >= point.first; z--) {
      const [grid, latest] = [grids[z]!, latestToHide(point, z)];
      const isFree = z >= (point.free ?? Number.POSITIVE_INFINITY);
      if (!isFree) seenFrom = Math.min(seenFrom, grid.leastSolidNear(point));
      const isShown = isFree || seenFrom > latest || grid.leastSolidWithinReach(point) > latest;
      if (isShown) shown[i]! |= 1 << z;
    }
    if (!Number.isFinite(point.solid)) return;
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
export function standInsAt(
  points: readonly Rankable[],
  ranks: SpacedRanks,
  spacing: Spacing,
  zoom: number,
): readonly (number | undefined)[] {
  if (zoom > ranks.lastZoom) return [];
  const { alike, different, reach = 2 * Math.max(alike, different) } = spacingAt(spacing, zoom);
  const grid = new PointGrid(points, { alike: reach, different: reach }, zoom);
  points.forEach(({ first, solid }, i) => {
    if (first <= zoom && Number.isFinite(solid) && isShownAt(ranks, i, zoom)) grid.add(i);
  });
  return points.map((point, i) =>
    point.first > zoom || isShownAt(ranks, i, zoom)
      ? undefined
      : grid.nearestMoreImportant(point, i),
  );
}

/** Highest `solid` with which another point can hide this point at a whole zoom. */
const latestToHide = ({ solid }: Rankable, zoom: number): number =>
  Number.isFinite(solid) ? Math.max(zoom, solid) : zoom;

/** A grid index of points. The side of its squares is the largest of the distances. */
class PointGrid {
  readonly #points: readonly Rankable[];
  readonly #squares = new Map<number, number[]>();
  readonly #zoom: number;
  readonly #perPixel: number;
  readonly #side: number;
  readonly #alike: number;
  readonly #different: number;
  /** Infinite if there is no maximum distance. */
  readonly #reach: number;

  constructor(points: readonly Rankable[], { alike, different, reach }: Spacing, zoom: number) {
    this.#points = points;
    this.#zoom = zoom;
    this.#perPixel = 1 / (TILE_PIXELS * 2 ** zoom);
    const widest = points.reduce((most, { width = 0 }) => Math.max(most, width), 0);
    this.#side = Math.max(alike, different, reach ?? 0, widest) * this.#perPixel;
    this.#alike = (alike * this.#perPixel) ** 2;
    this.#different = (different * this.#perPixel) ** 2;
    this.#reach = reach === undefined ? Number.POSITIVE_INFINITY : (reach * this.#perPixel) ** 2;
  }

  add(index: number): void {
    const { x, y } = this.#points[index]!;
    const key = keyOf(Math.floor(x / this.#side), Math.floor(y / this.#side));
    const square = this.#squares.get(key);
    if (square === undefined) this.#squares.set(key, [index]);
    else square.push(index);
  }

  /** Lowest `solid` of the added points that are too near to a point. */
  leastSolidNear(point: Rankable): number {
    let least = Number.POSITIVE_INFINITY;
    this.#visit(point, (other) => {
      const isNear =
        other.kind === point.kind
          ? squaredDistance(point, other) < this.#alike
          : squaredDistance(point, other, this.#narrowed(point, other)) < this.#different;
      if (isNear) least = Math.min(least, other.solid);
    });
    return least;
  }

  /** Lowest `solid` of the added points within `reach`; 0 if there is no reach. */
  leastSolidWithinReach(point: Rankable): number {
    if (!Number.isFinite(this.#reach)) return 0;
    let least = Number.POSITIVE_INFINITY;
    this.#visit(point, (other) => {
      if (squaredDistance(point, other) < this.#reach) least = Math.min(least, other.solid);
    });
    return least;
  }

  nearestMoreImportant(point: Rankable, before: number): number | undefined {
    let nearest: number | undefined;
    let least = this.#alike;
    const latest = latestToHide(point, this.#zoom);
    this.#visit(point, (other, index) => {
      const distance = squaredDistance(point, other);
      if (index >= before || distance >= least || other.solid > latest) return;
      least = distance;
      nearest = index;
    });
    return nearest;
  }

  /** Factor for horizontal distances that makes `different` at least the mean of both widths. */
  #narrowed({ width: a = 0 }: Rankable, { width: b = 0 }: Rankable): number {
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
