// Keeps decrypted files in the build cache, sealed with the key of the deployment.

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SealBroken, seal, unseal } from '../archive/seal.ts';
import { unfinishedPath } from '../archive/unfinished.ts';
import type { SealedStore } from './unlock-file.ts';

/** The part of the build cache that this file uses. */
interface CellCache {
  path(kind: 'cells', digest: string): string;
}

/** A store in a cache. Files that a build uses or finds are marked as used. */
export function sealedStore(cache: CellCache): SealedStore {
  const path = (name: string, digest: string) => cache.path('cells', `${name}-${digest}`);
  return {
    path,
    read: (name, digest) => readSealed(path(name, digest)),
    write(name, digest, bytes) {
      const to = path(name, digest);
      // A file that was sealed with another key is replaced.
      if (readSealed(to) !== undefined) return;
      const unfinished = unfinishedPath(to);
      writeFileSync(unfinished, seal(bytes));
      renameSync(unfinished, to);
    },
    kept(cell) {
      const names = readdirSync(dirname(path(cell, ''))).flatMap((file) => {
        const [, name, digest] = /^(.+\.\d{3})-([0-9a-f]{40})\.sealed$/.exec(file) ?? [];
        return name?.startsWith(`${cell}.`) ? [{ name, digest: digest! }] : [];
      });
      return names.map(({ name, digest }) => {
        const at = path(name, digest);
        return { name, origin: at, sealedAt: at, read: async () => unseal(readFileSync(at)) };
      });
    },
  };
}

/** @returns undefined if the file is absent, damaged, or sealed with another key */
function readSealed(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return unseal(readFileSync(path));
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
