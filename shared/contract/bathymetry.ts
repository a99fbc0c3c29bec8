// Upload of soundings: the request body, which is parsed while it arrives, and the response.

import * as z from 'zod';
import { MAX_FAULTS, type SoundingLimits } from '../bathymetry/sounding-limits.ts';
import type { Soundings } from '../bathymetry/soundings.ts';
import { DEPTH_REFERENCES, OFFSET_RANGES } from '../bathymetry/transducer.ts';
import { share } from './consent.ts';
import { INEXACT_NUMBER, preservesNumbersOf } from './exact-numbers.ts';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';
import { type ListRefusal, LongListReader, type ParseJson } from './long-list.ts';
import { type Fault, faultOfJson } from './plain-json.ts';
import { SoundingsReader } from './soundings-reader.ts';
import { storedCharacters } from './stored-length.ts';
import { trackFields } from './tracks.ts';
import { count, epochMs, soundingMeters } from './units.ts';

/** Maximum bytes of one sounding, and of all other fields together. */
const MAX_SOUNDING_BYTES = 65_536;
const MAX_OTHER_FIELD_BYTES = 262_144;
const MAX_LABEL_CHARACTERS = 256;
const MAX_UNIQUE_ID_CHARACTERS = 128;
const MAX_DETAILS_CHARACTERS = 4096;
/** Maximum nesting of each field except the soundings. Nested values in soundings are not read. */
const MAX_DEPTH = 8;

const label = (description: string) =>
  z.string().max(MAX_LABEL_CHARACTERS).nullish().describe(description);
const details = <T extends z.core.$ZodLooseShape>(known: T, description: string) =>
  z.looseObject(known).nullish().describe(description);

/** A field of the platform that the contract does not define: an invalid value is stored, but not used. */
const optionalDetail = <T extends z.ZodType>(known: T, description: string) =>
  known.nullish().catch(undefined).describe(`${description}. Another value counts as not known`);

/** All fields except the soundings. `null` counts as absent; unknown fields are ignored. */
const aboutSchema = z.object({
  platform: details(
    {
      uniqueId: z
        .string()
        .max(MAX_UNIQUE_ID_CHARACTERS)
        .nullish()
        .describe(
          'Identifies the vessel, at most 128 characters; soundings soon after earlier ones of the same vessel extend its track',
        ),
      name: label('Name of the vessel'),
      type: label('Type of the vessel'),
      depthReference: optionalDetail(
        z.enum(DEPTH_REFERENCES),
        'Reference from which the depths are measured; by default the transducer. The crowdsourced depths need one of these',
      ),
      transducerDepth: optionalDetail(
        z.number().min(OFFSET_RANGES.transducerDepth[0]).max(OFFSET_RANGES.transducerDepth[1]),
        'Metres from the waterline down to the transducer, -1 to 40',
      ),
      draft: optionalDetail(
        z.number().min(OFFSET_RANGES.draft[0]).max(OFFSET_RANGES.draft[1]),
        'Metres from the waterline down to the keel, 0 to 40',
      ),
    },
    'The vessel; other fields are stored and returned unchanged',
  ),
  providerContactPoint: details(
    {
      orgName: label('Organisation that provides the data'),
      logger: label('Name of the logging program or device'),
      loggerVersion: label('Version of the logging program or device'),
    },
    'Origin of the data (IHO B-12); other fields are stored and returned unchanged',
  ),
  depthUnits: z
    .literal('meters', { error: 'must be meters' })
    .nullish()
    .describe('Unit of the depths; only `meters`, the default'),
  timeUnits: label('Description of the time format, stored unchanged'),
  convention: label('Name of the data format, stored unchanged'),
  share: share
    .nullish()
    .describe(
      'Consent to use the soundings for the crowdsourced depths; by default that of the account, which is `private` until its owner changes it in the portal',
    ),
  externalUserId: label('Your id of the end user, at most 256 characters'),
});

const soundingSchema = z
  .object({
    latitude: z.number().min(-90).max(90).describe('Latitude, degrees, -90 to 90'),
    longitude: z.number().min(-180).max(180).describe('Longitude, degrees, -180 to 180'),
    depth: soundingMeters.describe(
      'Metres, positive downwards; the deployment has limits, -20 and 12000 by default',
    ),
    time: z
      .union([epochMs, z.string()])
      .describe('Epoch milliseconds or ISO 8601; a time without a zone is UTC'),
  })
  .meta({ id: 'Sounding', description: 'A measured depth' });

export const bathymetrySchema = aboutSchema
  .extend({ soundings: z.array(soundingSchema).min(1).describe('Soundings in any order') })
  .meta({ id: 'SoundingsUpload', description: 'Soundings of one vessel' });

/** Stored with unknown fields, whose integers must be returned unchanged. */
const KEPT_WHOLE = ['platform', 'providerContactPoint'] as const;

