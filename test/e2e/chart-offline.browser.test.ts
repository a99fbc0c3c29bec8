// <leadline-chart> with a region file: it sends no request to the service, and works without a network.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paletteFor } from '../../shared/style/palette.ts';
import { createClient } from '../../workers/web/client/index.ts';
import { browserPath } from '../support/browser.ts';
import { PATIENTLY, settled } from '../support/chart-page.ts';
import { type ElementPage, openElementPage } from '../support/element-page.ts';

/** The origin of a page of a file. */
const NO_ORIGIN = 'null';

/** Runs in the page. */
const SCRIPT = `
import { openRegion } from '/region.js';
const file = await (await fetch('data:;base64,' + await fileText())).blob();
const region = await openRegion(file);
const chart = document.createElement('leadline-chart');
Object.assign(chart, { baseUrl: '${NO_ORIGIN}', region, safetyDepth: 12, pick: true });
document.body.replaceChildren(chart);
`;

describe.runIf(browserPath !== undefined)('a chart element with a region file', () => {
  let bench: ElementPage;
  const asked: string[] = [];
  beforeAll(async () => {
    bench = await openElementPage();
    const { page, pages, token } = bench;
    const { regions } = createClient({ address: pages.service.address, token });
    const plan = await regions.plan({ bbox: [-20.06, -30.06, -19.94, -29.94], maxZoom: 15 });
    const parts: Uint8Array[] = [];
    for await (const { bytes } of regions.download(plan)) parts.push(bytes);
    await page.exposeFunction('fileText', () => Buffer.concat(parts).toString('base64'));
    page.on('request', (request) => asked.push(request.url()));
    await page.addScriptTag({ type: 'module', content: SCRIPT });
    await page.waitForFunction(() => 'chartMap' in globalThis);
    await settled(page);
  });
  afterAll(() => bench?.stop());

  test('opens on its region with the given safety depth, and sends no request to the service', async () => {
    await expect.poll(() => bench.share(paletteFor('day').LANDA), PATIENTLY).toBeGreaterThan(0.1);
    expect(await bench.state('depthLimit')).toBe(12);
    expect(await bench.eventsOf('leadline-error')).toEqual([]);
    expect(asked.filter((url) => /^https?:.*\/api\//.test(url))).toEqual([]);
  });

  test('changes theme and units without a network, and a pick reports what is missing', async () => {
    const { page, context } = bench;
    await context.setOffline(true);
    await bench.set('theme', 'dusk');
    await bench.set('units', 'feet');
    await expect.poll(() => bench.share(paletteFor('dusk').LANDA), PATIENTLY).toBeGreaterThan(0.1);
    await expect.poll(() => bench.state('depthUnits')).toBe('feet');
    expect(await bench.eventsOf('leadline-error')).toEqual([]);
    await page.mouse.click(350, 250);
    await expect.poll(() => bench.eventsOf('leadline-error')).toHaveLength(1);
    expect((await bench.eventsOf('leadline-error'))[0]).toMatchObject({ topic: 'pick' });
  });

  test('reports a missing chart in a file, and keeps the displayed chart', async () => {
    await bench.set('symbols', 'simplified');
    const notice = bench.page.locator('leadline-chart [data-topic=chart]');
    await notice.waitFor();
    expect(await notice.textContent()).toContain('symbols');
    expect(await bench.share(paletteFor('dusk').LANDA)).toBeGreaterThan(0.1);
  });
});
