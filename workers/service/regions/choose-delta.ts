// The changes of a region between two builds. Tiles of the same part are equal. Other tiles that may
// be equal are read from both builds and compared. Data copied from the old file is therefore exact.

import { type Manifest, manifestKey } from '../../../shared/chart/manifest.ts';
import { PartIndex, placeOf } from '../../../shared/chart/part-index.ts';
import { readManifest } from '../../../shared/chart/read-manifest.ts';
import type { RegionId } from '../../../shared/contract/region.ts';
import {
  type Candidate,
  candidatesOf,
  type DeltaNote,
  encodeDeltaHead,
  equalBytes,
  planDelta,
} from '../../../shared/region/delta.ts';
import {
  madePiece,
  type Piece,
  type RegionPart,
  type RegionPlan,
  TILESETS,
} from '../../../shared/region/plan-region.ts';
import { ApiError, deltaTooLarge } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { boundedCache, MemoryReservation, WORK_BYTES } from '../runtime/memory-budget.ts';
import { sha256 } from '../runtime/sha256.ts';
import { withinLimit } from '../runtime/time-limit.ts';
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts';
import { bytesOfPieces, planOf, type RegionContext } from './choose-region.ts';
import { readArchive, type SourceOf } from './read-sources.ts';

/** Limit for both files together; both are read to find equal tiles. */
const MAX_COMPARED_BYTES = 256 * 1024 * 1024;
const MAX_READ_BYTES = 4 * 1024 * 1024;
const GAP_BYTES = 256 * 1024;
/** The platform allows a thousand subrequests per request. */
const MAX_READS = 800;

export interface PlannedDelta {
  readonly note: DeltaNote;
  readonly pieces: readonly Piece[];
  readonly bytes: number;
}

/** Cache; keys contain the ids of both files. A delta is fetched in several ranges. */
const deltas = boundedCache<PlannedDelta>('regionPlans', {
  sizeOf: ({ pieces }) => bytesOfPieces(pieces),
  mostOfOne: 1,
  share: 0.25,
});

/**
 * @throws ApiError 404 if the older file is unknown, 413 if too much data would be compared, 503 if
 *   an archive cannot be read
 */
export async function deltaOf(
  context: RegionContext,
  now: RegionPlan,
  from: RegionId,
): Promise<PlannedDelta> {
  const key = `${from.text} ${now.note.id}`;
  const delta = deltas.get(key) ?? (await context.heavily(() => makeDelta(context, now, from)));
  deltas.set(key, delta);
  return delta;
}

async function makeDelta(
  context: RegionContext,
  now: RegionPlan,
  from: RegionId,
): Promise<PlannedDelta> {
  const { env, cost } = context;
  const manifest =
    from.build === context.manifest.buildId ? context.manifest : await oldManifest(context, from);
  const old = await planOf({
    ...context,
    manifest,
    maxBytes: MAX_COMPARED_BYTES,
    // Counted as part of the work of the delta.
    heavily: (work) => work(),
  }).catch((error: unknown) => {
    // A smaller box would be another file.
    const isTooLarge = error instanceof ApiError && error.code === 'region_too_large';
    throw isTooLarge ? deltaTooLarge(MAX_COMPARED_BYTES) : error;
  });
  // The layout differs: a different box, or a different version of the service.
  if (old.note.id.split('.')[1] !== from.layout) throw new ApiError('region_not_known');
  if (old.bytes + now.bytes > MAX_COMPARED_BYTES) throw deltaTooLarge(MAX_COMPARED_BYTES);
  const reservation = new MemoryReservation();
  reservation.grow(WORK_BYTES.region);
  try {
    const same = await equalOnes(
      { env, manifest, cost },
      { env, manifest: context.manifest, cost },
      candidatesOf(old, now),
    );
    const { note, pieces } = planDelta(old, now, same, old.note.id === from.text);
    return placed({ ...note, from: { ...note.from, id: from.text } }, pieces);
  } finally {
    reservation.release();
  }
}

/** A delta as a file: its header, then the new bytes. */
function placed(note: DeltaNote, pieces: readonly Piece[]): PlannedDelta {
  const head = encodeDeltaHead(note);
  const all: Piece[] = [{ ...madePiece('delta', head), at: 0 }];
  let at = head.length;
  for (const piece of pieces) {
    all.push({ ...piece, at });
    at += piece.length;
  }
  return { note, pieces: all, bytes: at };
}

