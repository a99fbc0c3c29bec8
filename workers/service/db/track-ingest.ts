// Stores the soundings of a request with one call, all or nothing.

import { v7 as uuidV7 } from 'uuid';
import { pointSizes } from '../../../shared/bathymetry/canonical-points.ts';
import { packSoundings } from '../../../shared/bathymetry/packed-points.ts';
import { boundsOfSoundings, type Soundings } from '../../../shared/bathymetry/soundings.ts';
import {
  firstGap,
  runningSizes,
  splitTracks,
  type TrackLimits,
} from '../../../shared/bathymetry/split-tracks.ts';
import type { Share } from '../../../shared/crowd/contribution.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts';
import { DATABASE_LIMIT_MS, writeDatabase } from './ask-database.ts';
import { toBase64 } from './base64.ts';
import { trackIds } from './track-ids.ts';

/** The soundings and other fields of a request. */
export interface Ingest {
  /** Sorted by time; at least one. */
  readonly soundings: Soundings;
  readonly limits: TrackLimits;
  readonly externalUserId: string;
  readonly platformUid: string;
  readonly platform: object | undefined;
  readonly provider: object | undefined;
  readonly timeUnits: string | undefined;
  readonly convention: string | undefined;
  /** By default the consent of the account. */
  readonly share: Share | undefined;
  /** Idempotency key: a repeated request returns the original result. */
  readonly key: string;
  /** Hexadecimal. */
  readonly bodySha256: string;
}

interface TrackSummary {
  readonly id: string;
  readonly pointCount: number;
  /** Epoch milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
}

export type Appended =
  | {
      /** `repeated`: an earlier request with the same key did it. */
      readonly outcome: 'made' | 'repeated';
      /** The state after the request. */
      readonly merged: TrackSummary | undefined;
      readonly made: readonly TrackSummary[];
    }
  | { readonly outcome: 'other-body' };

/** Points are base64, because the interface of the database is JSON. */
const APPEND = `SELECT * FROM append_tracks(${Array.from({ length: 27 }, (_, i) =>
  i === 13 ? "decode($14, 'base64')" : `$${i + 1}`,
).join(', ')})`;

/** Time limit: one additional second per ten thousand soundings. */
export const limitFor = (soundings: number): number =>
  DATABASE_LIMIT_MS + Math.round(Math.min(soundings, MAX_TIMED_SOUNDINGS) / 10);
const MAX_TIMED_SOUNDINGS = 75_000;

/** Points to measure before yielding to the event loop: some milliseconds of work. */
const SIZED_AT_ONCE = 5000;

async function sizesInParts(soundings: Soundings): Promise<Int32Array> {
  const sizes = new Int32Array(soundings.count);
  for (let from = 0; from < soundings.count; from += SIZED_AT_ONCE) {
    if (from > 0) await yieldToEventLoop();
    const end = Math.min(from + SIZED_AT_ONCE, soundings.count);
    sizes.set(pointSizes(soundings, from, end), from);
  }
  return sizes;
}

/** Stores all soundings or none. @throws ApiError 503; 401 for a revoked token */
export async function appendTracks(
  env: Env,
  { tokenId, generation, account, subject }: Caller,
  ingest: Ingest,
  nowMs: number,
): Promise<Appended> {
  const { soundings, limits, externalUserId, platformUid, platform, provider } = ingest;
  const sizes = await sizesInParts(soundings);
  const cuts = splitTracks(soundings.times, sizes, limits);
  const first = platformUid === '' ? 0 : firstGap(soundings.times, limits.gapMs);
  const isLong = soundings.count > SIZED_AT_ONCE;
  if (isLong) await yieldToEventLoop();
  const points = toBase64(packSoundings(soundings));
  if (isLong) await yieldToEventLoop();
  const aboutId = uuidV7();
  const ids = list(trackIds(cuts.length, nowMs));
  const stops = list(cuts.map(({ to }) => to));
  const bytes = list(cuts.map((cut) => cut.bytes));
  const boxes = cuts.map(({ from, to }) => boundsOfSoundings(soundings, from, to));
  const [wests, souths, easts, norths] = [0, 1, 2, 3].map((side) =>
    list(boxes.map((box) => box[side])),
  );
  const running = list(runningSizes(sizes, first));
  const runningBox = list(boundsOfSoundings(soundings, 0, first));
  const [row] = await writeDatabase(
    env,
    (write) =>
      write.call<AppendedRow>(APPEND, [
        tokenId,
        generation,
        account,
        subject,
        externalUserId,
        ingest.key,
        ingest.bodySha256,
        nowMs,
        platformUid,
        json(platform),
        json(provider),
        ingest.timeUnits ?? null,
        ingest.convention ?? null,
        points,
        aboutId,
        ids,
        stops,
        bytes,
        wests,
        souths,
        easts,
        norths,
        running,
        runningBox,
        limits.gapMs,
        limits.maxBytes,
        ingest.share ?? null,
      ]),
    { limitMs: limitFor(soundings.count) },
  );
  return appendedOf(row!, soundings.times);
}

interface AppendedRow {
  readonly outcome: Appended['outcome'];
  /** JSON. */
  readonly merged: string | null;
  readonly taken: number;
  readonly ids: string;
  readonly stops: string;
}

/** The times come from the request, so the database does not return them. */
function appendedOf(
  { outcome, merged, taken, ids, stops }: AppendedRow,
  times: Float64Array,
): Appended {
  if (outcome === 'other-body') return { outcome };
  const ends = stops === '' ? [] : stops.split(',').map(Number);
  let from = taken;
  const newTracks =
    ids === ''
      ? []
      : ids.split(',').map((id, i) => {
          const to = ends[i]!;
          const summary = {
            id,
            pointCount: to - from,
            startTime: times[from]!,
            endTime: times[to - 1]!,
          };
          from = to;
          return summary;
        });
  return {
    outcome,
    merged: merged === null ? undefined : (JSON.parse(merged) as TrackSummary),
    made: newTracks,
  };
}

/** A PostgreSQL array literal, so that the list is a single parameter. */
const list = (values: ArrayLike<unknown> & Iterable<unknown>): string =>
  `{${Array.from(values).join(',')}}`;

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);
