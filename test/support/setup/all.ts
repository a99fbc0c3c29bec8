// What the kinds that start servers need. The database comes first, as whoever builds leaves this thread
// no time for its answers; the rest is made side by side: charts by threads, artwork by this one.

import type { TestProject } from 'vitest/node';
import { setup as prepareArtwork } from './artwork.ts';
import { setup as prepareDatabase } from './database.ts';
import { setup as prepareDemoCharts } from './demo-charts.ts';
import { setup as preparePrograms } from './programs.ts';
import { setup as prepareWorker } from './worker.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stopDatabase = await prepareDatabase(project);
  const [removeWorker, removePrograms] = await Promise.all([
    prepareWorker(project),
    preparePrograms(project),
    prepareDemoCharts(project),
    prepareArtwork(project),
  ]);
  return async () => {
    removePrograms();
    removeWorker();
    await stopDatabase();
  };
}
