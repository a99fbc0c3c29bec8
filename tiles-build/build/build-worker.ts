// The worker thread of a build: takes jobs and answers them in kind.

import type { BuildAnswer, BuildJob } from './jobs.ts';
import { mergePart } from './merge-part.ts';
import { planQuilt } from './quilt-plan.ts';
import { scanCell } from './scan-cell.ts';
import { serveJobs } from './serve-jobs.ts';
import { sliceOwner } from './slice-owner.ts';
import { mergeFunctionOf } from './tileset-merge.ts';

serveJobs(async (job: BuildJob): Promise<BuildAnswer> => {
  switch (job.kind) {
    case 'scan':
      return { kind: 'scan', ...(await scanCell(job.location, job.cacheFolder, job.code)) };
    case 'plan':
      return { kind: 'plan', plans: await planQuilt(job.coverages) };
    case 'slice':
      await sliceOwner(job);
      return { kind: 'slice' };
    case 'merge':
      return { kind: 'merge', ...mergePart(job.part, await mergeFunctionOf(job.tileset)) };
  }
});
