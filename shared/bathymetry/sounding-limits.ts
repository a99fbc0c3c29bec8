// Limits of the soundings of a request.

export interface SoundingLimits {
  readonly maxSoundings: number;
  readonly minDepthMeters: number;
  readonly maxDepthMeters: number;
  /** Epoch milliseconds. */
  readonly earliestTime: number;
  readonly latestTime: number;
}

/** A complete list of faults could be larger than the request. */
export const MAX_FAULTS = 10;

export const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;
