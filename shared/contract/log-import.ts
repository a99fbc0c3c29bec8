// Import of logs: the query and the response.

import * as z from 'zod';
import { readDecimal } from '../bathymetry/decimal.ts';
import { UNIT_METERS } from '../bathymetry/logs/csv-log.ts';
import type { LogFault } from '../bathymetry/logs/log-soundings.ts';
import { LOG_FORMATS } from '../bathymetry/logs/read-log.ts';
import { DEPTH_REFERENCES, OFFSET_RANGES } from '../bathymetry/transducer.ts';
import { bathymetryAnswerSchema } from './bathymetry.ts';
import { share } from './consent.ts';
import { type Fault, hasUnstorable } from './plain-json.ts';
import { count } from './units.ts';

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !hasUnstorable(value), 'must not contain NUL or unpaired surrogates');
const metersWithin = ([least, most]: readonly [number, number]) =>
  z.preprocess(readDecimal, z.number().min(least).max(most));

/** The parameters of the query, with their descriptions. */
export const IMPORT_PARAMETERS = {
  format: z
    .enum(LOG_FORMATS)
    .describe('Format of the body: `nmea0183`, `signalk` (deltas, one per line), `gpx` or `csv`'),
  depthUnits: z
    .enum(Object.keys(UNIT_METERS) as (keyof typeof UNIT_METERS)[])
    .describe(
      'Unit of depths in CSV if the column does not name one: meters, feet or fathoms; by default meters. Only for CSV: the depths of GPX are metres, and the other formats state their unit',
    ),
  platform: text(128).describe('`uniqueId` of the vessel'),
  name: text(256).describe('Name of the vessel'),
  depthReference: z
    .enum(DEPTH_REFERENCES)
    .describe(
      'Reference from which the depths are measured; by default as the log states. If the log has several, only the depths from this one are used. Depths that the log states from the waterline or the keel keep their reference',
    ),
  transducerDepth: metersWithin(OFFSET_RANGES.transducerDepth).describe(
    'Metres from the waterline down to the transducer; by default as the log states',
  ),
  draft: metersWithin(OFFSET_RANGES.draft).describe('Metres from the waterline down to the keel'),
  share: share.describe('Consent, as in an upload of soundings; by default that of the account'),
  externalUserId: text(256).describe('Your id of the end user'),
} as const;

const { format, ...others } = IMPORT_PARAMETERS;
export const importQuerySchema = z
  .object({ format, ...z.object(others).partial().shape })
  .refine((query) => query.format === 'csv' || (query.depthUnits ?? 'meters') === 'meters', {
    path: ['depthUnits'],
    error: 'is only for CSV; convert the depths of this format to metres',
  });

export const importAnswerSchema = bathymetryAnswerSchema
  .extend({
    ignored: count.describe(
      'Number of lines or points that were not used: damaged, without a depth, or without a position',
    ),
  })
  .meta({ id: 'ImportResult', description: 'The tracks of an import' });

/** The faults with their lines, for the response. */
export const faultsOfLog = (faults: readonly LogFault[]): Fault[] =>
  faults.map(({ line, message }) => ({ path: `line ${line}`, message }));
