// A build that is found, unless it is incomplete or of other sources.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtAt, distOf, LIST, sourcesOf } from '../../../workers/host/serve/built.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const root = scratchFolder();
const dist = distOf(root);
for (const folder of ['migrations', 'shared', 'workers/host', 'dist/standalone', 'dist/packed'])
  mkdirSync(join(root, folder), { recursive: true });
const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const note = (content: unknown) => write(`dist/standalone/${LIST}`, JSON.stringify(content));
write('package-lock.json', '{}');
write('migrations/0001-first.sql', 'SELECT 1');
mkdirSync(join(root, 'dist/assets'));
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

test('a build of a version that noted only the modules is not used', () => {
  note([{ name: 'index.js', kind: 'esModule' }]);
  expect(builtAt(dist)).toBeUndefined();
});

test('an installation without sources uses its build', () => {
  const installation = join(root, 'migrations');
  expect(sourcesOf(installation)).toBeUndefined();
});
