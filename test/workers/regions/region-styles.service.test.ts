// Styles of a region file, and the glyphs that MapLibre requests for them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { daysAt } from '../../../shared/chart/in-force.ts';
import { inForce } from '../../../shared/style/document/in-force.ts';
import { extractRegion } from '../../../tiles-build/extract/extract-region.ts';
import { openRegion, type Region } from '../../../workers/web/client/region.ts';
import { blobOf } from '../../support/region-charts.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

let region: Region;
beforeAll(async () => {
  const path = join(scratchFolder(), 'region');
  const request = { bounds: [-20.03, -30.02, -19.97, -29.97], maxZoom: 9 } as const;
  await extractRegion({ charts: inject('demoCharts'), assets: inject('assets'), request }, path);
  region = await openRegion(blobOf(readFileSync(path)));
});

test('a region file has styles for all days, and opening one adds the current day', async () => {
  const stored = JSON.parse(Buffer.from((await region.file('styles/day.json'))!).toString());
  const { layers } = await region.style('day');
  expect(layers).toEqual(inForce(stored.layers, daysAt(Date.now())));
  expect(layers).not.toEqual(stored.layers);
});

test('a region file has glyphs for fonts that it does not contain', async () => {
  const glyphs = async (fonts: string, range = '0-255') => {
    const url = `region://here/glyphs/${encodeURIComponent(fonts)}/${range}.pbf`;
    return (await region.protocol({ url })).data;
  };
  const [bold, regular] = await Promise.all(
    ['Bold', 'Regular'].map((weight) => region.file(`glyphs/Noto Sans ${weight}/0-255.pbf`)),
  );
  expect(await glyphs('Open Sans Regular,Arial Unicode MS Regular')).toEqual(regular);
  expect(await glyphs('Open Sans Regular,Noto Sans Bold')).toEqual(bold);
  for (const font of ['Open Sans Regular', 'Noto Sans Regular']) {
    expect(await glyphs(font, '64000-64255')).toEqual(new Uint8Array(0));
  }
});
