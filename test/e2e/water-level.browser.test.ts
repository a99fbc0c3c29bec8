// The height of the tide on the chart page and in the route tool, in Chromium by keyboard, on a phone and a desktop.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults, smallControls } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PATIENTLY, plainly } from '../support/chart-page.ts';

/** Near a tide station, without charts; and the demo isles, without a station. */
const NEAR = 'at=13/36.8917/-76.3383';
const FAR = 'at=13/-29.995/-19.988';
const SIZES = [
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ['desktop', { viewport: { width: 1280, height: 800 } }],
] as const;

let pages: ChartPages;
let token: string;
beforeAll(async () => {
  if (browserPath === undefined) return;
  pages = await openChartPages();
  token = await pages.service.token();
});
afterAll(() => pages?.stop());

/** Opens parts of the panel with the keyboard. */
async function unfold(page: Page, ...ids: string[]) {
  for (const id of ids) {
    const summary = page.locator(`#${id} > summary`);
    if (await page.locator(`#${id}`).evaluate((one: HTMLDetailsElement) => one.open)) continue;
    await summary.focus();
    await page.keyboard.press('Enter');
  }
}

/** Keeps the function that refreshes the height, which runs every five minutes. */
const keepRefresh = (page: Page) =>
  page.addInitScript(() => {
    const { setInterval } = globalThis;
    const keeping = (work: () => void, ms: number) => {
      if (ms === 300_000) Object.assign(globalThis, { refreshTide: work });
      return setInterval(work, ms);
    };
    Object.assign(globalThis, { setInterval: keeping });
  });

/** Delays the answer to the next request for a height. @returns a function that sends it, with another notice */
async function holdAnswer(page: Page, notice?: string): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((done) => {
    release = done;
  });
  await page.route(
    '**/api/v1/water-level*',
    async (route) => {
      await isReleased;
      const response = await route.fetch();
      const level = (await response.json()) as object;
      await route.fulfill({ response, json: notice === undefined ? level : { ...level, notice } });
    },
    { times: 1 },
  );
  return release;
}

