// The thread that does the jobs of builds in tests. One loads and compiles all code of the build before
// its first job, which takes longer than the jobs of a few small cells: it stays for the builds of all
// test files of this process.

import type { BuildPool } from '../../tiles-build/pipeline/build-context.ts';
import { openBuildThreads } from '../../tiles-build/pipeline/build-threads.ts';

let kept: BuildPool | undefined;

/** Who does the jobs of a build for which it does not matter how many threads there are. */
export function keptThread(): BuildPool {
  kept ??= openBuildThreads(1);
  const { size, run } = kept;
  // A build closes its pool when it ends.
  return { size, run, close: async () => undefined };
}
