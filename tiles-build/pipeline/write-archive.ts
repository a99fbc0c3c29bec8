// Joins the finished parts of a tileset into its archive, and describes it for the manifest. An
// existing archive made from the same parts is kept.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Archive, MANIFEST_FILE } from '../../shared/chart/manifest.ts';
import type { Bounds, Center } from '../../shared/pmtiles/header.ts';
import { digestFile } from '../archive/file-digest.ts';
import { isRunning } from '../archive/is-running.ts';
import { openPack, readPack } from '../archive/pack.ts';
import { createArchiveWriter } from '../archive/pmtiles-writer.ts';
import { splitHash } from '../archive/tile-bytes.ts';
import { readUnfinished, unfinishedPath } from '../archive/unfinished.ts';
import { readJson, writeJson } from './build-cache.ts';
import { archiveFile, archiveMetadata, contentOf, TILESETS, type Tileset } from './tilesets.ts';

export interface ArchivePlan {
  readonly tileset: Tileset;
  /** Packs of finished tiles, in tile id order and without overlap. */
  readonly parts: readonly string[];
  readonly bounds: Bounds;
  /** Where a map opens. */
  readonly center: Center;
  readonly attribution: string;
  /** File in the cache that records what the archive was made from. */
  readonly record: string;
}

/** Keep the existing archive if it was made from the same parts, or write it. */
export async function reuseOrWriteArchive(
  folder: string,
  plan: ArchivePlan,
): Promise<{ readonly archive: Archive; readonly isNew: boolean }> {
  const { record, ...content } = plan;
  const madeFrom = JSON.stringify(content);
  const kept = existsSync(record) ? (readJson(record) as ArchiveRecord) : undefined;
  if (kept?.madeFrom === madeFrom && (await isComplete(folder, kept.archive))) {
    return { archive: kept.archive, isNew: false };
  }
  const archive = await writeArchive(folder, plan);
  writeJson(record, { madeFrom, archive } satisfies ArchiveRecord);
  return { archive, isNew: true };
}

interface ArchiveRecord {
  readonly madeFrom: string;
  readonly archive: Archive;
}

/** Whether the archive on disk is complete and undamaged. */
async function isComplete(folder: string, archive: Archive): Promise<boolean> {
  const path = join(folder, archive.file);
  if (!existsSync(path)) return false;
  const found = await digestFile(path);
  return found.bytes === archive.bytes && found.sha256 === archive.sha256;
}

/** Whether a build writes a file of this name into the folder of its charts. */
const isChartFile = (file: string): boolean =>
  file === MANIFEST_FILE || TILESETS.some((tileset) => archiveFile(tileset) === file);

/**
 * Remove unfinished files of killed builds from a folder.
 * @param isOurs takes the finished file name
 */
export function removeUnfinished(folder: string, isOurs = isChartFile): void {
  for (const name of readdirSync(folder)) {
    const found = readUnfinished(name);
    if (found !== undefined && isOurs(found.file) && !isRunning(found.pid)) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

/** The same for all folders of a cache, whose files are all written by builds. */
export function removeUnfinishedInCache(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeUnfinished(join(folder, entry.name), () => true);
  }
}

/** Write the archive into `folder`. It gets its name only when it is complete. */
async function writeArchive(folder: string, plan: ArchivePlan): Promise<Archive> {
  const file = archiveFile(plan.tileset);
  const path = join(folder, file);
  const unfinished = unfinishedPath(path);
  const writer = createArchiveWriter({
    path: unfinished,
    content: contentOf(plan.tileset),
    bounds: plan.bounds,
    center: plan.center,
    metadata: (zooms) => archiveMetadata(plan.tileset, plan.attribution, zooms),
  });
  let summary: ReturnType<typeof writer.finish>;
  try {
    for (const part of plan.parts) {
      for (const record of readPack(openPack(part))) {
        const { hash, tile } = splitHash(record.bytes);
        writer.add(record.tileId, tile, hash);
      }
    }
    summary = writer.finish();
  } catch (error) {
    writer.abandon();
    rmSync(unfinished, { force: true });
    throw error;
  }
  const { minZoom, maxZoom, tiles, head } = summary;
  const digest = await digestFile(unfinished);
  renameSync(unfinished, path);
  return {
    tileset: plan.tileset,
    file,
    ...digest,
    minZoom,
    maxZoom,
    tiles,
    head: Buffer.from(head).toString('base64'),
  };
}
