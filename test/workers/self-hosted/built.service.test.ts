// A build that is found, unless it is incomplete or of other sources.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { buildPrograms, PROGRAMS } from '../../../workers/host/serve/build.ts';
import { builtAt, distOf, LIST, sourcesOf } from '../../../workers/host/serve/built.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const root = scratchFolder();
const dist = distOf(root);
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
for (const folder of ['shared', 'dist/packed']) mkdirSync(join(root, folder), { recursive: true });
for (const path of Object.values(PROGRAMS)) write(path, '');
const note = (content: unknown) => write(`dist/standalone/${LIST}`, JSON.stringify(content));
write('package-lock.json', '{}');
write('migrations/0001-first.sql', 'SELECT 1');
write('dist/assets/index.html', '');

test('a build of older sources is not used', () => {
  const modules = [{ name: 'index.js', kind: 'esModule' }];
  const before = sourcesOf(root);
  note({ sources: before, modules });
  expect(builtAt(dist, sourcesOf(root))?.modules).toEqual(modules);
  write('migrations/0002-second.sql', 'SELECT 2');
  expect(builtAt(dist, sourcesOf(root))).toBeUndefined();
  write('workers/host/new.ts', '');
  note({ sources: before, modules });
  expect(builtAt(dist, sourcesOf(root))).toBeUndefined();
  note({ sources: sourcesOf(root), modules });
  expect(builtAt(dist, sourcesOf(root))?.modules).toEqual(modules);
});

test.each([
  ['workers/host/serve/container/backups/2030/backup.json', 'of an operator', true],
  ['workers/host/serve/watching/grafana-dashboard.json', 'of an operator', true],
  ['workers/web/.DS_Store', 'of a system', true],
  ['workers/web/client/dist/chart/index.d.ts', 'of `npm run client`', true],
  ['workers/web/README.md', 'for readers', true],
  ['workers/web/docs/guides/maplibre.md', 'of the pages', false],
  ['workers/web/chart/icon.svg', 'of the pages', false],
  ['tiles-build/symbols/shapes.ts', 'of the symbols', false],
])('with the new file %s %s, the build is the same: %s', (path, _, isSame) => {
  const before = sourcesOf(root);
  write(path, 'new');
  expect(sourcesOf(root) === before).toBe(isSame);
});

test('programs of older sources do not use a newer build', async () => {
  const programs = join(dist, 'node', 'bin');
  const use = () => {
    const sources = sourcesOf(root);
    note({ sources, modules: [] });
    return builtAt(dist, sources, programs)?.modules;
  };
  expect(use()).toBeUndefined();
  await buildPrograms(root);
  expect(use()).toEqual([]);
  write('shared/newer.ts', '');
  expect(use()).toBeUndefined();
});

test('a build of a version that noted only the modules is not used', () => {
  note([{ name: 'index.js', kind: 'esModule' }]);
  expect(builtAt(dist)).toBeUndefined();
});

test('an installation without sources uses its build', () => {
  const installation = join(root, 'migrations');
  expect(sourcesOf(installation)).toBeUndefined();
});
