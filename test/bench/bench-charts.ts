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

/** All of them. */
export async function benchCharts(): Promise<BenchCharts> {
  const real = hasEncData ? await realCharts('withCoarse') : undefined;
  return { ...(await demoCharts()), real };
}

/** Those that are made of nothing, with the artwork. */
export async function demoCharts(): Promise<Omit<BenchCharts, 'real'>> {
  const folder = join(REPOSITORY, 'node_modules', '.cache', 'leadline-test');
  const demo = join(folder, 'charts');
  const artwork = join(folder, 'artwork');
  await writeDemoCharts(join(folder, 'cells'));
  await buildCharts({ enc: [join(folder, 'cells')], out: demo, jobs: 2 });
  await writeAssets(REPOSITORY, artwork);
  return { demo, artwork };
}
