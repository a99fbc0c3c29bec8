// Boxes of longitudes and latitudes on the globe. If west is greater than east, the box crosses 180° (RFC 7946,
// section 5.2).

/** West, south, east, north, in degrees; longitudes from −180 to 180. */
export type GeoBounds = readonly [west: number, south: number, east: number, north: number];

/** The extent of Web Mercator. */
export const WORLD_BOUNDS: GeoBounds = [-180, -85.0511, 180, 85.0511];

/** Converts a box with longitudes beyond ±180° to one within. */
export function wrappedBounds([west, south, east, north]: GeoBounds): GeoBounds {
  if (east - west >= 360) return [-180, south, 180, north];
  // A side on 180° belongs to the side of the meridian on which the box lies.
  const start = wrap(west) === 180 ? -180 : wrap(west);
  const end = wrap(east) === -180 ? 180 : wrap(east);
  return [start, south, end, north];
}

/** −180 and 180 are unchanged. */
const wrap = (longitude: number): number =>
  Math.abs(longitude) <= 180 ? longitude : longitude - 360 * Math.round(longitude / 360);

/** The same box with an east that is not less than its west, and may exceed 180. */
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
 * The smallest box that contains all boxes; it crosses 180° only if that is smaller.
 * @throws RangeError if there are no boxes
 */
export function boundsAround(boxes: readonly GeoBounds[]): GeoBounds {
  if (boxes.length === 0) throw new RangeError('Expected at least one box.');
  const sorted = [...boxes].sort((a, b) => a[0] - b[0]);
  const south = sorted.reduce((least, box) => Math.min(least, box[1]), 90);
  const north = sorted.reduce((most, box) => Math.max(most, box[3]), -90);
  // Two rounds of the globe: the second finds the widest gap, which the result leaves out.
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

/** For formats whose boxes must not cross 180° (TileJSON, PMTiles): such a box becomes all longitudes. */
export function plainBounds(bounds: GeoBounds): GeoBounds {
  const [west, south, east, north] = bounds;
  return west > east ? [-180, south, 180, north] : bounds;
}

/** Whether two boxes overlap by more than an edge. */
export const boxesMeet = (a: GeoBounds, b: GeoBounds): boolean =>
  parted(a).some((one) =>
    parted(b).some(
      (other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3],
    ),
  );

const parted = ([west, south, east, north]: GeoBounds): readonly GeoBounds[] =>
  west > east
    ? [
        [west, south, 180, north],
        [-180, south, east, north],
      ]
    : [[west, south, east, north]];

/** The middle of a box, with a longitude from −180 to 180, and its width in degrees. */
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
