// POST /api/v1/user-reports/bathymetry

import { createHash } from 'node:crypto';
import { sortedByTime } from '../../../shared/bathymetry/soundings.ts';
import {
  BathymetryReader,
  bathymetryAnswerSchema,
  bathymetrySchema,
  type ReadBathymetry,
} from '../../../shared/contract/bathymetry.ts';
import { appendTracks, type Ingest } from '../db/track-ingest.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import {
  addOutcomeLookup,
  IDEMPOTENCY_KEY,
  idempotencyKeyOf,
  withOutcomeLookup,
} from '../http/idempotency-key.ts';
import { hasLongBody, LIGHT_BODY_BYTES, statesLight } from '../http/light-body.ts';
import { checkMedia, notJson, parseJson, textOf, tooDeep } from '../http/read-json.ts';
import { readPieces } from '../http/read-pieces.ts';
import type { Caller } from '../identity/auth.ts';
import type { Settings } from '../runtime/env.ts';
import { ApiError, bodyTooLarge, invalidInput, tooManySoundings } from '../runtime/errors.ts';
import { MemoryReservation, WORK_BYTES } from '../runtime/memory-budget.ts';
import { callerOf, namedUserOf, USER_TOKEN } from './report-requests.ts';

export const BATHYMETRY_PATH = '/api/v1/user-reports/bathymetry';
export const BATHYMETRY_TAG = 'Bathymetry';

export const bathymetry: Endpoint = {
  method: 'post',
  path: BATHYMETRY_PATH,
  id: 'submitBathymetry',
  summary: 'Stores soundings as tracks.',
  description:
    'Send up to 50,000 soundings in any order. The service sorts them by time, splits them into tracks at gaps, and appends to the latest track of the same platform if there is no gap. Soundings that you send twice are stored twice, unless both requests have the same `Idempotency-Key`.',
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [IDEMPOTENCY_KEY, USER_TOKEN],
  body: {
    schema: bathymetrySchema,
    description:
      'Soundings in any order. Depths are in metres; times are ISO 8601 (UTC if there is no zone) or epoch milliseconds. Either all soundings are stored or none',
    example: {
      platform: { uniqueId: 'my-boat', name: 'My boat', type: 'sailing' },
      depthUnits: 'meters',
      timeUnits: 'ISO 8601',
      soundings: [
        { latitude: -30.02, longitude: -19.98, depth: 7.4, time: '2026-06-01T12:00:00Z' },
        { latitude: -30.0201, longitude: -19.9801, depth: 7.6, time: '2026-06-01T12:00:10Z' },
      ],
    },
  },
  answers: {
    201: jsonAnswer(
      'All soundings are stored; the response lists their tracks',
      bathymetryAnswerSchema,
    ),
    400: {
      description: 'A field is missing or invalid; `errors` lists the first ten',
      error: 'bad_bathymetry',
    },
    409: {
      description: 'The idempotency key was already used with a different body',
      error: 'idempotency_key_reused',
    },
    413: {
      description: 'The request has too many soundings, or the body is too large',
      error: 'too_many_soundings',
    },
  },
  isHeavy: hasLongBody,
  isCheckedFirst: true,
  heavyWorkerFailed: (c) =>
    addOutcomeLookup(new ApiError('outcome_unknown'), { idempotencyKey: writeKeyOf(c) }),
  handle: async (c) => {
    const caller = callerOf(c);
    const reservation = new MemoryReservation();
    try {
      return await storeSoundings(c, caller, reservation);
    } finally {
      reservation.release();
    }
  },
};

async function storeSoundings(
  c: AppContext,
  caller: Caller,
  reservation: MemoryReservation,
): Promise<Response> {
  const { ingest, nowMs } = await readIngest(c, reservation);
  return c.json(await storeIngest(c, caller, ingest, nowMs), 201, { 'cache-control': 'no-store' });
}

