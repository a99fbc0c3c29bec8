// The build from folders of cells to archives and a manifest: find, scan, slice, merge, write. Each
// stage sends workers the jobs whose results are not in the cache. A cell that fails is left out
// and reported.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { boundsAround, plainBounds, WORLD_BOUNDS } from '../../shared/chart/bounds.ts';
import { firstSight } from '../../shared/chart/first-sight.ts';
import { type Manifest, type ManifestCell, POINTER_KEY } from '../../shared/chart/manifest.ts';
import { NAMES_TILESET } from '../../shared/names/name-page.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { FolderInUse, inLockedFolder } from '../archive/folder-lock.ts';
import { type BackgroundSource, findBackground } from '../background/background-layers.ts';
import type { Unlock } from '../exchange-set/cell-source.ts';
import { findCells } from '../exchange-set/exchange-set.ts';
import { placesOf } from '../exchange-set/places.ts';
import { sealedStore } from '../s63/sealed-store.ts';
import { NO_LICENCE, type UnlockSettings, unlockWith } from '../s63/unlock.ts';
import { openBuildCache } from './build-cache.ts';
import {
  type BuildContext,
  type BuildPool,
  type BuildProgress,
  BuildStopped,
} from './build-context.ts';
import { type BuildReport, describeCell, NoCharts } from './build-report.ts';
import { openBuildThreads } from './build-threads.ts';
import { locationOf } from './cell-location.ts';
import { codeDigest } from './code-digest.ts';
import { attributionIn, describeDatasets } from './datasets.ts';
import { mergeTilesets } from './merge-stage.ts';
import { removeOtherParts, removeUnfinished, removeUnfinishedInCache } from './out-folder.ts';
import type { PartLimits } from './part-plan.ts';
import { type ScannedCell, scanCells } from './scan-stage.ts';
import { openSharedCache } from './shared-cache.ts';
import { sliceCells } from './slice-stage.ts';
import { sourceTimes } from './source-times.ts';
import type { Tileset } from './tilesets.ts';
import { completeManifest, writeManifest } from './write-manifest.ts';

export interface BuildOptions {
  /** Files, folders, exchange sets and zips that contain cells. */
  readonly enc: readonly string[];
  /** Use files whose CRC-32 differs from CATALOG.031. */
  readonly acceptBadChecksums?: boolean | undefined;
  /** Licences of encrypted cells; default: encrypted cells are refused. */
  readonly s63?: BuildLicence | undefined;
  /** Decrypts cells instead of `s63`. The build then permits no extracts of them. */
  readonly unlock?: Unlock | undefined;
  /** Folder of Natural Earth GeoJSON; default: the built-in land. */
  readonly background?: string | undefined;
  readonly out: string;
  /**
   * Folder kept between builds, which several builds can use; entries that no build used for 30 days are
   * deleted. Default: `<out>/.cache`, with the entries of the last build only.
   */
  readonly cache?: string | undefined;
  /** Folder of the cache of another build on this machine, whose results are used if `cache` lacks them. */
  readonly reuse?: string | undefined;
  /** Folder of results that all builds share; default: in `node_modules/.cache`. */
  readonly sharedCache?: string | undefined;
  /** Worker threads. */
  readonly jobs: number;
  /** The account whose charts these are; absent for the public charts. */
  readonly set?: string | undefined;
  /** Time of processing for the manifest, epoch milliseconds; default: now. */
  readonly processedAt?: number | undefined;
  /** Milliseconds after which a job counts as hung. */
  readonly jobTimeoutMs?: number | undefined;
  readonly progress?: BuildProgress | undefined;
  /** Sizes of the parts of archives. */
  readonly partLimits?: PartLimits | undefined;
  /** Worker script to use instead of `build-worker.ts`; it must accept the same jobs. */
  readonly worker?: URL | undefined;
  /** Pool to use instead of threads of this process; closed when the build ends. */
  readonly pool?: BuildPool | undefined;
}

/** What may be done with encrypted cells. */
export interface BuildLicence extends UnlockSettings {
  /** Whether regions of the build may be extracted to files. */
  readonly extracts: boolean;
}

/** Entries of a shared cache that no build used for this long are deleted. */
const CACHE_MS = 30 * 86_400_000;

const SILENT: BuildProgress = { start: () => undefined, step: () => undefined };

/**
 * Build charts into `options.out`.
 * @throws NoCharts if no cell could be used; FolderInUse if another build uses the folder;
 * BuildStopped if the folder contains published charts, or if the machine failed, for example on a full disk;
 * Error if a path does not exist
 */
export async function buildCharts(options: BuildOptions): Promise<BuildReport> {
  try {
    return await inLockedFolder(options.out, 'built into', () => buildInto(options));
  } catch (error) {
    // In all other cases buildInto has closed it.
    if (error instanceof FolderInUse) await options.pool?.close();
    throw error;
  }
}

