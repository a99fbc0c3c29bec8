// A bucket that charts were published to, made once in a run for each set of charts: a service gets
// a copy, which takes a fraction of the time that publishing takes.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { publishBuild } from '../../tiles-build/publish/publish.ts';
import { withFolderLock } from './folder-lock.ts';
import { openLocalBucket } from './local-bucket.ts';

/** Publish a folder of charts to the bucket of a service's data folder. */
export async function publishTo(charts: string, dataDir: string): Promise<void> {
  const bucket = await openLocalBucket(dataDir);
  try {
    await publishBuild(charts, bucket);
  } finally {
    await bucket.close();
  }
}

/**
 * The same, by copying what was published before in this run.
 *
 * @param runFolder deleted when the run ends
 */
export async function copyPublished(
  charts: string,
  dataDir: string,
  runFolder: string,
): Promise<void> {
  const kept = join(runFolder, `published-${stateOf(charts)}`);
  await withFolderLock(`${kept}-lock`, async () => {
    if (existsSync(kept)) return;
    const made = mkdtempSync(`${kept}-`);
    await publishTo(charts, made);
    renameSync(made, kept);
  });
  cpSync(kept, dataDir, { recursive: true });
}

/** Differs for charts that were changed since, also where a test damaged them. */
function stateOf(charts: string): string {
  const files = readdirSync(charts, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, ...statSync(join(charts, name)) }))
    .map(({ name, ino, size, mtimeMs }) => [name, ino, size, mtimeMs].join(' '));
  return createHash('sha256')
    .update([charts, ...files].join('\n'))
    .digest('hex')
    .slice(0, 16);
}
