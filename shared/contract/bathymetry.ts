// Soundings on the wire: what is sent, read while it comes, and what is answered.

import * as z from 'zod';
import type { Soundings } from '../bathymetry/soundings.ts';
import { keepsNumbersOf, UNKEPT_NUMBER } from './exact-numbers.ts';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';
import { keptCharacters } from './kept-size.ts';
import { type ListRefusal, LongListReader, type ParseJson } from './long-list.ts';
import { type Fault, faultOfJson } from './plain-json.ts';
import { MAX_FAULTS, type SoundingLimits, SoundingsReader } from './soundings-reader.ts';

/** Bytes of one sounding, with whatever else it says, and of all beside the soundings. */
const MAX_SOUNDING_BYTES = 65_536;
const MAX_DRAINED_BYTES = 262_144;
const MAX_LABEL_CHARACTERS = 256;
const MAX_UNIQUE_ID_CHARACTERS = 128;
const MAX_DETAILS_CHARACTERS = 4096;
/** Of the lists beside the soundings; their own elements hold nothing that is looked into. */
const MAX_DEPTH = 8;

const label = z.string().max(MAX_LABEL_CHARACTERS).nullish();
const details = <T extends z.core.$ZodLooseShape>(known: T) => z.looseObject(known).nullish();

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

/** Kept with fields that are not known, whose numbers must come back as they were sent. */
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
 * A body read as its bytes come: `push` for each piece, then `end`. One too many soundings is known as
 * soon as it comes. Held at any time: the columns, 32 bytes a sounding, and what is being parsed, of
 * 128 KiB of text at most and 256 KiB beside the soundings.
 */
export class BathymetryReader {
  readonly #soundings: SoundingsReader;
  readonly #body: LongListReader;
  readonly #textOf: (bytes: Uint8Array) => string;

  /** @param textOf UTF-8 without its byte order mark */
  constructor(limits: SoundingLimits, parse: ParseJson, textOf: (bytes: Uint8Array) => string) {
    this.#textOf = textOf;
    this.#soundings = new SoundingsReader(limits);
    const { maxSoundings: maxElements } = limits;
    const bounds = {
      maxElements,
      maxElementBytes: MAX_SOUNDING_BYTES,
      maxRestBytes: MAX_DRAINED_BYTES,
    };
    this.#body = new LongListReader('soundings', bounds, this.#soundings, parse);
  }

  /** @returns why the body is refused, and nothing more of it need be read */
  push(bytes: Uint8Array): ReadBathymetry | undefined {
    const refusal = this.#body.push(bytes);
    return refusal === undefined ? undefined : refused(refusal);
  }

  /** Soundings in the order they came, and what is said about them. */
  end(): ReadBathymetry {
    const read = this.#body.end();
    if ('refusal' in read) return refused(read.refusal);
    if (!isObject(read.rest)) return { kind: 'not-json' };
    const { soundings: list, ...rest } = read.rest;
    const faults: Fault[] = [];
    // Another value of that name may come behind the list, and is the one that counts.
    if (!Array.isArray(list)) faults.push({ path: 'soundings', message: 'must be a list' });
    else if (this.#soundings.count === 0) {
      faults.push({ path: 'soundings', message: 'must not be empty' });
    } else for (const fault of this.#soundings.faults) faults.push(fault);
    const about = readAbout(rest, faults);
    const text = this.#textOf(read.restBytes);
    for (const path of KEPT_WHOLE) {
      if (!keepsNumbersOf(path, text)) faults.push({ path, message: UNKEPT_NUMBER });
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
    const what = 'What the body holds beside the soundings';
    return { kind: 'too-large', what, limitBytes: MAX_DRAINED_BYTES };
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
    if (keptCharacters(known[path] ?? null) <= MAX_DETAILS_CHARACTERS) continue;
    const message = `must be at most ${MAX_DETAILS_CHARACTERS} characters of JSON, numbers in full`;
    faults.push({ path, message });
  }
  if (faults.length > 0) return undefined;
  const parsed = examine(aboutSchema, known);
  if (parsed.success) {
    // As they were sent: what the schema answers with lacks a key `__proto__`.
    const { platform, providerContactPoint } = known as AboutSoundings;
    return { ...parsed.data, platform, providerContactPoint };
  }
  for (const fault of faultsOf(parsed.error)) faults.push(fault);
  return undefined;
}

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
