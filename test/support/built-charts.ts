// Charts built from real cells for several test files: once, and kept between runs.

import { join, resolve } from 'node:path';
import { buildCharts } from '../../tiles-build/build/build-charts.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Folder of the charts of some cells; only what changed is built anew. */
export async function builtCharts(name: string, enc: readonly string[]): Promise<string> {
  const out = join(ROOT, 'node_modules', '.cache', 'leadline-test', name);
  await buildCharts({ enc, out, jobs: 2 });
  return out;
}
