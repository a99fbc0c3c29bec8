// Reads a build from disk and checks it against its manifest before it is published or served.

import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Archive, MANIFEST_FILE, type Manifest } from '../../shared/chart/manifest.ts';
import { BrokenIndex, PartIndex, partsOf } from '../../shared/chart/part-index.ts';
import { type Part, partKey } from '../../shared/chart/part-line.ts';
import { DamagedManifest, readManifest } from '../../shared/chart/read-manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { digestFile, sha256 } from '../archive/file-digest.ts';

/** The build does not match its manifest, or has no manifest. */
export class DamagedBuild extends Error {}

export interface Build {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly manifestText: string;
}

/**
 * Read a build and compare presence, length, SHA-256 and head of every part with the manifest.
 * @throws DamagedBuild naming the first difference
 */
export async function readBuild(folder: string): Promise<Build> {
  const build = await openBuild(folder);
  await checkParts(build, () => true);
  return build;
}

/** Read the manifest of a build. @throws DamagedBuild if it is missing or damaged */
export async function openBuild(folder: string): Promise<Build> {
  const manifestText = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => {
    throw new DamagedBuild(
      `${folder} contains no ${MANIFEST_FILE}. Create it with: npm run charts -- build`,
    );
  });
  const manifest = await parseManifest(manifestText, join(folder, MANIFEST_FILE));
  return { folder, manifest, manifestText };
}

/** @throws DamagedBuild if the text is not a manifest or was changed */
export async function parseManifest(text: string, from: string): Promise<Manifest> {
  try {
    const manifest = await readManifest(text, sha256);
    partsOf(manifest);
    return manifest;
  } catch (error) {
    if (!(error instanceof DamagedManifest || error instanceof BrokenIndex)) throw error;
    throw new DamagedBuild(`${from} ${error.message}. Build the charts again.`, { cause: error });
  }
}

/** Path of the part that stores a tile, if it is stored; `undefined` if nothing is stored there. */
export function partPath(folder: string, archive: Archive, tile: TileId): string | undefined {
  const index = PartIndex.of(archive);
  const part = index.parts[index.partOf(tile) ?? -1];
  return part === undefined ? undefined : join(folder, partKey(part.sha256));
}

/** Compare some parts with the manifest. @throws DamagedBuild naming the first difference */
export async function checkParts(
  { folder, manifest }: Build,
  isWanted: (part: Part) => boolean,
): Promise<void> {
  for (const archive of manifest.archives) {
    for (const [i, part] of PartIndex.of(archive).parts.entries()) {
      if (isWanted(part))
        await checkPart(join(folder, partKey(part.sha256)), part, archive.heads[i]);
    }
  }
}

async function checkPart(path: string, part: Part, head: string | undefined): Promise<void> {
  const found = await digestFile(path).catch(() => {
    throw new DamagedBuild(`${path} is missing or cannot be read. Run the build again.`);
  });
  if (found.bytes !== part.bytes) {
    throw new DamagedBuild(
      `${path} has ${found.bytes} bytes; the manifest requires ${part.bytes}. Run the build again.`,
    );
  }
  if (found.sha256 !== part.sha256) {
    throw new DamagedBuild(
      `The SHA-256 of ${path} differs from the manifest. Run the build again.`,
    );
  }
  const first = await firstBytes(path, part.headBytes);
  if (
    crc32(first) !== part.headSum ||
    (head ?? first.toString('base64')) !== first.toString('base64')
  ) {
    throw new DamagedBuild(
      `The manifest's head of a part differs from the first bytes of ${path}. Run the build again.`,
    );
  }
}

async function firstBytes(path: string, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
