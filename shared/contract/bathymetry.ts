// Soundings on the wire: what is sent, checked by hand as there may be fifty thousand, and what is
// answered. The first faults end the check: a list of all of them would be larger than the request.

import * as z from 'zod';
import { readSoundingTime } from '../bathymetry/sounding-time.ts';
import { type Soundings, soundingColumns } from '../bathymetry/soundings.ts';
import { examine } from './examine.ts';
import { type Fault, faultOfJson } from './plain-json.ts';

interface SoundingLimits {
  readonly maxSoundings: number;
  readonly minDepthMeters: number;
  readonly maxDepthMeters: number;
  /** Epoch milliseconds. */
  readonly earliestTime: number;
  readonly latestTime: number;
}

const MAX_FAULTS = 10;
const MAX_LABEL_CHARACTERS = 256;
const MAX_UNIQUE_ID_CHARACTERS = 128;
const MAX_DETAILS_CHARACTERS = 4096;
/** Of the lists beside the soundings; their own elements hold nothing that is looked into. */
const MAX_DEPTH = 8;

const label = z.string().max(MAX_LABEL_CHARACTERS).nullish();
const details = <T extends z.core.$ZodLooseShape>(known: T) =>
  z
    .looseObject(known)
    .refine((value) => JSON.stringify(value).length <= MAX_DETAILS_CHARACTERS, {
      message: `must be at most ${MAX_DETAILS_CHARACTERS} characters of JSON`,
    })
    .nullish();

/** All but the soundings; `null` counts as absent, and fields that are not known are ignored. */
const aboutSchema = z.object({
  platform: details({
    uniqueId: z.string().max(MAX_UNIQUE_ID_CHARACTERS).nullish(),
    name: label,
    type: label,
  }),
  providerContactPoint: details({ orgName: label, logger: label, loggerVersion: label }),
  depthUnits: z.literal('meters', { error: 'must be meters' }).nullish(),
  timeUnits: label,
  convention: label,
  externalUserId: label,
});

export const bathymetrySchema = aboutSchema.extend({
  soundings: z
    .array(
      z.object({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        depth: z.number(),
        time: z.union([z.number(), z.string()]),
      }),
    )
    .min(1),
});

type AboutSoundings = z.infer<typeof aboutSchema>;

type ReadBathymetry =
  | { readonly kind: 'sound'; readonly soundings: Soundings; readonly about: AboutSoundings }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[] };

/** A body as soundings in the order they came. How many there are is looked at before all else. */
export function readBathymetry(
  body: Readonly<Record<string, unknown>>,
  limits: SoundingLimits,
): ReadBathymetry {
  const { soundings: list, ...rest } = body;
  const faults: Fault[] = [];
  if (!Array.isArray(list)) faults.push({ path: 'soundings', message: 'must be a list' });
  else if (list.length > limits.maxSoundings) return { kind: 'too-many' };
  else if (list.length === 0) faults.push({ path: 'soundings', message: 'must not be empty' });
  const elements = Array.isArray(list) ? list : [];
  const soundings = readSoundings(elements, limits, faults);
  const about = readAbout(rest, faults);
  return faults.length > 0 || about === undefined
    ? { kind: 'faulty', faults: faults.slice(0, MAX_FAULTS) }
    : { kind: 'sound', soundings, about };
}

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
  const parsed = examine(aboutSchema, known);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    faults.push({ path: path.join('.'), message });
  }
  return undefined;
}

/** @param faults gets what is wrong, until there is enough of it */
function readSoundings(
  elements: readonly unknown[],
  limits: SoundingLimits,
  faults: Fault[],
): Soundings {
  const soundings = soundingColumns(elements.length);
  const { latitudes, longitudes, depths, times } = soundings;
  for (let i = 0; i < elements.length && faults.length < MAX_FAULTS; i++) {
    const element = elements[i];
    if (typeof element !== 'object' || element === null || Array.isArray(element)) {
      faults.push({ path: `soundings.${i}`, message: 'must be an object' });
      continue;
    }
    const { latitude, longitude, depth, time } = element as Record<string, unknown>;
    const fault = (field: string, message: string) =>
      void faults.push({ path: `soundings.${i}.${field}`, message });
    if (isWithin(latitude, -90, 90)) latitudes[i] = latitude + 0;
    else fault('latitude', 'must be a number from -90 to 90');
    if (isWithin(longitude, -180, 180)) longitudes[i] = longitude + 0;
    else fault('longitude', 'must be a number from -180 to 180');
    const { minDepthMeters, maxDepthMeters } = limits;
    if (isWithin(depth, minDepthMeters, maxDepthMeters)) depths[i] = depth + 0;
    else fault('depth', `must be metres from ${minDepthMeters} to ${maxDepthMeters}`);
    const ms = readSoundingTime(time);
    if (ms === undefined) fault('time', 'must be ISO 8601 or epoch milliseconds');
    else if (isWithin(ms, limits.earliestTime, limits.latestTime)) times[i] = ms;
    else fault('time', 'must lie within the times that are taken');
  }
  return soundings;
}

/** Adding 0 to what passes makes +0 of −0. */
const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** Epoch milliseconds. */
const time = z.number().int();

const trackSummary = {
  /** Version 7. */
  id: z.uuid(),
  /** All points of the track. */
  pointCount: z.number().int(),
  startTime: time,
  endTime: time,
};

export const bathymetryAnswerSchema = z.strictObject({
  tracks: z.array(
    z.strictObject({
      ...trackSummary,
      /** Appended to a track that was there. */
      merged: z.boolean(),
    }),
  ),
  /** Soundings taken in this request. */
  totalPoints: z.number().int(),
});
