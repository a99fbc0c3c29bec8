// The table of folders in ARCHITECTURE.md states which folder may import which: it must equal the code.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf, ROOT, sourceFiles } from './support/source-files.ts';

const AREAS = ['shared', 'tiles-build', 'workers'] as const;

/** The folders in each row of the table by the folder of the row, relative to the root of the repository. */
function readTable(): Map<string, Set<string>> {
  const table = new Map<string, Set<string>>();
  for (const line of readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n')) {
    const [, folder, , ...columns] = line.split('|').map((cell) => cell.trim());
    const name = /^`([^`]+)`$/.exec(folder ?? '')?.[1];
    const area = AREAS.find((it) => name === it || name?.startsWith(`${it}/`));
    if (name === undefined || area === undefined) continue;
    const [own = '', shared = ''] = columns;
    const named = (text: string, root: string) =>
      text
        .split(', ')
        .filter((it) => it !== '' && it !== '—')
        .map((it) => (it === root ? it : `${root}/${it}`));
    table.set(name, new Set([...named(own, area), ...named(shared, 'shared')]));
  }
  return table;
}

const sources = sourceFiles(AREAS);
const imported = new Map<string, Set<string>>(sources.map((path) => [dirname(path), new Set()]));
for (const path of sources) {
  for (const to of importsOf(path)) {
    // Generated files are not in the table.
    if (to.startsWith('dist/')) continue;
    if (dirname(to) !== dirname(path)) imported.get(dirname(path))!.add(dirname(to));
  }
}

/** A cycle of folders that import one another, or `undefined`. */
function findCycle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (folder: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (finished.has(folder)) return undefined;
    for (const next of graph.get(folder) ?? []) {
      const cycle = visit(next, [...path, folder]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(folder);
    return undefined;
  };
  for (const folder of graph.keys()) {
    const cycle = visit(folder, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

it('ARCHITECTURE.md has exactly one row for every folder with source files', () => {
  expect([...readTable().keys()].sort()).toEqual([...imported.keys()].sort());
});

it('ARCHITECTURE.md names exactly the folders that each folder imports', () => {
  const plain = (graph: ReadonlyMap<string, ReadonlySet<string>>) =>
    Object.fromEntries([...graph].sort().map(([folder, to]) => [folder, [...to].sort()]));
  expect(plain(readTable())).toEqual(plain(imported));
});

it('the imports of folders have no cycle', () => {
  expect(findCycle(imported)).toBeUndefined();
  const cycle = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
  ]);
  expect(findCycle(cycle)).toEqual(['b', 'c', 'b']);
});