/** Stores soundings, and returns the body of the response. @throws ApiError 409, 503 */
export async function storeIngest(c: AppContext, caller: Caller, ingest: Ingest, nowMs: number) {
  const appended = await withOutcomeLookup(
    { idempotencyKey: ingest.key },
    appendTracks(c.env, caller, ingest, nowMs),
  );
  if (appended.outcome === 'other-body') throw new ApiError('idempotency_key_reused');
  const { merged, made } = appended;
  const tracks = [
    ...(merged === undefined ? [] : [{ ...merged, merged: true }]),
    ...made.map((track) => ({ ...track, merged: false })),
  ];
  return { tracks, totalPoints: ingest.soundings.count };
}

/**
 * The client's key or a generated one: a second attempt must find the result of the first, and so
 * must the client if it received neither response.
 */
export const writeKeyOf = (c: AppContext): string =>
  idempotencyKeyOf(c) ?? c.get('writeKey') ?? crypto.randomUUID();

/** @throws ApiError 413 for too many soundings, 400 with the first invalid fields, 415 */
async function readIngest(
  c: AppContext,
  reservation: MemoryReservation,
): Promise<{ ingest: Ingest; nowMs: number }> {
  const settings = c.get('settings');
  const { read, bodySha256 } = await readBody(c, reservation);
  const key = writeKeyOf(c);
  const { platform, providerContactPoint, timeUnits, convention, externalUserId, share } =
    read.about;
  const ingest = {
    soundings: sortedByTime(read.soundings),
    limits: { gapMs: settings.trackGapMs, maxBytes: settings.maxTrackBytes },
    externalUserId: namedUserOf(c, externalUserId) ?? '',
    platformUid: platform?.uniqueId ?? '',
    platform: platform ?? undefined,
    provider: providerContactPoint ?? undefined,
    timeUnits: timeUnits ?? undefined,
    convention: convention ?? undefined,
    share: share ?? undefined,
    key,
    bodySha256,
  };
  // The time after the upload, which may take long.
  return { ingest, nowMs: Date.now() };
}

/** Limits of the soundings of a request. */
export const soundingLimits = (settings: Settings) => ({
  maxSoundings: settings.maxSoundingsPerRequest,
  minDepthMeters: settings.minDepthMeters,
  maxDepthMeters: settings.maxDepthMeters,
  earliestTime: settings.minTime,
  latestTime: Date.now() + settings.maxFutureMs,
});

/** The maximum size of the body of a request. */
export const maxBodyBytes = (c: AppContext): number => {
  const { maxSoundingsBodyBytes: most } = c.get('settings');
  return statesLight(c) ? Math.min(LIGHT_BODY_BYTES, most) : most;
};

/** Parses the body while it arrives and computes its digest. @throws ApiError 400, 413, 415 */
async function readBody(c: AppContext, reservation: MemoryReservation) {
  checkMedia(c);
  const settings = c.get('settings');
  const reader = new BathymetryReader(soundingLimits(settings), parseJson, textOf);
  const digest = createHash('sha256');
  let size = 0;
  const sound = (read: ReadBathymetry) => {
    if (read.kind === 'sound') return read;
    if (read.kind === 'too-many') throw tooManySoundings(settings.maxSoundingsPerRequest);
    if (read.kind === 'too-large') throw bodyTooLarge(read.limitBytes, read.what);
    if (read.kind === 'too-deep') throw tooDeep();
    if (read.kind === 'not-json') throw notJson();
    throw invalidInput('bad_bathymetry', read.faults);
  };
  await readPieces(c.req.raw, maxBodyBytes(c), (piece) => {
    const refusal = reader.push(piece);
    if (refusal !== undefined) sound(refusal);
    digest.update(piece);
    size += piece.length;
    // Grows with the body: a slow client must not clear the caches at once.
    reservation.grow(Math.min(2 * size, WORK_BYTES.upload));
  });
  return { read: sound(reader.end()), bodySha256: digest.digest('hex') };
}
