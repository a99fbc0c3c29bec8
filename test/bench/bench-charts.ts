// What the benches serve: the demo charts and the artwork, built where the tests keep them, and the
// real cells where they are.

import { join, resolve } from 'node:path';
import { writeDemoCharts } from '../../tiles-build/demo/write-demo-charts.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { writeAssets } from '../../tiles-build/symbols/write-assets.ts';
import { hasEncData } from '../support/enc-data.ts';
import { realCharts } from '../support/real-charts.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

export interface BenchCharts {
  readonly demo: string;
  readonly artwork: string;
  /** Charts of the real cells; undefined where they are absent. */
  readonly real: string | undefined;
}

const FOLDER = join(REPOSITORY, 'node_modules', '.cache', 'leadline-test');

/** Folder of the demo charts. */
export async function demoCharts(): Promise<string> {
  const demo = join(FOLDER, 'charts');
  await writeDemoCharts(join(FOLDER, 'cells'));
  await buildCharts({ enc: [join(FOLDER, 'cells')], out: demo, jobs: 2 });
  return demo;
}

export async function benchCharts(): Promise<BenchCharts> {
  const demo = await demoCharts();
  const artwork = join(FOLDER, 'artwork');
  await writeAssets(REPOSITORY, artwork);
  const real = hasEncData ? await realCharts('withCoarse') : undefined;
  return { demo, artwork, real };
}
