// What the builder reports about a track to its contributor.

/** Reasons for which a sounding is not used. */
export const REJECTIONS = [
  /** Speed between positions is impossible for the vessel. */
  'speed',
  /** Position jumps away and back. */
  'jump',
  /** Depth differs from its neighbours on the track (Hampel filter). */
  'outlier',
  /**
   * Depth is outside the range of echo sounders, or a value that sounders send without a bottom; or the
   * position is nearer to a pole than all bins.
   */
  'range',
  /** Position is on charted land. */
  'land',
  /** Another sounding has the same time and position, and no greater depth. */
  'duplicate',
  /** The segment between two gaps has too few soundings to be checked. */
  'short',
  /** Other contributors contradict the depth. */
  'contradicted',
  /** The reference of the depths is not known, so that they may be too large. */
  'reference',
] as const;

export type Rejection = (typeof REJECTIONS)[number];

/** Consent of a contributor for a track. The default is `private`. */
export const SHARES = ['private', 'aggregate', 'open data'] as const;
export type Share = (typeof SHARES)[number];

/** Stored with a track by the builder (JSON). */
export interface TrackContribution {
  /** Epoch milliseconds of the build. */
  readonly builtAt: number;
  readonly points: number;
  readonly used: number;
  /** Number of soundings rejected for each reason; reasons without soundings are absent. */
  readonly rejected: Readonly<Partial<Record<Rejection, number>>>;
  /** Tide above the chart datum that most heights along the track have. */
  readonly tide: TrackTide;
  /** Metres added for the transducer, from the vessel's data; 0 if unknown. */
  readonly transducer: number;
  /** Bias of the platform (measured minus true depth) with its 95 % uncertainty, metres. */
  readonly bias: { readonly meters: number; readonly unc: number; readonly crossings: number };
  /**
   * Finest bins that the track crosses, the public ones, those that are public only with this contributor, and
   * those with a possible shoal. A bin counts for the first of the contributor's tracks, so sums are exact.
   */
  readonly bins: number;
  readonly publicBins: number;
  readonly addedBins: number;
  readonly shoals: number;
}

export type TrackTide =
  | {
      readonly reduced: true;
      /** Least and greatest height of tide subtracted, metres above chart datum. */
      readonly least: number;
      readonly greatest: number;
      readonly station: string;
      readonly stationName: string;
      readonly datum: string;
      readonly distance: number;
      readonly error95: number;
    }
  | { readonly reduced: false; readonly error95: number };
