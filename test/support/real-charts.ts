// Charts built from real cells for several test files: one set for each list of cells, built once
// and kept between runs. Test files run beside each other: one of them builds, the others wait.

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { codeDigest } from '../../tiles-build/pipeline/code-digest.ts';
import { encData } from './enc-data.ts';
import { withFolderLock } from './folder-lock.ts';
import { TEST_CACHE } from './setup/paths.ts';

/** Lists of cells that tests look at charts of, as paths below the development data. */
const CELLS = {
  real: ['ENC_ROOT'],
  /** With coarse cells around them. */
  withCoarse: ['ENC_ROOT', 'synthetic'],
  /** Moved so that they abut at 180°. */
  antimeridian: ['edge/anti_abut'],
  every: ['ENC_ROOT', 'synthetic', 'edge/gdal_autotest', 'edge/anti_abut'],
} as const;

export type RealCells = keyof typeof CELLS;

/** The folders of the cells of a set. */
export const realCells = (name: RealCells): string[] => CELLS[name].map((path) => encData(path));

const built = new Map<RealCells, Promise<string>>();

/** Folder of the charts of some cells; only what changed since an earlier run is built anew. */
export function realCharts(name: RealCells): Promise<string> {
  const known = built.get(name);
  if (known !== undefined) return known;
  const made = build(name);
  built.set(name, made);
  return made;
}

async function build(name: RealCells): Promise<string> {
  const root = join(TEST_CACHE, 'real-cells');
  const out = join(root, 'charts', name);
  // The sets have most cells in common. What other code made is never asked for again.
  const caches = join(root, 'cache');
  const cache = join(caches, codeDigest().slice(0, 16));
  mkdirSync(cache, { recursive: true });
  await withFolderLock(root, async () => {
    for (const other of readdirSync(caches)) {
      if (join(caches, other) !== cache) rmSync(join(caches, other), { recursive: true });
    }
    await buildCharts({ enc: realCells(name), out, cache, jobs: 2 });
  });
  return out;
}
