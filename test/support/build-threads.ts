// The thread that runs the jobs of builds in tests. A new thread loads and compiles all code of the build, which
// takes longer than the jobs of a few small cells, so one is shared by all test files of this process.

import type { BuildPool } from '../../tiles-build/pipeline/build-context.ts';
import { openBuildThreads } from '../../tiles-build/pipeline/build-threads.ts';

let kept: BuildPool | undefined;

/** A pool for builds for which the number of threads does not matter. */
export function keptThread(): BuildPool {
  kept ??= openBuildThreads(1);
  const { size, run } = kept;
  // A build closes its pool when it ends; this one stays open.
  return { size, run, close: async () => undefined };
}
