// Accessibility of the chart page: no serious axe findings, large enough touch targets, Escape closes
// panels, and measuring works. On a desktop and on a phone.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, smallControls } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import {
  type ChartPages,
  namesDrawn,
  openChartPages,
  PORT_OF_WICK,
  plainly,
  settled,
} from '../support/chart-page.ts';

const SIZES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop', { viewport: { width: 1280, height: 800 } }],
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
      plainly,
    );
  });
  afterAll(() => pages?.stop());
  const named = () => page.locator('#search-names [role=option]');

  test('has no serious axe findings, with the display options closed and open', async () => {
    expect(await seriousFaults(page)).toEqual([]);
    await page.locator('#panel > summary').click();
    expect(await seriousFaults(page)).toEqual([]);
    await page.locator('#panel > summary').click();
  });

  test('has controls that are large enough for touch', async () => {
    if (context.hasTouch !== true) return;
    expect(await smallControls(page)).toEqual([]);
  });

  test.each(['route', 'measure'])(
    'closes a tool with Escape, and has no serious axe findings in it: %s',
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

  test('measures distances and courses by pressing the chart and by keys', async () => {
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
    expect(await legs.allTextContents()).toEqual([expect.stringMatching(/^\d\.\d\d NM, 090° T$/)]);
    // The arrow keys move the last position up, so its leg turns north.
    await page.locator('.waypoint').last().focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
    expect(await legs.first().textContent()).toMatch(/ NM, 0[678]\d° T$/);
    await page.locator('#measure button', { hasText: 'at the centre' }).click();
    expect(await legs.count()).toBe(2);
    expect(await page.locator('#measure [role=status]').textContent()).toMatch(/NM in total$/);
    await page.locator('#measure svg.profile').waitFor();
    expect(await page.locator('#measure [aria-live] p').textContent()).toMatch(
      /^Least charted depth -?[\d.]+ m after \d+\.\d\d NM, at .+ W\./,
    );
    const units = page.locator('select[name=depthUnits]');
    await units.selectOption('feet', { force: true });
    await expect
      .poll(() => page.locator('#measure [aria-live] p').textContent())
      .toMatch(/^Least charted depth -?\d+ feet after/);
    await units.selectOption('meters', { force: true });
    expect(await seriousFaults(page)).toEqual([]);
    // Only one tool is active at a time.
    await page.locator('#route-open').click();
    await page.locator('#measure').waitFor({ state: 'hidden' });
    expect(await page.locator('.waypoint').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('does not cover the readout with notices about the chart', async () => {
    const [readout, ...others] = await Promise.all(
      ['#readout', '#caution', '#map .maplibregl-ctrl-attrib', '#map .maplibregl-ctrl-scale'].map(
        async (id) => (await page.locator(id).boundingBox())!,
      ),
    );
    for (const other of others) {
      const [right, down] = [
        Math.min(readout!.x + readout!.width, other.x + other.width) -
          Math.max(readout!.x, other.x),
        Math.min(readout!.y + readout!.height, other.y + other.height) -
          Math.max(readout!.y, other.y),
      ];
      expect(Math.min(right, down)).toBeLessThanOrEqual(0);
    }
  });

  test('finds names as the user types, and has no serious axe findings in their list', async () => {
    const field = page.locator('#query');
    await field.fill('wick');
    await named().first().waitFor();
    expect(await named().count()).toBeGreaterThan(2);
    expect(await page.locator('#search-result').textContent()).toMatch(/^\d+ names found/);
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await seriousFaults(page)).toEqual([]);
    if (context.hasTouch === true) expect(await smallControls(page)).toEqual([]);
    const [list, readout, caution] = await Promise.all(
      ['#search', '#readout', '#caution'].map((id) => page.locator(id).boundingBox()),
    );
    expect(list!.y + list!.height).toBeLessThanOrEqual(readout!.y);
    expect(list!.x + list!.width > caution!.x && list!.y + list!.height > caution!.y).toBe(false);
    expect(list!.x + list!.width).toBeLessThanOrEqual(context.viewport!.width);
  });

  test('selects the names of the list with arrow keys, and Escape closes the list, then clears the field', async () => {
    const field = page.locator('#query');
    const meant = async () => {
      const id = await field.getAttribute('aria-activedescendant');
      const selected = await page.locator('#search-names [aria-selected=true]').all();
      expect(await Promise.all(selected.map((one) => one.getAttribute('id')))).toEqual(
        id === null ? [] : [id],
      );
      return id;
    };
    expect(await meant()).toBe(null);
    await page.keyboard.press('ArrowDown');
    expect(await meant()).toBe('search-names-0');
    await page.keyboard.press('ArrowDown');
    expect(await meant()).toBe('search-names-1');
    await page.emulateMedia({ forcedColors: 'active' });
    const outline = await page
      .locator('#search-names-1')
      .evaluate((one) => getComputedStyle(one).outlineStyle);
    expect(outline).toBe('solid');
    await page.emulateMedia({ forcedColors: 'none' });
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const last = (await named().count()) - 1;
    expect(await meant()).toBe(`search-names-${last}`);
    // The option was scrolled into view, inside the list.
    const [list, option] = await Promise.all(
      ['#search-names', `#search-names-${last}`].map((id) => page.locator(id).boundingBox()),
    );
    expect(option!.y + option!.height).toBeLessThanOrEqual(list!.y + list!.height + 1);
    await page.keyboard.press('Escape');
    expect(await named().count()).toBe(0);
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    expect(await meant()).toBe(null);
    expect(await field.inputValue()).toBe('wick');
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    expect(await page.locator('#search-result').textContent()).toBe('');
  });

  test('moves to a name in view when it is pressed, and closes the list', async () => {
    await page.locator('#query').fill('wick ba');
    const option = named().filter({ hasText: 'Wick Bay' }).first();
    await (context.hasTouch === true ? option.tap() : option.click());
    await page.locator('#search-names').waitFor({ state: 'hidden' });
    expect(await page.locator('#query').inputValue()).toBe('Wick Bay');
    expect(await page.locator('#search-result').textContent()).toBe('Wick Bay');
    // On a phone the field loses focus, so the keyboard closes. With a keyboard the field keeps focus.
    const focused = await page.evaluate(() => document.activeElement?.id);
    expect(focused === 'query').toBe(context.hasTouch !== true);
    await settled(page);
    // On a phone all of the bay is in view only at a zoom where the chart does not show the name.
    expect(await namesDrawn(page)).toContain('Wick Bay');
  });

  test('has a page as light by calm day as by day', async () => {
    expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('day');
  });

  test('causes no console errors', () => {
    expect(pages.complaints).toEqual([]);
  });
});
