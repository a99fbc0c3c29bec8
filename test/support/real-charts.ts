// Charts built from real cells for several test files. All cells are in one set, because they are far
// apart and each build cuts the land around its cells again. The charts are cached between runs. Test
// files run in parallel: one of them builds, and the others wait.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { codeDigest } from '../../tiles-build/pipeline/code-digest.ts';
import { encData } from './enc-data.ts';
import { withFolderLock } from './folder-lock.ts';
import { TEST_CACHE } from './setup/paths.ts';

/** Lists of cells for tests, as paths below the development data. */
const CELLS = {
  /** Five usage bands, with coarse cells around them. */
  withCoarse: ['ENC_ROOT', 'synthetic'],
  /** Harbours and channels with many marks: Boston and the Chesapeake. */
  busy: ['ENC_BUSY'],
  /** Moved so that they meet at 180°. */
  antimeridian: ['edge/anti_abut'],
} as const;

export type RealCells = keyof typeof CELLS;
const NAMES = Object.keys(CELLS) as RealCells[];

/** The folders of the cells of a set. */
export const realCells = (name: RealCells): string[] => CELLS[name].map((path) => encData(path));

let built: Promise<string> | undefined;

/** The folder of the charts of all these cells, built once per version of the cells and the code. */
export const realCharts = (): Promise<string> => (built ??= build());

async function build(): Promise<string> {
  const root = join(TEST_CACHE, 'real-cells');
  const charts = join(root, 'charts');
  // The name depends on the code and the cells, because published charts must not change while a test
  // uses them.
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
