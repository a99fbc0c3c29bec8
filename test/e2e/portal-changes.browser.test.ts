// What the portal shows when users, sessions, answers and forms change: in Chromium, with held and refused
// requests.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAccount } from '../../workers/host/registry/accounts.ts';
import { createLink, createUser } from '../../workers/host/registry/portal-users.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, PATIENTLY } from '../support/chart-page.ts';
import {
  ADMIN,
  focusedLabel,
  heading,
  holdOne,
  openSectionAs,
  type PortalPages,
  refuse,
  startPortalPages,
} from '../support/portal-page.ts';

const QUESTION =
  'Continue? Unsaved changes and secrets that were not copied are lost, and transfers stop.';
const RIVAL = 'rival@rival.example';

let pages: ChartPages;
let administer: PortalPages['administer'];
let database: PortalPages['database'];
beforeAll(async () => {
  if (browserPath === undefined) return;
  ({ pages, administer, database } = await startPortalPages());
  await administer(async (one) => {
    const rights = { plan: 'standard', pilot: false, admin: false, note: null } as const;
    await ensureAccount(one, 'rival', rights);
    await createUser(one, { email: RIVAL, account: 'rival', role: 'owner' });
  });
});
afterAll(() => pages?.stop());

const linkOf = (email: string) => administer((one) => createLink(one, email));

/** Opens a section as a user. */
const openSection = (section: string, email?: string) =>
  openSectionAs({ pages, administer, database }, section, email);

/** Adds tokens to an account. */
const addTokens = (account: string, names: readonly string[]) =>
  database.query(
    `INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins, votes_for_users,
       generation, issued_at, note)
     SELECT $1 || '-' || lpad(n::text, 4, '0'), $1, 's', 'pk', 'standard', false, '{tiles}', '{}', false, 0, 1,
       name FROM unnest($2::text[]) WITH ORDINALITY AS named (name, n)`,
    [account, names],
  );

/** The page is shown again after another tab. */
const showAgain = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

