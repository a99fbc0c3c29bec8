// Writes valid builds with one tileset of any size, without charts.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MANIFEST_FORMAT, type Manifest } from '../../../../shared/chart/manifest.ts';
import { PartIndex } from '../../../../shared/chart/part-index.ts';
import { type Part, partKey } from '../../../../shared/chart/part-line.ts';
import type { PartLimits } from '../../../../tiles-build/pipeline/part-plan.ts';
import { withChecksum } from '../../../support/manifest-of.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import type { StoredTile } from '../../../support/whole-archive.ts';
import { writeArchive } from '../../../support/write-archive.ts';

const BOUNDS = [-1, 50, 1, 51] as const;

export interface SmallBuild {
  readonly folder: string;
  readonly buildId: string;
  /** Name of its only part, in the folder and in the bucket. */
  readonly part: string;
}

/**
 * Write a build whose single tile contains a text and the given number of incompressible bytes.
 *
 * @param folder an existing folder
 */
export async function writeSmallBuild(
  folder: string,
  text: string,
  bytes = 0,
): Promise<SmallBuild> {
  const tile = bytes === 0 ? gzipSync(text) : noise(text, bytes);
  return writeBuildOf(folder, [{ tileId: 0, bytes: tile }]);
}

/** Write a build with these tiles. @returns its first part */
export async function writeBuildOf(
  folder: string,
  tiles: readonly StoredTile[],
  limits?: PartLimits,
): Promise<SmallBuild> {
  const options = { bounds: BOUNDS, ...(limits && { limits }) };
  const archive = await writeArchive(folder, 'enc-v2', tiles, options);
  const [{ sha256 }] = PartIndex.of(archive).parts as [Part];
  const manifest: Manifest = withChecksum({
    format: MANIFEST_FORMAT,
    buildId: createHash('sha256').update(archive.parts.join()).digest('hex').slice(0, 16),
    schemaVersion: '1',
    bounds: [...BOUNDS] as Manifest['bounds'],
    archives: [archive],
    cells: [],
    datasets: [
      {
        id: 'enc',
        shortDescription: 'Charts',
        longDescription: 'Charts of a test. Not for navigation.',
        dataSourcedAt: 1,
        dataProcessedAt: 2,
      },
    ],
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return { folder, buildId: manifest.buildId, part: partKey(sha256) };
}

/** Incompressible bytes, different for each text. */
function noise(text: string, bytes: number): Buffer {
  const random = seededRandom(createHash('sha256').update(text).digest().readUInt32LE(0));
  const words = new Uint32Array(Math.ceil(bytes / 4));
  for (let i = 0; i < words.length; i++) words[i] = Math.floor(random() * 2 ** 32);
  return Buffer.from(words.buffer, 0, bytes);
}
