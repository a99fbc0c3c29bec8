// POST /api/v1/bathymetry/import

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LogSoundings, TooManySoundings } from '../../../shared/bathymetry/logs/log-soundings.ts';
import { logReader } from '../../../shared/bathymetry/logs/read-log.ts';
import { sortedByTime } from '../../../shared/bathymetry/soundings.ts';
import { examine } from '../../../shared/contract/examine.ts';
import { faultsOf } from '../../../shared/contract/faults.ts';
import {
  faultsOfLog,
  IMPORT_PARAMETERS,
  importAnswerSchema,
  importQuerySchema,
} from '../../../shared/contract/log-import.ts';
import type { Ingest } from '../db/track-ingest.ts';
import { type AppContext, type Endpoint, jsonAnswer, type Parameter } from '../http/endpoint.ts';
import { addOutcomeLookup, IDEMPOTENCY_KEY } from '../http/idempotency-key.ts';
import { hasLongBody } from '../http/light-body.ts';
import { queryOf } from '../http/query.ts';
import { checkEncoding } from '../http/read-json.ts';
import { readPieces } from '../http/read-pieces.ts';
import { ApiError, invalidInput, tooManySoundings } from '../runtime/errors.ts';
import { joiner } from '../runtime/join-chunks.ts';
import { MemoryReservation, WORK_BYTES } from '../runtime/memory-budget.ts';
import {
  BATHYMETRY_TAG,
  maxBodyBytes,
  soundingLimits,
  storeIngest,
  writeKeyOf,
} from './bathymetry.ts';
import { callerOf, namedUserOf, USER_TOKEN } from './report-requests.ts';

/** A reader needs up to 70 µs for each piece of a file. */
const JOINED_BYTES = 4096;

const parameters: readonly Parameter[] = Object.entries(IMPORT_PARAMETERS).map(
  ([name, schema]) => ({
    name,
    in: 'query',
    description: schema.description ?? '',
    schema,
    ...(name === 'format' ? { required: true, example: 'gpx' } : {}),
  }),
);

export const bathymetryImport: Endpoint = {
  method: 'post',
  path: '/api/v1/bathymetry/import',
  id: 'importSoundings',
  isStrict: true,
  summary: 'Stores the soundings of a log file as tracks.',
  description:
    'The body is the file: a log of NMEA 0183 or Signal K, GPX with depths, or CSV with the columns latitude, longitude, depth and time. The soundings are stored as those of an upload, with the same limits. In NMEA and Signal K logs, other data and damaged lines are ignored, and so is an NMEA sentence without a checksum after one of the same talker and type with a checksum; in GPX and CSV, `errors` lists the first ten damaged lines, and nothing is stored. An unknown query parameter is an error: a misspelt `depthReference` would make the depths wrong.',
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [...parameters, IDEMPOTENCY_KEY, USER_TOKEN],
  body: {
    schema: z.string(),
    contentType: 'application/octet-stream',
    description: 'The file, in UTF-8. Any content type is accepted',
    // Without quotation marks, which the library of the code samples does not escape in Python.
    example:
      "<gpx version='1.1'><trk><trkseg><trkpt lat='-30.02' lon='-19.98'><time>2026-06-01T12:00:00Z</time><extensions><depth>7.4</depth></extensions></trkpt></trkseg></trk></gpx>",
  },
  answers: {
    201: jsonAnswer(
      'All soundings of the file are stored; the response lists their tracks',
      importAnswerSchema,
      {
        tracks: [
          {
            id: '0199f3a2-6c1e-7d5c-9f7e-2c4f1d3b6a90',
            pointCount: 2,
            startTime: 1_780_315_200_000,
            endTime: 1_780_315_210_000,
            merged: false,
          },
        ],
        totalPoints: 2,
        ignored: 0,
      },
    ),
    400: {
      description: 'A parameter or line is invalid, or the file has no soundings',
      error: 'bad_bathymetry',
    },
    409: {
      description: 'The idempotency key was already used with a different body',
      error: 'idempotency_key_reused',
    },
    413: { description: 'The file has too many soundings or bytes', error: 'too_many_soundings' },
  },
  isHeavy: hasLongBody,
  isCheckedFirst: true,
  heavyWorkerFailed: (c) =>
    addOutcomeLookup(new ApiError('outcome_unknown'), { idempotencyKey: writeKeyOf(c) }),
  handle: async (c) => {
    const reservation = new MemoryReservation();
    try {
      const { ingest, ignored } = await readImport(c, reservation);
      const stored = await storeIngest(c, callerOf(c), ingest, Date.now());
      return c.json({ ...stored, ignored }, 201, { 'cache-control': 'no-store' });
    } finally {
      reservation.release();
    }
  },
};

