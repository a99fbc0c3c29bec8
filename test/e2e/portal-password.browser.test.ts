// A forgotten password in Chromium by keyboard: the form that requests a link, and the form that the link opens.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath } from '../support/browser.ts';
import { PATIENTLY } from '../support/chart-page.ts';
import { linkTo, type MailServer, startMailServer, startMailWork } from '../support/mail-server.ts';
import {
  ADMIN,
  checkPortal,
  DESKTOP,
  heading,
  openPortalPage,
  openSectionAs,
  type PortalPages,
  startPortalPages,
  tabTo,
} from '../support/portal-page.ts';

const NEW_PASSWORD = 'eight grey herons';
let portal: PortalPages;
let server: MailServer;
let work: ReturnType<typeof startMailWork>;
beforeAll(async () => {
  if (browserPath === undefined) return;
  portal = await startPortalPages();
  server = await startMailServer();
});
afterAll(async () => {
  await work?.stop();
  await server?.stop();
  await portal?.pages.stop();
});

const isReady = async () =>
  (await portal.database.query('SELECT mail_is_ready() AS is')).rows[0].is as boolean;

describe.runIf(browserPath !== undefined)('the sign-in page', () => {
  it('offers no link by email without a mail server', async () => {
    const { page, faults } = await openPortalPage(portal.pages, DESKTOP);
    await heading(page, 'Sign in');
    await page.getByText('Ask the operator of this service for a sign-in link.').waitFor();
    expect(await page.getByText('Forgot your password?').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('sends a link, which sets a new password once', async () => {
    const url = portal.database.bindings.DATABASE_URL as string;
    work = startMailWork(url, server.url, portal.pages.service.address);
    await expect.poll(isReady).toBe(true);
    const { page, faults } = await openPortalPage(portal.pages, DESKTOP);
    await heading(page, 'Sign in');
    await tabTo(page, 'button[aria-expanded]');
    await page.keyboard.press('Enter');
    await tabTo(page, '#lost-address');
    await page.keyboard.type(ADMIN.email);
    await checkPortal(page);
    await page.keyboard.press('Enter');
    await page.getByText(`If there is a user ${ADMIN.email}, the service sends an email`).waitFor();
    await checkPortal(page);

    const link = await linkTo(server, ADMIN.email);
    await page.goto(`${portal.pages.service.address}/portal?mail#password=${link}`);
    await heading(page, 'Choose a new password');
    expect(page.url()).not.toContain(link);
    await checkPortal(page);
    await tabTo(page, '#new-password');
    await page.keyboard.type(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('The password is set. Sign in with it.').waitFor();
    await tabTo(page, '#username');
    await page.keyboard.type(ADMIN.email);
    await tabTo(page, '#password');
    await page.keyboard.type(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Overview');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');

    // The same link again.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `password=${link}`);
    await heading(page, 'Choose a new password');
    await page.fill('#new-password', NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('The link is invalid, has expired or was used before.').waitFor();
    await checkPortal(page);
    await page.getByRole('button', { name: 'Sign in instead' }).click();
    await heading(page, 'Sign in');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('tells the inviter that an email was sent', async () => {
    const { page, faults } = await openSectionAs(portal, 'team');
    const address = 'jane@leadline.example';
    await page.getByLabel('Email address', { exact: true }).fill(address);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText(`An email with another link is sent to ${address}.`).waitFor();
    await checkPortal(page);
    await expect.poll(() => server.mails.at(-1)?.to, PATIENTLY).toEqual([address]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
