// Charts built from real cells for several test files: one set for each list of cells, built once
// and kept between runs. Test files run beside each other: one of them builds, the others wait.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { codeDigest } from '../../tiles-build/pipeline/code-digest.ts';
import { encData } from './enc-data.ts';
import { withFolderLock } from './folder-lock.ts';
import { TEST_CACHE } from './setup/paths.ts';

/** Lists of cells that tests look at charts of, as paths below the development data. */
const CELLS = {
  /** Five usage bands, with coarse cells around them. */
  withCoarse: ['ENC_ROOT', 'synthetic'],
  /** Harbours and channels full of marks: Boston and the Chesapeake. */
  busy: ['ENC_BUSY'],
  /** Moved so that they abut at 180°. */
  antimeridian: ['edge/anti_abut'],
} as const;

export type RealCells = keyof typeof CELLS;

/** The folders of the cells of a set. */
export const realCells = (name: RealCells): string[] => CELLS[name].map((path) => encData(path));

const built = new Map<RealCells, Promise<string>>();

/** Folder of the charts of some cells, built once for the cells and the code that there are. */
export function realCharts(name: RealCells): Promise<string> {
  const known = built.get(name);
  if (known !== undefined) return known;
  const made = build(name);
  built.set(name, made);
  return made;
}

async function build(name: RealCells): Promise<string> {
  const root = join(TEST_CACHE, 'real-cells');
  const charts = join(root, 'charts');
  // By its own name for other code or cells: what a test publishes is never written anew beside it.
  const seen = realCells(name).map((path) => `${path} ${statSync(path).mtimeMs}`);
  const digest = createHash('sha256')
    .update([codeDigest(), ...seen].join('\n'))
    .digest('hex');
  const out = join(charts, `${name}-${digest.slice(0, 16)}`);
  // The sets have most cells in common. What other code made is never asked for again.
  const caches = join(root, 'cache');
  const cache = join(caches, codeDigest().slice(0, 16));
  mkdirSync(cache, { recursive: true });
  await withFolderLock(root, async () => {
    if (existsSync(join(out, 'manifest.json'))) return;
    mkdirSync(charts, { recursive: true });
    for (const other of readdirSync(charts)) {
      if (other.startsWith(`${name}-`)) rmSync(join(charts, other), { recursive: true });
    }
    for (const other of readdirSync(caches)) {
      if (join(caches, other) !== cache) rmSync(join(caches, other), { recursive: true });
    }
    await buildCharts({ enc: realCells(name), out, cache, jobs: 2 });
  });
  return out;
}
