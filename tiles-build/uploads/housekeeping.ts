// The periodic tasks of a worker, even while jobs wait: start due jobs, and delete files that nothing uses.
// A failed step is repeated at the next interval.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedBuild } from '../publish/build-folder.ts';
import { readPointer } from '../publish/history.ts';
import { pruneBuilds } from '../publish/prune.ts';
import { NothingToRollBack } from '../publish/publish.ts';
import type { ChartSources } from './change-charts.ts';
import type { JobStore } from './job-store.ts';
import { removeUpload } from './upload-files.ts';

interface Housekeeping {
  /** A job may have left parts that no build uses. */
  chartsChanged(): void;
  run(): Promise<void>;
}

type Sources = Pick<ChartSources, 'bucket' | 'work' | 'sync'>;

/** @param note called with the reason if a step failed */
export function openHousekeeping(
  sources: Sources,
  store: JobStore,
  note: (text: string) => void,
): Housekeeping {
  const { bucket, work, sync } = sources;
  let hasChanged = true;
  const steps: readonly (() => Promise<void>)[] = [
    async () => {
      if (hasChanged) await deleteOldParts(sources, note);
      hasChanged = false;
    },
    async () => {
      const current = await readPointer(bucket);
      if (current !== undefined) await store.rebuildOver(current.buildId);
    },
    async () => {
      if (sync !== undefined) await store.startDueRefresh();
    },
    async () => {
      for (const upload of await store.abandoned()) {
        await removeUpload(bucket, work, upload);
        await store.forget(upload);
      }
    },
    () => deleteUnknownCopies(work, store),
  ];
  return {
    chartsChanged() {
      hasChanged = true;
    },
    async run() {
      for (const step of steps) {
        await step().catch((error: Error) => note(`Housekeeping failed: ${error.message}`));
      }
    },
  };
}

/** Deletes the parts that only removed builds had. */
async function deleteOldParts({ bucket }: Sources, note: (text: string) => void): Promise<void> {
  await pruneBuilds(bucket, { keep: Number.MAX_SAFE_INTEGER }).catch((error: unknown) => {
    if (error instanceof DamagedBuild) note(`Old parts were not deleted: ${error.message}`);
    // Nothing is published yet.
    else if (!(error instanceof NothingToRollBack)) throw error;
  });
}

/** Deletes local copies of uploads and sealed cells of accounts that another worker has deleted. */
async function deleteUnknownCopies(work: string, store: JobStore): Promise<void> {
  for (const kind of ['uploads', 'sealed']) {
    const names = await readdir(join(work, kind)).catch(() => []);
    if (names.length === 0) continue;
    const known = await store.known(names);
    for (const name of names) {
      if (!known.has(name)) await rm(join(work, kind, name), { recursive: true, force: true });
    }
  }
}
