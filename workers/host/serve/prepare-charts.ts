// Publishes the chart build that the operator names, at the first start with it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServeOptions } from './options.ts';
import { chartsStore } from './state-folder.ts';

/** Publish a chart build to the store of the service. */
export type PublishCharts = (build: string, store: string) => Promise<void>;

/** @throws Error if no build is given and none is published */
export async function prepareCharts(
  { charts, data }: Pick<ServeOptions, 'charts' | 'data'>,
  publish: PublishCharts,
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
  // Hashing gigabytes again would delay the start.
  if (!isOwn(pointer)) await publish(charts, store);
  writeFileSync(noted, own);
}