/** The parameters as texts, which the schema of the query checks. */
const TEXTS = Object.fromEntries(
  Object.keys(IMPORT_PARAMETERS).map((name) => [
    name,
    {
      ...{ description: '', rule: 'has several values', otherwise: undefined },
      read: (text: string) => text,
    },
  ]),
);

/** @throws ApiError 400, 413 */
async function readImport(
  c: AppContext,
  reservation: MemoryReservation,
): Promise<{ ingest: Ingest; ignored: number }> {
  checkEncoding(c);
  const settings = c.get('settings');
  const parsed = examine(importQuerySchema, queryOf(c, TEXTS, 'bad_bathymetry'));
  if (!parsed.success) throw invalidInput('bad_bathymetry', faultsOf(parsed.error));
  const { format, depthUnits, platform, name, externalUserId, share, ...offsets } = parsed.data;
  const log = new LogSoundings(soundingLimits(settings), offsets.depthReference);
  if (offsets.transducerDepth !== undefined) log.setTransducerDepth(offsets.transducerDepth);
  const reader = logReader(format, log, depthUnits);
  const digest = createHash('sha256');
  // With the same key, other parameters are another request.
  digest.update(new TextEncoder().encode(JSON.stringify(parsed.data)));
  let size = 0;
  try {
    const { push, end } = joiner(JOINED_BYTES, (piece) => {
      reader.push(piece);
      digest.update(piece);
      size += piece.length;
      reservation.grow(Math.min(2 * size, WORK_BYTES.upload));
    });
    await readPieces(c.req.raw, maxBodyBytes(c), push);
    end();
    await reader.end();
  } catch (error) {
    if (error instanceof TooManySoundings) throw tooManySoundings(settings.maxSoundingsPerRequest);
    throw error;
  }
  const found = log.all();
  if (log.faults.length > 0) throw invalidInput('bad_bathymetry', faultsOfLog(log.faults));
  if (found === undefined) {
    const message = `has no soundings; ${log.ignored} lines or points were ignored. Depths of NMEA and Signal K logs need a position that is at most ten seconds older, and waypoints of GPX need a time`;
    throw invalidInput('bad_bathymetry', [{ path: 'body', message }]);
  }
  const { draft, depthReference: wanted = found.reference } = offsets;
  // Many sounders write the depth from any reference as that below the transducer.
  const depthReference = found.reference === 'transducer' ? wanted : found.reference;
  const vessel = {
    ...(platform === undefined ? {} : { uniqueId: platform }),
    ...(name === undefined ? {} : { name }),
    ...{ depthReference, transducerDepth: log.transducerDepth, draft },
  };
  const ingest = {
    soundings: sortedByTime(found.soundings),
    limits: { gapMs: settings.trackGapMs, maxBytes: settings.maxTrackBytes },
    externalUserId: namedUserOf(c, externalUserId) ?? '',
    platformUid: platform ?? '',
    platform: vessel,
    provider: undefined,
    timeUnits: undefined,
    convention: format,
    share,
    key: writeKeyOf(c),
    bodySha256: digest.digest('hex'),
  };
  return { ingest, ignored: log.ignored };
}
