// The demo cells and the charts of them, kept between runs.

import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeDemoCharts } from '../../../tiles-build/demo/write-demo-charts.ts';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { oncePerRun } from './once-per-run.ts';
import { TEST_CACHE } from './paths.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the demo charts, as `build --out` leaves it. */
    readonly demoCharts: string;
    /** Folder of the demo cells, an exchange set. */
    readonly demoCells: string;
  }
}

const cells = join(TEST_CACHE, 'cells');
const charts = join(TEST_CACHE, 'charts');

export async function setup(project: TestProject): Promise<void> {
  await oncePerRun('demo charts', async () => {
    await writeDemoCharts(cells);
    await buildCharts({ enc: [cells], out: charts, jobs: 2 });
  });
  project.provide('demoCells', cells);
  project.provide('demoCharts', charts);
}
