// An older build of the demo charts: some tiles differ, one is added, one is missing.

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { withSum } from '../../shared/chart/read-manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { selectEntries } from '../../shared/region/select-entries.ts';
import { sha256 } from '../../tiles-build/archive/file-digest.ts';
import { openArchive } from '../../tiles-build/archive/file-source.ts';
import { createArchiveWriter } from '../../tiles-build/archive/pmtiles-writer.ts';
import { zipTile } from '../../tiles-build/archive/tile-bytes.ts';
import { manifestOf } from './manifest-of.ts';
import type { Service } from './service.ts';

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
      archive.tileset === 'enc-v2' ? rewritten(charts, folder, archive, difference) : archive,
    ),
  );
  const rest = { ...manifest, archives, buildId: 'earlier-build-of-these' };
  const earlier: Manifest = await withSum(rest, sha256);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(earlier));
  return folder;
}

async function rewritten(
  charts: string,
  folder: string,
  archive: Manifest['archives'][number],
  difference: Difference,
): Promise<Manifest['archives'][number]> {
  const path = join(folder, archive.file);
  const { archive: known, close } = await openArchive(join(charts, archive.file));
  const writer = createArchiveWriter({
    path,
    content: 'mvt',
    bounds: [-180, -85.0511, 180, 85.0511],
    center: { longitude: 0, latitude: 0, zoom: 0 },
    metadata: () => ({ name: 'enc-v2' }),
  });
  const header = await known.getHeader();
  const entries = await selectEntries(
    header,
    (offset, length) => known.cache.getDirectory(known.source, offset, length, header),
    [{ from: 0, to: Number.POSITIVE_INFINITY }],
  );
  const ids = entries!.flatMap(({ tileId, runLength }) =>
    Array.from({ length: runLength }, (_, i) => tileId + i),
  );
  const [changed, left] = [difference.changed, difference.left].map(({ z, x, y }) =>
    zxyToTileId(z, x, y),
  );
  for (const id of ids) {
    if (id === left) continue;
    const [z, x, y] = tileIdToZxy(id);
    const bytes = new Uint8Array((await known.getZxy(z, x, y))!.data);
    writer.add(id, id === changed ? gzipSync(bytes, { level: 0 }) : zipTile(bytes));
  }
  const { bytes, tiles, minZoom, maxZoom, head } = writer.finish();
  await close();
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  const text = Buffer.from(head).toString('base64');
  return { ...archive, bytes, tiles, minZoom, maxZoom, head: text, sha256 };
}

/** Uploads an older build to the bucket of a service, which keeps old builds for a while. */
export async function publishBeside({ runtime }: Service, folder: string): Promise<void> {
  const bucket = await runtime.getR2Bucket('TILES');
  const { buildId, archives } = manifestOf(folder);
  for (const name of ['manifest.json', ...archives.map(({ file }) => file)]) {
    const bytes = new Uint8Array(readFileSync(join(folder, name)));
    await bucket.put(`builds/${buildId}/${name}`, bytes);
  }
}

/** Bytes as a browser has files. */
export const blobOf = (...parts: readonly Uint8Array[]): Blob =>
  new Blob(parts as unknown as BlobPart[]);
