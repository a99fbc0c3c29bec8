// The plan of the house, held by a test: which room may open which door, how long a file may be,
// and that every folder of some size says what it is for.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const ROOMS = ['shared', 'workers', 'tiles-build', 'migrations', 'test'];

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const sources = ROOMS.flatMap(filesBelow).filter((path) => path.endsWith('.ts'));

function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/(?:from|import)\s+'(\.{1,2}\/[^']+)'/g)].map(([, to]) =>
    relative(ROOT, resolve(ROOT, dirname(path), to!)),
  );
}

/** Code of workers/ that runs in Node or in a browser, and is no part of the Worker. */
const NODE_FOLDERS = /^workers\/(admin|local|self-hosted|deploy|page)\//;

/** Levels inside shared/: a folder may import from a lower level or from itself. */
const LEVELS: Readonly<Record<string, number>> = {
  geo: 0,
  s57: 0,
  mvt: 1,
  chart: 2,
  style: 3,
  raster: 4,
  route: 3,
  query: 3,
  reports: 3,
  bathymetry: 3,
  contract: 5,
};

describe('the plan of the house', () => {
  it('lets workers and tiles-build import shared only, and shared nothing outside itself', () => {
    const forbidden = sources.flatMap((path) => {
      const room = path.split('/')[0]!;
      if (room === 'test') return [];
      return importsOf(path)
        .filter(
          (to) => !to.startsWith(`${room}/`) && !(room !== 'shared' && to.startsWith('shared/')),
        )
        .map((to) => `${path} → ${to}`);
    });
    expect(forbidden).toEqual([]);
  });

  it('lets each level of shared import only lower levels', () => {
    const upward = sources
      .filter((path) => path.startsWith('shared/') && path.split('/').length > 2)
      .flatMap((path) => {
        const level = LEVELS[path.split('/')[1]!];
        expect(level, `shared/${path.split('/')[1]} has a level`).toBeDefined();
        return importsOf(path)
          .filter((to) => to.split('/')[1] !== path.split('/')[1])
          .filter((to) => LEVELS[to.split('/')[1]!]! >= level!)
          .map((to) => `${path} → ${to}`);
      });
    expect(upward).toEqual([]);
  });

  it('keeps Node code out of the Worker, and the Worker free of what runs it locally', () => {
    const strays = sources
      .filter((path) => path.startsWith('workers/'))
      .filter((path) => !NODE_FOLDERS.test(path))
      .filter(
        (path) =>
          importsOf(path).some((to) => NODE_FOLDERS.test(to)) ||
          /from 'node:(fs|path|child_process|net|http|os)/.test(
            readFileSync(join(ROOT, path), 'utf8'),
          ),
      );
    expect(strays).toEqual([]);
  });

  it('keeps every file short enough to read in one sitting', () => {
    // Fact tables are as long as the standard they state; they say so in their first lines.
    const long = sources
      .filter((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8');
        const isTable = /\bfact table\b/i.test(text.slice(0, 600));
        return !isTable && text.split('\n').length > 401;
      })
      .map((path) => `${path}: ${readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1}`);
    expect(long).toEqual([]);
  });

  it('names every file in kebab-case', () => {
    const odd = sources.filter((path) => !/^[a-z0-9.-]+$/.test(path.split('/').at(-1)!));
    expect(odd).toEqual([]);
  });

  it('has a README in every folder of five or more source files', () => {
    const folders = new Map<string, number>();
    for (const path of sources) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
    const silent = [...folders]
      .filter(([folder, count]) => count >= 5 && !folder.startsWith('test/'))
      .filter(([folder]) => !readdirSync(join(ROOT, folder)).includes('README.md'))
      .map(([folder]) => folder);
    expect(silent).toEqual([]);
  });

  it('keeps the architecture page to 150 lines', () => {
    const lines = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n').length;
    expect(lines).toBeLessThanOrEqual(151);
  });

  it('has only the agreed entries at its top level', () => {
    const agreed = new Set(
      [
        'package.json package-lock.json wrangler.toml tsconfig.json tsconfig.base.json',
        'workers shared migrations tiles-build test README.md ARCHITECTURE.md CHANGELOG.md',
        'CONTRIBUTING.md LICENSE biome.json vitest.config.ts node_modules dist',
      ].flatMap((line) => line.split(' ')),
    );
    const extra = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !agreed.has(name));
    expect(extra).toEqual([]);
    for (const room of ROOMS) expect(statSync(join(ROOT, room)).isDirectory()).toBe(true);
  });
});
