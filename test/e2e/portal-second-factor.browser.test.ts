// The second factor in Chromium by keyboard: set up, sign in with a code, and turn off.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath } from '../support/browser.ts';
import type { ChartPages } from '../support/chart-page.ts';
import {
  ADMIN,
  checkPortal,
  DESKTOP,
  heading,
  openPortalPage,
  startPortalPages,
  tabTo,
} from '../support/portal-page.ts';
import { codeOf } from '../support/totp.ts';

let pages: ChartPages;
beforeAll(async () => {
  if (browserPath === undefined) return;
  ({ pages } = await startPortalPages());
});
afterAll(() => pages?.stop());

async function type(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe.runIf(browserPath !== undefined)('the second factor', () => {
  it('is set up, asked for and turned off by keyboard', async () => {
    const { page, faults } = await openPortalPage(pages, DESKTOP);
    const signIn = async () => {
      await heading(page, 'Sign in');
      await tabTo(page, '#username');
      await page.keyboard.type(ADMIN.email);
      await type(page, '#password', ADMIN.password);
    };
    await signIn();
    await tabTo(page, 'nav a[href="#account"]');
    await page.keyboard.press('Enter');
    await heading(page, 'Second factor');
    await type(page, '#factor-password', ADMIN.password);
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await checkPortal(page);
    const uri = (await page.getByRole('link', { name: /open the app/ }).getAttribute('href'))!;
    expect(uri).toMatch(/^otpauth:\/\/totp\/Leadline:/);
    expect((await page.locator('.codes').textContent())!.split('\n').length).toBe(10);
    // The link does not leave the page, so the browser does not ask.
    await page.getByRole('link', { name: /open the app/ }).click();
    await page.locator('ol[data-unsaved]').waitFor();
    // The codes are not lost without a question.
    page.removeAllListeners('dialog');
    const asked = page.waitForEvent('dialog');
    const left = page.click('nav a[href="#overview"]');
    await (await asked).dismiss();
    await left;
    await page.locator('.codes').waitFor();
    await type(page, '#first-code', codeOf(uri));
    await page.getByText('On. Signing in').waitFor();

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signIn();
    await page.locator('#code:focus').waitFor();
    await checkPortal(page);
    // Another user may have no second factor.
    await page.fill('#username', 'other@leadline.example');
    await page.locator('#code').waitFor({ state: 'detached' });
    await page.fill('#username', ADMIN.email);
    await page.keyboard.press('Enter');
    await page.locator('#code:focus').waitFor();
    await page.keyboard.type('abcdef');
    await page.keyboard.press('Enter');
    await page.getByText('The code of the second factor is wrong').waitFor();
    await page.locator('#code').fill('');
    await type(page, '#code', codeOf(uri, 1));
    await page.getByText('On. Signing in').waitFor();
    await type(page, '#factor-password', ADMIN.password);
    await page.getByText('Off. With a second factor').waitFor();
    // This browser has no app for the link.
    expect(faults.filter((text) => !text.startsWith("Failed to launch 'otpauth:"))).toEqual([]);
    await page.context().close();
  });
});
