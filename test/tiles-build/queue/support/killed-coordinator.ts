// Runs a build on a queue and kills its own process at a step of the progress. Usage:
// `killed-coordinator.ts CELLS BACKGROUND OUT QUEUE PACKS STEP`.

import { buildCharts } from '../../../../tiles-build/pipeline/build-charts.ts';
import { openPackStore } from '../../../../tiles-build/queue/pack-store.ts';
import { openQueuePool } from '../../../../tiles-build/queue/queue-pool.ts';

const [cells, background, out, url, packs, step] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const pool = await openQueuePool({
  url,
  store: await openPackStore(packs, {}),
  onMessage: () => undefined,
});
let steps = 0;
await buildCharts({
  enc: [cells],
  background,
  out,
  jobs: 1,
  pool,
  progress: {
    start: () => undefined,
    step: () => {
      // Like a machine failure: nothing is closed and jobs are still running.
      if (++steps === Number(step)) process.kill(process.pid, 'SIGKILL');
    },
  },
});
