// Choices, rights and searches of the portal that are refused, and answers that are lost or late: in Chromium.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAccount } from '../../workers/host/registry/accounts.ts';
import { createLink, createUser } from '../../workers/host/registry/portal-users.ts';
import { browserPath } from '../support/browser.ts';
import { PATIENTLY } from '../support/chart-page.ts';
import {
  ADMIN,
  DESKTOP,
  focusEnabled,
  focusedLabel,
  heading,
  openPortalPage,
  openSectionAs,
  type PortalPages,
  refuse,
  startPortalPages,
} from '../support/portal-page.ts';

const RIVAL = 'rival@rival.example';
/** Only a few entries of a list are visible. */
const LOW = { ...DESKTOP, viewport: { width: 1280, height: 400 } };

let portal: PortalPages;
beforeAll(async () => {
  if (browserPath === undefined) return;
  portal = await startPortalPages();
  await portal.administer(async (one) => {
    const rights = { plan: 'standard', pilot: false, admin: false, note: null } as const;
    await ensureAccount(one, 'rival', rights);
    await createUser(one, { email: RIVAL, account: 'rival', role: 'owner' });
  });
});
afterAll(() => portal?.pages.stop());

const save = (page: Page, name: string) =>
  page.getByRole('button', { name: `Save: ${name}`, exact: true });

