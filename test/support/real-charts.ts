// Charts built from real cells for several test files: all in one set, as they lie far apart and every
// build cuts the land around its cells anew. Built once and kept between runs. Test files run beside each
// other: one of them builds, the others wait.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { codeDigest } from '../../tiles-build/pipeline/code-digest.ts';
import { encData } from './enc-data.ts';
import { withFolderLock } from './folder-lock.ts';
import { TEST_CACHE } from './setup/paths.ts';

/** Lists of cells that tests look at, as paths below the development data. */
const CELLS = {
  /** Five usage bands, with coarse cells around them. */
  withCoarse: ['ENC_ROOT', 'synthetic'],
  /** Harbours and channels full of marks: Boston and the Chesapeake. */
  busy: ['ENC_BUSY'],
  /** Moved so that they abut at 180°. */
  antimeridian: ['edge/anti_abut'],
} as const;

export type RealCells = keyof typeof CELLS;
const NAMES = Object.keys(CELLS) as RealCells[];

/** The folders of the cells of a set. */
export const realCells = (name: RealCells): string[] => CELLS[name].map((path) => encData(path));

let built: Promise<string> | undefined;

/** Folder of the charts of all these cells, built once for the cells and the code that there are. */
export const realCharts = (): Promise<string> => (built ??= build());

async function build(): Promise<string> {
  const root = join(TEST_CACHE, 'real-cells');
  const charts = join(root, 'charts');
  // By its own name for other code or cells: what a test publishes is never written anew beside it.
  const folders = NAMES.flatMap(realCells).filter((path) => existsSync(path));
  const seen = folders.map((path) => `${path} ${statSync(path).mtimeMs}`);
  const digest = createHash('sha256')
    .update([codeDigest(), ...seen].join('\n'))
    .digest('hex');
  const out = join(charts, digest.slice(0, 16));
  await withFolderLock(root, async () => {
    if (existsSync(join(out, 'manifest.json'))) return;
    mkdirSync(charts, { recursive: true });
    for (const other of readdirSync(charts)) rmSync(join(charts, other), { recursive: true });
    await buildCharts({ enc: folders, out, jobs: 2 });
  });
  return out;
}
