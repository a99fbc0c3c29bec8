// Rules for the whole repository: where Node code is allowed, the length and names of files, and a README
// in every larger folder. `import-table.test.ts` checks imports between folders.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ALLOWED_FROM, importsThrough, kindProblem } from './support/kinds.ts';
import { importsOf, ROOT, runtimeImportsOf, sourceFiles } from './support/source-files.ts';

const FOLDERS = ['shared', 'workers', 'tiles-build', 'migrations', 'test'];

const sources = sourceFiles(FOLDERS);

it('the repository keeps Node and browser code out of workers/service', () => {
  const strays = sources
    .filter((path) => path.startsWith('workers/service/'))
    .filter(
      (path) =>
        importsOf(path).some((to) => /^workers\/(host|web)\//.test(to)) ||
        // At the beginning of a line, because samples of code are strings with imports.
        /^(?:import|export|\}) .*from 'node:(fs|path|child_process|net|http|os)/m.test(
          readFileSync(join(ROOT, path), 'utf8'),
        ),
    );
  expect(strays).toEqual([]);
});

it('the repository lets workers/web import only types of workers/service, and nothing of workers/host', () => {
  const strays = sources
    .filter((path) => path.startsWith('workers/web/'))
    .filter(
      (path) =>
        importsOf(path).some((to) => to.startsWith('workers/host/')) ||
        runtimeImportsOf(path).some(
          (to) => to.startsWith('workers/service/') && to !== 'workers/service/runtime/refusals.ts',
        ),
    );
  expect(strays).toEqual([]);
});

/** A path of imports, types included, that leads from a file back to it. */
function importCycle(): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, from: readonly string[]): string[] | undefined => {
    if (from.includes(path)) return [...from.slice(from.indexOf(path)), path];
    if (done.has(path) || !path.endsWith('.ts')) return undefined;
    for (const to of importsOf(path).filter((one) => sources.includes(one))) {
      const cycle = visit(to, [...from, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of sources) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

it('the repository has no files that import each other in a cycle', () => {
  expect(importCycle()).toBeUndefined();
});

it('the repository keeps every file short enough to read in one sitting', () => {
  // Fact tables are as long as their standard. Their first lines contain the words "fact table".
  const long = sources
    .filter((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const isTable = /\bfact table\b/i.test(text.slice(0, 600));
      return !isTable && text.split('\n').length > 401;
    })
    .map((path) => `${path}: ${readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1}`);
  expect(long).toEqual([]);
});

it('the repository names each test after its kind, which its imports determine', () => {
  const misnamed = sources
    .filter((path) => path.endsWith('.test.ts'))
    .map(kindProblem)
    .filter((problem) => problem !== undefined);
  expect(misnamed).toEqual([]);
});

it('importsThrough finds indirect imports that unit tests must not have', () => {
  expect(ALLOWED_FROM.unit).toEqual([]);
  const files = Object.values(ALLOWED_FROM)
    .flat()
    .filter((name) => name.startsWith('test/'));
  for (const path of files) expect(sources, 'a file in ALLOWED_FROM').toContain(path);
  expect(importsThrough('test/support/crowd-service.ts')).toContain('miniflare');
  expect(importsThrough('test/support/reports-page.ts')).toContain('playwright-core');
});

it('the repository reads LEADLINE_ENC_DIR in one place', () => {
  const others = sources
    .filter((path) => path.endsWith('.test.ts') && path !== 'test/architecture.test.ts')
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('LEADLINE_ENC_DIR'));
  expect(others).toEqual([]);
});

it('the repository names every file in kebab-case', () => {
  const odd = sources.filter((path) => !/^[a-z0-9.-]+$/.test(path.split('/').at(-1)!));
  expect(odd).toEqual([]);
});

it('the repository has a README in every folder of five or more source files', () => {
  const folders = new Map<string, number>();
  for (const path of sources) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  const silent = [...folders]
    .filter(([folder, count]) => count >= 5 && !folder.startsWith('test/'))
    .filter(([folder]) => !readdirSync(join(ROOT, folder)).includes('README.md'))
    .map(([folder]) => folder);
  expect(silent).toEqual([]);
});

it('the repository passes no list of unknown length as arguments of a function', () => {
  // About 120,000 arguments exceed the call stack, and lists of charts are longer.
  const spread = /\.(?:push|unshift)\(\s*(?:[^(){}[\]]*,\s*)?\.\.\.|\.splice\([^{}[\]]*\.\.\./;
  const found = sources
    .filter((path) => !/^(test|workers\/web\/chart)\//.test(path))
    .filter((path) => spread.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(found).toEqual([]);
});
