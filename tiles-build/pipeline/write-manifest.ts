// The manifest of a build. It is checked against its schema and written last, so that a folder with a
// manifest contains a complete build.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  type Manifest,
  manifestSchema,
  withoutTimes,
} from '../../shared/chart/manifest.ts';
import { withSum } from '../../shared/chart/read-manifest.ts';
import { TILE_SCHEMA_VERSION } from '../../shared/chart/tile-schema.ts';
import { sha256 } from '../archive/file-digest.ts';
import { unfinishedPath } from '../archive/unfinished.ts';
import { digestOf } from './build-cache.ts';

const BUILD_ID_LENGTH = 20;

/**
 * Completes the manifest. The build id is a digest of the content without times. The content includes the
 * hashes of the archives' parts. The checksum `sum` also covers the id and the times.
 */
export async function completeManifest(
  content: Omit<Manifest, 'format' | 'buildId' | 'schemaVersion' | 'sum'>,
): Promise<Manifest> {
  const rest = { format: MANIFEST_FORMAT, schemaVersion: TILE_SCHEMA_VERSION, ...content };
  const buildId = digestOf(JSON.stringify(withoutTimes(rest))).slice(0, BUILD_ID_LENGTH);
  return withSum(manifestSchema.omit({ sum: true }).parse({ buildId, ...rest }), sha256);
}

/** Write the manifest into the build's folder. The file appears only when it is complete. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const path = join(folder, MANIFEST_FILE);
  const unfinished = unfinishedPath(path);
  writeFileSync(unfinished, `${JSON.stringify(manifest, null, 1)}\n`);
  renameSync(unfinished, path);
}
