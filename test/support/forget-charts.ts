// Empties the caches of an isolate that are keyed by the contents of charts.

import type { Manifest } from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { forgetPart } from '../../workers/service/charts/part-heads.ts';

/** The next request reads the directories of these charts again. */
export function forgetCharts(manifest: Manifest): void {
  const cost = { bucketReads: 0, from: '', defer: () => undefined };
  for (const part of partsOf(manifest)) forgetPart(part, cost);
}
