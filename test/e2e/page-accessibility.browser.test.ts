// The chart page for those who do not see it, or press it with a finger: axe finds nothing serious,
// what is pressed is large enough, and Escape closes what is open. On a desk and on a phone.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, smallControls } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PORT_OF_WICK } from '../support/chart-page.ts';

const SIZES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desk', { viewport: { width: 1280, height: 800 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

describe.runIf(browserPath !== undefined).each(SIZES)('the chart page %s', (_, context) => {
  let pages: ChartPages;
  let page: Page;

  beforeAll(async () => {
    pages = await openChartPages();
    page = await pages.open(
      `at=${PORT_OF_WICK}&token=${await pages.service.token()}&theme=yacht`,
      context,
    );
  });
  afterAll(() => pages?.stop());

  test('axe finds nothing serious, with the display choices closed and open', async () => {
    expect(await seriousFaults(page)).toEqual([]);
    await page.locator('#panel > summary').click();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('a finger can press every control', async () => {
    if (context.hasTouch !== true) return;
    expect(await smallControls(page)).toEqual([]);
  });

  test('Escape closes what was opened, and axe finds nothing serious in it', async () => {
    await page.locator('#panel > summary').click();
    await page.locator('#route-open').click();
    await page.locator('#route').waitFor({ state: 'visible' });
    expect(await seriousFaults(page)).toEqual([]);
    if (context.hasTouch === true) expect(await smallControls(page)).toEqual([]);
    await page.locator('#route button').first().focus();
    await page.keyboard.press('Escape');
    await page.locator('#route').waitFor({ state: 'hidden' });
  });

  test('the page around a calm day is as light as by day', async () => {
    expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('day');
  });

  test('no complaint is in the console', () => {
    expect(pages.complaints).toEqual([]);
  });
});
