// The chart page for those who do not see it, or press it with a finger: axe finds nothing serious,
// what is pressed is large enough, Escape closes what is open, and one can measure. On a desk and on a phone.

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
    await page.locator('#panel > summary').click();
  });

  test('a finger can press every control', async () => {
    if (context.hasTouch !== true) return;
    expect(await smallControls(page)).toEqual([]);
  });

  test.each(['route', 'measure'])(
    'Escape closes the tool that was opened, and axe finds nothing serious in it: %s',
    async (tool) => {
      await page.locator(`#${tool}-open`).click();
      await page.locator(`#${tool}`).waitFor({ state: 'visible' });
      expect(await seriousFaults(page)).toEqual([]);
      if (context.hasTouch === true) expect(await smallControls(page)).toEqual([]);
      await page.locator(`#${tool} button`).first().focus();
      await page.keyboard.press('Escape');
      await page.locator(`#${tool}`).waitFor({ state: 'hidden' });
    },
  );

  test('distances and courses are measured by pressing the chart and by keys', async () => {
    await page.locator('#measure-open').click();
    const { x, y, width, height } = (await page.locator('#map').boundingBox())!;
    const press = (right: number, down: number) => {
      const at = [x + width / 2 + right, y + height / 2 + down] as const;
      return context.hasTouch === true ? page.touchscreen.tap(...at) : page.mouse.click(...at);
    };
    await press(-40, 0);
    await page.locator('.waypoint').waitFor();
    await press(40, 0);
    const legs = page.locator('#measure li');
    await legs.first().waitFor();
    expect(await legs.allTextContents()).toEqual([expect.stringMatching(/^\d\.\d\d NM, 090°$/)]);
    // As the arrow keys move the last place up, its leg turns north.
    await page.locator('.waypoint').last().focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
    expect(await legs.first().textContent()).toMatch(/ NM, 0[678]\d°$/);
    await page.locator('#measure button', { hasText: 'Add the middle' }).click();
    expect(await legs.count()).toBe(2);
    expect(await page.locator('#measure [role=status]').textContent()).toMatch(/NM in all$/);
    // One tool at a time answers.
    await page.locator('#route-open').click();
    await page.locator('#measure').waitFor({ state: 'hidden' });
    expect(await page.locator('.waypoint').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('the page around a calm day is as light as by day', async () => {
    expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('day');
  });

  test('no complaint is in the console', () => {
    expect(pages.complaints).toEqual([]);
  });
});
