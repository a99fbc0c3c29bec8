// Reads a build from disk and checks it against its manifest before it is published or served.

import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Archive, MANIFEST_FILE, type Manifest } from '../../shared/chart/manifest.ts';
import { DamagedManifest, readManifest } from '../../shared/chart/read-manifest.ts';
import { FIRST_READ_BYTES, HEADER_BYTES } from '../../shared/pmtiles/directory.ts';
import { digestFile, sha256 } from '../archive/file-digest.ts';

/** The build does not match its manifest, or has no manifest. */
export class DamagedBuild extends Error {}

export interface Build {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly manifestText: string;
}

/**
 * Read a build and compare presence, length, SHA-256 and head of every archive with the manifest.
 * @throws DamagedBuild naming the first difference
 */
export async function readBuild(folder: string): Promise<Build> {
  const manifestText = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => {
    throw new DamagedBuild(
      `${folder} contains no ${MANIFEST_FILE}. Create it with: npm run charts -- build`,
    );
  });
  const manifest = await parseManifest(manifestText, join(folder, MANIFEST_FILE));
  for (const archive of manifest.archives) await checkArchive(folder, archive);
  return { folder, manifest, manifestText };
}

/** @throws DamagedBuild if the text is not a manifest or was changed */
export async function parseManifest(text: string, from: string): Promise<Manifest> {
  try {
    return await readManifest(text, sha256);
  } catch (error) {
    if (!(error instanceof DamagedManifest)) throw error;
    throw new DamagedBuild(`${from} ${error.message}. Build the charts again.`, { cause: error });
  }
}

async function checkArchive(folder: string, archive: Archive): Promise<void> {
  if (!/^[a-z0-9-]+\.pmtiles$/.test(archive.file)) {
    throw new DamagedBuild(
      `The manifest contains an invalid archive name: "${archive.file}". Run the build again.`,
    );
  }
  const path = join(folder, archive.file);
  const found = await digestFile(path).catch(() => {
    throw new DamagedBuild(`${path} is missing or cannot be read. Run the build again.`);
  });
  if (found.bytes !== archive.bytes) {
    throw new DamagedBuild(
      `${path} has ${found.bytes} bytes; the manifest requires ${archive.bytes}. Run the build again.`,
    );
  }
  if (found.sha256 !== archive.sha256) {
    throw new DamagedBuild(
      `The SHA-256 of ${path} differs from the manifest. Run the build again.`,
    );
  }
  const head = Buffer.from(archive.head, 'base64');
  const first = await firstBytes(path, FIRST_READ_BYTES);
  // The length of the root directory is at byte 16 of the header (PMTiles v3, section 3).
  const rootBytes = first.length < HEADER_BYTES ? 0 : Number(first.readBigUInt64LE(16));
  if (!head.equals(first.subarray(0, HEADER_BYTES + rootBytes))) {
    throw new DamagedBuild(
      `The manifest's head of ${archive.file} differs from the first bytes of ${path}. Run the build again.`,
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
