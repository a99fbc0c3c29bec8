// The API reference and the guides in Chromium, on a desktop and a phone, in light and dark colours.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PATIENTLY } from '../support/chart-page.ts';

const QUERY = '#?route=post-/api/v1/enc_query';
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const CONTEXTS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop, light', { ...DESKTOP, colorScheme: 'light' }],
  [
    'on a phone, dark',
    {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    },
  ],
];

let pages: ChartPages;
let token: string;
beforeAll(async () => {
  if (browserPath === undefined) return;
  pages = await openChartPages();
  token = await pages.service.token();
});
afterAll(() => pages?.stop());

/** Opens a page and keeps its errors and its requests to other hosts. */
async function openPage(path: string, context: BrowserContextOptions) {
  const page = await (await pages.browser.newContext(context)).newPage();
  page.setDefaultTimeout(PATIENTLY.timeout);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (/^http/.test(origin) && origin !== pages.service.address) faults.push(request.url());
  });
  page.on('console', (message) => {
    // The browser reports each response with status 401 as an error.
    if (message.type() === 'error' && !/status of 401/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(pages.service.address + path);
  return { page, faults };
}

const tooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe.runIf(browserPath !== undefined)('the guides', () => {
  const GUIDE = '/docs/guides/quick-start';

  it.each(CONTEXTS)('have no serious fault for axe and fit the window: %s', async (_, context) => {
    for (const path of ['/docs/guides', GUIDE, '/docs/guides/styles-and-parameters']) {
      const { page, faults } = await openPage(path, context);
      expect([path, await seriousFaults(page)]).toEqual([path, []]);
      expect([path, await tooWide(page)]).toEqual([path, 0]);
      expect(faults).toEqual([]);
      await page.close();
    }
  });

  it('fill in the address and the token, keep the token in links, and copy snippets', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await openPage(GUIDE, { ...DESKTOP, permissions });
    const sample = page.locator('pre').first();
    expect(await sample.textContent()).toContain('token=TOKEN');
    await page.locator('#token').fill('abc.def');
    expect(await sample.textContent()).toContain('token=abc.def');
    expect(await sample.textContent()).toContain(`${pages.service.address}/api/`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await sample.textContent(),
    );
    await page.getByRole('link', { name: 'Leaflet' }).first().click();
    await page.locator('h1', { hasText: 'Leaflet' }).waitFor();
    expect(await page.locator('pre').first().textContent()).toContain('token=abc.def');
  });

  it('are complete without JavaScript', async () => {
    const { page } = await openPage(GUIDE, { ...DESKTOP, javaScriptEnabled: false });
    expect(await page.locator('pre').first().textContent()).toContain('ADDRESS');
    await page.locator('nav[aria-label=Guides] a', { hasText: 'Leaflet' }).click();
    await page.locator('h1', { hasText: 'Leaflet' }).waitFor();
  });
});

describe.runIf(browserPath !== undefined)('the navigation', () => {
  it.each(['/', '/docs/guides', '/docs', '/playground.html'])(
    'has the same links on each page, and marks the page: %s',
    async (path) => {
      const { page } = await openPage(`${path}#token=${token}`, DESKTOP);
      if (path === '/') await page.locator('#panel > summary').press('Enter');
      // The page at / has a second list for visitors without a token.
      const links = page.locator('nav[aria-label=Pages]:visible a');
      await links.first().waitFor();
      expect(await links.allTextContents()).toEqual([
        ...['Chart', 'Guides', 'API reference', 'Playground', 'Portal'],
      ]);
      const current = page.locator('nav[aria-label=Pages]:visible [aria-current=page]');
      await expect
        .poll(() => current.getAttribute('href'), { timeout: PATIENTLY.timeout })
        .toBe(`${path}#token=${token}`);
      await links.nth(1).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/guides#token=*');
    },
  );
});

describe.runIf(browserPath !== undefined)('the API reference', () => {
  const open = async (fragment: string, context: BrowserContextOptions) => {
    const { page, faults } = await openPage(`/docs${fragment}`, context);
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
      expect(await tooWide(page)).toBe(0);
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
    await page.getByText('curl ').first().waitFor();
    await page.locator('.tab-btn', { hasText: 'Python' }).click();
    await page.getByText('requests.post').first().waitFor();
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
