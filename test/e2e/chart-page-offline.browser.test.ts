// The chart page as an app: it is installable, and shows stored tiles without a network, with their age.
// The names of stored data do not contain the token.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHART_THEME, THEMES, type Theme } from '../../shared/style/options.ts';
import { paletteFor } from '../../shared/style/palette.ts';
import { seriousFaults, smallControls } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import {
  type ChartPages,
  openChartPages,
  PATIENTLY,
  PORT_OF_WICK,
  settled,
} from '../support/chart-page.ts';
import { colorShares } from '../support/page-colors.ts';
import { openSwitchableProxy, type SwitchableProxy } from '../support/switchable-proxy.ts';

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  serviceWorkers: 'allow',
};

/** The share of the image that is land. */
const landOf = async (page: Page, theme: Theme = CHART_THEME): Promise<number> =>
  (await colorShares(page)).get(paletteFor(theme).LANDA.toLowerCase()) ?? 0;

/** The URLs of all stored responses, and all their text. */
const kept = (page: Page): Promise<{ addresses: string[]; texts: string }> =>
  page.evaluate(async () => {
    const addresses: string[] = [];
    let texts = '';
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        addresses.push(request.url);
        texts += (await (await cache.match(request))?.text()) ?? '';
      }
    }
    return { addresses, texts };
  });

describe.runIf(browserPath !== undefined)('the chart page as an app', () => {
  let pages: ChartPages;
  let front: SwitchableProxy;
  let page: Page;
  let token: string;
  const age = () => page.locator('#age');
  const open = async (link: string) => {
    await page.goto('about:blank');
    await page.goto(`${front.address}/#at=${PORT_OF_WICK}&${link}`);
  };

  beforeAll(async () => {
    pages = await openChartPages();
    front = await openSwitchableProxy(pages.service.port);
    token = await pages.service.token();
    page = await (await pages.browser.newContext(PHONE)).newPage();
    await open(`token=${token}`);
    await settled(page);
  });
  afterAll(async () => {
    await pages?.stop();
    await front?.stop();
  });

  test('is installable according to Chromium', async () => {
    const session = await page.context().newCDPSession(page);
    const { errors } = await session.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    await expect
      .poll(async () => {
        const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
        // Test windows have no persistent storage, and Chromium reports that.
        return installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
      }, PATIENTLY)
      .toEqual([]);
    for (const icon of ['icon-192.png', 'icon-512.png', 'icon-maskable.png']) {
      const answer = await page.request.get(`${front.address}/page/${icon}`);
      const { width } = PNG.sync.read(await answer.body());
      expect(width).toBe(icon === 'icon-192.png' ? 192 : 512);
    }
  });

  test('stores nothing that contains its token', async () => {
    await expect
      .poll(async () => (await kept(page)).addresses.length, PATIENTLY)
      .toBeGreaterThan(10);
    await expect
      .poll(async () => (await kept(page)).addresses, PATIENTLY)
      .toContain(`${front.address}/page/chart.js`);
    const { addresses, texts } = await kept(page);
    expect(addresses.some((url) => url.includes('/api/v2/tiles/enc-v2/'))).toBe(true);
    expect(texts).toContain('"sources"');
    expect([addresses.join('\n').includes(token), texts.includes(token)]).toEqual([false, false]);
  });

  test('opens without a network with the stored tiles, and shows their age', async () => {
    const before = await landOf(page);
    expect(before).toBeGreaterThan(0.05);
    await expect.poll(() => age().isVisible()).toBe(false);
    front.state = 'down';
    await open(`token=${token}`);
    await settled(page);
    await expect.poll(() => age().textContent(), PATIENTLY).toMatch(/^Offline: chart saved/);
    await expect.poll(() => landOf(page), PATIENTLY).toBeGreaterThan(before * 0.9);
    const [mark, readout] = await Promise.all(
      ['#age', '#readout'].map((id) => page.locator(id).boundingBox()),
    );
    expect(mark!.x).toBeGreaterThanOrEqual(0);
    expect(mark!.x + mark!.width).toBeLessThanOrEqual(390);
    expect(mark!.y + mark!.height).toBeLessThanOrEqual(readout!.y);
  });

  test('has no serious axe findings on a phone without a network, and works by touch and keyboard', async () => {
    front.state = 'down';
    await age().waitFor({ state: 'visible' });
    expect(await age().getAttribute('role')).toBe('status');
    expect(await seriousFaults(page)).toEqual([]);
    expect(await smallControls(page)).toEqual([]);
    const choices = page.locator('#panel');
    const isOpen = () => choices.evaluate((panel) => (panel as HTMLDetailsElement).open);
    await choices.locator('> summary').tap();
    expect(await isOpen()).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
    await choices.locator('> summary').focus();
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(false);
  });

  test('opens without a network with another safety depth, other units and another theme', async () => {
    front.state = 'up';
    await open(`token=${token}`);
    await settled(page);
    // The page requests the documents of the other themes after it has drawn the chart.
    for (const theme of THEMES) {
      await expect
        .poll(async () => (await kept(page)).addresses.join(), PATIENTLY)
        .toContain(`base.json?theme=${theme}&`);
    }
    await expect
      .poll(async () => (await kept(page)).addresses.join(), PATIENTLY)
      .toMatch(new RegExp(`/${THEMES.at(-1)}[^/]*png`));
    front.state = 'down';
    await open(`depthLimit=5&depthUnits=feet&theme=night&token=${token}`);
    await settled(page);
    await expect.poll(() => landOf(page, 'night'), PATIENTLY).toBeGreaterThan(0.05);
    const state = await page.evaluate(() =>
      (globalThis as never as { chartMap: { getGlobalState(): object } }).chartMap.getGlobalState(),
    );
    expect(state).toMatchObject({ depthLimit: 5, depthUnits: 'feet' });
  });

  test('does not show tiles stored with one token for another token', async () => {
    front.state = 'down';
    await open(`token=${await pages.service.token({ expiresInSeconds: 1800 })}`);
    await expect
      .poll(() => page.locator('leadline-chart .cover').textContent(), PATIENTLY)
      .toContain('The chart cannot be shown');
    expect(await age().isVisible()).toBe(false);
  });

  test('fetches the chart again and hides its age when the network returns', async () => {
    front.state = 'down';
    await open(`token=${token}`);
    await settled(page);
    await age().waitFor({ state: 'visible' });
    front.state = 'up';
    await page.evaluate(() => {
      (globalThis as unknown as { chartMap: { panBy(by: number[]): void } }).chartMap.panBy([
        600, 0,
      ]);
    });
    await age().waitFor({ state: 'hidden' });
  });

  test('deletes data stored for a token that the service refuses', async () => {
    const own = async () =>
      (await kept(page)).addresses.filter((url) => url.includes('/kept/')).length;
    expect(await own()).toBeGreaterThan(0);
    front.state = 'refusing';
    await open(`token=${token}`);
    await expect.poll(own, PATIENTLY).toBe(0);
    front.state = 'up';
  });
});
