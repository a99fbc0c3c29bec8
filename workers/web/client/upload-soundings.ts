// Uploads soundings in batches, sorted by time. The idempotency key of a batch consists of the name of the
// upload and the position of the batch. The progress is stored, so that an upload can be resumed.

import { readSoundingTime } from '../../../shared/bathymetry/sounding-time.ts';
import { LeadlineError, TooLargeError } from './errors.ts';
import { randomId } from './random-id.ts';
import type { CallOptions, KeyedOptions } from './send-request.ts';
import { type KeyValueStorage, readItem, writeItem } from './storage.ts';
import type { NewSoundings, SoundingsAnswer, Track, TrackPage, TrackQuery } from './wire.ts';

/** The requests that an upload sends. */
export interface SoundingRequests {
  /** Sends one request with at most 50,000 soundings. */
  send(soundings: NewSoundings, options?: KeyedOptions): Promise<SoundingsAnswer>;
  /** One page of the caller's own tracks, newest first. */
  tracks(query?: TrackQuery, options?: CallOptions): Promise<TrackPage>;
  track(id: string, options?: CallOptions): Promise<Track>;
}

export interface UploadOptions extends CallOptions {
  /**
   * 1 to 128 printable ASCII characters without spaces, unique for each upload of the sender. Repeating an
   * upload with the same name resumes it.
   */
  readonly name?: string;
  /** Stores the progress under `leadline-upload.` and the name, until the app removes it. */
  readonly storage?: KeyValueStorage;
  /** Soundings per request. Default: 20,000. Reduced if the service accepts fewer. */
  readonly batchSize?: number;
  /** Called after each batch. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
}

/** Stored progress of an upload. */
interface Progress {
  readonly digest: number;
  readonly total: number;
  sent: number;
  tracks: SoundingsAnswer['tracks'];
  /** The batch whose outcome is unknown: its size, and the time of its first attempt (epoch milliseconds). */
  underWay?: { readonly count: number; readonly sinceMs: number } | undefined;
}

type Sounding = NewSoundings['soundings'][number];

const BATCH_SIZE = 20_000;
const NAME = /^[\x21-\x7e]{1,128}$/;
/** The service stores keys for a day. One hour less, because clocks differ. */
const KEY_LIFETIME_MS = 23 * 3_600_000;

/** Maximum length of a stored `Progress` without tracks, in characters. */
export const PROGRESS_ROOM = 160;

export const uploadStorageKey = (name: string): string => `leadline-upload.${name}`;

/** @throws LeadlineError if a batch fails; repeat the call to resume the upload */
export async function uploadSoundings(
  to: SoundingRequests,
  { soundings: given, ...about }: NewSoundings,
  options: UploadOptions = {},
): Promise<SoundingsAnswer> {
  const { name = randomId(), storage, batchSize = BATCH_SIZE, onProgress, signal } = options;
  if (!NAME.test(name))
    throw new LeadlineError(
      'The name of an upload must be 1 to 128 printable ASCII characters without spaces.',
    );
  const soundings = sortedByTime(given);
  const total = soundings.length;
  const digest = digestOf(soundings);
  const place = uploadStorageKey(name);
  const kept = storage === undefined ? undefined : await readItem<Progress>(storage, place);
  if (kept !== undefined && (kept.digest !== digest || kept.total !== total)) {
    throw new LeadlineError(`The name ${name} is in use by a different upload.`);
  }
  const progress: Progress = kept ?? { digest, total, sent: 0, tracks: [] };
  const keep = async () => {
    if (storage === undefined) return;
    // If storage is full, store the progress without the tracks.
    await writeItem(storage, place, progress).catch(() =>
      writeItem(storage, place, { ...progress, tracks: [] }),
    );
  };
  let size = batchSize;
  while (progress.sent < total) {
    const { sent, underWay } = progress;
    const count = underWay?.count ?? Math.min(size, total - sent);
    const end = sent + count;
    const batch = { ...about, soundings: soundings.slice(sent, end) };
    const isForgotten = underWay !== undefined && Date.now() - underWay.sinceMs > KEY_LIFETIME_MS;
    const upToEnd = () => ({ ...about, soundings: soundings.slice(0, end) });
    if (isForgotten && (await hasArrived(to, upToEnd(), signal))) {
      progress.sent = end;
    } else {
      if (underWay === undefined || isForgotten) {
        progress.underWay = { count, sinceMs: Date.now() };
        await keep();
      }
      try {
        const key = `${name}.${total}.${digest}.${sent}.${count}`;
        const { tracks } = await to.send(batch, { key, signal });
        progress.tracks = joined(progress.tracks, tracks);
      } catch (error) {
        if (!(error instanceof TooLargeError) || error.mayHaveSucceeded || count === 1) throw error;
        size = Math.ceil(count / 2);
        progress.underWay = undefined;
        continue;
      }
      progress.sent = end;
    }
    progress.underWay = undefined;
    await keep();
    onProgress?.({ sent: progress.sent, total });
  }
  return { tracks: progress.tracks, totalPoints: total };
}

/** Sorts by time. Invalid times come first, so that the service rejects them before it stores anything. */
function sortedByTime(soundings: readonly Sounding[]): Sounding[] {
  return soundings
    .map((sounding) => ({ sounding, time: readSoundingTime(sounding.time) ?? -Infinity }))
    .sort((a, b) => (a.time === b.time ? 0 : a.time - b.time))
    .map(({ sounding }) => sounding);
}

/** Hash to detect different soundings under the same name (FNV-1a, 32 bits). */
function digestOf(soundings: readonly Sounding[]): number {
  let hash = 0x811c9dc5;
  for (const { latitude, longitude, depth, time } of soundings) {
    const text = `${latitude},${longitude},${depth},${time};`;
    for (let i = 0; i < text.length; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
  }
  return hash >>> 0;
}

/** Merges track lists. A track that occurs in several responses is listed once, in its last state. */
function joined(
  before: SoundingsAnswer['tracks'],
  after: SoundingsAnswer['tracks'],
): SoundingsAnswer['tracks'] {
  const byId = new Map(before.map((track) => [track.id, track]));
  for (const track of after) {
    byId.set(track.id, { ...track, merged: byId.get(track.id)?.merged ?? track.merged });
  }
  return [...byId.values()];
}

/**
 * Whether the service has stored all soundings up to the end of a batch. Batches are stored completely or
 * not at all. Equal soundings may be in earlier batches too, so it counts them.
 */
async function hasArrived(
  at: SoundingRequests,
  { soundings, platform, externalUserId }: NewSoundings,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const last = soundings.at(-1);
  const time = readSoundingTime(last?.time);
  if (last === undefined || time === undefined) return false;
  const countIn = (points: readonly Sounding[]) =>
    points.filter(
      (point) =>
        point.depth === last.depth &&
        point.latitude === last.latitude &&
        point.longitude === last.longitude &&
        readSoundingTime(point.time) === time,
    ).length;
  let missing = countIn(soundings);
  const filter = {
    ...(platform?.uniqueId == null ? {} : { platform: platform.uniqueId }),
    ...(externalUserId == null ? {} : { externalUserId }),
    limit: 500,
  };
  let cursor: string | null | undefined;
  do {
    const query = typeof cursor === 'string' ? { ...filter, cursor } : filter;
    const page = await at.tracks(query, { signal });
    for (const { id, startTime, endTime } of page.tracks) {
      if (time < startTime || time > endTime) continue;
      const { points } = await at.track(id, { signal });
      missing -= countIn(points);
      if (missing <= 0) return true;
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return false;
}
