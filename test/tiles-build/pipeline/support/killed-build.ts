// A build that kills its own process: `killed-build.ts CELLS BACKGROUND OUT STEP TURNS`, after so many
// steps of its progress and turns of the event loop. Prints how many steps there were, where it ended.

import { join } from 'node:path';
import { buildCharts } from '../../../../tiles-build/pipeline/build-charts.ts';

const [cells, background, out, step, turns] = process.argv.slice(2);
let steps = 0;

function killAfter(left: number): void {
  // As the machine's fault would: nothing is closed, and the workers are in the midst of something.
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
