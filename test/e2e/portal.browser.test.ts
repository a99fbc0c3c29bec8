// The portal in Chromium by keyboard: sign in, create a token, change its origins and revoke it.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAccounts } from '../../workers/host/registry/accounts.ts';
import { createLink, createUser, listUsers } from '../../workers/host/registry/portal-users.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, PATIENTLY } from '../support/chart-page.ts';
import { colorShares } from '../support/page-colors.ts';
import {
  ADMIN,
  checkPortal,
  DESKTOP,
  focusEnabled,
  heading,
  holdOne,
  openPortalPage,
  PHONE,
  type PortalPages,
  startPortalPages,
  tabTo,
} from '../support/portal-page.ts';

/** Text that would run if it were inserted as HTML. */
const NAME = '<img src=x onerror=alert(1)> harbour';
let pages: ChartPages;
let administer: PortalPages['administer'];
let database: PortalPages['database'];
beforeAll(async () => {
  if (browserPath === undefined) return;
  ({ pages, administer, database } = await startPortalPages());
});
afterAll(() => pages?.stop());

const roleOf = async (address: string): Promise<string | undefined> =>
  (await administer(listUsers)).find(({ email }) => email === address)?.role;

describe.runIf(browserPath !== undefined)('the portal', () => {
  const openPortal = (hash?: string) => openPortalPage(pages, DESKTOP, hash);

  it.each([
    ['on a phone', PHONE],
    ['on a desktop', DESKTOP],
  ])('signs in, and creates, restricts and revokes a token by keyboard %s', async (_, context) => {
    const { page, faults } = await openPortalPage(pages, context);
    const type = async (selector: string, text: string) => {
      await tabTo(page, selector);
      await page.keyboard.type(text);
    };
    await heading(page, 'Sign in');
    await checkPortal(page);
    await type('#username', ADMIN.email);
    await type('#password', ADMIN.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Overview');
    await page.locator('.usage-chart canvas').waitFor();
    await checkPortal(page);
    await tabTo(page, 'nav a[href="#tokens"]');
    await page.keyboard.press('Enter');
    await heading(page, 'Create a token');
    const scope = page.getByLabel('routes, if the account may plan them');
    expect(await scope.isVisible()).toBe(false);
    await page.getByRole('radio', { name: /^Secret: for a server/ }).check();
    expect(await scope.isChecked()).toBe(true);
    await scope.uncheck();
    await checkPortal(page);
    await type('#token-name', 'Server');
    await page.keyboard.press('Enter');
    await page.getByText(/^Secret, from everywhere; (?!.*routing).*bathymetry:write/).waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect(readFileSync(await (await file).path(), 'utf8')).toMatch(
      /^id,account,name,state,.*\r\n[\w-]+,operator,Server,good,/,
    );
    await page.getByRole('button', { name: 'Revoke: Server' }).click();
    await type('[id^="revoke-"]', 'Server');
    await page.keyboard.press('Enter');
    await page.getByText('There is no token yet').waitFor();
    await type('#token-name', NAME);
    await page.keyboard.press('Enter');
    await page.locator('.card.new code').first().waitFor();
    await page.getByRole('heading', { name: NAME }).last().waitFor();
    await checkPortal(page);
    const token = await page.locator('.card.new code').first().textContent();
    await page.unroute('**/api/v1/styles/base.json*');
    const tile = page.waitForResponse(
      (answer) => /\/tiles\/enc-v2\//.test(answer.url()) && answer.url().includes(token!),
    );
    const sendStyle = await holdOne(page, '**/api/v1/styles/base.json*');
    await tabTo(page, 'portal-token-test button');
    await page.keyboard.press('Enter');
    // A second test would make another map.
    await page.locator('portal-token-test button:disabled').waitFor();
    sendStyle();
    await page.getByText('The token works from this page.').waitFor();
    expect((await tile).status()).toBe(200);
    const map = page.locator('portal-token-test canvas');
    // An empty map has the colours of its controls only.
    await expect.poll(async () => (await colorShares(map)).size, PATIENTLY).toBeGreaterThan(100);
    await checkPortal(page);
    await tabTo(page, 'button[aria-label^="Change origins"]');
    await page.keyboard.press('Enter');
    await type('[id^="hosts-"]', 'example.com');
    expect(await page.locator('form[data-unsaved] [id^="hosts-"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText('from example.com').waitFor();
    await tabTo(page, 'button[aria-label^="Revoke"]');
    await page.keyboard.press('Enter');
    await type('[id^="revoke-"]', 'another name');
    await page.keyboard.press('Enter');
    await checkPortal(page);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(NAME);
    await page.keyboard.press('Enter');
    await page.getByText('There is no token yet').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('invites a user, changes the role, suspends and removes the user by keyboard', async () => {
    const link = await administer((one) => createLink(one, ADMIN.email));
    const { page, faults } = await openPortal(`#link=${link}`);
    const type = async (selector: string, text: string) => {
      await tabTo(page, selector);
      await page.keyboard.type(text);
    };
    await heading(page, 'Overview');
    await tabTo(page, 'nav a[href="#team"]');
    await page.keyboard.press('Enter');
    await heading(page, 'Invite a user');
    const address = 'navigator@acme.example';
    await type('#invite-address', address);
    await page.keyboard.press('Enter');
    const text = await page.locator('.card.new code').textContent();
    await page.getByRole('heading', { name: address, exact: true }).waitFor();
    await checkPortal(page);
    const visitor = await openPortal(`#${text!.split('#')[1]}`);
    await heading(visitor.page, 'Overview');
    expect(await visitor.page.locator('nav a[href="#team"]').count()).toBe(0);
    expect(await visitor.page.locator('nav a[href="#reports"]').count()).toBe(0);
    const role = page.getByLabel(`Role of ${address}`, { exact: true });
    await focusEnabled(role);
    await page.keyboard.type('owner');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => roleOf(address)).toBe('owner');
    await focusEnabled(page.locator(`button[aria-label="Suspend: ${address}"]`));
    await page.keyboard.press('Enter');
    await type('[id^="suspend-"]', address);
    await checkPortal(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `${address} (suspended` }).waitFor();
    await visitor.page.reload();
    await heading(visitor.page, 'Sign in');
    await focusEnabled(page.locator(`button[aria-label="Resume: ${address}"]`));
    await checkPortal(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: address, exact: true }).waitFor();
    await focusEnabled(page.locator(`button[aria-label="Remove: ${address}"]`));
    await page.keyboard.press('Enter');
    await type('[id^="remove-"]', address);
    await checkPortal(page);
    await page.keyboard.press('Enter');
    await expect.poll(() => roleOf(address)).toBeUndefined();
    await visitor.page.reload();
    await heading(visitor.page, 'Sign in');
    expect([...faults, ...visitor.faults]).toEqual([]);
    await visitor.page.context().close();
    await page.context().close();
  });

  it('lists the audit trail, searches it by keyboard and shows its texts as text', async () => {
    const { page, faults } = await openPortal(
      `#link=${await administer((one) => createLink(one, ADMIN.email))}`,
    );
    await heading(page, 'Overview');
    await database.query('INSERT INTO admin_act (actor, act, detail) VALUES ($1, $2, $3)', [
      NAME,
      'seed act',
      JSON.stringify({ text: NAME }),
    ]);
    await tabTo(page, 'nav a[href="#audit"]');
    await page.keyboard.press('Enter');
    await page.getByText(`by ${NAME}`).first().waitFor();
    await checkPortal(page);
    await tabTo(page, '#search-act');
    await page.keyboard.type('no such act');
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('seed act');
    await page.keyboard.press('Enter');
    await page.getByText(`by ${NAME}`).first().waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    expect((await file).suggestedFilename()).toBe('audit.csv');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('lists reports next to a map, deletes, restores and blocks by keyboard', async () => {
    await database.query('TRUNCATE user_report, report_vote, report_block');
    const scopes = ['reports:write'] as const;
    const token = await pages.service.token({ account: 'operator', subject: 'server', scopes });
    const report = (latitude: number, externalUserId: string) =>
      fetch(`${pages.service.address}/api/v1/user-reports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          reportType: 'hazard',
          position: { latitude, longitude: -19.99 },
          properties: { description: `${NAME} ${latitude}`, [NAME]: [NAME] },
          externalUserId,
        }),
      });
    for (const latitude of [-29.99, -29.95]) {
      expect((await report(latitude, NAME)).status).toBe(201);
    }
    const link = await administer((one) => createLink(one, ADMIN.email));
    const { page, faults } = await openPortal(`#link=${link}`);
    const press = async (selector: string) => {
      await tabTo(page, selector);
      await page.keyboard.press('Enter');
    };
    await heading(page, 'Overview');
    await press('nav a[href="#reports"]');
    await heading(page, 'Reports');
    await page.locator('.report-marker').nth(1).waitFor();
    const notes = page.getByText('The map has no chart');
    await expect.poll(() => notes.count()).toBe(1);
    const chart = await pages.service.token({ scopes: ['tiles', 'styles', 'query'] });
    await page.route('**/api/v1/demo-token', (route) => route.fulfill({ json: { token: chart } }));
    await page.reload();
    await page.locator('.report-marker').nth(1).waitFor();
    await expect.poll(() => notes.count()).toBe(0);
    await press('.report-title');
    await page.getByText(`end user ${NAME}`).waitFor();
    await page.locator('.report-marker[aria-pressed="true"]').waitFor();
    await checkPortal(page);
    await press('button[aria-label^="Delete"]');
    await page.getByText('(deleted)').waitFor();
    await press('button[aria-label^="Restore"]');
    await page.locator('button[aria-label^="Delete"]').waitFor();
    expect(await page.getByText('(deleted)').count()).toBe(0);
    await press('button[aria-label^="Block author"]');
    await tabTo(page, '[id^="block-"]');
    await page.keyboard.type(NAME);
    await checkPortal(page);
    await page.keyboard.press('Enter');
    await page.locator('portal-blocks').getByRole('heading', { name: NAME }).waitFor();
    expect((await report(0, NAME)).status).toBe(403);
    expect((await report(-29.97, 'another')).status).toBe(201);
    await press('portal-blocks button[aria-label^="Unblock"]');
    await tabTo(page, '[id^="unblock-"]');
    await page.keyboard.type('another name');
    await page.keyboard.press('Enter');
    await checkPortal(page);
    expect((await report(0, NAME)).status).toBe(403);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(NAME);
    await page.keyboard.press('Enter');
    await page.getByText('Nobody is blocked').waitFor();
    expect((await report(-29.93, NAME)).status).toBe(201);
    // The selected report is loaded again first.
    await page.locator('.report-marker[aria-pressed="true"]').waitFor();
    const first = page.locator('.report-marker[aria-pressed="false"]').first();
    await first.click();
    await page
      .locator('.report-title[aria-expanded="true"]')
      .filter({ hasText: '-29.99' })
      .waitFor();
    await expect.poll(() => page.locator('.report-title:focus').textContent()).toContain('-29.99');
    await tabTo(page, '#report-text');
    await page.keyboard.type('no such report');
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches').waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    expect((await file).suggestedFilename()).toBe('reports.csv');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('creates an account, changes its plan, suspends and resumes it by keyboard', async () => {
    const link = await administer((one) => createLink(one, ADMIN.email));
    const { page, faults } = await openPortal(`#link=${link}`);
    await heading(page, 'Overview');
    await tabTo(page, 'nav a[href="#accounts"]');
    await page.keyboard.press('Enter');
    await heading(page, 'Create an account');
    const id = 'harbour-office';
    await tabTo(page, '#account-id');
    await page.keyboard.type(id);
    await page.keyboard.press('Enter');
    await page.getByText(`The account ${id} was created.`).waitFor();
    await page.getByRole('heading', { name: id, exact: true }).waitFor();
    await focusEnabled(page.getByLabel(`Email address of the owner of ${id}`));
    await page.keyboard.type(`owner@${id}.example`);
    expect(await page.locator('form[data-unsaved] input[type=email]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await heading(page, `Sign-in link of owner@${id}.example`);
    expect(await roleOf(`owner@${id}.example`)).toBe('owner');
    await focusEnabled(page.getByLabel(`Plan of ${id}`, { exact: true }));
    await page.keyboard.type('enterprise');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const accountOf = async () =>
      (await administer(listAccounts)).find((account) => account.id === id);
    await expect.poll(async () => (await accountOf())?.plan).toBe('enterprise');
    await focusEnabled(page.locator(`button[aria-label="Suspend: ${id}"]`));
    await page.keyboard.press('Enter');
    await tabTo(page, '[id^="suspend-"]');
    await page.keyboard.type(id);
    await checkPortal(page);
    await page.keyboard.press('Enter');
    const resume = page.locator(`button[aria-label="Resume: ${id}"]`);
    await focusEnabled(resume);
    expect((await accountOf())?.suspendedAt).toEqual(expect.any(Number));
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await accountOf())?.suspendedAt).toBeNull();
    await heading(page, 'operator');
    await tabTo(page, '#search-search');
    await page.keyboard.type(id.slice(0, -1));
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { name: 'operator', exact: true })
      .waitFor({ state: 'detached' });
    await heading(page, id);
    await checkPortal(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('signs in with a link, which it removes from the address, and signs out', async () => {
    const link = await administer((one) => createLink(one, ADMIN.email));
    const { page, faults } = await openPortal(`#link=${link}`);
    await heading(page, 'Overview');
    expect(page.url()).not.toContain(link);
    // A stranger's link, opened in the same page, does not change the user silently.
    const email = 'stranger@leadline.example';
    const other = await administer(async (one) => {
      await createUser(one, { email, account: 'operator', role: 'member' });
      return createLink(one, email);
    });
    await page.goto(`${pages.service.address}/portal#link=${other}`);
    await page.getByText(`The link signed you in as ${email}. You were ${ADMIN.email}.`).waitFor();
    expect(page.url()).not.toContain(other);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
