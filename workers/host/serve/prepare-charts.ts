// Publishes the chart build that the operator names, at the first start with it.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORY_KEY, manifestKey } from '../../../shared/chart/manifest.ts';
import type { ServeOptions } from './options.ts';
import { chartsStore } from './state-folder.ts';

/** Publish a chart build to the store of the service. */
export type PublishCharts = (build: string, store: string) => Promise<void>;

/**
 * @param note receives a sentence if the build is not published because it was rolled back
 * @throws Error if no build is given and none is published
 */
export async function prepareCharts(
  { charts, data }: Pick<ServeOptions, 'charts' | 'data'>,
  publish: PublishCharts,
  note: (message: string) => void,
): Promise<void> {
  const store = chartsStore(data);
  const pointer = join(store, 'current.json');
  if (charts === undefined) {
    if (existsSync(pointer)) return;
    throw new Error(
      `There are no published charts in ${data}. Name a build with --charts, or use the demo charts with --demo.`,
    );
  }
  const manifest = join(charts, 'manifest.json');
  if (!existsSync(manifest)) {
    throw new Error(
      `${charts} is not a chart build: it has no manifest.json. Build charts with: npm run charts -- build`,
    );
  }
  // Published by an earlier start. Later refreshes, uploads and rollbacks stay.
  const noted = join(data, 'charts-published.json');
  const own = readFileSync(manifest);
  const isOwn = (path: string) => existsSync(path) && readFileSync(path).equals(own);
  if (existsSync(pointer) && isOwn(noted)) return;
  const started = join(data, 'charts-publishing.json');
  // Hashing gigabytes again would delay the start.
  if (!isOwn(pointer)) {
    if (!isOwn(started) && wasRolledBack(store, own)) {
      return note(
        `The build in ${charts} was rolled back and is not published again. To publish it: npm run charts -- publish ${charts} --store ${store}`,
      );
    }
    // Without this note, a publication that was interrupted would look like a rollback.
    writeFileSync(started, own);
    await publish(charts, store);
  }
  writeFileSync(noted, own);
  rmSync(started, { force: true });
}

/** Whether a build is stored, but not among those that were current: a rollback removes it from these. */
function wasRolledBack(store: string, manifest: Buffer): boolean {
  const { buildId } = JSON.parse(manifest.toString()) as { buildId: string };
  const history = join(store, HISTORY_KEY);
  if (!existsSync(join(store, manifestKey(buildId)))) return false;
  return existsSync(history) && !readFileSync(history, 'utf8').includes(`"${buildId}"`);
}
