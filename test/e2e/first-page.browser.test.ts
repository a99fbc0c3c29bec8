// The way of a new user in Chromium: the link that the service prints, a token that is limited to an origin, and a
// page of the user's own server with a chart. The clicks are counted.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFirstLink } from '../../workers/host/registry/portal-users.ts';
import { withRegistry } from '../../workers/host/registry/registry.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PATIENTLY } from '../support/chart-page.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { colorShares } from '../support/page-colors.ts';
import { serveFiles } from '../support/second-origin.ts';
import { textOf } from '../support/source-files.ts';

const VIEWPORTS = [
  ['a desktop', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const;

let database: TestDatabase;
let pages: ChartPages;
beforeAll(async () => {
  if (browserPath === undefined) return;
  database = await freshDatabase();
  pages = await openChartPages(database);
});
afterAll(() => pages?.stop());

describe.runIf(browserPath !== undefined)('a new user', () => {
  it.each(VIEWPORTS)(
    'on %s has an own page with a chart after four clicks',
    async (label, viewport) => {
      await database.query('DELETE FROM portal_verification; DELETE FROM portal_user');
      const link = await withRegistry(database.ownerUrl, (registry) =>
        createFirstLink({ registry, actor: 'test' }, label.replace(' ', '-')),
      );
      const context = await pages.browser.newContext({ viewport });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENTLY.timeout);
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      let clicks = 0;
      const click = async (name: string, role: 'link' | 'button' = 'button') => {
        clicks++;
        await page.getByRole(role, { name, exact: true }).click();
      };

      let served = '';
      const own = await serveFiles({
        get ''() {
          return ['text/html', served] as const;
        },
      });
      await page.goto(`${pages.service.address}/portal#link=${link}`);
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
      await click('Create a token', 'link');
      await page.getByLabel('Name', { exact: true }).waitFor();
      await page.getByLabel('Name', { exact: true }).fill('My page');
      await page.getByLabel(/^Origins of your pages/).fill(own.origin);
      await click('Create');
      await page.getByRole('heading', { name: 'Your new token My page' }).waitFor();
      await click('Test');
      await page.getByText('limited to other origins').waitFor();
      await click('Copy the page');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      served = await page.evaluate(() => navigator.clipboard.readText());

      const [, token = ''] = /token="(\w+)"/.exec(served) ?? [];
      const text = textOf('test/e2e/own-page.html').trimEnd();
      const { address } = pages.service;
      expect(served).toBe(text.replaceAll('ADDRESS', address).replace('TOKEN', token));
      const tile = page.waitForResponse((response) => /\/tiles\/enc-v2\//.test(response.url()));
      await page.goto(`${own.origin}/`);
      expect((await tile).status()).toBe(200);
      await page.getByText('Not for navigation', { exact: true }).waitFor({ state: 'attached' });
      // Without the controls at its sides, an empty map has one colour.
      const clip = { x: 60, y: 200, width: viewport.width - 120, height: viewport.height - 400 };
      await expect
        .poll(async () => (await colorShares(page, { clip })).size, PATIENTLY)
        .toBeGreaterThan(100);
      expect(clicks).toBeLessThanOrEqual(4);
      expect(faults).toEqual([]);
      await own.stop();
      await context.close();
    },
  );
});
