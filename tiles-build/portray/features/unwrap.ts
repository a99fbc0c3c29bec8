// Longitudes across the antimeridian: figures that jump from 180 to -180 are laid out eastward of
// 0 to 360, so that plane arithmetic holds on them.

/** Whether longitudes (degrees, interleaved with latitudes) span more than half the globe. */
export function straddles(positions: Iterable<Float64Array>): boolean {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (const line of positions) {
    for (let i = 0; i < line.length; i += 2) {
      if (line[i]! < west) west = line[i]!;
      if (line[i]! > east) east = line[i]!;
    }
  }
  return east - west > 180;
}

/** A copy with every longitude in 0 to 360. */
export function eastward(positions: Float64Array): Float64Array {
  return positions.map((value, i) => (i % 2 === 0 && value < 0 ? value + 360 : value));
}

/** A longitude back in -180 to 180. */
export function wrapped(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude;
}
