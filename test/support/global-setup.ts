// Before any test: the demo charts, the chart page and the artwork, built once and kept between runs (what has not
// changed is left as it is), and a database server whose databases are copies of a migrated one.

import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeDemoCharts } from '../../tiles-build/demo/write-demo-charts.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { writeAssets } from '../../tiles-build/symbols/write-assets.ts';
import { buildPage } from '../../workers/local/build-page.ts';
import { startTemplateServer, type TemplateServer } from './template-server.ts';

const ROOT = resolve(import.meta.dirname, '../..');

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the demo charts, as `build --out` leaves it. */
    readonly demoCharts: string;
    /** Folder of the demo cells, an exchange set. */
    readonly demoCells: string;
    /** Folder of the chart page, the sprites and the glyphs, as the service gets it. */
    readonly assets: string;
    readonly templateServer: TemplateServer;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Not beside the build: that leaves this thread no time for answers.
  const { server, stop } = await startTemplateServer();
  project.provide('templateServer', server);
  const folder = join(ROOT, 'node_modules', '.cache', 'leadline-test');
  const cells = join(folder, 'cells');
  const charts = join(folder, 'charts');
  await writeDemoCharts(cells);
  await buildCharts({ enc: [cells], out: charts, jobs: 2 });
  const assets = join(folder, 'assets');
  await buildPage(ROOT, assets);
  await writeAssets(ROOT, assets);
  project.provide('assets', assets);
  project.provide('demoCells', cells);
  project.provide('demoCharts', charts);
  return stop;
}
