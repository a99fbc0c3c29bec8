// A stored track without its points.

import type { Share } from '../crowd/contribution.ts';
import type { Soundings } from './soundings.ts';

export interface Track {
  /** UUID version 7. */
  readonly id: string;
  /** Subject of the token that sent it. */
  readonly subject: string;
  readonly pointCount: number;
  /** Epoch milliseconds, like all times. */
  readonly startTime: number;
  readonly endTime: number;
  /** West, south, east, north of all points. Not across 180°. */
  readonly bounds: readonly [number, number, number, number];
  readonly about: TrackAbout;
  /** Consent for the crowdsourced depths, as in `shared/crowd/contribution.ts`. */
  readonly share: Share;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Data that was sent with the first soundings of the track. */
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
  /** What was applied to the depths (`correct-track.ts`); absent for depths as they were sent. */
  readonly corrections?: Details;
}

/** Any fields of the sender. */
export type Details = Readonly<Record<string, unknown>>;

/** A field of details if it is a text that is not empty. */
export function textIn(details: Details | null, name: string): string | undefined {
  const value = details !== null && Object.hasOwn(details, name) ? details[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
