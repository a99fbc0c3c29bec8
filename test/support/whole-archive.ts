// The archive of a tileset in one file, joined from the parts of a build, for readers that open one
// file.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bytesToHeader } from 'pmtiles';
import type { Archive, Manifest } from '../../shared/chart/manifest.ts';
import { PartIndex } from '../../shared/chart/part-index.ts';
import { type Part, partKey } from '../../shared/chart/part-line.ts';
import { decodeDirectory } from '../../shared/pmtiles/directory.ts';
import { createArchiveWriter } from '../../tiles-build/archive/pmtiles-writer.ts';
import { manifestOf } from './manifest-of.ts';

/** A tile as a part stores it. */
export interface StoredTile {
  readonly tileId: number;
  readonly bytes: Uint8Array;
}

/** The tiles of a part, in order. */
export function tilesIn(charts: string, part: Part): StoredTile[] {
  const file = readFileSync(join(charts, partKey(part.sha256)));
  const bytesAt = (at: number, length: number) => file.subarray(at, at + length);
  const header = bytesToHeader(Uint8Array.from(bytesAt(0, 127)).buffer);
  const within = (at: number, length: number): StoredTile[] =>
    decodeDirectory(gunzipSync(bytesAt(at, length))).flatMap((entry) =>
      entry.runLength === 0
        ? within(header.leafDirectoryOffset + entry.offset, entry.length)
        : Array.from({ length: entry.runLength }, (_, i) => ({
            tileId: entry.tileId + i,
            bytes: bytesAt(header.tileDataOffset + entry.offset, entry.length),
          })),
    );
  return within(header.rootDirectoryOffset, header.rootDirectoryLength);
}

export function archiveOf({ archives }: Manifest, tileset: string): Archive {
  const found = archives.find((archive) => archive.tileset === tileset);
  if (found === undefined) throw new Error(`The build has no ${tileset}.`);
  return found;
}

/** All tiles of a tileset, in order. */
export function tilesOfBuild(charts: string, tileset: string): StoredTile[] {
  const { parts } = PartIndex.of(archiveOf(manifestOf(charts), tileset));
  return parts.flatMap((part) => tilesIn(charts, part)).sort((a, b) => a.tileId - b.tileId);
}

const scratch = mkdtempSync(join(tmpdir(), 'leadline-whole-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Path of an archive with all tiles of a tileset, written once per process. */
export function wholeArchive(charts: string, tileset: string): string {
  const { buildId } = manifestOf(charts);
  const path = join(scratch, `${buildId}-${tileset}.pmtiles`);
  if (existsSync(path)) return path;
  const writer = createArchiveWriter({
    path,
    content: tileset === 'enc-v2' ? 'mvt' : 'json',
    bounds: [-180, -85.0511, 180, 85.0511],
    center: { longitude: 0, latitude: 0, zoom: 0 },
    metadata: () => ({ name: tileset }),
  });
  for (const { tileId, bytes } of tilesOfBuild(charts, tileset)) writer.add(tileId, bytes);
  writer.finish();
  return path;
}
