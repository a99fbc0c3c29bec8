// Does one job of a build in the calling thread: a worker, because jobs may hang or crash.

import { finishSheets, finishWorld } from '../route/finish-route.ts';
import type { BuildAnswer, BuildJob } from './jobs.ts';
import { mergePart } from './merge-part.ts';
import { writeQuiltPlan } from './quilt-plan.ts';
import { scanCell } from './scan-cell.ts';
import { sliceOwner } from './slice-owner.ts';
import { joinsOf } from './tileset-merge.ts';

/** Do a job and return an answer of the same kind. @throws any error of the job */
export async function doJob(job: BuildJob): Promise<BuildAnswer> {
  switch (job.kind) {
    case 'scan':
      return {
        kind: 'scan',
        ...(await scanCell(job.location, job.cacheFolder, job.code, job.reuse)),
      };
    case 'plan':
      await writeQuiltPlan(job.coverages, job.out);
      return { kind: 'plan' };
    case 'slice':
      await sliceOwner(job);
      return { kind: 'slice' };
    case 'merge':
      return { kind: 'merge', ...mergePart(job.part, await joinsOf(job.tileset, job.part)) };
    case 'finish-sheets':
      finishSheets(job.part, job.sheets, job.summary);
      return { kind: 'finish-sheets' };
    case 'finish-world':
      finishWorld(job.summaries, job.out);
      return { kind: 'finish-world' };
  }
}
