// Predicted heights of the tide: query and response.

import * as z from 'zod';
import { readSoundingTime } from '../bathymetry/sounding-time.ts';
import type { TideStation } from '../crowd/tide-table.ts';
import type { TideTurn, WaterLevel } from '../crowd/water-level.ts';
import { POSITION } from './query.ts';
import { epochMs, latitude, longitude, meters } from './units.ts';

/** Predictions are made for these years only. Epoch milliseconds. */
const TIMES = { from: Date.UTC(1970, 0, 1), to: Date.UTC(2100, 0, 1) } as const;

export const WATER_LEVEL_NOTICE =
  'Predicted astronomical tide without weather. Not for navigation.';

const stationSchema = z
  .strictObject({
    id: z.string().describe('Id of the station in the tide database'),
    name: z.string().describe('Name of the station'),
    longitude,
    latitude,
  })
  .meta({ id: 'TideStation', description: 'A tide station' });

export const waterLevelSchema = z
  .strictObject({
    time: epochMs.describe('Time of the height, epoch milliseconds'),
    height: z
      .number()
      .min(-50)
      .max(50)
      .describe('Metres above the datum; add it to charted depths of the same datum'),
    error: meters.describe('95 % uncertainty of the height, metres, without storms'),
    next: z
      .array(
        z
          .strictObject({
            isHigh: z.boolean().describe('Whether it is high water'),
            time: epochMs.describe('Time, epoch milliseconds'),
            height: z.number().min(-50).max(50).describe('Metres above the datum'),
          })
          .meta({ id: 'TideTurn', description: 'High or low water' }),
      )
      .describe('The next high and low water, in the order of time'),
    datum: z.string().describe('Chart datum of the station, such as `LAT` or `MLLW`'),
    station: stationSchema.describe('The nearest station'),
    otherStations: z.array(stationSchema).describe('Other stations that contribute to the height'),
    distance: meters.describe('Metres from the position to the nearest station'),
    attribution: z.string().describe('Sources of the stations, to display with the height'),
    notice: z.string().describe('Notice to display with the height'),
  })
  .meta({ id: 'WaterLevel', description: 'A predicted height of the tide' });

export const WATER_LEVEL_PARAMETERS = {
  position: {
    ...POSITION,
    description: 'Longitude, latitude in degrees',
    example: '-76.3383,36.8917',
  },
  time: {
    description:
      'ISO 8601 (UTC without a zone) or epoch milliseconds, 1970 to 2099; by default now',
    rule: 'must be ISO 8601 or epoch milliseconds, 1970 to 2099',
    example: '2026-06-01T12:00:00Z',
    otherwise: undefined,
    read: (text: string) => {
      const time = readSoundingTime(text);
      return time !== undefined && time >= TIMES.from && time < TIMES.to ? time : undefined;
    },
  },
} as const;

export function presentWaterLevel(
  level: Extract<WaterLevel, { reduced: true }>,
  time: number,
  turns: readonly TideTurn[],
): z.infer<typeof waterLevelSchema> {
  const { station, others } = level;
  return {
    time,
    height: rounded(level.height),
    error: rounded(level.error95),
    next: turns.map((turn) => ({
      isHigh: turn.isHigh,
      time: Math.round(turn.time),
      height: rounded(turn.height),
    })),
    datum: station.datum,
    station: presentStation(station),
    otherStations: others.map(presentStation),
    distance: Math.round(level.distance),
    attribution: [...new Set([station, ...others].map((one) => one.attribution))].join(' · '),
    notice: WATER_LEVEL_NOTICE,
  };
}

const presentStation = ({ id, name, longitude, latitude }: TideStation) => ({
  id,
  name,
  longitude,
  latitude,
});

/** Centimetres. */
const rounded = (value: number): number => Math.round(value * 100) / 100;
