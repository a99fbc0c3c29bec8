// The chart page for those who do not see it, or press it with a finger: axe finds nothing serious,
// what is pressed is large enough, and Escape closes what is open. On a desk and on a phone.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PORT_OF_WICK } from '../support/chart-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LEAST_PIXELS = 44;

const SIZES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desk', { viewport: { width: 1280, height: 800 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}
interface Axe {
  run(): Promise<{ readonly violations: readonly Violation[] }>;
}

/** What axe calls serious or critical, with where it is. */
async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run(),
  );
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Controls that are seen and smaller than a finger, with their sizes; a box counts with its label. */
const smallControls = (page: Page, least: number): Promise<string[]> =>
  page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>('button, a, input, select, summary');
    return Array.from(controls).flatMap((control) => {
      // Credits of the data are text with links, as laws want them.
      if (control.closest('.maplibregl-ctrl-attrib-inner') !== null) return [];
      const pressed = [control, control.closest('label') ?? control];
      const isLarge = pressed.some((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width >= least && height >= least;
      });
      if (isLarge || !control.checkVisibility()) return [];
      const { width, height } = control.getBoundingClientRect();
      return [`${control.outerHTML.slice(0, 60)}: ${Math.round(width)}×${Math.round(height)}`];
    });
  }, least);

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
    expect(await smallControls(page, LEAST_PIXELS)).toEqual([]);
  });

  test('Escape closes what was opened, and axe finds nothing serious in it', async () => {
    await page.locator('#panel > summary').click();
    await page.locator('#route-open').click();
    await page.locator('#route').waitFor({ state: 'visible' });
    expect(await seriousFaults(page)).toEqual([]);
    if (context.hasTouch === true) expect(await smallControls(page, LEAST_PIXELS)).toEqual([]);
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
