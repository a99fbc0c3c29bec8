// The sections for administrators in Chromium by keyboard: system, users, tokens, usage, builds, erasure.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAccount } from '../../workers/host/registry/accounts.ts';
import { createLink, createUser } from '../../workers/host/registry/portal-users.ts';
import { browserPath } from '../support/browser.ts';
import type { ChartPages } from '../support/chart-page.ts';
import {
  ADMIN,
  checkPortal,
  DESKTOP,
  heading,
  holdOne,
  openPortalPage,
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
  ({ pages, administer, database } = await startPortalPages({ email: ADMIN.email }));
});
afterAll(() => pages?.stop());

describe.runIf(browserPath !== undefined)('the administration', () => {
  it('shows the state of each part and the settings, and downloads them', async () => {
    const link = await administer((one) => createLink(one, ADMIN.email));
    const { page, faults } = await openPortalPage(pages, DESKTOP, `#link=${link}`);
    await heading(page, 'Overview');
    await tabTo(page, 'nav a[href="#system"]');
    await page.keyboard.press('Enter');
    await heading(page, 'TILE_MAX_AGE_SECONDS');
    await heading(page, 'Charts');
    await checkPortal(page);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect(readFileSync(await (await file).path(), 'utf8')).toMatch(
      /^name,value,source,description\r\n[\s\S]*DATABASE_URL,,set,/,
    );
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('searches users and tokens of all accounts, and signs out and revokes by keyboard', async () => {
    const [suffix] = crypto.randomUUID().split('-');
    const address = `jane-${suffix}@harbour.example`;
    await administer(async (one) => {
      const rights = { plan: 'standard', pilot: false, admin: false, note: null } as const;
      await ensureAccount(one, 'harbour', rights);
      await createUser(one, { email: address, account: 'harbour', role: 'owner' });
    });
    await database.query(
      `INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins, votes_for_users,
         generation, issued_at, note)
       VALUES ($1, 'harbour', 's', 'pk', 'standard', false, '{tiles}', '{}', false, 0, 1, $2)`,
      [`token-${suffix}`, NAME],
    );
    await database.query(
      `INSERT INTO token_usage (day, token_id, account_id, kind, requests, refused, failed)
       SELECT (now() AT TIME ZONE 'UTC')::date - d, $1, 'harbour', kind, n * (30 - d), d, d % 2
       FROM generate_series(0, 27) AS d, (VALUES ('Tiles', 40), ('Styles', 9), ('Features', 14),
         ('Routing', 6), ('Reports', 11), ('Bathymetry', 3)) AS counted (kind, n)`,
      [`token-${suffix}`],
    );
    const visitor = await openPortalPage(
      pages,
      DESKTOP,
      `#link=${await administer((one) => createLink(one, address))}`,
    );
    await heading(visitor.page, 'Overview');
    const { page, faults } = await openPortalPage(
      pages,
      DESKTOP,
      `#link=${await administer((one) => createLink(one, ADMIN.email))}`,
    );
    await heading(page, 'Overview');
    const open = async (section: string, title: string) => {
      await tabTo(page, `nav a[href="#${section}"]`);
      await page.keyboard.press('Enter');
      await heading(page, title);
    };
    const type = async (selector: string, text: string) => {
      await tabTo(page, selector);
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    const said = (hasText: string) => page.getByRole('status').filter({ hasText }).waitFor();
    const sendList = await holdOne(page, '**/portal/v1/admin/users*');
    await open('users', 'Users of all accounts');
    await type('#search-address', 'nobody@');
    // A search does not wait for the whole list, and a late list does not replace its result.
    await said('No entry matches');
    sendList();
    await page.getByText('No entry matches').waitFor();
    await page.locator('#search-address').fill('');
    await page.locator('#search-address').focus();
    await page.keyboard.type(address);
    await page.keyboard.press('Enter');
    await heading(page, address);
    await said('Entries found: 1');
    await page.locator(`button[aria-label="Sign out everywhere: ${address}"]`).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, '[id^="out-"]');
    await checkPortal(page);
    await page.keyboard.type(address);
    await page.keyboard.press('Enter');
    await page.locator('[id^="out-"]').waitFor({ state: 'detached' });
    await visitor.page.reload();
    await heading(visitor.page, 'Sign in');
    await open('all-tokens', 'Tokens of all accounts');
    await type('#search-account', 'harbour');
    await heading(page, NAME);
    await page.getByRole('button', { name: /^Revoke/ }).focus();
    await page.keyboard.press('Enter');
    await type('[id^="revoke-"]', NAME.slice(1));
    await checkPortal(page);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(NAME);
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches').waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    const sendAll = await holdOne(page, '**/admin/usage');
    await open('usage', 'Usage');
    await type('#usage-account', 'harbour');
    const sum = page.getByText(
      /^[1-9][\d,]* requests in the last 30 days, in\s+UTC\. Account harbour\.$/,
    );
    await sum.waitFor();
    await page.locator('.usage-chart canvas').waitFor();
    // A late answer about all accounts does not replace that of one.
    const late = page.waitForResponse('**/admin/usage');
    sendAll();
    await (await late).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await sum.count()).toBe(1);
    const colors = await page
      .locator('.kinds .chip')
      .evaluateAll((chips) => chips.map((one) => getComputedStyle(one).backgroundColor));
    expect(new Set(colors).size).toBe(6);
    await page.emulateMedia({ forcedColors: null });
    await page.getByText(/^[\d,]+ of them were refused/).waitFor();
    await page.locator('.kinds li', { hasText: 'Tiles:' }).waitFor();
    await page.getByText('Table of the requests').click();
    await checkPortal(page);
    expect([...faults, ...visitor.faults]).toEqual([]);
    await visitor.page.context().close();
    await page.context().close();
  });

  it('shows the builds, and erases the data of a person after a confirmation', async () => {
    const link = await administer((one) => createLink(one, ADMIN.email));
    const { page, faults } = await openPortalPage(pages, DESKTOP, `#link=${link}`);
    await heading(page, 'Overview');
    await tabTo(page, 'nav a[href="#builds"]');
    await page.keyboard.press('Enter');
    await page.getByText('(live)').waitFor();
    await checkPortal(page);
    await database.query(
      `INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins, votes_for_users,
         generation, issued_at)
       VALUES ($1, 'operator', $2, 'pk', 'standard', false, '{tiles}', '{}', false, 0, 1)`,
      [crypto.randomUUID(), NAME],
    );
    await tabTo(page, 'nav a[href="#erasure"]');
    await page.keyboard.press('Enter');
    await heading(page, 'Find the data of a person');
    await tabTo(page, '#erase-account');
    await page.keyboard.type('operator');
    await tabTo(page, '#erase-subject');
    await page.keyboard.type(NAME);
    await page.keyboard.press('Enter');
    await tabTo(page, '#erase-confirm');
    await page.keyboard.type('another name');
    await page.keyboard.press('Enter');
    await checkPortal(page);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(NAME);
    await page.keyboard.press('Enter');
    await page.getByText('The data was erased.').waitFor();
    const row = page.getByRole('row', { name: /^Tokens/ });
    expect((await row.textContent())?.replace(/\s+/g, ' ')).toMatch(/names ?1 ?0 ?$/);
    await checkPortal(page);
    // An id that cannot be typed into a field of one line is confirmed by the account.
    const user = ' two\tparts\nof a name ';
    await database.query(
      `INSERT INTO user_report (id, account_id, owner_subject, external_user_id, report_type, latitude,
         longitude, place, properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request)
       VALUES (gen_random_uuid(), 'operator', 's', $1, 'hazard', 47, -122, 0, '{}', 1000, 1, 2, 3, 3,
         gen_random_uuid())`,
      [user],
    );
    await page.locator('#erase-subject').fill('');
    await page.locator('#erase-externalUserId').fill('\u200b\u202e');
    await page.getByRole('button', { name: 'Count the data' }).click();
    await page.getByLabel('To confirm, type operator').waitFor();
    await page.locator('#erase-externalUserId').fill(user);
    await page.getByRole('button', { name: 'Count the data' }).click();
    await page.getByLabel('To confirm, type operator').fill('operator');
    await checkPortal(page);
    await page.keyboard.press('Enter');
    await page.getByText('The data was erased.').waitFor();
    const left = await database.query(
      'SELECT count(*)::int AS found FROM user_report WHERE external_user_id IS NOT NULL',
    );
    expect(left.rows).toEqual([{ found: 0 }]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
