// Publishing to a folder as a program of its own, without the rest of the build: what a self-hosted
// service runs for `--charts`. Words: the build's folder, the folder that is served.

import { openFolderBucket } from './folder-bucket.ts';
import { publishBuild } from './publish.ts';

const [build, store] = process.argv.slice(2);
try {
  if (build === undefined || store === undefined) throw new Error('Name a build and a folder.');
  const { buildId } = await publishBuild(build, openFolderBucket(store));
  console.log(`Build ${buildId} is current.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
