// The cache between builds. Files are named by a digest of all their inputs, so that they never
// become stale. They are renamed into place when complete and checked by their sums when read.

import { createHash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { seal, sealKey, unseal } from '../archive/seal.ts';
import { removeDamaged } from '../archive/system-error.ts';
import { unfinishedPath } from '../archive/unfinished.ts';

export interface BuildCache {
  readonly folder: string;
  /** Folder of another cache whose entries this one takes. */
  readonly reuse: string | undefined;
  /** Path of an entry, which need not exist. Marks the entry as used. */
  path(kind: CacheKind, digest: string): string;
  has(kind: CacheKind, digest: string): boolean;
  /** Path here of the entry with this path in any cache. */
  own(path: string): string;
  /** Delete the entries that this build did not use. */
  prune(): void;
  /** Note the time of the entries that this build used, and delete those that no build used for this long. */
  pruneUnusedFor(ms: number): void;
}

/** File extension of each kind of entry; each kind has its own folder. */
const ENDINGS = {
  scans: '.json',
  plans: '.pack',
  packs: '.pack',
  parts: '.pack',
  lists: '.bin',
  archives: '.json',
  coasts: '.pack',
  cells: '.sealed',
} as const;
/** Folder of temporary files within a cache. */
export const SCRATCH = 'scratch';

type CacheKind = keyof typeof ENDINGS;

/**
 * Open or create a cache.
 * @param reuse folder of another cache, whose builds may run meanwhile. An entry that is only there is linked here
 *   when it is needed: then both caches can delete their own name of it
 */
export function openBuildCache(folder: string, reuse?: string): BuildCache {
  const take = (name: string) => {
    const path = join(folder, name);
    // A decrypted cell belongs to one cache.
    if (dropEmpty(path) || reuse === undefined || dirname(name) === 'cells') return;
    linkEntry(join(reuse, name), path);
    dropEmpty(path);
  };
  const used = new Set<string>();
  /** A decrypted cell stays when its licence has expired, until a newer one replaces it. */
  const isKeptCell = (kind: string, name: string) =>
    kind === 'cells' && ![...used].some((one) => one.startsWith(join(kind, name.slice(0, 9))));
  for (const kind of Object.keys(ENDINGS)) mkdirSync(join(folder, kind), { recursive: true });
  const path = (kind: CacheKind, digest: string): string => {
    const name = join(kind, `${digest}${ENDINGS[kind]}`);
    if (!used.has(name)) take(name);
    used.add(name);
    return join(folder, name);
  };
  return {
    folder,
    reuse,
    path,
    has: (kind, digest) => existsSync(path(kind, digest)),
    own(path) {
      const name = join(basename(dirname(path)), basename(path));
      take(name);
      return join(folder, name);
    },
    prune() {
      rmSync(join(folder, SCRATCH), { recursive: true, force: true });
      for (const kind of Object.keys(ENDINGS)) {
        for (const name of readdirSync(join(folder, kind))) {
          if (!used.has(join(kind, name)) && !isKeptCell(kind, name))
            rmSync(join(folder, kind, name), { force: true });
        }
      }
    },
    pruneUnusedFor(ms) {
      const now = new Date();
      for (const name of used) {
        if (existsSync(join(folder, name))) utimesSync(join(folder, name), now, now);
      }
      for (const kind of [...Object.keys(ENDINGS).filter((one) => one !== 'cells'), SCRATCH]) {
        if (!existsSync(join(folder, kind))) continue;
        for (const name of readdirSync(join(folder, kind))) {
          const path = join(folder, kind, name);
          // Another build may have renamed its unfinished file.
          const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
          if (now.getTime() - mtimeMs > ms) rmSync(path, { recursive: true, force: true });
        }
      }
    },
  };
}

/** Deletes an entry that a power failure left empty. @returns whether there is an entry */
function dropEmpty(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === 0) rmSync(path, { force: true });
  return Boolean(size);
}

/** Link a complete entry, or copy it from another file system. A build makes an entry again that could not be taken. */
export function linkEntry(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'EEXIST'].includes(code)) return;
    copyEntry(from, to);
  }
}

/** Copy a complete entry. A build makes an entry again that could not be copied. */
export function copyEntry(from: string, to: string): void {
  const unfinished = unfinishedPath(to);
  try {
    copyFileSync(from, unfinished, constants.COPYFILE_FICLONE);
    renameSync(unfinished, to);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

/**
 * Digest of a list of texts. The length of each text is hashed too, so that their borders count.
 */
export function digestOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('hex').slice(0, 40);
}

/** Begins a sealed text; JSON never begins like this. */
const SEALED = 'sealed:';

/** Read a file written by `writeJson`. @throws DamagedFile if its sum does not match */
export function readJson(path: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  const [text = '', sum] = readFileSync(path, 'utf8').split('\n');
  if (sum !== String(crc32(text))) throw removeDamaged(path);
  const sealed = text.startsWith(SEALED)
    ? Buffer.from(text.slice(SEALED.length), 'base64')
    : undefined;
  const json = sealed === undefined ? text : Buffer.from(unseal(sealed)).toString();
  return JSON.parse(json, reviver);
}

/** Write JSON on one line, sealed if a key is set, and its CRC-32 on the next. The file appears only when it is complete. */
export function writeJson(path: string, value: unknown): void {
  const unfinished = unfinishedPath(path);
  const json = JSON.stringify(value);
  const text = sealKey() === undefined ? json : SEALED + seal(Buffer.from(json)).toString('base64');
  writeFileSync(unfinished, `${text}\n${crc32(text)}\n`);
  renameSync(unfinished, path);
}
