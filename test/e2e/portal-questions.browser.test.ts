// Changes of the portal that cannot be undone, in Chromium: they ask first. Lists of many uploads.

import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLink } from '../../workers/host/registry/portal-users.ts';
import { browserPath } from '../support/browser.ts';
import {
  ADMIN,
  checkPortal,
  DESKTOP,
  heading,
  openPortalPage,
  type PortalPages,
  startPortalPages,
  tabTo,
} from '../support/portal-page.ts';

let portal: PortalPages;
beforeAll(async () => {
  if (browserPath !== undefined) portal = await startPortalPages();
});
afterAll(() => portal?.pages.stop());

/** Opens a section as the administrator. */
async function openSection(section: string, context: BrowserContextOptions = DESKTOP) {
  const link = await portal.administer((one) => createLink(one, ADMIN.email));
  const opened = await openPortalPage(portal.pages, context, `#link=${link}`);
  await heading(opened.page, 'Overview');
  await tabTo(opened.page, `nav a[href="#${section}"]`);
  await opened.page.keyboard.press('Enter');
  return opened;
}

describe.runIf(browserPath !== undefined)('the portal', () => {
  it('rotates a token after a choice of when the old one ends', async () => {
    const { database } = portal;
    const { page, faults } = await openSection('tokens', {
      ...DESKTOP,
      timezoneId: 'America/Los_Angeles',
    });
    await page.getByLabel('Name', { exact: true }).fill('Server');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await database.query(
      `INSERT INTO token_usage (day, token_id, account_id, kind, requests, refused, failed)
       SELECT '2026-06-01', id, account_id, 'Tiles', 1, 0, 0 FROM api_token`,
    );
    const endsOf = async () => {
      const { rows } = await database.query(
        `SELECT round((revoked_at - now_ms()) / 3600000.0)::int AS hours FROM api_token
         WHERE replaced_by IS NOT NULL ORDER BY issued_at`,
      );
      return rows.map(({ hours }) => hours);
    };
    const form = page.locator('form.card', { hasText: 'replaces Server' });
    const rotate = page.getByRole('button', { name: 'Rotate: Server' });
    /** Tokens of the same second have no order. */
    const newest = page.locator('li', { hasNotText: '; ends ' }).locator(rotate);
    await rotate.click();
    await form.waitFor();
    await checkPortal(page);
    expect(await endsOf()).toEqual([]);
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'Your new token Server' }).waitFor();
    expect(await endsOf()).toEqual([24]);
    // The day of the last use is the day in UTC.
    await page.getByText('last used Jun 1, 2026').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await newest.click();
    await form.getByRole('radio', { name: /^ends now/ }).check();
    await form.getByRole('button').click();
    await page.getByRole('button', { name: 'Done' }).waitFor();
    expect(await endsOf()).toEqual([24, 0]);
    // The response is lost: the list shows the replacement, which can be rotated.
    await page.route(
      '**/rotate',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    // The former list is shown until the change is complete.
    await page.locator('form button:enabled', { hasText: 'Create' }).waitFor();
    await expect.poll(() => rotate.count()).toBe(2);
    await newest.click();
    await form.getByRole('button').click();
    await page.getByRole('alert').getByText('The service does not respond').waitFor();
    await expect.poll(() => rotate.count()).toBe(3);
    await page.locator('li', { hasText: '; ends ' }).first().locator(rotate).click();
    await form.getByRole('button').click();
    await page.getByText('rotate the replacement if its text is lost').waitFor();
    await checkPortal(page);
    await database.query('TRUNCATE api_token, token_usage CASCADE');
    expect(faults.filter((text) => !/ERR_FAILED|status of 409/.test(text))).toEqual([]);
    await page.context().close();
  });

  it('shows more uploads, refreshes the first page, and deletes the oldest upload', async () => {
    const { database } = portal;
    const addUploads = (from: number, to: number) =>
      database.query(
        `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state, is_live, created_at)
         SELECT gen_random_uuid(), 'operator', false, 'test', 'old-' || n || '.zip', 'succeeded', true, n
         FROM generate_series($1::int, $2::int) AS n`,
        [from, to],
      );
    await addUploads(1, 130);
    const { page, faults } = await openSection('account');
    // Without events, the page loads the list every two seconds while a job waits.
    await page.route('**/jobs/*/events', (route) => route.abort());
    const laterPages: string[] = [];
    page.on('request', (request) => {
      if (/uploads\?.*offset=[1-9]/.test(request.url())) laterPages.push(request.url());
    });
    await heading(page, 'Passkeys');
    // The cells of the account are marked, also without their uploads.
    const cell = await page.evaluate(async () => {
      const { cells } = await (await fetch('/api/portal/v1/charts/cells')).json();
      return cells.at(-1).name as string;
    });
    await database.query(
      `INSERT INTO chart_set_build VALUES ('operator', 'current', 1, '{}', ARRAY[$1]),
         ('operator', 'earlier', 0, '{}', '{}')`,
      [cell],
    );
    await tabTo(page, 'nav a[href="#charts"]');
    await page.keyboard.press('Enter');
    await heading(page, 'old-130.zip');
    const uploads = page.getByRole('heading', { name: /^old-/ });
    expect(await uploads.count()).toBe(25);
    await heading(page, `${cell} (yours)`);
    expect(await page.getByText('(yours)').count()).toBe(1);
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await heading(page, 'old-6.zip');
    await more.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'old-1.zip');
    expect(await uploads.count()).toBe(130);
    await more.waitFor({ state: 'detached' });
    // The button is gone: the focus is on the first new entry.
    const focused = page.locator('li:focus');
    await focused.getByRole('heading', { name: 'old-5.zip' }).waitFor();
    await page.getByRole('button', { name: 'Delete: old-1.zip', exact: true }).click();
    await page.getByLabel('To confirm, type old-1.zip').fill('old-1.zip');
    await checkPortal(page);
    await page.keyboard.press('Enter');
    const oldest = page.locator('li', { has: page.getByRole('heading', { name: 'old-1.zip' }) });
    await oldest.getByRole('button', { name: 'Delete: old-1.zip' }).waitFor({ state: 'detached' });
    const before = laterPages.length;
    await page.locator('button[aria-label^="Return to this version"]').focus();
    await database.query(
      `INSERT INTO chart_set_build VALUES ('operator', 'newest', 2, '{}', '{}')`,
    );
    await addUploads(131, 131);
    await heading(page, 'old-131.zip');
    await page.locator('li:has(button:focus)', { hasText: 'Build earlier' }).waitFor();
    expect(await uploads.count()).toBe(131);
    expect(laterPages).toHaveLength(before);
    await database.query('TRUNCATE chart_upload, chart_job, chart_set_build');
    expect(faults.filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
    await page.context().close();
  });

  it('ends all sessions after the name of the user was typed', async () => {
    const { page, faults } = await openSection('account');
    await page.getByRole('button', { name: 'Sign out everywhere' }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, '#leave');
    await page.keyboard.type('another name');
    await page.keyboard.press('Enter');
    await checkPortal(page);
    expect(await page.getByRole('heading', { name: 'Sessions' }).count()).toBe(1);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(ADMIN.email);
    await page.keyboard.press('Enter');
    await heading(page, 'Sign in');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('the uploads in the portal', () => {
  it('tell screen readers the end of a transfer, but not each percentage', async () => {
    const { page } = await openSection('charts');
    await page.route('**/charts/upload?*', async (route) => {
      // A live region around the bar would say each change.
      await page.getByRole('progressbar', { name: 'Progress of the transfer' }).waitFor();
      const said = await page.locator('[role=status] progress').count();
      await route.fulfill(said === 0 ? { json: {} } : { status: 500 });
    });
    const file = { name: 'harbour.zip', mimeType: 'application/zip', buffer: Buffer.alloc(10) };
    await page.setInputFiles('#chart-files', file);
    await page.getByRole('status').filter({ hasText: 'The files were sent.' }).waitFor();
    await page.context().close();
  });

  it('have no more pages after exactly one, and show all cells of one on request', async () => {
    const { database } = portal;
    const cells = Array.from({ length: 150 }, (_, n) => ({
      ...{ name: `ZZ5A${1000 + n}`, outcome: 'accepted', edition: 1, update: 0, problems: [] },
    }));
    await database.query(
      `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state, created_at, cells)
       SELECT gen_random_uuid(), 'operator', false, 'test', 'one-' || n || '.zip', 'failed', n, $1
       FROM generate_series(1, 25) AS n`,
      [JSON.stringify(cells)],
    );
    const { page, faults } = await openSection('charts');
    await heading(page, 'one-25.zip');
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.getByRole('button', { name: '150 cells: one-25.zip' }).click();
    await page.getByText('The first 100 of 150 cells.').waitFor();
    const reports = page.getByText('edition 1, update 0: accepted');
    expect(await reports.count()).toBe(100);
    await checkPortal(page);
    await page.getByRole('button', { name: 'Show all cells' }).click();
    await expect.poll(() => reports.count()).toBe(150);
    await database.query('TRUNCATE chart_upload');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
