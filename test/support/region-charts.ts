// An older build of the demo charts: some tiles differ, one is added, one is missing.

import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import { type Archive, type Manifest, manifestKey } from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import { withSum } from '../../shared/chart/read-manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { sha256 } from '../../tiles-build/archive/file-digest.ts';
import { manifestOf } from './manifest-of.ts';
import type { Service } from './service.ts';
import { tilesOfBuild } from './whole-archive.ts';
import { writeArchive } from './write-archive.ts';

/** Tiles in the demo port: one is changed and one is missing. */
const IN_PORT = {
  changed: { z: 14, x: 7282, y: 9623 },
  left: { z: 12, x: 1820, y: 2405 },
} as const;

type Difference = Readonly<Record<keyof typeof IN_PORT, TileId>>;

/** @returns a folder that the caller removes */
export async function earlierCharts(
  charts: string,
  difference: Difference = IN_PORT,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-earlier-'));
  cpSync(charts, folder, { recursive: true });
  const manifest = manifestOf(charts);
  const archives = await Promise.all(
    manifest.archives.map(async (archive) =>
      archive.tileset === 'enc-v2' ? rewritten(charts, folder, difference) : archive,
    ),
  );
  const rest = { ...manifest, archives, buildId: 'earlier-build-of-these' };
  const earlier: Manifest = await withSum(rest, sha256);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(earlier));
  return folder;
}

function rewritten(charts: string, folder: string, difference: Difference): Promise<Archive> {
  const [changed, left] = [difference.changed, difference.left].map(({ z, x, y }) =>
    zxyToTileId(z, x, y),
  );
  const tiles = tilesOfBuild(charts, 'enc-v2')
    .filter(({ tileId }) => tileId !== left)
    .map(({ tileId, bytes }) => {
      const other = tileId === changed ? gzipSync(gunzipSync(bytes), { level: 0 }) : bytes;
      return { tileId, bytes: other };
    });
  return writeArchive(folder, 'enc-v2', tiles);
}

/** Uploads an older build to the bucket of a service, which keeps old builds for a while. */
export async function publishBeside({ runtime }: Service, folder: string): Promise<void> {
  const bucket = await runtime.getR2Bucket('TILES');
  const manifest = manifestOf(folder);
  const put = async (key: string, file: string) => {
    await bucket.put(key, new Uint8Array(readFileSync(join(folder, file))));
  };
  await put(manifestKey(manifest.buildId), 'manifest.json');
  for (const { sha256 } of partsOf(manifest)) await put(partKey(sha256), partKey(sha256));
}

/** Bytes as a browser has files. */
export const blobOf = (...parts: readonly Uint8Array[]): Blob =>
  new Blob(parts as unknown as BlobPart[]);
