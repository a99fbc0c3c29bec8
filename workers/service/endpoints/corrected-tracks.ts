// Tracks with the corrections of the crowdsourced depths, for files in the format of IHO B-12.

import { correctTrack } from '../../../shared/bathymetry/correct-track.ts';
import type { TrackWithSoundings } from '../../../shared/bathymetry/track.ts';
import { FLAG } from '../../../shared/contract/query.ts';
import { tidePredictions } from '../charts/tides.ts';
import { summariesOf } from '../db/contribution-store.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';

export const CORRECTED = {
  corrected: {
    ...FLAG,
    description:
      '`true`: with the corrections of the crowdsourced depths. Soundings that failed the checks are left out; the height of the transducer if it is known, the tide and the estimated error of the vessel are applied, so depths are below the chart datum of the tide station. If a track is partly near tide stations, soundings without a station are left out, and so are those of stations with another chart datum than most. Soundings that are rejected as `land` or `contradicted` stay. Without any station, the tide is not applied (`tide.reduced` is `false`). `properties.leadline.corrections` lists them for each track',
  },
} as const;

export const NOT_CORRECTED = {
  409: {
    description:
      'The corrections of a track are not known: it is private or not yet in the crowdsourced depths, or its stated reference of the depths is not transducer, waterline, keel or unknown',
    error: 'track_not_corrected',
  },
} as const;

/**
 * @param account of the sender of the tracks
 * @throws ApiError 409, 503
 */
export async function corrected(
  env: Env,
  account: string,
  tracks: readonly TrackWithSoundings[],
): Promise<TrackWithSoundings[]> {
  const ids = tracks.map(({ track }) => track.id);
  const summaries = await summariesOf(env, account, ids);
  const predictor = await tidePredictions();
  return tracks.map(({ track, soundings }) => {
    const summary = summaries.get(track.id);
    if (summary === undefined || summary.rejected.reference !== undefined)
      throw new ApiError('track_not_corrected');
    const { transducer, bias } = summary;
    const { soundings: reduced, tide } = correctTrack(soundings, summary, predictor);
    return {
      track,
      soundings: reduced,
      corrections: { trackId: track.id, transducer, bias, tide },
    };
  });
}
