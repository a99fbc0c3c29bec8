// Third stage: merge the packs of all cells, range by range, and join the ranges into archives. A
// range whose records did not change is taken from the cache; a range of the background alone is
// taken from the shared cache.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { zxyToTileId } from 'pmtiles';
import type { Archive } from '../../shared/chart/manifest.ts';
import { lowerBound } from '../../shared/geo/sorted.ts';
import { NAMES_TILESET } from '../../shared/names/name-page.ts';
import type { Bounds } from '../../shared/pmtiles/header.ts';
import { FINE_SHEET_ZOOM, LAST_SHEET_ZOOM, ROUTE_TILESET } from '../../shared/route/sheets.ts';
import { RECORD_DIGEST_BYTES } from '../archive/pack.ts';
import { digestOfRecords } from '../archive/record-list.ts';
import { type BuildCache, digestOf, SCRATCH } from './build-cache.ts';
import { type BuildContext, demand } from './build-context.ts';
import { openFormerResults } from './former-results.ts';
import { NAMES_LIMITS, PART_LIMITS } from './part-plan.ts';
import { readRecordLists } from './record-lists.ts';
import { type TileRange, tileRanges } from './tile-ranges.ts';
import { archiveMetadata, contentOf, TILESETS, type Tileset, worldZoomOf } from './tilesets.ts';
import {
  type ArchivePlan,
  type FinishedTiles,
  reuseOrWriteParts,
  tilesInPack,
} from './write-archive.ts';

type PackPaths = Readonly<Record<Tileset, readonly string[]>>;

interface ArchiveFrame {
  readonly folder: string;
  readonly attributionOf: (tileset: Tileset, bounds: Bounds) => string;
  readonly boundsOf: (tileset: Tileset) => Bounds;
  readonly center: ArchivePlan['center'];
}

/** Merge and write all tilesets. Returns the records of the archives in the order of TILESETS. */
export async function mergeTilesets(
  context: BuildContext,
  packs: PackPaths,
  frame: ArchiveFrame,
): Promise<readonly Archive[]> {
  const merges = TILESETS.flatMap((tileset) => planParts(context, tileset, packs[tileset]));
  const former = openFormerResults<FormerParts>(context, 'parts');
  const known = former.find() ?? {};
  context.progress.start('Joining tiles', merges.length);
  await Promise.all(
    merges.map(async (merge) => {
      await mergeOne(context, merge, known[nameOf(merge)]);
      context.progress.step(merge.tileset);
    }),
  );
  const kept = merges.filter(
    ({ tileset, cache }) => tileset === ROUTE_TILESET && cache === context.cache,
  );
  former.save(Object.fromEntries(kept.map((merge) => [nameOf(merge), merge.path])));
  context.progress.start('Writing archives', TILESETS.length);
  const archives: Archive[] = [];
  const { reuse } = context.cache;
  /** The charts of a cache are usually next to it. */
  const other = reuse === undefined ? undefined : dirname(reuse);
  for (const tileset of TILESETS) {
    const merged = merges.filter((merge) => merge.tileset === tileset);
    const { archive, written } = await reuseOrWriteParts(frame.folder, {
      tileset,
      content: contentOf(tileset),
      worldZoom: worldZoomOf(tileset),
      tiles:
        tileset === ROUTE_TILESET
          ? await finishedSheets(context, merged)
          : finishedTiles(context, merged),
      bounds: frame.boundsOf(tileset),
      center: frame.center,
      metadataOf: (bounds, zooms) =>
        archiveMetadata(tileset, frame.attributionOf(tileset, bounds), zooms),
      record: recordOf(context, tileset, frame.folder),
      reuse:
        other === undefined
          ? undefined
          : { folder: other, record: recordOf(context, tileset, other) },
      limits: context.partLimits ?? (tileset === NAMES_TILESET ? NAMES_LIMITS : PART_LIMITS),
    });
    for (const region of written) context.work.written.push(`${tileset}:${region}`);
    archives.push(archive);
    context.progress.step(tileset);
  }
  return archives;
}

const recordOf = ({ cache, code }: BuildContext, tileset: Tileset, folder: string): string =>
  cache.path('archives', digestOf(tileset, code, folder));

function finishedTiles(
  { cache }: BuildContext,
  packs: readonly { readonly path: string }[],
): readonly FinishedTiles[] {
  const lists = readRecordLists(
    cache,
    packs.map(({ path }) => path),
  );
  return packs.map(({ path }, i) => ({ path, ...lists[i]! }));
}

