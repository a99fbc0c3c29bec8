// Depths as the reader wants them.

const METERS_PER_FOOT = 0.3048;

/** A depth without its unit, as fine as charts print it. */
export function inUnits(meters: number, units: string): string {
  if (units === 'meters') return String(Math.round(meters * 10) / 10);
  const feet = meters / METERS_PER_FOOT;
  return units === 'feet' ? feet.toFixed(0) : (feet / 6).toFixed(1);
}

/** `4.2 m`, `13 feet` */
export const depthText = (meters: number, units: string): string =>
  `${inUnits(meters, units)} ${units === 'meters' ? 'm' : units}`;