type AboutSoundings = z.infer<typeof aboutSchema>;

export type ReadBathymetry =
  | { readonly kind: 'sound'; readonly soundings: Soundings; readonly about: AboutSoundings }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'too-large'; readonly what: string; readonly limitBytes: number }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[] };

/**
 * Parses a body while it arrives: call `push` for each chunk, then `end`. Too many soundings are
 * detected at once. Memory: 32 bytes per sounding, at most 128 KiB of text being parsed, and
 * 256 KiB for the other fields.
 */
export class BathymetryReader {
  readonly #soundings: SoundingsReader;
  readonly #body: LongListReader;
  readonly #textOf: (bytes: Uint8Array) => string;

  /** @param textOf decodes UTF-8 without the byte order mark */
  constructor(limits: SoundingLimits, parse: ParseJson, textOf: (bytes: Uint8Array) => string) {
    this.#textOf = textOf;
    this.#soundings = new SoundingsReader(limits);
    const { maxSoundings: maxElements } = limits;
    const bounds = {
      maxElements,
      maxElementBytes: MAX_SOUNDING_BYTES,
      maxRestBytes: MAX_OTHER_FIELD_BYTES,
    };
    this.#body = new LongListReader('soundings', bounds, this.#soundings, parse);
  }

  /** @returns the reason to reject the body, if there is one; then stop reading */
  push(bytes: Uint8Array): ReadBathymetry | undefined {
    const refusal = this.#body.push(bytes);
    return refusal === undefined ? undefined : refused(refusal);
  }

  /** The soundings in the order of the body, and the other fields. */
  end(): ReadBathymetry {
    const read = this.#body.end();
    if ('refusal' in read) return refused(read.refusal);
    if (!isObject(read.rest)) return { kind: 'not-json' };
    const { soundings: list, ...rest } = read.rest;
    const faults: Fault[] = [];
    // If the key is repeated, the last value counts.
    if (!Array.isArray(list)) faults.push({ path: 'soundings', message: 'must be a list' });
    else if (this.#soundings.count === 0) {
      faults.push({ path: 'soundings', message: 'must not be empty' });
    } else for (const fault of this.#soundings.faults) faults.push(fault);
    const about = readAbout(rest, faults);
    const text = this.#textOf(read.restBytes);
    for (const path of KEPT_WHOLE) {
      if (!preservesNumbersOf(path, text)) faults.push({ path, message: INEXACT_NUMBER });
    }
    return faults.length > 0 || about === undefined
      ? { kind: 'faulty', faults: faults.slice(0, MAX_FAULTS) }
      : { kind: 'sound', soundings: this.#soundings.soundings(), about };
  }
}

function refused(why: ListRefusal): ReadBathymetry {
  if (why === 'large-element') {
    return { kind: 'too-large', what: 'A sounding', limitBytes: MAX_SOUNDING_BYTES };
  }
  if (why === 'large-rest') {
    const what = 'The body without its soundings';
    return { kind: 'too-large', what, limitBytes: MAX_OTHER_FIELD_BYTES };
  }
  return { kind: why };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readAbout(
  rest: Readonly<Record<string, unknown>>,
  faults: Fault[],
): AboutSoundings | undefined {
  const known = Object.fromEntries(
    Object.keys(aboutSchema.shape).flatMap((key) =>
      Object.hasOwn(rest, key) ? [[key, rest[key]]] : [],
    ),
  );
  for (const [path, value] of Object.entries(known)) {
    const unfit = faultOfJson(value, MAX_DEPTH);
    if (unfit !== undefined) faults.push({ path, message: unfit });
  }
  if (faults.length > 0) return undefined;
  for (const path of KEPT_WHOLE) {
    if (storedCharacters(known[path] ?? null) <= MAX_DETAILS_CHARACTERS) continue;
    const message = `must be at most ${MAX_DETAILS_CHARACTERS} characters of JSON, with numbers written without exponents`;
    faults.push({ path, message });
  }
  if (faults.length > 0) return undefined;
  const parsed = examine(aboutSchema, known);
  if (parsed.success) {
    // Use the original values: the schema drops a key `__proto__`.
    const { platform, providerContactPoint } = known as AboutSoundings;
    return { ...parsed.data, platform, providerContactPoint };
  }
  for (const fault of faultsOf(parsed.error)) faults.push(fault);
  return undefined;
}

const trackSummarySchema = z
  .strictObject({
    ...trackFields,
    merged: z.boolean().describe('Whether the soundings were appended to an existing track'),
  })
  .meta({ id: 'TrackSummary', description: 'A track that the upload created or extended' });

export const bathymetryAnswerSchema = z
  .strictObject({
    tracks: z.array(trackSummarySchema).describe('Tracks that contain the soundings'),
    totalPoints: count.describe('Number of soundings in this request'),
  })
  .meta({ id: 'SoundingsResult', description: 'The tracks of an upload' });
