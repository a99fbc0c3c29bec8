// The set-up for tests that start servers. The database starts first, because a build blocks this thread and delays the
// responses of the database. The rest runs in parallel: charts in other threads, artwork in this thread.

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
