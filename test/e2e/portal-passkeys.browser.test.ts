// Passkeys in Chromium with a virtual authenticator: add, sign in, remove.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath } from '../support/browser.ts';
import type { ChartPages } from '../support/chart-page.ts';
import {
  ADMIN,
  checkPortal,
  DESKTOP,
  heading,
  holdOne,
  openPortalPage,
  startPortalPages,
  tabTo,
} from '../support/portal-page.ts';

let pages: ChartPages;
beforeAll(async () => {
  if (browserPath === undefined) return;
  ({ pages } = await startPortalPages());
});
afterAll(() => pages?.stop());

/** A device that verifies its user, as a phone with a fingerprint does. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

describe.runIf(browserPath !== undefined)('passkeys', () => {
  it('are added, sign in without a password, and are removed by keyboard', async () => {
    // Browsers permit no passkeys for IP addresses.
    const { page, faults } = await openPortalPage(pages, DESKTOP, '', 'localhost');
    const press = async (selector: string) => {
      await tabTo(page, selector);
      await page.keyboard.press('Enter');
    };
    const device = await addAuthenticator(page);
    await heading(page, 'Sign in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await checkPortal(page);
    await tabTo(page, '#username');
    await page.keyboard.type(ADMIN.email);
    await tabTo(page, '#password');
    await page.keyboard.type(ADMIN.password);
    await page.keyboard.press('Enter');
    const sendList = await holdOne(page, '**/portal/v1/user/passkeys');
    await press('nav a[href="#account"]');
    await heading(page, 'Passkeys');
    await tabTo(page, '#passkey-name');
    await page.keyboard.type('Laptop <b>');
    await page.keyboard.press('Enter');
    // A form can be sent before the list is there.
    sendList();
    await heading(page, 'Laptop <b>');
    await checkPortal(page);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const passkeyButton = page.getByRole('button', { name: 'Sign in with a passkey' });
    await device.verify(false);
    await passkeyButton.click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    await checkPortal(page);
    await device.verify(true);
    await passkeyButton.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Laptop <b>');
    await page.getByText('last used: never').waitFor({ state: 'detached' });

    await press('button[aria-label^="Remove: Laptop"]');
    await checkPortal(page);
    await tabTo(page, '#passkey-remove-password');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Laptop <b>' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await passkeyButton.click();
    await page.getByRole('alert').getByText('The passkey is unknown').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('load their library when one is used', async () => {
    const { page } = await openPortalPage(pages, DESKTOP, '', 'localhost');
    await addAuthenticator(page);
    await heading(page, 'Sign in');
    const loaded = page.waitForRequest((request) => request.resourceType() === 'script');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    expect(new URL((await loaded).url()).pathname).toMatch(/\.js$/);
    await page.context().close();
  });
});
