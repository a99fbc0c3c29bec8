// A build worker that hangs on one cell and dies on another, as with a bug in a clipping engine.

import { doJob } from '../../../../tiles-build/pipeline/do-job.ts';
import type { BuildJob } from '../../../../tiles-build/pipeline/jobs.ts';
import { serveJobs } from '../../../../tiles-build/pipeline/serve-jobs.ts';

const HANGS = /QF$/;
const DIES = /PE$/;

serveJobs((job: BuildJob) => {
  if (job.kind === 'slice' && job.source.kind === 'cell') {
    const { name } = job.source.location;
    // Hangs forever without using the processor.
    if (HANGS.test(name)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (DIES.test(name)) process.exit(3);
  }
  return doJob(job);
});
