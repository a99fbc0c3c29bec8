// Errors of the depths from the crowd.

import { ApiError } from './errors.ts';

export const noCrowdData = () =>
  new ApiError(
    404,
    'no_crowd_data',
    'This service has no depths from the crowd. Ask its operator to publish them with charts crowd.',
  );
export const crowdAreaTooLarge = (most: number) =>
  new ApiError(
    413,
    'crowd_area_too_large',
    `The box needs more than ${most} tiles. Request a smaller box or a lower zoom.`,
  );

export const trackNotCorrected = () =>
  new ApiError(
    409,
    'track_not_corrected',
    'The corrections of a track are not known. Share the track, and repeat the request after the depths from the crowd were built.',
  );

/** @param rangeMeters tidal range to expect */
export const noTideStation = (rangeMeters: number) =>
  new ApiError(
    404,
    'no_tide_station',
    'No tide station is within 50 km. expectedRange is the tidal range to expect, in metres.',
    { members: { expectedRange: Math.round(rangeMeters * 10) / 10 } },
  );