async function oldManifest({ env, manifest: { set }, cost }: RegionContext, { build }: RegionId) {
  cost.bucketReads++;
  const textOf = async () => (await env.TILES.get(manifestKey(build)))?.text();
  const text = await withinLimit(textOf()).catch((error: unknown) => {
    logFault('older build', error);
    throw new ApiError('charts_unavailable');
  });
  const manifest = text && (await readManifest(text, sha256).catch(() => undefined));
  if (!manifest || manifest.buildId !== build) throw new ApiError('region_not_known');
  // Charts of another account. Builds of the public charts are known to every caller.
  if (manifest.set !== undefined && manifest.set !== set) throw new ApiError('region_not_known');
  return manifest;
}

/** The candidates whose bytes are equal in both builds. */
async function equalOnes(
  old: SourceOf,
  now: SourceOf,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  // A build never changes.
  if (old.manifest.buildId === now.manifest.buildId) return [...candidates];
  const isKnown = ({ part, old: before, now: after }: Candidate) =>
    contentAt(old.manifest, part, before.from) === contentAt(now.manifest, part, after.from);
  const same = candidates.filter(isKnown);
  const groups = gathered(candidates.filter((candidate) => !isKnown(candidate)));
  if (2 * groups.length > MAX_READS) throw deltaTooLarge(MAX_COMPARED_BYTES);
  for (const { part, of } of groups) {
    const [before, after] = await Promise.all([
      readGroup(
        old,
        part,
        of.map((one) => one.old),
      ),
      readGroup(
        now,
        part,
        of.map((one) => one.now),
      ),
    ]);
    for (const one of of) {
      if (equalBytes(before(one.old), after(one.now))) same.push(one);
    }
    await yieldToEventLoop();
  }
  return same;
}

/** Bytes at the same place of the same part are equal. */
function contentAt({ archives }: Manifest, source: RegionPart, address: number): string {
  const { part, offset } = placeOf(address);
  const archive = archives.find(({ tileset }) => tileset === TILESETS[source])!;
  return `${PartIndex.of(archive).parts[part]!.sha256}@${offset}`;
}

interface Group {
  readonly part: RegionPart;
  readonly of: Candidate[];
}

type Stretch = { from: number; to: number };

/** Groups of candidates that are close together in both archives. */
function gathered(candidates: readonly Candidate[]): Group[] {
  const groups: Group[] = [];
  let old: Stretch = { from: 0, to: 0 };
  let now: Stretch = { from: 0, to: 0 };
  for (const candidate of candidates) {
    const group = groups.at(-1);
    const inOld = widened(old, candidate.old);
    const inNow = widened(now, candidate.now);
    if (group?.part === candidate.part && inOld !== undefined && inNow !== undefined) {
      group.of.push(candidate);
      [old, now] = [inOld, inNow];
    } else {
      groups.push({ part: candidate.part, of: [candidate] });
      [old, now] = [candidate.old, candidate.now].map(({ from, length }) => {
        return { from, to: from + length };
      }) as [Stretch, Stretch];
    }
  }
  return groups;
}

/** The range extended by a tile; `undefined` if that would read too many other bytes. */
function widened(
  { from, to }: Stretch,
  tile: { readonly from: number; readonly length: number },
): Stretch | undefined {
  const end = tile.from + tile.length;
  if (tile.from > to + GAP_BYTES || end < from - GAP_BYTES) return undefined;
  const wider = { from: Math.min(from, tile.from), to: Math.max(to, end) };
  return wider.to - wider.from <= MAX_READ_BYTES ? wider : undefined;
}

async function readGroup(
  source: SourceOf,
  part: RegionPart,
  tiles: readonly { readonly from: number; readonly length: number }[],
) {
  const from = tiles.reduce((least, one) => Math.min(least, one.from), Number.POSITIVE_INFINITY);
  const to = tiles.reduce((most, one) => Math.max(most, one.from + one.length), 0);
  const bytes = await readArchive(source, part, from, to - from);
  return (tile: { readonly from: number; readonly length: number }) =>
    bytes.subarray(tile.from - from, tile.from - from + tile.length);
}
