// User reports on the chart page: responses that arrive after the user has opened something else.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserPath } from '../support/browser.ts';
import { PATIENTLY } from '../support/chart-page.ts';
import {
  openReportsBench,
  pinAt,
  pins,
  type ReportsBench,
  refresh,
} from '../support/reports-page.ts';

describe.runIf(browserPath !== undefined)('a late response about a report', () => {
  let bench: ReportsBench;
  let token: string;
  let page: Page;
  beforeAll(async () => {
    bench = await openReportsBench();
    const scopes = ['tiles', 'styles', 'query', 'reports:write'] as const;
    token = await bench.service.token({ subject: 'anna', account: 'one', scopes });
  });
  afterAll(() => bench?.stop());
  beforeEach(async () => {
    await bench.database.query('TRUNCATE report_vote, user_report');
    page = await bench.again(token);
  });

  const card = () => page.locator('#user-report');
  const press = (words: string) => card().locator('button', { hasText: words }).click();
  const begin = async () => {
    await page.locator('#report').click();
    await card().locator('input[value=hazard]').check();
    await card().locator('textarea').fill('A log');
  };
  /** Holds requests with a method until `release` is called. */
  const hold = async (method: string) => {
    let release = () => {};
    const isReleased = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/v1/user-reports**', async (route) => {
      if (route.request().method() === method) await isReleased;
      await route.continue();
    });
    return release;
  };

  it('shows the sent report without closing a tool', async () => {
    const release = await hold('POST');
    await begin();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await press('Send report');
    await sent;
    await card().locator('.close').click();
    await page.locator('#route-open').click();
    release();
    await expect.poll(async () => (await pins(page)).length, PATIENTLY).toBe(1);
    expect(await page.locator('#route').isVisible()).toBe(true);
    expect(await card().isHidden()).toBe(true);
    expect(await page.locator('.draft-pin').count()).toBe(0);
    await page.locator('#route .close').click();
    await page.unrouteAll();
  });

  it('removes the deleted report, and keeps another open card and the list up to date', async () => {
    await begin();
    await press('Send report');
    await card().getByText('Thank you').waitFor(PATIENTLY);
    const place = { latitude: -29.989, longitude: -19.995 };
    const other = await bench.report(token, { ...place, description: 'A net' });
    await refresh(page);
    // For a minute the page also shows the report of the test before.
    const ids = async () => (await pins(page)).map(({ id }) => id);
    await expect.poll(ids, PATIENTLY).toContain(other);
    const release = await hold('DELETE');
    await press('Delete');
    const sent = page.waitForRequest((request) => request.method() === 'DELETE');
    await press('Confirm delete');
    const deleted = new URL((await sent).url()).pathname.split('/').at(-1);
    expect(await ids()).toContain(deleted);
    const { x, y } = await pinAt(page, place.latitude, place.longitude);
    await page.mouse.click(x, y);
    const notes = card().locator('.notes', { hasText: 'A net' });
    await notes.waitFor();
    release();
    await expect.poll(ids, PATIENTLY).not.toContain(deleted);
    expect(await ids()).toContain(other);
    expect(await notes.isVisible()).toBe(true);
    for (const id of ['panel', 'reports-fold']) await page.locator(`#${id} > summary`).click();
    const row = page.locator(`[data-report="${other}"]`);
    expect(await row.textContent()).toMatch(/just now|minutes? ago/);
    await bench.database.query('UPDATE user_report SET created_at = created_at - 3600000');
    await refresh(page);
    await expect.poll(() => row.textContent(), PATIENTLY).toContain('1 hour ago');
    await bench.database.query('UPDATE user_report SET expires_at = 1 WHERE id = $1', [other]);
    await refresh(page);
    await card().getByText('This report was deleted or has expired').waitFor(PATIENTLY);
    await page.unrouteAll();
  });

  it('causes no console errors in these tests', () => {
    expect(bench.complaints).toEqual([]);
  });
});
