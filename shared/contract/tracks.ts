// Lists of the caller's tracks, single tracks, and soundings for maps.

import * as z from 'zod';
import type { SoundingCell } from '../bathymetry/grid-soundings.ts';
import type { Track } from '../bathymetry/track.ts';
import { share } from './consent.ts';
import { GEOJSON_TYPE, pointFeature } from './geojson.ts';
import { BOX, type QueryValues, TEXT, wholeNumber } from './query.ts';
import { nextCursor } from './report-list.ts';
import { boxCorners, count, epochMs, latitude, longitude, soundingMeters } from './units.ts';

const MAX_TRACKS = 500;
const DEFAULT_TRACKS = 100;
const MAX_ZOOM = 22;

const details = z.looseObject({}).nullable();

export const trackFields = {
  id: z.uuid().describe('Id of the track, a UUID of version 7'),
  pointCount: count.describe('Number of all points of the track'),
  startTime: epochMs.describe('Time of the first point, epoch milliseconds'),
  endTime: epochMs.describe('Time of the last point, epoch milliseconds'),
};

const trackDetails = {
  ...trackFields,
  bbox: boxCorners.describe(
    'Least and greatest coordinates, each [longitude, latitude], degrees; also of a track across 180°',
  ),
  platform: details.describe('The vessel as it was sent; null if none was sent'),
  providerContactPoint: details.describe(
    'Origin of the data as it was sent; null if none was sent',
  ),
  timeUnits: z.string().nullable().describe('Description of the time format as it was sent'),
  convention: z.string().nullable().describe('Name of the data format as it was sent'),
  externalUserId: z.string().nullable().describe('Your id of the end user'),
  share: share.describe('Consent to use the soundings for the crowdsourced depths'),
  createdAt: epochMs.describe('Time of the first upload, epoch milliseconds'),
  updatedAt: epochMs.describe('Time of the last upload, epoch milliseconds'),
};

export const trackListSchema = z
  .strictObject({
    tracks: z
      .array(
        z.strictObject(trackDetails).meta({ id: 'Track', description: 'A track without points' }),
      )
      .describe('Tracks of the caller, the newest first'),
    nextCursor,
  })
  .meta({ id: 'TrackList', description: 'A page of tracks' });

const trackPointSchema = z
  .strictObject({ latitude, longitude, depth: soundingMeters, time: epochMs })
  .meta({ id: 'TrackPoint', description: 'A sounding of a track' });

export const trackSchema = z
  .strictObject({
    ...trackDetails,
    points: z.array(trackPointSchema).describe('All points in the order of their times'),
  })
  .meta({ id: 'TrackWithPoints', description: 'A track with its points' });

