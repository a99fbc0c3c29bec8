// Clips rings and lines to half planes and boxes (Sutherland and Hodgman, 1974).

/** Coordinates x, y, x, y …; rings are closed without repeating the first point. */
export type Flat = number[];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Bounding box of paths. Without coordinates, an inverted box that intersects nothing. */
export function boundsOf(paths: readonly ArrayLike<number>[]): Box {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const path of paths) {
    for (let i = 0; i < path.length; i += 2) {
      const x = path[i]!;
      const y = path[i + 1]!;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  return { left, top, right, bottom };
}

export function isInside(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}

export function boxesMeet(a: Box, b: Box): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}

/**
 * Clip a ring to a box. Returns the ring itself if it lies inside and an empty ring if nothing is
 * left. Cuts run along the border.
 */
export function clipRing(ring: Flat, box: Box): Flat {
  const bounds = boundsOf([ring]);
  if (isInside(bounds, box)) return ring;
  if (!boxesMeet(bounds, box)) return [];
  let left = clipRingAt(ring, 0, box.left, true);
  left = clipRingAt(left, 0, box.right, false);
  left = clipRingAt(left, 1, box.top, true);
  return clipRingAt(left, 1, box.bottom, false);
}

/** Keep the part above (or below) `limit` on an axis (0 is x, 1 is y). */
function clipRingAt(ring: Flat, axis: 0 | 1, limit: number, above: boolean): Flat {
  const n = ring.length;
  if (n === 0) return ring;
  if (!crosses(ring, axis, limit, above)) return ring;
  const out: Flat = [];
  const sign = above ? 1 : -1;
  let ax = ring[n - 2]!;
  let ay = ring[n - 1]!;
  let ad = sign * ((axis === 0 ? ax : ay) - limit);
  for (let i = 0; i < n; i += 2) {
    const bx = ring[i]!;
    const by = ring[i + 1]!;
    const bd = sign * ((axis === 0 ? bx : by) - limit);
    if (ad < 0 !== bd < 0) pushCrossing(out, ax, ay, bx, by, axis, limit);
    if (bd >= 0) out.push(bx, by);
    ax = bx;
    ay = by;
    ad = bd;
  }
  return out.length < 6 ? [] : out;
}

function crosses(path: Flat, axis: 0 | 1, limit: number, above: boolean): boolean {
  for (let i = axis; i < path.length; i += 2) {
    if (above ? path[i]! < limit : path[i]! > limit) return true;
  }
  return false;
}

/**
 * Append the crossing point. It is computed from the end on the smaller side, so that both
 * directions give the same point. Takes plain numbers instead of objects because it runs for every
 * ring of every tile.
 */
export function pushCrossing(
  out: Flat,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  axis: 0 | 1,
  limit: number,
): void {
  const turned = axis === 0 ? ax > bx : ay > by;
  const [px, py, qx, qy] = turned ? [bx, by, ax, ay] : [ax, ay, bx, by];
  if (axis === 0) out.push(limit, py + ((qy - py) * (limit - px)) / (qx - px));
  else out.push(px + ((qx - px) * (limit - py)) / (qy - py), limit);
}

/** Clip a line to a box. Returns the pieces inside; the line itself if it lies inside. */
export function clipLine(line: Flat, box: Box): Flat[] {
  const bounds = boundsOf([line]);
  if (isInside(bounds, box)) return [line];
  if (!boxesMeet(bounds, box)) return [];
  let pieces: Flat[] = [line];
  for (const [axis, limit, above] of [
    [0, box.left, true],
    [0, box.right, false],
    [1, box.top, true],
    [1, box.bottom, false],
  ] as const) {
    pieces = pieces.flatMap((piece) =>
      crosses(piece, axis, limit, above) ? clipLineAt(piece, axis, limit, above) : [piece],
    );
  }
  return pieces;
}

function clipLineAt(line: Flat, axis: 0 | 1, limit: number, above: boolean): Flat[] {
  const pieces: Flat[] = [];
  const sign = above ? 1 : -1;
  let piece: Flat = [];
  let ax = line[0]!;
  let ay = line[1]!;
  let ad = sign * ((axis === 0 ? ax : ay) - limit);
  if (ad >= 0) piece.push(ax, ay);
  for (let i = 2; i < line.length; i += 2) {
    const bx = line[i]!;
    const by = line[i + 1]!;
    const bd = sign * ((axis === 0 ? bx : by) - limit);
    if (ad < 0 !== bd < 0) pushCrossing(piece, ax, ay, bx, by, axis, limit);
    if (bd >= 0) piece.push(bx, by);
    else if (piece.length > 0) {
      if (piece.length >= 4) pieces.push(piece);
      piece = [];
    }
    ax = bx;
    ay = by;
    ad = bd;
  }
  if (piece.length >= 4) pieces.push(piece);
  return pieces;
}