/** The stored sheets of the route archive: those of the world, then those of each part by zoom. */
async function finishedSheets(
  context: BuildContext,
  merges: readonly PartMerge[],
): Promise<readonly FinishedTiles[]> {
  const names = merges.map(({ path }) => basename(path));
  const parts = await Promise.all(
    merges.map(async ({ cache, path: part }, i) => {
      const [sheetsKey, summaryKey] = ['sheets', 'summary'].map((kind) =>
        digestOf(kind, context.code, names[i]!),
      ) as [string, string];
      const [sheets, summary] = [cache.path('parts', sheetsKey), cache.path('parts', summaryKey)];
      if (!cache.has('parts', sheetsKey) || !cache.has('parts', summaryKey)) {
        const job = { kind: 'finish-sheets', part, sheets, summary } as const;
        await demand(context, job, `Finishing ${ROUTE_TILESET}`);
      }
      return { path: sheets, summary };
    }),
  );
  const worldKey = digestOf('world', context.code, ...names);
  const world = context.cache.path('parts', worldKey);
  if (!context.cache.has('parts', worldKey)) {
    const summaries = parts.map(({ summary }) => summary);
    const job = { kind: 'finish-world', summaries, out: world } as const;
    await demand(context, job, `Finishing ${ROUTE_TILESET}`);
  }
  const sheets = finishedTiles(context, parts);
  const zooms = Array.from(
    { length: LAST_SHEET_ZOOM - FINE_SHEET_ZOOM + 1 },
    (_, i) => FINE_SHEET_ZOOM + i,
  );
  return [
    tilesInPack(world),
    ...zooms.flatMap((zoom) => sheets.map((tiles) => tilesOfZoom(tiles, zoom))),
  ];
}

function tilesOfZoom(tiles: FinishedTiles, zoom: number): FinishedTiles {
  const { path, tileIds, sizes, digests } = tiles;
  const first = lowerBound(tileIds, zxyToTileId(zoom, 0, 0));
  const end = lowerBound(tileIds, zxyToTileId(zoom + 1, 0, 0), first);
  return {
    path,
    tileIds: tileIds.subarray(first, end),
    sizes: sizes.subarray(first, end),
    digests: digests.subarray(RECORD_DIGEST_BYTES * first, RECORD_DIGEST_BYTES * end),
  };
}

/**
 * Bytes of records that one job joins. Routing sheets are small because drawing them takes about 30
 * times as long per byte as copying features. The tilesets with much background have small parts so
 * that few of them contain a cell. Smaller parts also mean less to join again after a change, but more
 * files.
 */
const PART_BYTES: Readonly<Record<Tileset, number>> = {
  'enc-v2': 1 << 20,
  'data-geojson-v1': 2 << 20,
  'data-shoreline-v1': 1 << 20,
  'enc-query-v1': 2 << 20,
  'enc-route-v1': 256 << 10,
  'enc-names-v1': 8 << 20,
};

/** Paths of parts by name. Sheets of routes are made again only where their items changed. */
type FormerParts = Readonly<Record<string, string>>;

interface PartMerge {
  readonly tileset: Tileset;
  readonly range: TileRange;
  readonly packs: readonly string[];
  readonly cache: BuildCache;
  readonly path: string;
  readonly isCached: boolean;
}

/** @param packs the first is the background's */
function planParts(context: BuildContext, tileset: Tileset, packs: readonly string[]): PartMerge[] {
  const lists = readRecordLists(context.cache, packs);
  return tileRanges(lists, PART_BYTES[tileset]).map(({ spans, ...range }) => {
    const key = digestOf(
      tileset,
      `${range.from}-${range.to}`,
      context.code,
      ...spans.map(({ pack, first, end }) => digestOfRecords(lists[pack]!, first, end)),
    );
    const isBackground = spans.every(({ pack }) => pack === 0);
    const cache = isBackground ? context.shared : context.cache;
    return {
      tileset,
      range,
      packs: spans.map(({ pack }) => packs[pack]!),
      cache,
      path: cache.path('parts', key),
      isCached: cache.has('parts', key),
    };
  });
}

const nameOf = ({ tileset, range }: PartMerge): string => `${tileset}:${range.from}-${range.to}`;

async function mergeOne(
  context: BuildContext,
  merge: PartMerge,
  former: string | undefined,
): Promise<void> {
  if (merge.isCached) return;
  const { tileset, range, packs, path } = merge;
  const part = {
    packs,
    range,
    out: path,
    scratch: join(context.cache.folder, SCRATCH),
    former: former !== undefined && existsSync(former) ? former : undefined,
  };
  const name = nameOf(merge);
  const job = { kind: 'merge', tileset, part } as const;
  const { mergedTiles, removedParts } = await demand(context, job, `Joining ${name}`);
  context.work.merged.push(name);
  context.work.mergedTiles[tileset] = (context.work.mergedTiles[tileset] ?? 0) + mergedTiles;
  context.work.removedParts[tileset] = (context.work.removedParts[tileset] ?? 0) + removedParts;
}
