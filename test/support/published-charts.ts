// Publishes each set of charts once per run. Each service gets a copy of the bucket, because copying
// takes a fraction of the time of publishing.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs';
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

/** Paths of stored objects. Their files never change, so that a link replaces a copy of all charts. */
const OBJECT = /\/blobs\/./;

/**
 * Publishes charts by copying the bucket to which this run has already published them.
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
  cpSync(kept, dataDir, { recursive: true, filter: (path) => !OBJECT.test(path) });
  for (const path of readdirSync(kept, { recursive: true, encoding: 'utf8' })) {
    if (OBJECT.test(path)) linkSync(join(kept, path), join(dataDir, path));
  }
}

/** A key that changes if the charts change, also if a test damaged them. */
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
