// Crowdsourced depths: the query near a position and the exports of a box.

import * as z from 'zod';
import { CROWD_MAX_ZOOM, CROWD_MIN_ZOOM, type PlacedBin } from '../crowd/bin.ts';
import { binCentre } from '../crowd/bin-area.ts';
import { crowdSentence } from '../crowd/crowd-sentence.ts';
import { BOX, wholeNumber } from './query.ts';
import { count, latitude, longitude, meters, soundingMeters } from './units.ts';

export const MAX_CROWD_RADIUS = 5000;
export const MAX_CROWD_RESULTS = 500;
/** Tiles that a file may need. */
export const MAX_CROWD_TILES = 256;

export const crowdQuerySchema = z
  .object({
    position: z
      .object({
        longitude: z.number().min(-180).max(180).describe('Degrees, -180 to 180'),
        latitude: z.number().min(-90).max(90).describe('Degrees, -90 to 90'),
      })
      .describe('Centre of the search'),
    radius: z
      .number()
      .min(0)
      .max(MAX_CROWD_RADIUS)
      .describe(`Metres, at most ${MAX_CROWD_RADIUS}; 0 returns the cell at the position`),
  })
  .meta({
    id: 'CrowdQuery',
    description: 'Centre and radius of a search for crowdsourced depths',
  });

const month = z.string().describe('A month, YYYY-MM');
const crowdDepthSchema = z
  .strictObject({
    longitude,
    latitude,
    distance: meters.describe('Metres from the position to the centre of the cell'),
    zoom: z.number().int().describe('Size of the cell: a tile of this zoom'),
    depth: soundingMeters.describe(
      'Cautious depth, metres below chart datum: the shallowest supported sounding minus its uncertainty',
    ),
    least: soundingMeters.describe('Least supported sounding, metres below chart datum'),
    median: soundingMeters.describe(
      'Median of the soundings, metres below chart datum. A cell of a zoom below 20 has that of its shoalest part',
    ),
    uncertainty: meters.describe('95 % uncertainty of the sea bed around the median, metres'),
    soundings: count.describe('Number of soundings'),
    platforms: count.describe('Number of independent contributors, at least 2'),
    from: month,
    to: month,
    isReduced: z.boolean().describe('Whether all soundings were corrected for the tide'),
    charted: soundingMeters
      .nullable()
      .describe('Least charted depth where the median is, metres; null if unknown'),
    shoaler: meters
      .nullable()
      .describe(
        'Metres by which a part of the cell is shoaler than charted, which indicates a possible shoal; null if it is not shoaler',
      ),
    sentence: z.string().describe('The cell in plain words, in metres'),
  })
  .meta({ id: 'CrowdDepth', description: 'A cell of crowdsourced depths' });

export const crowdAnswerSchema = z
  .strictObject({
    results: z.array(crowdDepthSchema).describe('Cells, the nearest first'),
    notice: z.string().describe('Notice to display with the depths'),
  })
  .meta({ id: 'CrowdQueryResult', description: 'Crowdsourced depths near a position' });

/** @param distance metres */
export function presentBin(bin: PlacedBin, distance: number): z.infer<typeof crowdDepthSchema> {
  const { longitude, latitude } = binCentre(bin);
  return {
    longitude: rounded(longitude, 7),
    latitude: rounded(latitude, 7),
    distance: rounded(distance, 1),
    zoom: bin.zoom,
    depth: bin.depth,
    least: bin.least,
    median: bin.median,
    uncertainty: bin.unc,
    soundings: bin.count,
    platforms: bin.platforms,
    from: bin.from,
    to: bin.to,
    isReduced: bin.reduced,
    charted: bin.charted ?? null,
    shoaler: bin.diff ?? null,
    sentence: crowdSentence(bin, { symbol: 'm', meters: 1 }),
  };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

export const CROWD_EXPORT_PARAMETERS = {
  bbox: {
    ...BOX,
    description: 'west,south,east,north in degrees',
    example: '-20,-30.05,-19.95,-30',
  },
  zoom: {
    ...wholeNumber(CROWD_MIN_ZOOM, CROWD_MAX_ZOOM),
    description: `Tile zoom that determines the size of the cells, ${CROWD_MIN_ZOOM} to ${CROWD_MAX_ZOOM}; ${CROWD_MAX_ZOOM} by default`,
    example: CROWD_MAX_ZOOM,
    otherwise: CROWD_MAX_ZOOM,
  },
} as const;
