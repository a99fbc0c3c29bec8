// A region of a build: finds its entries in the directories of the archives and plans its file.

import type { Entry } from 'pmtiles';
import {
  type Piece,
  planRegion,
  type RegionPart,
  type RegionPlan,
  TILESETS,
  worldsOf,
} from '../../../shared/region/plan-region.ts';
import { readsOf } from '../../../shared/region/reads.ts';
import type { RegionRequest } from '../../../shared/region/region-note.ts';
import { selectFromParts } from '../../../shared/region/select-entries.ts';
import { idRanges } from '../../../shared/region/tile-ranges.ts';
import { directoriesOf } from '../charts/part-heads.ts';
import { styleAssets } from '../http/style-assets.ts';
import { ApiError, regionTooLarge } from '../runtime/errors.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import { sha256 } from '../runtime/sha256.ts';
import { type SourceOf, withPart } from './read-sources.ts';

/** Limits per archive: an isolate holds all entries at once, and the number of reads is limited. */
const LIMITS = { entries: 100_000, parts: 300 };

/** Memory of a planned tile and of a piece. */
export const PIECE_BYTES = 100;

/** Fraction of the cache that plans and deltas share. */
const SHARE = 0.75;

/** Cache; keys contain the build id. A file is fetched in many ranges. */
const plans = boundedCache<RegionPlan>('regionPlans', {
  sizeOf: ({ pieces, chart, query, crowd }) =>
    bytesOfPieces(pieces) +
    PIECE_BYTES *
      [chart, query, crowd].reduce((sum, archive) => sum + (archive?.contents.length ?? 0), 0),
  mostOfOne: 1,
  share: SHARE,
});

/** Memory of a list of pieces. */
export const bytesOfPieces = (pieces: readonly Piece[]): number =>
  pieces.reduce(
    (sum, piece) => sum + (piece.source === 'made' && piece.isKept ? piece.length : 0),
    0,
  ) +
  PIECE_BYTES * pieces.length;

export interface RegionContext extends SourceOf {
  readonly request: RegionRequest;
  /** Maximum size of the file. */
  readonly maxBytes: number;
  /** Runs work that is not cached, within the caller's concurrency limit. */
  readonly heavily: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * @throws ApiError 403 if encrypted charts (S-63) may not be extracted, 404 if the region is empty, 413 if the file would exceed the limit, 503 if an
 *   archive or the artwork cannot be read
 */
export async function planOf(context: RegionContext): Promise<RegionPlan> {
  const { env, manifest, request, maxBytes } = context;
  if (manifest.s63?.extracts === false) {
    throw new ApiError('region_not_licensed');
  }
  const { offline } = await styleAssets(env);
  const builds = [manifest.buildId, context.crowd?.buildId];
  const key = [...builds, offline.hash, request.maxZoom, ...request.bounds].join(' ');
  const plan = plans.get(key) ?? (await context.heavily(() => makePlan(context, offline)));
  plans.set(key, plan);
  if (plan.bytes > maxBytes) throw regionTooLarge(maxBytes, plan.bytes);
  if (readsOf(plan.pieces, 0, plan.bytes) === undefined) throw regionTooLarge(maxBytes);
  return plan;
}

async function makePlan(
  context: RegionContext,
  artwork: Parameters<typeof planRegion>[0]['artwork'],
): Promise<RegionPlan> {
  const { manifest, request, maxBytes } = context;
  const archiveZoom =
    manifest.archives.find(({ tileset }) => tileset === TILESETS.chart)?.maxZoom ?? 0;
  const chosen = (part: RegionPart) => chosenOf(context, part, archiveZoom);
  const chart = await chosen('chart');
  if (chart === undefined) throw regionTooLarge(maxBytes);
  if (chart.length === 0)
    throw new ApiError(
      'no_chart_data',
      'There is no chart data in this bounding box. Request a different box.',
    );
  const query = await chosen('query');
  if (query === undefined) throw regionTooLarge(maxBytes);
  const entries = context.crowd === undefined ? [] : await chosen('crowd');
  if (entries === undefined) throw regionTooLarge(maxBytes);
  const crowd = context.crowd && { manifest: context.crowd, entries };
  const input = { request, manifest, artwork, chart, query, crowd, archiveZoom };
  return planRegion(input, sha256).catch((error: unknown) => {
    throw error instanceof RangeError ? regionTooLarge(maxBytes) : error;
  });
}

/** `undefined` if there are more than a plan can hold. */
function chosenOf(
  context: RegionContext,
  part: RegionPart,
  archiveZoom: number,
): Promise<Entry[] | undefined> {
  const { request } = context;
  const ranges = idRanges(request.bounds, worldsOf(part, request, archiveZoom));
  return withPart(context, part, (archive) => {
    const openPart = async (number: number) => {
      const head = await archive.openPart(number);
      const { header } = head;
      return { header, readDirectory: directoriesOf(head) };
    };
    return selectFromParts(archive.index, openPart, { bounds: request.bounds, ranges }, LIMITS);
  });
}
