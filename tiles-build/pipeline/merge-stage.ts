// Third stage: merge the packs of all cells, range by range, and join the ranges into archives. A
// range whose records did not change is taken from the cache; a range of the background alone is
// taken from the shared cache.

import { basename, join } from 'node:path';
import type { Archive } from '../../shared/chart/manifest.ts';
import { NAMES_TILESET } from '../../shared/names/name-page.ts';
import type { Bounds } from '../../shared/pmtiles/header.ts';
import { ROUTE_TILESET } from '../../shared/route/sheets.ts';
import { openPack, type Pack } from '../archive/pack.ts';
import { digestOfRecords, readRecordList } from '../archive/record-list.ts';
import { digestOf, SCRATCH } from './build-cache.ts';
import { type BuildContext, demand } from './build-context.ts';
import { NAMES_LIMITS, PART_LIMITS } from './part-plan.ts';
import { type TileRange, tileRanges } from './tile-ranges.ts';
import { archiveMetadata, contentOf, TILESETS, type Tileset, worldZoomOf } from './tilesets.ts';
import { type ArchivePlan, reuseOrWriteParts } from './write-archive.ts';

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
  const merges = TILESETS.flatMap((tileset) =>
    planParts(context, tileset, packs[tileset].map(openPack)),
  );
  context.progress.start('Joining tiles', merges.length);
  await Promise.all(
    merges.map(async (merge) => {
      await mergeOne(context, merge);
      context.progress.step(merge.tileset);
    }),
  );
  context.progress.start('Writing archives', TILESETS.length);
  const archives: Archive[] = [];
  for (const tileset of TILESETS) {
    const merged = merges.filter((merge) => merge.tileset === tileset).map((merge) => merge.path);
    const { archive, written } = await reuseOrWriteParts(frame.folder, {
      tileset,
      content: contentOf(tileset),
      worldZoom: worldZoomOf(tileset),
      packs: tileset === ROUTE_TILESET ? [await finished(context, tileset, merged)] : merged,
      bounds: frame.boundsOf(tileset),
      center: frame.center,
      metadataOf: (bounds, zooms) =>
        archiveMetadata(tileset, frame.attributionOf(tileset, bounds), zooms),
      record: context.cache.path('archives', digestOf(tileset, context.code, frame.folder)),
      limits: context.partLimits ?? (tileset === NAMES_TILESET ? NAMES_LIMITS : PART_LIMITS),
    });
    for (const region of written) context.work.written.push(`${tileset}:${region}`);
    archives.push(archive);
    context.progress.step(tileset);
  }
  return archives;
}

/** Combine all parts into one pack; returns its path. */
async function finished(context: BuildContext, tileset: Tileset, parts: readonly string[]) {
  const key = digestOf('finished', tileset, context.code, ...parts.map((path) => basename(path)));
  const out = context.cache.path('parts', key);
  if (!context.cache.has('parts', key)) {
    await demand(context, { kind: 'finish', tileset, parts, out }, `Finishing ${tileset}`);
  }
  return out;
}

/**
 * Bytes of records that one job joins. Routing sheets are small because drawing them takes about 30
 * times as long per byte as copying features. The tilesets with much background have small parts so
 * that few of them contain a cell.
 */
const PART_BYTES: Readonly<Record<Tileset, number>> = {
  'enc-v2': 1 << 20,
  'data-geojson-v1': 8 << 20,
  'data-shoreline-v1': 1 << 20,
  'enc-query-v1': 8 << 20,
  'enc-route-v1': 256 << 10,
  'enc-names-v1': 8 << 20,
};

interface PartMerge {
  readonly tileset: Tileset;
  readonly range: TileRange;
  readonly packs: readonly Pack[];
  readonly path: string;
  readonly isCached: boolean;
}

/** @param packs the first is the background's */
function planParts(context: BuildContext, tileset: Tileset, packs: readonly Pack[]): PartMerge[] {
  const lists = packs.map(readRecordList);
  return tileRanges(lists, PART_BYTES[tileset]).map(({ spans, ...range }) => {
    const key = digestOf(
      tileset,
      `${range.from}-${range.to}`,
      context.code,
      ...spans.map(({ pack, first, end }) =>
        digestOfRecords(packs[pack]!, lists[pack]!, first, end).toString('hex'),
      ),
    );
    const isBackground = spans.every(({ pack }) => pack === 0);
    const cache = isBackground ? context.shared : context.cache;
    return {
      tileset,
      range,
      packs: spans.map(({ pack }) => packs[pack]!),
      path: cache.path('parts', key),
      isCached: cache.has('parts', key),
    };
  });
}

async function mergeOne(context: BuildContext, merge: PartMerge): Promise<void> {
  if (merge.isCached) return;
  const { tileset, range, packs, path } = merge;
  const part = {
    packs: packs.map((pack) => pack.path),
    range,
    out: path,
    scratch: join(context.cache.folder, SCRATCH),
  };
  const name = `${tileset}:${range.from}-${range.to}`;
  const job = { kind: 'merge', tileset, part } as const;
  const { mergedTiles, removedParts } = await demand(context, job, `Joining ${name}`);
  context.work.merged.push(name);
  context.work.mergedTiles[tileset] = (context.work.mergedTiles[tileset] ?? 0) + mergedTiles;
  context.work.removedParts[tileset] = (context.work.removedParts[tileset] ?? 0) + removedParts;
}
