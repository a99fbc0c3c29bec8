// Many soundings in batches, in order of time, one after another. Each batch has an idempotency key made
// of the upload's name and its place in it; the storage remembers how far the upload has come.

import { readSoundingTime } from '../../../shared/bathymetry/sounding-time.ts';
import { LeadlineError, TooLargeError } from './errors.ts';
import { randomId } from './random-id.ts';
import type { CallOptions } from './send-request.ts';
import type { Soundings } from './soundings.ts';
import { type KeyValueStorage, readItem, writeItem } from './storage.ts';
import type { NewSoundings, SoundingsAnswer } from './wire.ts';

export interface UploadOptions extends CallOptions {
  /**
   * 1 to 128 printable characters without spaces, another for each upload of the sender. The same upload
   * of the same name goes on where it broke off.
   */
  readonly name?: string;
  /** Where that is remembered, below `leadline-upload.` and the name, until the app removes it. */
  readonly storage?: KeyValueStorage;
  /** Soundings a request, 20,000 unless said; fewer where the service takes fewer. */
  readonly batchSize?: number;
  /** Told after each batch. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
}

/** How far an upload has come. */
interface Progress {
  readonly digest: number;
  readonly total: number;
  sent: number;
  tracks: SoundingsAnswer['tracks'];
  /** What was perhaps sent: how many, and when first, epoch milliseconds. */
  underWay?: { readonly count: number; readonly sinceMs: number } | undefined;
}

type Sounding = NewSoundings['soundings'][number];

const BATCH_SIZE = 20_000;
const NAME = /^[\x21-\x7e]{1,128}$/;
/** The service knows a key for a day; an hour less, for clocks that differ. */
const KEY_LIFETIME_MS = 23 * 3_600_000;

/** Room for `Progress` without tracks, in characters: every number in it at its longest. */
export const PROGRESS_ROOM = 160;

export const uploadStorageKey = (name: string): string => `leadline-upload.${name}`;

/** @throws LeadlineError where a batch fails; the same call again goes on with it */
export async function uploadSoundings(
  to: Soundings,
  { soundings: given, ...about }: NewSoundings,
  options: UploadOptions = {},
): Promise<SoundingsAnswer> {
  const { name = randomId(), storage, batchSize = BATCH_SIZE, onProgress, signal } = options;
  if (!NAME.test(name)) throw new LeadlineError('The name of an upload is printable ASCII.');
  const soundings = sortedByTime(given);
  const total = soundings.length;
  const digest = digestOf(soundings);
  const place = uploadStorageKey(name);
  const kept = storage === undefined ? undefined : await readItem<Progress>(storage, place);
  if (kept !== undefined && (kept.digest !== digest || kept.total !== total)) {
    throw new LeadlineError(`Another upload has the name ${name}.`);
  }
  const progress: Progress = kept ?? { digest, total, sent: 0, tracks: [] };
  const keep = async () => {
    if (storage === undefined) return;
    // In a full storage how far the upload has come goes before what the tracks were.
    await writeItem(storage, place, progress).catch(() =>
      writeItem(storage, place, { ...progress, tracks: [] }),
    );
  };
  let size = batchSize;
  while (progress.sent < total) {
    const { sent, underWay } = progress;
    const count = underWay?.count ?? Math.min(size, total - sent);
    const batch = { ...about, soundings: soundings.slice(sent, sent + count) };
    const isForgotten = underWay !== undefined && Date.now() - underWay.sinceMs > KEY_LIFETIME_MS;
    if (isForgotten && (await hasArrived(to, batch, signal))) {
      progress.sent += count;
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
        if (!(error instanceof TooLargeError) || error.mayBeDone || count === 1) throw error;
        size = Math.ceil(count / 2);
        progress.underWay = undefined;
        continue;
      }
      progress.sent += count;
    }
    progress.underWay = undefined;
    await keep();
    onProgress?.({ sent: progress.sent, total });
  }
  return { tracks: progress.tracks, totalPoints: total };
}

/** What has no time that can be read goes first: it is refused before anything is taken. */
function sortedByTime(soundings: readonly Sounding[]): Sounding[] {
  return soundings
    .map((sounding) => ({ sounding, time: readSoundingTime(sounding.time) ?? -Infinity }))
    .sort((a, b) => (a.time === b.time ? 0 : a.time - b.time))
    .map(({ sounding }) => sounding);
}

/** Tells other soundings under the same name (FNV-1a, 32 bits). */
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

/** A track that later batches were appended to is told once, as it is now. */
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

/** Whether a batch is among one's own tracks: all of it was taken, or nothing. */
async function hasArrived(
  at: Soundings,
  { soundings, platform, externalUserId }: NewSoundings,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [first] = soundings;
  const time = readSoundingTime(first?.time);
  if (first === undefined || time === undefined) return false;
  const filter = {
    ...(platform?.uniqueId == null ? {} : { platform: platform.uniqueId }),
    ...(externalUserId == null ? {} : { externalUserId }),
    limit: 500,
  };
  let cursor: string | null | undefined;
  do {
    const question = typeof cursor === 'string' ? { ...filter, cursor } : filter;
    const page = await at.tracks(question, { signal });
    for (const { id, startTime, endTime } of page.tracks) {
      if (time < startTime || time > endTime) continue;
      const { points } = await at.track(id, { signal });
      const isThere = points.some(
        (point) =>
          point.time === time &&
          point.latitude === first.latitude &&
          point.longitude === first.longitude &&
          point.depth === first.depth,
      );
      if (isThere) return true;
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return false;
}