export function presentTrack(track: Track): z.infer<typeof trackListSchema>['tracks'][number] {
  const { id, pointCount, startTime, endTime, bounds, about, share, createdAt, updatedAt } = track;
  const [west, south, east, north] = bounds;
  return {
    id,
    pointCount,
    startTime,
    endTime,
    bbox: [
      [west, south],
      [east, north],
    ],
    platform: about.platform,
    providerContactPoint: about.provider,
    timeUnits: about.timeUnits,
    convention: about.convention,
    externalUserId: about.externalUserId,
    share,
    createdAt,
    updatedAt,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** In lower case; `undefined` if it is not a UUID. */
export function readTrackId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

/** Maximum number of tracks in one file. */
export const MAX_TRACKS_IN_FILE = 100;

/** Ids separated by commas, in lower case, without duplicates; `undefined` for anything else. */
export function readTrackIds(text: string): readonly string[] | undefined {
  const ids = text.split(',').map(readTrackId);
  const known = [...new Set(ids)];
  if (known.length > MAX_TRACKS_IN_FILE) return undefined;
  return known.every((id) => id !== undefined) ? known : undefined;
}

export const TRACK_PARAMETERS = {
  limit: {
    ...wholeNumber(1, MAX_TRACKS),
    description: `Tracks per page, 1 to ${MAX_TRACKS}; default ${DEFAULT_TRACKS}`,
    otherwise: DEFAULT_TRACKS,
  },
  cursor: {
    description: '`nextCursor` of the previous page',
    rule: 'must be the nextCursor of a previous page',
    otherwise: undefined,
    read: readTrackId,
  },
  platform: { ...TEXT, description: 'Only tracks of the platform with this `uniqueId`' },
  externalUserId: { ...TEXT, description: 'Only tracks of this end user' },
} as const;
export type TrackQuery = QueryValues<typeof TRACK_PARAMETERS>;

export const SOUNDINGS_PARAMETERS = {
  bbox: {
    ...BOX,
    description: 'west,south,east,north in degrees; west is greater than east across 180°',
    example: '-20.1,-30.1,-19.9,-29.9',
  },
  zoom: {
    description: `Zoom of the map, 0 to ${MAX_ZOOM}; soundings in the same cell of 16 pixels become one point`,
    rule: `must be a number from 0 to ${MAX_ZOOM}`,
    schema: z.number().min(0).max(MAX_ZOOM),
    example: 12,
    read: (text: string) => {
      const zoom = /^\d{1,2}(\.\d{1,17})?$/.test(text) ? Number(text) : Number.NaN;
      return zoom <= MAX_ZOOM ? zoom : undefined;
    },
  },
} as const;

export const soundingCollectionSchema = z
  .strictObject({
    type: z.literal('FeatureCollection').describe(GEOJSON_TYPE),
    features: z
      .array(
        pointFeature(
          z
            .strictObject({
              count: count.min(1).describe('Number of soundings in the cell'),
              depth: soundingMeters.describe('Least depth in metres'),
              meanDepth: soundingMeters.describe('Mean depth in metres'),
            })
            .describe('Depths of the soundings in the cell'),
        ),
      )
      .describe('One point for each cell of 16 pixels with soundings'),
    truncation: z
      .strictObject({
        found: count.describe('Number of soundings of the tracks that intersect the box'),
        returned: count.describe('Number of soundings in the response'),
      })
      .optional()
      .describe(
        'Present only if there are too many soundings; the response then contains those of the newest tracks',
      ),
  })
  .meta({ id: 'SoundingCollection', description: 'Soundings for a map as GeoJSON (RFC 7946)' });

/** Tracks in the format of IHO guideline B-12, which allows more fields. */
export const trackFileSchema = z
  .looseObject({
    type: z.literal('FeatureCollection').describe(GEOJSON_TYPE),
    crs: z.looseObject({}).describe('Coordinate reference system, always EPSG:4326'),
    properties: z
      .looseObject({})
      .describe('`trustedNode` and `platform` as B-12 defines them; `leadline` has the track ids'),
    features: z
      .array(
        pointFeature(
          z
            .strictObject({
              depth: soundingMeters.describe('Depth in metres, positive downwards'),
              time: z.string().describe('Time of the sounding, ISO 8601 in UTC'),
            })
            .describe('Depth and time'),
        ),
      )
      .describe('One point per sounding, track by track'),
  })
  .meta({ id: 'TrackFile', description: 'Tracks as GeoJSON CSB 3.1 (IHO B-12)' });

/** Precision: 1 cm of depth, 10 cm of position. */
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

export function presentCells(
  cells: readonly SoundingCell[],
  truncation: { readonly found: number; readonly returned: number } | undefined,
): z.infer<typeof soundingCollectionSchema> {
  return {
    type: 'FeatureCollection',
    features: cells.map(({ longitude, latitude, count, shallowest, mean }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [rounded(longitude, 6), rounded(latitude, 6)] },
      properties: { count, depth: rounded(shallowest, 2), meanDepth: rounded(mean, 2) },
    })),
    ...(truncation === undefined ? {} : { truncation }),
  };
}
