// The style playground in a browser: every option of the service can be tried, and any map can show
// the downloaded style.

import { readFileSync } from 'node:fs';
import { type StyleSpecification, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { styleQuerySchema } from '../../shared/contract/style-params.ts';
import { paletteFor } from '../../shared/style/palette.ts';
import { browserPath } from '../support/browser.ts';
import {
  type ChartPages,
  DRIVER_MESSAGE,
  openChartPages,
  PATIENTLY,
  settled,
} from '../support/chart-page.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { openMapPage } from '../support/map-page.ts';
import { landAndWater, sharesOf } from '../support/page-colors.ts';

describe.runIf(browserPath !== undefined)('the style playground', () => {
  let pages: ChartPages;
  let database: TestDatabase;
  let token: string;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    pages = await openChartPages(database);
    token = await pages.service.token();
    page = await pages.browser.newPage({
      viewport: { width: 1000, height: 700 },
    });
    page.setDefaultTimeout(PATIENTLY.timeout);
    page.on('console', (message) => {
      const text = message.text();
      if (!['error', 'warning'].includes(message.type()) || DRIVER_MESSAGE.test(text)) return;
      complaints.push(text);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${pages.service.address}/playground.html#theme=dusk&token=${token}`);
    await page.locator('#parameter-theme').waitFor();
    await settled(page);
  });
  afterAll(() => pages?.stop());

  const address = () => page.locator('#address').textContent();
  const state = (name: string) =>
    page.evaluate(
      (name) =>
        (
          globalThis as never as { chartMap: { getGlobalState(): Record<string, unknown> } }
        ).chartMap.getGlobalState()[name],
      name,
    );

  test('the style playground has a control for every parameter of the style, and no other', async () => {
    const names = await page
      .locator('#parameters :is(select, input)')
      .evaluateAll((controls) => controls.map((one) => (one as HTMLInputElement).name));
    expect(names.sort()).toEqual(Object.keys(styleQuerySchema.shape).sort());
    expect(await page.locator('#parameter-theme').inputValue()).toBe('dusk');
  });

  test('the style playground shows what is chosen at once, with an address that holds no token', async () => {
    await page.locator('#parameter-depthLimit').fill('7.5');
    await page.locator('#parameter-depthLimit').press('Tab');
    await page.locator('#parameter-symbols').selectOption('paper');
    await expect.poll(() => state('depthLimit'), PATIENTLY).toBe(7.5);
    const { origin } = new URL(page.url());
    expect(await address()).toBe(
      `${origin}/api/v1/styles/base.json?theme=dusk&depthLimit=7.5&symbols=paper&token=TOKEN`,
    );
    expect(page.url()).toContain('#theme=dusk&depthLimit=7.5&symbols=paper&token=');
    expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('dusk');
  });

  test('the style playground saves the parameters by name, and opens them again', async () => {
    await page.locator('#save input').fill('For the bridge');
    await page.locator('#save button').click();
    await page.locator('#saved-status', { hasText: 'Saved as For the bridge.' }).waitFor();
    const { rows } = await database.query('SELECT id, base_theme, parameters FROM saved_style');
    expect(rows).toEqual([
      {
        id: expect.any(String),
        base_theme: 'dusk',
        parameters: { colors: {}, settings: { depthLimit: 7.5, symbols: 'paper' } },
      },
    ]);
    expect(await address()).toContain(`base.json?styleId=${rows[0].id}&token=TOKEN`);
    await page.locator('#saved').selectOption({ label: 'None' });
    expect(await address()).toContain('base.json?token=TOKEN');
    await page.locator('#saved').selectOption({ label: 'For the bridge' });
    await expect.poll(() => state('depthLimit'), PATIENTLY).toBe(7.5);
    expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('dusk');
  });

  test('the style it hands out is valid, names whole addresses, and is drawn by a bare map elsewhere', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#export').click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    const style = JSON.parse(text) as StyleSpecification;
    expect(validateStyleMin(style)).toEqual([]);
    expect(style.name).toBe('Leadline dusk');
    const { chart } = style.sources as Record<string, { tiles: string[] }>;
    for (const named of [style.sprite as string, style.glyphs!, chart!.tiles[0]!]) {
      expect(named).toMatch(new RegExp(`^${pages.service.address}/`));
    }
    const map = await openMapPage(pages.browser, style);
    const { picture } = await map.show({ z: 12, x: 1820, y: 2405 }, []);
    await map.close();
    expect(landAndWater(sharesOf(picture), paletteFor('dusk'))).toBeGreaterThan(0.5);
  });

  test('the style playground opens another link, copies the address without a clipboard, and fits a phone', async () => {
    // Another link in the same tab.
    await page.goto(`${pages.service.address}/playground.html#theme=night&token=${token}`);
    await expect.poll(() => page.locator('#parameter-theme').inputValue()).toBe('night');
    await settled(page);
    // Without HTTPS there is no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.locator('#copy').click();
    await page.locator('#copy', { hasText: 'Selected' }).waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(await address());
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await page.close();
  });

  test('nothing of this complained in the console', () => {
    expect(complaints).toEqual([]);
  });
});
