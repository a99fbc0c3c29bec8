// Plans of regions in the cache: the parts of a download do not plan the region again.

import { beforeAll, expect, inject, test } from 'vitest';
import type { GeoBounds } from '../../../shared/chart/bounds.ts';
import { planOf } from '../../../workers/service/regions/choose-region.ts';
import { newCost } from '../../../workers/service/runtime/request-cost.ts';
import { freshApp } from '../../support/direct-app.ts';
import { manifestOf } from '../../support/manifest-of.ts';
import { INDEX_ONLY } from '../../support/style-assets.ts';

let bucket: object;
beforeAll(async () => {
  ({ bucket } = await freshApp(inject('demoCharts')));
});

/** The plan of a box, and how often it was made. */
async function plan(bounds: GeoBounds) {
  let made = 0;
  const { chart, query } = await planOf({
    env: { TILES: bucket, ASSETS: INDEX_ONLY } as never,
    manifest: manifestOf(inject('demoCharts')),
    request: { bounds, maxZoom: 16 },
    maxBytes: Number.POSITIVE_INFINITY,
    cost: newCost(() => undefined),
    heavily: (work) => {
      made++;
      return work();
    },
  });
  const entries = chart.contents.length + (query?.contents.length ?? 0);
  return { made, entries };
}

test('the plan of a region with many entries is made once, also if another region is planned', async () => {
  const world = [-179.9, -80, 179.9, 80] as const;
  const port = [-20.06, -30.06, -19.94, -29.94] as const;
  expect((await plan(world)).entries).toBeGreaterThan(2200);
  expect((await plan(port)).made).toBe(1);
  expect([(await plan(world)).made, (await plan(port)).made]).toEqual([0, 0]);
});
