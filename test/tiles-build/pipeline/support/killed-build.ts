// A build that kills its own process: `killed-build.ts CELLS BACKGROUND OUT STEP TURNS`, after STEP progress
// steps and TURNS turns of the event loop. If it is not killed, it prints the number of steps and its work.

import { join } from 'node:path';
import { buildCharts } from '../../../../tiles-build/pipeline/build-charts.ts';

const [cells, background, out, step, turns] = process.argv.slice(2);
let steps = 0;

function killAfter(left: number): void {
  // A hard kill: nothing is closed, and workers are in the middle of jobs.
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  else setImmediate(() => killAfter(left - 1));
}

const { work } = await buildCharts({
  enc: [cells!],
  background: background!,
  out: out!,
  sharedCache: join(out!, '.cache', 'shared'),
  jobs: 2,
  processedAt: 0,
  progress: {
    start: () => undefined,
    step: () => {
      steps++;
      if (steps === Number(step)) killAfter(Number(turns));
    },
  },
});
process.stdout.write(`${JSON.stringify({ steps, work })}\n`);
