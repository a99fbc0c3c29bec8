// Crowdsourced depths in Chromium: the layer, its legend and the pick report, on a phone and on a desktop.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PATIENTLY, plainly } from '../support/chart-page.ts';
import { binAt, publishCrowd } from '../support/crowd-archive.ts';

const PLACE = { longitude: -19.99, latitude: -29.99 } as const;
const AT = `at=16/${PLACE.latitude}/${PLACE.longitude}`;
const STEP = 360 / 2 ** 20;
const SIZES = [
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['desktop', { viewport: { width: 1280, height: 800 } }],
] as const;
const VIEWS = ['depths', 'uncertainty', 'differences'] as const;

let pages: ChartPages;
let token: string;
beforeAll(async () => {
  if (browserPath === undefined) return;
  pages = await openChartPages();
  const bins = [];
  for (let x = -6; x <= 6; x++) {
    for (let y = -4; y <= 4; y++) {
      const depth = 2.1 + (x * x + y * y) / 10;
      const isShoal = x === 0 && y === 0;
      bins.push(
        binAt(PLACE.longitude + x * STEP, PLACE.latitude + y * STEP * 0.866, {
          ...{ depth, unc: 0.3 + Math.abs(y) / 2, charted: depth + 1 + x / 3, median: depth + 0.8 },
          ...(isShoal ? { unc: 0.4, charted: 3, diff: 0.9 } : {}),
        }),
      );
    }
  }
  await publishCrowd(pages.service, bins);
  token = await pages.service.token();
});
afterAll(() => pages?.stop());

describe.runIf(browserPath !== undefined).each(SIZES)(
  'crowdsourced depths on a %s',
  (_, context) => {
    it('are shown with a notice, and the pick report has the sentence of the cell', async () => {
      const page = await pages.open(`${AT}&showCrowdDepth=depths&token=${token}`, context);
      const drawn = await page.evaluate(() => {
        const { chartMap } = globalThis as never as {
          chartMap: { queryRenderedFeatures(options: object): object[] };
        };
        return ['crowd_depth-fill', 'crowd_depth_point-label', 'crowd_depth_point-shoal'].map(
          (layer) => chartMap.queryRenderedFeatures({ layers: [layer] }).length,
        );
      });
      expect(drawn[0]).toBeGreaterThan(40);
      expect(drawn[1]).toBeGreaterThan(5);
      expect(drawn[2]).toBe(1);
      const { x, y } = await page.evaluate(({ longitude, latitude }) => {
        const { chartMap } = globalThis as never as {
          chartMap: { project(at: [number, number]): { x: number; y: number } };
        };
        return chartMap.project([longitude, latitude]);
      }, PLACE);
      await page.mouse.click(x, y);
      const panel = page.locator('#pick');
      await panel.getByText('Crowdsourced depth', { exact: true }).waitFor(PATIENTLY);
      const text = await panel.innerText();
      expect(text).toContain(
        '2.1 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, May–November 2026, up to 0.9 m shoaler than charted.',
      );
      expect(text).toContain('Crowd data, not for navigation. Not a part of the official chart.');
      expect(await seriousFaults(page)).toEqual([]);
      expect(pages.complaints).toEqual([]);
      await page.close();
    });
  },
);

describe.runIf(browserPath !== undefined)('crowdsourced depths', () => {
  const [[, context]] = SIZES;

  it('have a legend for each view', async () => {
    for (const view of VIEWS) {
      const page = await pages.open(
        `${AT}&showCrowdDepth=${view}&token=${token}`,
        context,
        plainly,
      );
      const rows = page.locator('#legend-list li', { hasText: '(not for navigation)' });
      await page.evaluate(() => {
        (document.querySelector('#legend') as HTMLDetailsElement).open = true;
      });
      await rows.first().waitFor({ state: 'attached', ...PATIENTLY });
      const swatch = rows.first().locator('.symbol > span');
      // Forced colours would hide it.
      const adjust = await swatch.evaluate((one) => getComputedStyle(one).forcedColorAdjust);
      expect(adjust).toBe('none');
      expect(await rows.count()).toBe({ depths: 2, uncertainty: 4, differences: 3 }[view]);
      await page.close();
    }
  });
});
