// The portal in Chromium: opening a page, moving by keyboard, and the checks of each section.

import type { BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { createLink, ensureAdministrator } from '../../workers/host/registry/portal-users.ts';
import { type Administrator, withRegistry } from '../../workers/host/registry/registry.ts';
import { seriousFaults, smallControls } from './axe.ts';
import {
  type ChartPages,
  DRIVER_MESSAGE,
  openChartPages,
  PATIENTLY,
  plainly,
} from './chart-page.ts';
import { freshDatabase } from './database.ts';

export const DESKTOP = {
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
} as const satisfies BrowserContextOptions;
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
} as const satisfies BrowserContextOptions;

/** The administrator of these tests. */
export const ADMIN = { email: 'admin@leadline.example', password: 'seven grey herons' } as const;

/** Starts a service with an administrator. @param user `password` is left out for a user without one */
export async function startPortalPages(
  user: { readonly email: string; readonly password?: string } = ADMIN,
) {
  const database = await freshDatabase();
  const pages = await openChartPages(database);
  const administer = <T>(work: (administrator: Administrator) => Promise<T>) =>
    withRegistry(database.ownerUrl, (registry) => work({ registry, actor: 'test' }));
  await administer((one) => ensureAdministrator(one, { ...user, account: 'operator' }));
  return { database, pages, administer };
}
export type PortalPages = Awaited<ReturnType<typeof startPortalPages>>;

/** Opens a page, whose charts have no symbols, and keeps the errors of its console. */
export async function openPortalPage(
  pages: ChartPages,
  context: BrowserContextOptions,
  hash = '',
  host = '127.0.0.1',
): Promise<{ page: Page; faults: string[] }> {
  const page = await (await pages.browser.newContext(context)).newPage();
  page.setDefaultTimeout(PATIENTLY.timeout);
  plainly(page);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => faults.push(dialog.message()));
  page.on('console', (message) => {
    // The browser reports the answer of `whoami` without a session as an error.
    if (message.type() !== 'error' || /status of 401/.test(message.text())) return;
    if (!DRIVER_MESSAGE.test(message.text())) faults.push(message.text());
  });
  const address = pages.service.address.replace('127.0.0.1', host);
  await page.goto(`${address}/portal${hash}`);
  return { page, faults };
}

/** Opens a section as a user, on a desktop by default. */
export async function openSectionAs(
  { pages, administer }: PortalPages,
  section: string,
  email: string = ADMIN.email,
  context: BrowserContextOptions = DESKTOP,
): Promise<{ page: Page; faults: string[] }> {
  const link = await administer((one) => createLink(one, email));
  const opened = await openPortalPage(pages, context, `#link=${link}`);
  await heading(opened.page, 'Overview');
  await opened.page.click(`nav a[href="#${section}"]`);
  await opened.page.locator(`portal-${section} h1`).waitFor();
  return opened;
}

/** Refuses a request with a text. */
export const refuse = (detail: string) => (route: Route) =>
  route.fulfill({ status: 409, contentType: 'application/problem+json', json: { detail } });

/** The name of the focused element. */
export const focusedLabel = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

/** Focuses a control that is disabled while a change is in progress. */
export async function focusEnabled(control: Locator): Promise<void> {
  await expect.poll(() => control.isEnabled(), PATIENTLY).toBe(true);
  await control.focus();
}

/** Moves the focus with the Tab key to an element. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((one) => document.activeElement?.matches(one) === true, selector))
      return;
  }
  throw new Error(`The Tab key does not reach ${selector}.`);
}

/** Holds the first request to a path, which otherwise returns at once. @returns sends it */
export async function holdOne(page: Page, path: string): Promise<() => void> {
  let send = (): void => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(
    path,
    async (route) => {
      await sent;
      await route.continue();
    },
    { times: 1 },
  );
  return send;
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor();

/** Checks a page as a phone shows it: accessibility, the size of the controls and the width of the page. */
async function checkOnPhone(page: Page): Promise<void> {
  expect(await seriousFaults(page)).toEqual([]);
  // Links in a sentence have the height of its line.
  const small = (await smallControls(page)).filter((control) => !control.startsWith('<a '));
  expect(small).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.viewport.width);
}

/** Checks the state of a page on a phone, dark, and on a desktop, light, if the page was opened on a desktop. */
export async function checkPortal(page: Page): Promise<void> {
  if (page.viewportSize()?.width === PHONE.viewport.width) return checkOnPhone(page);
  expect(await seriousFaults(page)).toEqual([]);
  const driver = await page.context().newCDPSession(page);
  const show = async (context: BrowserContextOptions, deviceScaleFactor: number) => {
    const { viewport, hasTouch = false, colorScheme = null } = context;
    const metrics = { ...viewport!, deviceScaleFactor, mobile: hasTouch };
    await driver.send('Emulation.setDeviceMetricsOverride', metrics);
    await driver.send('Emulation.setTouchEmulationEnabled', { enabled: hasTouch });
    await page.emulateMedia({ colorScheme });
  };
  const ratio = await page.evaluate(() => devicePixelRatio);
  await show(PHONE, ratio);
  await checkOnPhone(page);
  await show(DESKTOP, ratio);
}
