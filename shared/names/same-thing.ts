// Whether two entries of names can be one thing.

import { type GeoBounds, unrolledBounds } from '../chart/bounds.ts';
import type { NameEntry } from './name-page.ts';
import { plainName } from './name-text.ts';

/** Equal for entries of one name and one period: an entry that is valid on other days must not hide another. */
export function sameName({ name, period }: NameEntry): string {
  const { ds = '', de = '' } = period ?? {};
  return `${plainName(name)}\n${ds}-${de}`;
}

/** The extent of an entry; of a mark its position. */
export const boxOf = ({ longitude, latitude, bounds }: NameEntry): GeoBounds =>
  bounds ?? [longitude, latitude, longitude, latitude];

/** Two marks of one name are the same if they are within about 50 m; in degrees. */
export const NEAR_DEGREES = 0.0005;
/** Position error of a mark per scale denominator, in degrees: 0.7 mm on paper. */
const OFF_DEGREES = 0.0007 / 111_000;

/** Maximum distance of two entries of the same thing: the accuracy of the coarser chart. */
export const reachOf = (a: NameEntry, b: NameEntry): number =>
  Math.max(NEAR_DEGREES, OFF_DEGREES * Math.max(a.scale, b.scale));

/** Whether the distance of two boxes is at most `reach` degrees, also across 180°. */
export function areNear(a: GeoBounds, b: GeoBounds, reach: number): boolean {
  if (a[1] > b[3] + reach || b[1] > a[3] + reach) return false;
  const wide = reach / Math.max(Math.cos((a[1] * Math.PI) / 180), 0.01);
  const [[aWest, , aEast], [bWest, , bEast]] = [unrolledBounds(a), unrolledBounds(b)];
  return [-360, 0, 360].some(
    (turn) => aWest + turn <= bEast + wide && bWest <= aEast + turn + wide,
  );
}
