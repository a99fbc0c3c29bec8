// The API reference in Chromium, on a desktop and a phone, in light and dark colours.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PATIENTLY } from '../support/chart-page.ts';

const QUERY = '#?route=post-/api/v1/enc_query';
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const CONTEXTS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop, light', { ...DESKTOP, colorScheme: 'light' }],
  ['on a desktop, dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

describe.runIf(browserPath !== undefined)('the API reference', () => {
  let pages: ChartPages;
  let token: string;
  beforeAll(async () => {
    pages = await openChartPages();
    token = await pages.service.token();
  });
  afterAll(() => pages?.stop());

  const open = async (fragment: string, context: BrowserContextOptions) => {
    const page = await (await pages.browser.newContext(context)).newPage();
    page.setDefaultTimeout(PATIENTLY.timeout);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (/^http/.test(origin) && origin !== pages.service.address) faults.push(request.url());
    });
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text());
    });
    await page.goto(`${pages.service.address}/docs${fragment}`);
    await page.locator('#overview, .btn-execute').first().waitFor();
    return { page, faults };
  };
  const execute = async (page: Page) => {
    await page.locator('.btn-execute').first().click();
    const message = page.locator('.response-message');
    await message.waitFor();
    return message.textContent();
  };

  it.each(CONTEXTS)(
    'has no serious fault for axe, and loads nothing from other hosts: %s',
    async (_, context) => {
      const { page, faults } = await open('', context);
      expect(await seriousFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      if (context.isMobile === true) return;
      await page.getByText('Finds chart features within a radius').first().click();
      expect(await execute(page)).toContain('401');
      expect(await seriousFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it('sends requests with the token of the reader', async () => {
    const { page } = await open('', DESKTOP);
    await page.locator('#token').fill(token);
    await page.locator('#token').press('Tab');
    await page.getByText('Finds chart features within a radius').first().click();
    expect(await execute(page)).toContain('200');
    await page.getByText('"results"').last().waitFor();
  });

  it('takes the token from the link of the chart page', async () => {
    const { page } = await open(`${QUERY}&token=${token}`, DESKTOP);
    expect(await execute(page)).toContain('200');
  });

  it('shows samples in three languages', async () => {
    const { page } = await open(QUERY, DESKTOP);
    expect(
      await page
        .locator('.tab-btn[data-tab]', { hasText: /curl|JavaScript|Python/ })
        .allTextContents(),
    ).toEqual(['curl', 'JavaScript', 'Python'].map((label) => expect.stringContaining(label)));
    await page.getByText('curl "').first().waitFor();
    await page.locator('.tab-btn', { hasText: 'Python' }).click();
    await page.getByText('urlopen(request)').first().waitFor();
  });

  it('scrolls to the error to which a problem document links', async () => {
    const response = await fetch(`${pages.service.address}/api/v1/enc_query`, { method: 'POST' });
    const { type } = (await response.json()) as { type: string };
    const { page } = await open(new URL(type, pages.service.address).hash, DESKTOP);
    const row = page.locator('tr.linked');
    await row.waitFor();
    expect(await row.textContent()).toContain('token_required');
    await expect
      .poll(async () => (await row.boundingBox())!.y)
      .toSatisfy((y: number) => y > 0 && y < DESKTOP.viewport.height);
  });
});
