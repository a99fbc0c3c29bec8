// Standalone program that publishes a build to a folder, without the rest of the build tools. A
// self-hosted service runs it for `--charts`. Arguments: the build folder and the served folder.

import { systemErrorText } from '../../shared/contract/system-error.ts';
import { openFolderBucket, ownFolderProblem } from './folder-bucket.ts';
import { publishBuild } from './publish.ts';

const [build, store] = process.argv.slice(2);
try {
  if (build === undefined || store === undefined)
    throw new Error('Usage: cli.ts BUILD_FOLDER SERVED_FOLDER');
  const problem = ownFolderProblem(build, store);
  if (problem !== undefined) throw new Error(problem);
  const { buildId } = await publishBuild(build, openFolderBucket(store));
  console.log(`Build ${buildId} is current.`);
} catch (error) {
  console.error(systemErrorText(error) ?? (error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}
