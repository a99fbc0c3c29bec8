// Writes valid builds with one archive of any size, without charts.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from '../../../../shared/chart/manifest.ts';
import { createArchiveWriter } from '../../../../tiles-build/archive/pmtiles-writer.ts';
import { withChecksum } from '../../../support/manifest-of.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const CENTER = { longitude: -151.5, latitude: 59.5, zoom: 9 };
const BOUNDS = [-1, 50, 1, 51] as const;

export interface SmallBuild {
  readonly folder: string;
  readonly buildId: string;
  readonly archive: string;
}

/**
 * Write a build whose single tile contains a text and the given number of incompressible bytes.
 *
 * @param folder an existing folder
 */
export function writeSmallBuild(folder: string, text: string, bytes = 0): SmallBuild {
  const archive = join(folder, 'enc-v2.pmtiles');
  const writer = createArchiveWriter({
    path: archive,
    content: 'mvt',
    bounds: BOUNDS,
    center: CENTER,
    metadata: () => ({}),
  });
  writer.add(0, bytes === 0 ? gzipSync(text) : noise(text, bytes));
  const summary = writer.finish();
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
  const manifest: Manifest = withChecksum({
    format: 2 as const,
    buildId: sha256.slice(0, 16),
    schemaVersion: '1',
    bounds: [...BOUNDS] as Manifest['bounds'],
    archives: [
      {
        tileset: 'enc-v2',
        file: 'enc-v2.pmtiles',
        bytes: summary.bytes,
        sha256,
        minZoom: 0,
        maxZoom: 0,
        tiles: 1,
        head: Buffer.from(summary.head).toString('base64'),
      },
    ],
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
  return { folder, buildId: manifest.buildId, archive };
}

/** Incompressible bytes, different for each text. */
function noise(text: string, bytes: number): Buffer {
  const random = seededRandom(createHash('sha256').update(text).digest().readUInt32LE(0));
  const words = new Uint32Array(Math.ceil(bytes / 4));
  for (let i = 0; i < words.length; i++) words[i] = Math.floor(random() * 2 ** 32);
  return Buffer.from(words.buffer, 0, bytes);
}
