// Joins the finished parts of a tileset into its archive, and says for the manifest what it became.
// An archive that is there already from the very same parts is left alone.

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Archive } from '../../shared/chart/manifest.ts';
import { openPack, readPack } from '../archive/pack.ts';
import { type Bounds, createArchiveWriter } from '../archive/pmtiles-writer.ts';
import { digestFile } from '../publish/file-digest.ts';
import { splitHash } from './tile-bytes.ts';
import { archiveFile, archiveMetadata, contentOf, type Tileset } from './tilesets.ts';

export interface ArchivePlan {
  readonly tileset: Tileset;
  /** Packs of finished tiles, in tile id order and without overlap. */
  readonly parts: readonly string[];
  readonly bounds: Bounds;
  readonly attribution: string;
}

/** Write the archive into `folder`, under its name only when it is whole. */
export async function writeArchive(folder: string, plan: ArchivePlan): Promise<Archive> {
  const file = archiveFile(plan.tileset);
  const path = join(folder, file);
  const unfinished = `${path}.${process.pid}.part`;
  const writer = createArchiveWriter({
    path: unfinished,
    content: contentOf(plan.tileset),
    bounds: plan.bounds,
    metadata: (zooms) => archiveMetadata(plan.tileset, plan.attribution, zooms),
  });
  try {
    for (const part of plan.parts) {
      for (const record of readPack(openPack(part))) {
        const { hash, tile } = splitHash(record.bytes);
        writer.add(record.tileId, tile, hash);
      }
    }
  } catch (error) {
    writer.abandon();
    rmSync(unfinished, { force: true });
    throw error;
  }
  const { minZoom, maxZoom, tiles, head } = writer.finish();
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

/** Whether the archive on disk is the one that was described: same length, same SHA-256. */
export async function isArchiveWhole(folder: string, archive: Archive): Promise<boolean> {
  const path = join(folder, archive.file);
  if (!existsSync(path)) return false;
  const found = await digestFile(path);
  return found.bytes === archive.bytes && found.sha256 === archive.sha256;
}

/** The manifest text in a folder, or undefined. */
export function manifestTextIn(folder: string): string | undefined {
  const path = join(folder, 'manifest.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
