// Soundings as columns of numbers. Requests often contain fifty thousand, and processing them as
// objects would take most of the time of a request.

/** Soundings by column. Values with the same index belong to the same sounding. */
export interface Soundings {
  readonly count: number;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Metres. */
  readonly depths: Float64Array;
  /** Epoch milliseconds, integers. */
  readonly times: Float64Array;
}

export function soundingColumns(count: number): Soundings {
  const column = () => new Float64Array(count);
  return {
    count,
    latitudes: column(),
    longitudes: column(),
    depths: column(),
    times: column(),
  };
}

/** Columns that grow, for an unknown number of soundings. */
export function growingColumns() {
  let held = soundingColumns(0);
  let count = 0;
  return {
    /** @param depth metres @param time epoch milliseconds */
    add(latitude: number, longitude: number, depth: number, time: number): void {
      if (count === held.count) held = resized(held, Math.max(64, 2 * count));
      held.latitudes[count] = latitude;
      held.longitudes[count] = longitude;
      held.depths[count] = depth;
      held.times[count] = time;
      count++;
    },
    /** A copy of all soundings. */
    all: (): Soundings => resized(held, count),
  };
}

function resized(from: Soundings, count: number): Soundings {
  const columns = soundingColumns(count);
  for (const name of ['latitudes', 'longitudes', 'depths', 'times'] as const) {
    columns[name].set(from[name].subarray(0, count));
  }
  return columns;
}

/** Sorts by time; equal times keep their order. Returns the argument if it is already sorted. */
export function sortedByTime(soundings: Soundings): Soundings {
  const { count, times } = soundings;
  let isSorted = true;
  for (let i = 1; i < count && isSorted; i++) isSorted = times[i - 1]! <= times[i]!;
  if (isSorted) return soundings;
  const order = Uint32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]! || a - b);
  const sorted = (column: Float64Array) => Float64Array.from(order, (from) => column[from]!);
  return {
    count,
    latitudes: sorted(soundings.latitudes),
    longitudes: sorted(soundings.longitudes),
    depths: sorted(soundings.depths),
    times: sorted(times),
  };
}

/** Concatenates several sets of soundings. */
export function joined(parts: readonly Soundings[]): Soundings {
  const all = soundingColumns(parts.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const part of parts) {
    all.latitudes.set(part.latitudes, at);
    all.longitudes.set(part.longitudes, at);
    all.depths.set(part.depths, at);
    all.times.set(part.times, at);
    at += part.count;
  }
  return all;
}

/** West, south, east, north of the soundings from index `from` up to `to`, not across 180°. */
export function boundsOfSoundings(
  { latitudes, longitudes }: Soundings,
  from: number,
  to: number,
): [number, number, number, number] {
  const bounds: [number, number, number, number] = [180, 90, -180, -90];
  for (let i = from; i < to; i++) {
    const longitude = longitudes[i]!;
    const latitude = latitudes[i]!;
    if (longitude < bounds[0]) bounds[0] = longitude;
    if (latitude < bounds[1]) bounds[1] = latitude;
    if (longitude > bounds[2]) bounds[2] = longitude;
    if (latitude > bounds[3]) bounds[3] = latitude;
  }
  return bounds;
}
