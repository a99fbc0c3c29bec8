// Charts built from real cells for several test files: once, and kept between runs.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Folder of the charts of some cells; only what changed is built anew. */
export async function builtCharts(name: string, enc: readonly string[]): Promise<string> {
  const out = join(ROOT, 'node_modules', '.cache', 'leadline-test', name);
  await buildCharts({ enc, out, jobs: 2 });
  return out;
}

/** The manifest of charts in a folder. */
export const manifestOf = (charts: string): Manifest =>
  JSON.parse(readFileSync(join(charts, 'manifest.json'), 'utf8')) as Manifest;
