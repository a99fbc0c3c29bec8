// Distances as sailors read them.

const METERS_PER_MILE = 1852;

/** Nautical miles, with as many decimals as a ruler on the chart would tell. */
export function milesText(meters: number): string {
  const miles = meters / METERS_PER_MILE;
  return `${miles.toFixed(miles < 10 ? 2 : 1)} NM`;
}
