// A track as the house knows it, without its points.

import type { Soundings } from './soundings.ts';

export interface Track {
  /** Version 7. */
  readonly id: string;
  readonly pointCount: number;
  /** Epoch milliseconds, as all times. */
  readonly startTime: number;
  readonly endTime: number;
  /** West, south, east, north: all points lie within. Not across 180°. */
  readonly bounds: readonly [number, number, number, number];
  readonly about: TrackAbout;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What came with the first of its soundings. */
interface TrackAbout {
  readonly platform: Details | null;
  readonly provider: Details | null;
  readonly timeUnits: string | null;
  readonly convention: string | null;
  readonly externalUserId: string | null;
}

/** A track with its points, sorted by time. */
export interface TrackWithSoundings {
  readonly track: Track;
  readonly soundings: Soundings;
}

/** Fields of the sender's own. */
export type Details = Readonly<Record<string, unknown>>;

/** A field of details where it is a text. */
export function textIn(details: Details | null, name: string): string | undefined {
  const value = details !== null && Object.hasOwn(details, name) ? details[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