describe.runIf(browserPath !== undefined)('a choice in the portal', () => {
  it('stays until it is saved, and is undone if it is refused, with a message in view', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `crew-${n}@rival.example`);
    await portal.administer(async (one) => {
      for (const email of names) await createUser(one, { email, account: 'rival', role: 'member' });
    });
    const { page } = await openSectionAs(portal, 'team', RIVAL, LOW);
    let requests = 0;
    await page.route('**/portal/v1/team/*', (route) => {
      requests++;
      return refuse('The role cannot change.')(route);
    });
    const last = names.toSorted().at(-1)!;
    const role = page.getByLabel(`Role of ${last}`, { exact: true });
    await focusEnabled(role);
    await page.keyboard.type('owner');
    // The section is rendered again.
    await page.getByRole('button', { name: `Suspend: ${last}` }).click();
    await page.getByLabel(`To confirm, type ${last}`).waitFor();
    expect(await role.inputValue()).toBe('owner');
    expect(await page.locator('form[data-unsaved]').count()).toBe(1);
    expect(requests).toBe(0);
    await focusEnabled(save(page, `Role of ${last}`));
    await page.keyboard.press('Enter');
    const message = page.getByText('The role cannot change.');
    await message.waitFor();
    expect(requests).toBe(1);
    await expect.poll(() => role.inputValue()).toBe('member');
    expect(await page.locator('[data-unsaved]').count()).toBe(0);
    await expect.poll(() => focusedLabel(page)).toBe(`Save: Role of ${last}`);
    await expect
      .poll(async () => (await message.boundingBox())!.y, PATIENTLY)
      .toBeGreaterThanOrEqual(0);
    await page.context().close();
  });

  it.each([
    ['accounts', 'Plan of rival', '**/admin/accounts/rival', 'enterprise', 'standard'],
    ['charts', 'Automatic refresh', '**/admin/chartSchedule', 'week', 'never'],
    [
      'soundings',
      'Consent for uploads that state none',
      '**/portal/v1/consent',
      'open data',
      'private',
    ],
  ])(
    'in the section %s is sent by its button only, and undone if it is refused',
    async (section, label, path, value, former) => {
      const { page } = await openSectionAs(portal, section);
      const list = page.getByLabel(label, { exact: true });
      await list.waitFor();
      expect(await list.inputValue()).toBe(former);
      let requests = 0;
      await page.route(path, (route) => {
        requests++;
        return refuse('This change is refused.')(route);
      });
      await list.selectOption(value);
      await save(page, label).click();
      await page.getByText('This change is refused.').waitFor();
      expect(requests).toBe(1);
      await expect.poll(() => list.inputValue()).toBe(former);
      await page.context().close();
    },
  );

  it('of a right is shown while it is sent, and undone if it is refused', async () => {
    const { page } = await openSectionAs(portal, 'accounts');
    const right = page.getByLabel('rival: routes');
    await right.waitFor();
    let send = (): void => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/admin/accounts/rival', async (route) => {
      await sent;
      await refuse('This change is refused.')(route);
    });
    await right.click();
    await page.locator('input[aria-label="rival: routes"]:disabled').waitFor();
    expect(await right.isChecked()).toBe(true);
    send();
    await page.getByText('This change is refused.').waitFor();
    await expect.poll(() => right.isChecked()).toBe(false);
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('a search in the portal', () => {
  it('that fails is not used by the download, and does not hide a new account silently', async () => {
    const { page } = await openSectionAs(portal, 'accounts');
    await heading(page, 'rival');
    const search = async (text: string) => {
      await page.fill('#search-search', text);
      await page.keyboard.press('Enter');
    };
    await page.route('**/admin/accounts?*search=none*', (route) => route.abort());
    await search('none');
    await page.getByText('The service does not respond.').waitFor();
    const asked = page.waitForRequest('**/admin/accounts?*limit=100*');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect((await asked).url()).not.toContain('search');
    await search('riv');
    await page.getByRole('heading', { name: 'operator', exact: true }).waitFor({
      state: 'detached',
    });
    await page.fill('#account-id', 'acme');
    const listed = page.waitForResponse('**/admin/accounts?*search=riv*');
    await page.keyboard.press('Enter');
    await page.getByText('The account acme was created.').waitFor();
    await (await listed).finished();
    await page.locator('button:disabled').first().waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: 'acme', exact: true }).count()).toBe(0);
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('a session in the portal', () => {
  it('that has ended already can be left with an unsaved form', async () => {
    const { page } = await openSectionAs(portal, 'accounts');
    await page.fill('#account-id', 'harbour');
    await page.context().clearCookies();
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.context().close();
  });

  it('can be tried again, and needs a browser that keeps its cookie', async () => {
    const { page } = await openPortalPage(portal.pages, DESKTOP);
    await heading(page, 'Sign in');
    const refused = page.getByText('this browser does not keep the cookie');
    await page.route(/\/auth\/login(ByLink)?$/, (route) => route.fulfill({ json: {} }));
    await page.goto(`${portal.pages.service.address}/portal#link=lost`);
    await refused.waitFor();
    await page.route('**/auth/whoami', (route) => route.abort(), { times: 1 });
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.fill('#username', ADMIN.email);
    await page.fill('#password', ADMIN.password);
    await page.keyboard.press('Enter');
    await refused.waitFor();
    await page.context().close();
  });

  it('of another user leaves nothing of the former one if the user is not known', async () => {
    const { page } = await openSectionAs(portal, 'accounts');
    await page.route('**/auth/whoami', (route) => route.abort());
    const link = await portal.administer((one) => createLink(one, RIVAL));
    await page.goto(`${portal.pages.service.address}/portal#link=${link}`);
    await heading(page, 'Sign in');
    await page.getByText('The service does not respond.').waitFor();
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('a list of jobs', () => {
  it('is not replaced by an older one that arrives later', async () => {
    const jobs = (name: string) =>
      Array.from({ length: 25 }, (_, n) => ({
        ...{ id: `${name}-${n}`, jobType: 'upload', jobState: 'succeeded', accountId: 'operator' },
        ...{ uploadId: null, isPublic: false, filename: `${name}-${n}.zip`, percentComplete: 100 },
        ...{ attempts: 1, isCancelled: false, createdAt: 1, updatedAt: 1, steps: [], logs: [] },
        result: null,
      }));
    let name = 'old';
    const { page } = await openSectionAs(portal, 'overview');
    await page.route('**/portal/v1/jobs?*', (route) =>
      route.fulfill({
        json: {
          jobs: route.request().url().endsWith('offset=0') ? jobs(name) : [],
          pagination: { total: 300 },
          worker: { isConnected: true, seenAt: 1 },
        },
      }),
    );
    await page.click('nav a[href="#jobs"]');
    await heading(page, 'Upload: old-0.zip');
    let answerLate = (): void => {};
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    const old = jobs('old');
    await page.route(
      '**/portal/v1/jobs?*offset=0',
      async (route) => {
        await late;
        const worker = { isConnected: true, seenAt: 1 };
        await route.fulfill({ json: { jobs: old, pagination: { total: 300 }, worker } });
      },
      { times: 1 },
    );
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    name = 'new';
    await more.click();
    await heading(page, 'Upload: new-0.zip');
    const ended = page.waitForResponse('**/portal/v1/jobs?*offset=25');
    answerLate();
    await (await ended).finished();
    // Time for a wrong list to appear.
    await page.waitForTimeout(300);
    expect(await page.getByRole('heading', { name: 'Upload: old-0.zip' }).count()).toBe(0);
    await page.context().close();
  });
});