describe.runIf(browserPath !== undefined)('a page of the portal', () => {
  it('shows nothing of the former user when another tab signs in', async () => {
    await addTokens('operator', ['Token of the operator']);
    const { page } = await openSection('tokens');
    await heading(page, 'Token of the operator');
    const tab = await page.context().newPage();
    await tab.goto(`${pages.service.address}/portal#link=${await linkOf(RIVAL)}`);
    await tab.getByText(`The link signed you in as ${RIVAL}.`).waitFor(PATIENTLY);
    await showAgain(page);
    await page.getByText(`This browser is now signed in as ${RIVAL}, owner.`).waitFor();
    await page.getByText('There is no token yet').waitFor();
    expect(await page.getByText('Token of the operator').count()).toBe(0);
    // The role of the same user, after another window.
    await database.query(`UPDATE portal_user SET role = 'member' WHERE email = $1`, [RIVAL]);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText(`${RIVAL}, member of rival`).waitFor();
    expect(await page.locator('nav a[href="#team"]').count()).toBe(0);
    await database.query(`UPDATE portal_user SET role = 'owner' WHERE email = $1`, [RIVAL]);
    // A link that is opened in the page leads to the overview.
    await page.goto(`${pages.service.address}/portal#link=${await linkOf(ADMIN.email)}`);
    await page.getByText(`You were ${RIVAL}.`).waitFor();
    await heading(page, 'Overview');
    // The message is that of the former section.
    await page.click('nav a[href="#styles"]');
    await heading(page, 'Styles');
    expect(await page.getByText(`You were ${RIVAL}.`).count()).toBe(0);
    await page.context().close();
  });

  it('gives the reason for the sign-in form, except after signing out', async () => {
    const { page } = await openSection('tokens');
    const ended = page.getByText('Your session has ended. Sign in again.');
    await page.context().clearCookies();
    await page.click('nav a[href="#styles"]');
    await ended.waitFor();
    await page.fill('#username', ADMIN.email);
    await page.fill('#password', ADMIN.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Styles');
    await page.click('nav a[href="#account"]');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.fill('#leave', ADMIN.email);
    await page.keyboard.press('Enter');
    await heading(page, 'Sign in');
    expect(await ended.count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ['tokens', '#token-name'],
    ['team', '#invite-address'],
    ['accounts', '#account-id'],
    ['erasure', '#erase-externalUserId'],
  ])('asks before a form of the section %s is lost', async (section, field) => {
    const { page } = await openSection(section);
    const questions: string[] = [];
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      return questions.length === 1 ? dialog.dismiss() : dialog.accept();
    });
    // An emptied form has no changes.
    await page.fill(field, 'harbour');
    await page.fill(field, '');
    await page.click('nav a[href="#jobs"]');
    await heading(page, 'Jobs');
    await page.click(`nav a[href="#${section}"]`);
    await page.fill(field, 'harbour');
    await page.click('nav a[href="#jobs"]');
    await expect.poll(() => page.url()).toMatch(new RegExp(`#${section}$`));
    expect(await page.inputValue(field)).toBe('harbour');
    await page.click('nav a[href="#jobs"]');
    await heading(page, 'Jobs');
    expect(questions).toEqual(Array(2).fill(QUESTION));
    await page.context().close();
  });

  it('asks before a transfer ends, and explains how to upload a folder', async () => {
    const { page } = await openSection('charts');
    const asked = new Promise<string>((resolve) => {
      page.removeAllListeners('dialog');
      page.on('dialog', async (dialog) => {
        await dialog.dismiss();
        resolve(dialog.message());
      });
    });
    // What is loaded moves the place for files.
    await page.getByText('There is no upload yet.').waitFor();
    const folder = mkdtempSync(join(tmpdir(), 'charts-'));
    const devtools = await page.context().newCDPSession(page);
    const box = (await page.locator('form.drop').boundingBox())!;
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await devtools.send('Input.dispatchDragEvent', {
        ...{ type, x: box.x + 20, y: box.y + 20 },
        data: { items: [], files: [folder], dragOperationsMask: 1 },
      });
    }
    await page.getByText('Make a zip of the folder and drop that.').waitFor();
    rmSync(folder, { recursive: true });
    await page.route('**/charts/upload?*', () => {});
    await page.setInputFiles('#chart-files', {
      ...{ name: 'harbour.zip', mimeType: 'application/zip', buffer: Buffer.alloc(10) },
    });
    const stop = page.getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    await page.click('nav a[href="#jobs"]');
    expect(await asked).toBe(QUESTION);
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    await page.click('nav a[href="#jobs"]');
    await heading(page, 'Jobs');
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('a change in the portal', () => {
  it('of an entry keeps the list, the pages that were loaded and the focus, and is sent once', async () => {
    await database.query(`DELETE FROM api_token WHERE account_id = 'rival'`);
    const names = Array.from({ length: 60 }, (_, n) => `Token ${`${n}`.padStart(2, '0')}`);
    await addTokens('rival', names);
    const { page } = await openSection('tokens', RIVAL);
    const rows = page.locator('portal-tokens .tokens > li');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(60);
    // The button is gone: the focus is on the first new entry.
    const first = await rows.nth(50).getByRole('heading').textContent();
    await expect.poll(() => focusedLabel(page)).toContain(first!.trim());
    const [name, next] = await rows
      .locator('h3')
      .allTextContents()
      .then((titles) => titles.slice(55, 57).map((title) => title.trim()));
    await page.getByRole('button', { name: `Revoke: ${name}` }).click();
    await page.getByLabel(`To confirm, type ${name}`).fill(name!);
    let requests = 0;
    let send = (): void => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/apiTokens/*', async (route) => {
      requests++;
      await sent;
      await route.continue();
    });
    const sendList = await holdOne(page, '**/apiTokens?*');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Revoke', exact: true }).isDisabled()).toBe(true);
    send();
    await expect.poll(() => page.getByLabel(`To confirm, type ${name}`).count()).toBe(0);
    expect(requests).toBe(1);
    // The new list is not there yet.
    expect(await rows.count()).toBe(60);
    sendList();
    await expect.poll(() => rows.count()).toBe(59);
    await expect.poll(() => focusedLabel(page)).toBe(`Revoke: ${next}`);
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('a list in the portal', () => {
  it('shows the progress of a download, and a message if a page fails twice', async () => {
    await database.query(`DELETE FROM api_token WHERE account_id = 'rival'`);
    await addTokens('rival', Array<string>(100).fill('Harbour'));
    const { page } = await openSection('tokens', RIVAL);
    // The last page is full: the next one has no entry.
    const more = page.getByRole('button', { name: 'Show more' });
    const rows = page.locator('portal-tokens .tokens > li');
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(100);
    await page.keyboard.press('Enter');
    await more.waitFor({ state: 'detached' });
    await page.locator('li:last-child:focus').waitFor();
    const button = page.getByRole('button', { name: 'Download as CSV' });
    const second = '**/apiTokens?*limit=100*before=*';
    await page.route(second, (route) => route.abort(), { times: 1 });
    const file = page.waitForEvent('download');
    await button.click();
    expect((await file).suggestedFilename()).toBe('tokens.csv');
    const sendPage = await holdOne(page, second);
    await button.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: 'Download as CSV: 100 entries', disabled: true })
      .waitFor();
    expect(await focusedLabel(page)).toContain('100 entries');
    sendPage();
    await page.route(second, (route) => route.abort());
    await button.and(page.locator('[aria-disabled="false"]')).click();
    await page.getByText('The file was not made. The service does not respond.').waitFor();
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('the choice of ended tokens', () => {
  it('is undone if they cannot be loaded', async () => {
    await database.query(`DELETE FROM api_token WHERE account_id = 'rival'`);
    await addTokens('rival', ['Valid', 'Former']);
    await database.query(`UPDATE api_token SET revoked_at = 1 WHERE note = 'Former'`);
    const { page } = await openSection('tokens', RIVAL);
    await heading(page, 'Valid');
    const withEnded = /apiTokens\?.*ended=true/;
    await page.route(withEnded, refuse('The tokens cannot be read.'));
    const box = page.getByLabel('Show ended tokens');
    await box.click();
    await page.getByText('The tokens cannot be read.').waitFor();
    await expect.poll(() => box.isChecked()).toBe(false);
    await page.unroute(withEnded);
    await box.click();
    await page.getByRole('heading', { name: 'Former' }).waitFor();
    expect(await box.isChecked()).toBe(true);
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('a late answer in the portal', () => {
  it('does not replace the report that was selected after it was requested', async () => {
    const scopes = ['reports:write'] as const;
    const token = await pages.service.token({ account: 'operator', subject: 'server', scopes });
    for (const [latitude, description] of [
      [-29.99, 'First'],
      [-29.95, 'Second'],
    ]) {
      const answer = await fetch(`${pages.service.address}/api/v1/user-reports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          reportType: 'hazard',
          position: { latitude, longitude: -19.99 },
          properties: { description },
        }),
      });
      expect(answer.status).toBe(201);
    }
    const { page } = await openSection('reports');
    const opened = page.locator('.report-title[aria-expanded="true"]');
    const send = await holdOne(page, '**/portal/v1/reports/*');
    const late = page.waitForResponse('**/portal/v1/reports/*');
    await page.click('.report-title:has-text("First")');
    await page.click('.report-title:has-text("Second")');
    await opened.filter({ hasText: 'Second' }).waitFor();
    const answered = page.waitForResponse('**/portal/v1/reports/*');
    await late;
    send();
    await (await answered).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await opened.allTextContents()).toEqual([expect.stringContaining('Second')]);
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('the section Jobs', () => {
  it('keeps the focus on a job when a new job appears', async () => {
    const job = (name: string) => ({
      ...{
        id: name,
        jobType: 'upload',
        jobState: 'pending',
        accountId: 'operator',
        uploadId: null,
      },
      ...{ isPublic: false, filename: name, percentComplete: 0, attempts: 0, isCancelled: false },
      ...{ createdAt: 1, updatedAt: 1, steps: [], logs: [], result: null },
    });
    const jobs = [job('first.zip')];
    const { page } = await openSection('overview');
    await page.route('**/portal/v1/jobs/*/events', (route) => route.abort());
    await page.route('**/portal/v1/jobs?*', (route) =>
      route.fulfill({
        json: {
          jobs,
          pagination: { total: jobs.length },
          worker: { isConnected: true, seenAt: 1 },
        },
      }),
    );
    await page.click('nav a[href="#jobs"]');
    await page.getByRole('button', { name: 'Cancel: Upload: first.zip' }).focus();
    jobs.unshift(job('second.zip'));
    await heading(page, 'Upload: second.zip');
    expect(await focusedLabel(page)).toBe('Cancel: Upload: first.zip');
    await page.context().close();
  });
});

describe.runIf(browserPath !== undefined)('a secret in the portal', () => {
  it('has the focus, and its own results of copying and testing', async () => {
    const { page } = await openSection('tokens');
    const create = async (name: string) => {
      await page.fill('#token-name', name);
      await page.keyboard.press('Enter');
      await heading(page, `Your new token ${name}`);
    };
    await create('First');
    await expect.poll(() => focusedLabel(page)).toBe('Your new token First');
    // As on a page without HTTPS.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    const copy = page.locator('.card.new p button').first();
    expect(await copy.textContent()).toBe('Copy the token');
    await copy.click();
    await page.getByText('Selected: copy it with the keyboard').waitFor();
    const token = await page.locator('.card.new code').first().textContent();
    expect(await page.evaluate(() => `${getSelection()}`)).toBe(token);
    await page.getByRole('button', { name: 'Copy the token' }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const works = page.getByText('The token works from this page.');
    await works.waitFor();
    await copy.click();
    await page.getByText('Selected: copy it with the keyboard').waitFor();
    const faded = page.evaluate(() => document.querySelector('.card.new p button')!.textContent);
    expect(await faded).toContain('Selected');
    // The secret cannot be shown again.
    const asked = new Promise<string>((resolve) => {
      page.removeAllListeners('dialog');
      page.on('dialog', async (dialog) => {
        await dialog.dismiss();
        resolve(dialog.message());
      });
    });
    await page.click('nav a[href="#jobs"]');
    expect(await asked).toBe(QUESTION);
    await create('Second');
    await expect.poll(() => focusedLabel(page)).toBe('Your new token Second');
    expect(await copy.textContent()).toBe('Copy the token');
    const boxes = page.locator('.card.new');
    expect(await boxes.first().getByText('The token works').count()).toBe(0);
    // The first one stays until it is closed.
    expect(await boxes.nth(1).locator('code').first().textContent()).toBe(token);
    expect(await works.count()).toBe(1);
    await boxes.first().getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('heading', { name: 'Your new token Second' })
      .waitFor({ state: 'detached' });
    expect(await boxes.locator('code').first().textContent()).toBe(token);
    await page.context().close();
  });
});
