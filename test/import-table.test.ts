// The table of folders in ARCHITECTURE.md is the rule of what may import what: it is read here and
// held against the code, both ways.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf, ROOT, sourceFiles } from './support/source-files.ts';

const AREAS = ['shared', 'tiles-build', 'workers'] as const;

/** Folder to the folders its row names, all from the root of the repository. */
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
    // What is made of a folder stands in the table as that folder.
    if (to.startsWith('dist/')) continue;
    if (dirname(to) !== dirname(path)) imported.get(dirname(path))!.add(dirname(to));
  }
}

/** A circle of folders that import one another, or undefined. */
function findCircle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (folder: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder];
    if (finished.has(folder)) return undefined;
    for (const next of graph.get(folder) ?? []) {
      const circle = visit(next, [...way, folder]);
      if (circle !== undefined) return circle;
    }
    finished.add(folder);
    return undefined;
  };
  for (const folder of graph.keys()) {
    const circle = visit(folder, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

it('the table of folders in ARCHITECTURE.md has a row for every folder with source files, and no other row', () => {
  expect([...readTable().keys()].sort()).toEqual([...imported.keys()].sort());
});

it('the table of folders in ARCHITECTURE.md names for every folder exactly the folders that it imports', () => {
  const plain = (graph: ReadonlyMap<string, ReadonlySet<string>>) =>
    Object.fromEntries([...graph].sort().map(([folder, to]) => [folder, [...to].sort()]));
  expect(plain(readTable())).toEqual(plain(imported));
});

it('the table of folders in ARCHITECTURE.md describes folders without a circle of imports', () => {
  expect(findCircle(imported)).toBeUndefined();
  const circle = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
  ]);
  expect(findCircle(circle)).toEqual(['b', 'c', 'b']);
});
