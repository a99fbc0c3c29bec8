// A build worker that fails with a full disk when it cuts a certain cell.

import { doJob } from '../../../../tiles-build/pipeline/do-job.ts';
import type { BuildJob } from '../../../../tiles-build/pipeline/jobs.ts';
import { serveJobs } from '../../../../tiles-build/pipeline/serve-jobs.ts';

const TOO_LARGE = /1$/;

serveJobs((job: BuildJob) => {
  if (
    job.kind === 'slice' &&
    job.source.kind === 'cell' &&
    TOO_LARGE.test(job.source.location.name)
  ) {
    const error = new Error('ENOSPC: no space left on device, write');
    throw Object.assign(error, { code: 'ENOSPC', syscall: 'write' });
  }
  return doJob(job);
});