async function buildInto(options: BuildOptions): Promise<BuildReport> {
  const background = findBackground(options.background);
  const context = openBuildContext(options);
  try {
    if (existsSync(join(options.out, POINTER_KEY))) {
      throw new BuildStopped(
        `${options.out} contains published charts (${POINTER_KEY}), and a build there would delete them. Build into another folder.`,
      );
    }
    const { acceptBadChecksums, s63 } = options;
    const store = sealedStore(context.cache);
    const ownUnlock =
      s63 === undefined ? NO_LICENCE : unlockWith({ ...s63, store, acceptBadChecksums });
    const unlock = options.unlock ?? ownUnlock;
    const found = { acceptBadChecksums, unlock };
    const { cells: sources, problems } = await findCells(options.enc, found);
    const scanned = await scanCells(context, sources.map(locationOf));
    const places = await placesOf(sources.filter((_, i) => scanned[i]!.scan.found === undefined));
    const usable = scanned.filter(({ scan }) => scan.found !== undefined);
    const asRead = scanned.map((cell) => describeCell(cell, undefined));
    if (usable.length === 0) throw new NoCharts(asRead, problems, places);

    const { packs, refusals } = await sliceCells(context, usable, background);
    const cells = scanned.map((cell) => describeCell(cell, refusals.get(cell.scan.name)));
    const used = cells.filter((cell) => cell.status.startsWith('used'));
    if (used.length === 0) throw new NoCharts(cells, problems, places);

    const bounds = boundsAround(used.map((cell) => cell.bounds));
    const archives = await mergeTilesets(context, packs, {
      folder: resolve(options.out),
      attributionOf: (tileset, box) =>
        // Tiles of names have no position.
        attributionIn(used, tileset === NAMES_TILESET ? WORLD_BOUNDS : box),
      boundsOf: (tileset) => (coversWorld(tileset) ? WORLD_BOUNDS : plainBounds(bounds)),
      center: firstSight(used)!,
    });
    const manifest = await completeManifest({
      ...(options.set !== undefined && { set: options.set }),
      bounds: [...bounds],
      archives: [...archives],
      cells,
      datasets: await datasetsOf(options, cells, scanned, background),
      ...(used.some((cell) => cell.s63 !== undefined) && {
        s63: { extracts: s63?.extracts === true },
      }),
    });
    writeManifest(options.out, manifest);
    removeOtherParts(options.out, manifest);
    if (options.cache === undefined) context.cache.prune();
    else context.cache.pruneUnusedFor(CACHE_MS);
    return reportOf(context, manifest, problems, places);
  } finally {
    await context.pool.close();
  }
}

function openBuildContext(options: BuildOptions): BuildContext {
  const { reuse } = options;
  const cache = openBuildCache(
    resolve(options.cache ?? join(options.out, '.cache')),
    reuse && resolve(reuse),
  );
  // Before the build: files left by builds that ran out of disk space would fill the disk again.
  removeUnfinished(options.out);
  if (options.cache === undefined) removeUnfinishedInCache(cache.folder);
  return {
    pool: options.pool ?? openBuildThreads(options.jobs, options),
    cache,
    shared: openSharedCache(codeDigest(), options.sharedCache) ?? cache,
    code: codeDigest(),
    progress: options.progress ?? SILENT,
    partLimits: options.partLimits,
    work: {
      scanned: [],
      sliced: new Set(),
      merged: [],
      written: [],
      mergedTiles: {},
      removedParts: {},
    },
  };
}

/** Lists the work of this build, sorted so that the order does not depend on the workers. */
function reportOf(
  { work }: BuildContext,
  manifest: Manifest,
  problems: readonly Problem[],
  places: BuildReport['places'],
): BuildReport {
  return {
    manifest,
    problems,
    places,
    work: {
      scanned: work.scanned.sort(),
      sliced: [...work.sliced].sort(),
      merged: work.merged.sort(),
      written: work.written.sort(),
    },
    mergedTiles: work.mergedTiles,
    removedParts: work.removedParts,
  };
}

async function datasetsOf(
  options: BuildOptions,
  cells: readonly ManifestCell[],
  scanned: readonly ScannedCell[],
  background: BackgroundSource,
) {
  const used = scanned.filter((_, i) => cells[i]!.status.startsWith('used'));
  const locations = used.map(({ location }) => location);
  const times = await sourceTimes(options.enc, background, locations);
  return [
    ...describeDatasets({
      cells,
      cellsUrl: times.cellsUrl,
      backgroundName: background.name,
      cellsSourcedAt: times.cells,
      backgroundSourcedAt: times.background,
      processedAt: options.processedAt ?? Date.now(),
    }),
  ];
}

/** Background and land cover the world; the other tilesets only the cells. */
function coversWorld(tileset: Tileset): boolean {
  return tileset === 'enc-v2' || tileset === 'data-shoreline-v1';
}
