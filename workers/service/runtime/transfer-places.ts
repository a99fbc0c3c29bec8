// Places for slow transfers. An isolate has few, because each needs memory. A slow transfer keeps its place
// only until another one needs it.

import { ApiError } from './errors.ts';

interface Transfer {
  readonly account: string;
  readonly isSlow: boolean;
}

interface Limits {
  readonly most: number;
  /** So that one account cannot have all places. */
  readonly mostPerAccount: number;
}

/**
 * The transfer that must give its place to a new one, or `undefined` if a place is free.
 * @throws ApiError 429 if all others are fast
 */
export function slowToReplace<T extends Transfer>(
  places: ReadonlySet<T>,
  account: string,
  { most, mostPerAccount }: Limits,
): T | undefined {
  const own = [...places].filter((one) => one.account === account);
  const isOwnFull = own.length >= mostPerAccount;
  if (!isOwnFull && places.size < most) return undefined;
  const slow = (isOwnFull ? own : [...places]).find(({ isSlow }) => isSlow);
  if (slow === undefined) throw new ApiError('too_many_at_once');
  return slow;
}