describe.runIf(browserPath !== undefined).each(SIZES)(
  'the height of the tide on a %s',
  (_, context) => {
    it('is shown with its station, error and next turns, or the reason why it is missing', async () => {
      const page = await pages.open(`${NEAR}&token=${token}`, context, (opened) => {
        plainly(opened);
        void keepRefresh(opened);
      });
      await unfold(page, 'panel', 'tide');
      const tide = page.locator('#tide');
      await tide.getByText('Craney Island').waitFor(PATIENTLY);
      const text = await tide.innerText();
      expect(text).toMatch(/Now -?\d+(\.\d)? m above MLLW, ± \d+(\.\d)? m/);
      expect(text).toMatch(
        /(High|Low) water .* on [A-Z]\w\w, [0-2]\d:\d\d \S+, then (High|Low) water/,
      );
      expect(text).not.toMatch(/ 24:\d\d/);
      expect(text).toContain('Not for navigation');
      await tide.scrollIntoViewIfNeeded();
      expect(await seriousFaults(page)).toEqual([]);
      // Links of the navigation have the width of their text.
      const small = (await smallControls(page)).filter((one) => !one.startsWith('<a '));
      if ('hasTouch' in context) expect(small).toEqual([]);
      await page.locator('select[name=depthUnits]').selectOption('feet');
      await expect.poll(() => tide.innerText()).toMatch(/Now -?\d+ feet above MLLW, ± \d+ feet/);
      // While it is refreshed, the height and the open part with the focus remain.
      await tide.locator('details > summary').press('Enter');
      const refreshed = await holdAnswer(page, 'Refreshed.');
      await page.evaluate(() => (globalThis as never as { refreshTide(): void }).refreshTide());
      expect(await tide.innerText()).toContain('Craney Island');
      refreshed();
      await tide.getByText('Refreshed.').waitFor(PATIENTLY);
      expect(await tide.locator('details p').isVisible()).toBe(true);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
        'Sources of the stations',
      );
      const release = await holdAnswer(page);
      await page.evaluate(() => {
        const { chartMap } = globalThis as never as { chartMap: { jumpTo(to: object): void } };
        chartMap.jumpTo({ center: [-19.988, -29.995] });
      });
      // The height of the other place must not remain.
      await tide.getByText('Loading…').waitFor();
      expect(await tide.innerText()).not.toContain('Craney Island');
      release();
      await tide.getByText('No tide station is near').waitFor(PATIENTLY);
      await page.close();
    });

    it('is the water level of a route if the user asks for it', async () => {
      const page = await pages.open(`${NEAR}&token=${token}`, context, plainly);
      await page.locator('#route-open').click();
      const panel = page.locator('#route');
      await panel.locator('[name=draft]').fill('2');
      await panel.locator('details summary').focus();
      await page.keyboard.press('Enter');
      const level = panel.locator('[name=waterLevel]');
      expect(await level.inputValue()).toBe('');
      await panel.locator('[name=departure]').fill('2026-06-01T12:00');
      await panel.getByRole('button', { name: 'Use the height of the tide' }).focus();
      await page.keyboard.press('Enter');
      await panel
        .getByText('above MLLW at CRANEY ISLAND')
        .or(panel.getByText('above MLLW at Craney Island'))
        .waitFor(PATIENTLY);
      const time = await page.evaluate(() => new Date('2026-06-01T12:00').getTime());
      const path = `/api/v1/water-level?position=-76.3383,36.8917&time=${time}`;
      const { height } = (await (await pages.service.get(path)).json()) as { height: number };
      expect(Number(await level.inputValue())).toBeCloseTo(height, 2);
      await level.scrollIntoViewIfNeeded();
      expect(await seriousFaults(page)).toEqual([]);
      const add = panel.getByRole('button', { name: 'Add a waypoint at the centre' });
      const request = page.waitForRequest('**/routing/route*');
      await add.click();
      await add.click();
      expect((await request).postDataJSON().safety.waterLevel).toBeCloseTo(height, 2);
      // The height of one departure is not kept for the next.
      const again = page.waitForRequest('**/routing/route*');
      await panel.locator('[name=departure]').fill('2026-06-01T18:00');
      await panel.locator('[name=departure]').press('Tab');
      expect((await again).postDataJSON().safety?.waterLevel).toBeUndefined();
      expect(await level.inputValue()).toBe('');
      // Nor is that of one place for another.
      await panel.getByRole('button', { name: 'Use the height of the tide' }).click();
      await expect.poll(() => level.inputValue()).not.toBe('');
      await panel.getByRole('button', { name: 'Clear' }).click();
      await page.evaluate(() => {
        const { chartMap } = globalThis as unknown as { chartMap: { jumpTo(to: object): void } };
        chartMap.jumpTo({ center: [-76.2, 36.95] });
      });
      await add.click();
      await expect.poll(() => level.inputValue()).toBe('');
      await page.reload();
      await page.locator('#route-open').click(PATIENTLY);
      expect(await panel.locator('[name=draft]').inputValue()).toBe('2');
      expect(await level.inputValue()).toBe('');
      await page.close();
    });
  },
);

describe.runIf(browserPath !== undefined)('the height of the tide', () => {
  it('leaves the water level of a route alone where no station is near', async () => {
    const page = await pages.open(`${FAR}&token=${token}`, SIZES[0][1], plainly);
    await page.locator('#route-open').click();
    const panel = page.locator('#route');
    await panel.locator('details summary').click();
    await panel.getByRole('button', { name: 'Use the height of the tide' }).click();
    await panel.getByText('No tide station is near').waitFor(PATIENTLY);
    expect(await panel.locator('[name=waterLevel]').inputValue()).toBe('');
    await page.close();
  });
});
