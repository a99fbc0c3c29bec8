// Formats distances.

const METERS_PER_MILE = 1852;

/** Nautical miles, with two decimals below 10 NM and one above. */
export function milesText(meters: number): string {
  const miles = meters / METERS_PER_MILE;
  return `${miles.toFixed(miles < 10 ? 2 : 1)} NM`;
}
