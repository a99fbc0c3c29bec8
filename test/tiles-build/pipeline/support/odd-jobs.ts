// A worker for tests of the pool: depending on the job it answers, throws, hangs, dies or uses up memory.

import { serveJobs } from '../../../../tiles-build/pipeline/serve-jobs.ts';

export type OddJob =
  | { readonly do: 'square'; readonly of: number }
  | { readonly do: 'throw' | 'hang' | 'exit' | 'eat' | 'throw-later' | 'die-later' };

serveJobs((job: OddJob): number | Promise<number> => {
  switch (job.do) {
    case 'square':
      return job.of * job.of;
    case 'throw':
      throw new Error('no such cell');
    case 'hang':
      // Hangs forever without using the processor.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return 0;
    case 'exit':
      return process.exit(7);
    case 'throw-later':
      setTimeout(() => {
        throw new Error('outside of any job');
      });
      return new Promise(() => undefined);
    case 'die-later':
      setTimeout(() => process.exit(7), 50);
      return 0;
    case 'eat': {
      const eaten: number[][] = [];
      for (;;) eaten.push(new Array(100_000).fill(eaten.length));
    }
  }
});
