// Compresses static assets at build time for the self-hosted service. The copies are not deployed, because
// the platform's edge compresses static files itself.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import pLimit from 'p-limit';
import { packedFolder } from './packed-folder.ts';

const COMPRESSIBLE = /\.(js|mjs|css|html|json|svg|webmanifest|txt|pbf|ttf|ico)$/;
/** Smaller files travel in one packet anyway. */
const MIN_BYTES = 1024;

/** 11 makes files a tenth smaller and takes six times as long, and `npm start` waits for it. */
const BROTLI_QUALITY = 9;

const CODINGS = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
} as const;

/**
 * Write `{SHA-256 of the file}.br` and `.gz` for each compressible file. Existing copies are kept, because
 * their names identify the content; other copies are removed.
 */
export async function packAssets(assetsDir: string): Promise<void> {
  const folder = packedFolder(assetsDir);
  await mkdir(folder, { recursive: true });
  const paths = (await readdir(assetsDir, { recursive: true })).filter((p) => COMPRESSIBLE.test(p));
  const limit = pLimit(availableParallelism());
  const names = await Promise.all(
    paths.map((path) => limit(() => packFile(join(assetsDir, path), folder))),
  );
  const kept = new Set(names.flat());
  const gone = (await readdir(folder)).filter((name) => !kept.has(name));
  await Promise.all(gone.map((name) => rm(join(folder, name), { force: true })));
}

/** @returns names of the copies */
async function packFile(path: string, folder: string): Promise<string[]> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return [];
  const digest = createHash('sha256').update(bytes).digest('hex');
  const names: string[] = [];
  for (const [ending, compress] of Object.entries(CODINGS)) {
    const name = `${digest}.${ending}`;
    names.push(name);
    if (existsSync(join(folder, name))) continue;
    // An incomplete copy would be served as it is. Equal files have copies of the same name.
    const begun = join(folder, `${name}-${randomUUID()}`);
    await writeFile(begun, await compress(bytes));
    await rename(begun, join(folder, name));
  }
  return names;
}
