// A digest of the code that decides the content of tiles. It is part of every cache key, so that a
// change of the code makes cached tiles invalid without a version number.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { sealName } from '../archive/seal.ts';

const REPOSITORY = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

const DECIDING_FOLDERS = [
  'shared/bytes',
  'shared/geo',
  'shared/pmtiles',
  'shared/mvt',
  'shared/s57',
  'shared/chart',
  'shared/names',
  'shared/query',
  'tiles-build/background',
  'tiles-build/exchange-set',
  'tiles-build/generalise',
  'tiles-build/portray',
  'tiles-build/quilt',
  'tiles-build/slice',
  'tiles-build/pipeline',
  'tiles-build/route',
  'tiles-build/archive',
  'tiles-build/s63',
];

/** The other files of shared/route search routes and do not affect the tiles. */
const ROUTE_FILES = [
  'sea',
  'depth-code',
  'hazard-codec',
  'notice-codec',
  'square-codec',
  'sheets',
  'passages',
].map((name) => `shared/route/${name}.ts`);

/** The texts of system errors and of names of copies are stored with the problems of a cell. */
const DECIDING_FILES = [
  'shared/contract/copied-file.ts',
  'shared/contract/system-error.ts',
  ...ROUTE_FILES,
];

const DECIDING_PACKAGES = [
  'clipper2-wasm',
  'egoroof-blowfish',
  'pbf',
  'pmtiles',
  'polygon-clipping',
  'polylabel',
  'topojson-client',
  'yauzl',
  'zod',
];

let known: string | undefined;

/**
 * Hexadecimal digest; changes if a deciding file or package changes, or the key that seals the cache.
 */
export function codeDigest(): string {
  known ??= computeDigest();
  const seal = sealName();
  return seal === ''
    ? known
    : createHash('sha256')
        .update(known + seal)
        .digest('hex')
        .slice(0, 16);
}

function computeDigest(): string {
  const hash = createHash('sha256');
  const paths = [
    ...DECIDING_FOLDERS.flatMap((folder) => sourcesBelow(join(REPOSITORY, folder))),
    ...DECIDING_FILES.map((file) => join(REPOSITORY, file)),
  ];
  for (const path of paths) {
    hash.update(path.slice(REPOSITORY.length));
    hash.update(readFileSync(path));
  }
  const require = createRequire(import.meta.url);
  for (const name of DECIDING_PACKAGES) {
    const manifest = require.resolve.paths(name)?.map((folder) => join(folder, name)) ?? [];
    hash.update(`${name}@${versionIn(manifest)}`);
  }
  // A different zlib compresses the same tile to different bytes.
  hash.update(`zlib@${process.versions['zlib']}`);
  return hash.digest('hex').slice(0, 16);
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Reads package.json by its path, because packages hide it behind `exports`. */
function versionIn(folders: readonly string[]): string {
  for (const folder of folders) {
    try {
      return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
    } catch {
      // Not in this folder; try the next.
    }
  }
  return 'absent';
}
