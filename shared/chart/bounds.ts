// Boxes of longitudes and latitudes round the globe: one whose west is greater than its east lies
// across 180° (RFC 7946, section 5.2).

/** West, south, east, north, in degrees; longitudes from −180 to 180. */
export type GeoBounds = readonly [west: number, south: number, east: number, north: number];

/** A box whose longitudes count on in either direction, as one of the globe. */
export function wrappedBounds([west, south, east, north]: GeoBounds): GeoBounds {
  if (east - west >= 360) return [-180, south, 180, north];
  // A side that lies on 180° belongs to the box's own side of it.
  const start = wrap(west) === 180 ? -180 : wrap(west);
  const end = wrap(east) === -180 ? 180 : wrap(east);
  return [start, south, end, north];
}

/** −180 and 180 stay as they are. */
const wrap = (longitude: number): number =>
  Math.abs(longitude) <= 180 ? longitude : longitude - 360 * Math.round(longitude / 360);

/** The same box with an east that is at least its west, and may be beyond 180. */
export const unrolledBounds = ([west, south, east, north]: GeoBounds): GeoBounds => [
  west,
  south,
  west > east ? east + 360 : east,
  north,
];

function widthOf(bounds: GeoBounds): number {
  const [west, , east] = unrolledBounds(bounds);
  return east - west;
}

/**
 * The smallest box that holds all of several; across 180° only where that is smaller.
 * @throws RangeError where there are none
 */
export function boundsAround(boxes: readonly GeoBounds[]): GeoBounds {
  if (boxes.length === 0) throw new RangeError('There is no box around nothing.');
  const sorted = [...boxes].sort((a, b) => a[0] - b[0]);
  const south = sorted.reduce((least, box) => Math.min(least, box[1]), 90);
  const north = sorted.reduce((most, box) => Math.max(most, box[3]), -90);
  // Twice round the globe: what is left out is the widest gap that the second round finds.
  let reach = Number.NEGATIVE_INFINITY;
  let last = 0;
  let widest = 0;
  let [west, east] = [-180, 180];
  for (const turn of [0, 360]) {
    for (const box of sorted) {
      const start = box[0] + turn;
      if (turn > 0 && start - reach > widest) {
        widest = start - reach;
        [west, east] = [box[0], last];
      }
      if (start + widthOf(box) > reach) {
        reach = start + widthOf(box);
        last = box[2];
      }
    }
  }
  return [west, south, east, north];
}

/** For formats whose boxes must not lie across 180° (TileJSON, PMTiles): all longitudes then. */
export function plainBounds(bounds: GeoBounds): GeoBounds {
  const [west, south, east, north] = bounds;
  return west > east ? [-180, south, 180, north] : bounds;
}

/** The middle of a box, its longitude from −180 to 180, and its width in degrees. */
export function middleOf(bounds: GeoBounds): {
  readonly longitude: number;
  readonly latitude: number;
  readonly width: number;
} {
  const width = widthOf(bounds);
  const longitude = bounds[0] + width / 2;
  return {
    longitude: longitude > 180 ? longitude - 360 : longitude,
    latitude: (bounds[1] + bounds[3]) / 2,
    width,
  };
}
