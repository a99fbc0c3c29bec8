// The cache of builds.

import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBuildCache, SCRATCH } from '../../../tiles-build/pipeline/build-cache.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const DAY_MS = 86_400_000;

test('entries of another cache are taken until it deletes them, except decrypted cells', () => {
  const root = scratchFolder();
  const [folder, other] = [join(root, 'own'), join(root, 'other')];
  const from = openBuildCache(other);
  const put = (kind: 'scans' | 'cells' | 'packs', name: string) =>
    writeFileSync(from.path(kind, name), name);
  put('scans', 'first');
  put('scans', 'second');
  put('packs', 'third');
  put('cells', 'XX5HARB1');
  const cache = openBuildCache(folder, other);
  expect(cache.has('scans', 'first')).toBe(true);
  expect(readFileSync(cache.own(join('/moved', 'packs', 'third.pack')), 'utf8')).toBe('third');
  expect(cache.has('cells', 'XX5HARB1')).toBe(false);
  // A build with the other cache that uses none of them.
  openBuildCache(other).prune();
  expect(readFileSync(cache.path('scans', 'first'), 'utf8')).toBe('first');
  expect(openBuildCache(folder, other).has('scans', 'second')).toBe(false);
});

test('entries that a power failure left empty are made again, or taken from another cache', () => {
  const root = scratchFolder();
  const [folder, other] = [join(root, 'own'), join(root, 'other')];
  const from = openBuildCache(other);
  for (const name of ['first', 'second']) {
    writeFileSync(openBuildCache(folder).path('packs', name), '');
    writeFileSync(from.path('packs', name), name === 'first' ? name : '');
  }
  const cache = openBuildCache(folder, other);
  expect(readFileSync(cache.own(cache.path('packs', 'first')), 'utf8')).toBe('first');
  expect(cache.has('packs', 'second')).toBe(false);
});

test('entries that no build used for the given time are deleted, except decrypted cells', () => {
  const folder = join(scratchFolder(), 'cache');
  const before = openBuildCache(folder);
  const put = (kind: 'scans' | 'cells', name: string, days: number) => {
    const path = before.path(kind, name);
    writeFileSync(path, name);
    const at = new Date(Date.now() - days * DAY_MS);
    utimesSync(path, at, at);
  };
  put('scans', 'recent', 29);
  put('scans', 'unused', 31);
  put('scans', 'used', 31);
  put('cells', 'XX5HARB1', 31);
  for (const [name, days] of [
    ['merge-old', 31],
    ['merge-now', 0],
  ] as const) {
    const path = join(folder, SCRATCH, name);
    mkdirSync(path, { recursive: true });
    const at = new Date(Date.now() - days * DAY_MS);
    utimesSync(path, at, at);
  }
  const cache = openBuildCache(folder);
  expect(cache.has('scans', 'used')).toBe(true);
  expect(cache.has('scans', 'missing')).toBe(false);
  cache.pruneUnusedFor(30 * DAY_MS);
  expect(readdirSync(join(folder, 'scans')).sort()).toEqual(['recent.json', 'used.json']);
  expect(readdirSync(join(folder, 'cells'))).toEqual(['XX5HARB1.sealed']);
  expect(readdirSync(join(folder, SCRATCH))).toEqual(['merge-now']);
  // The used one is kept for another month.
  openBuildCache(folder).pruneUnusedFor(DAY_MS);
  expect(readdirSync(join(folder, 'scans'))).toEqual(['used.json']);
});
