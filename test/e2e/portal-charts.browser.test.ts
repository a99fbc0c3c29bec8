// Charts in the portal in Chromium, with a worker: drop a zip, follow its job, see the cell in the list and
// in a tile of the account only, and delete it.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipDirectory, zipFiles } from '../../shared/region/stored-zip.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import type { ChartPages } from '../support/chart-page.ts';
import { startUploadService } from '../support/chart-uploads.ts';
import { colorShares } from '../support/page-colors.ts';
import {
  ADMIN,
  CONTEXTS,
  checkPortal,
  heading,
  openPortalPage,
  tabTo,
} from '../support/portal-page.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../support/self-hosted.ts';
import { writtenBytes } from '../support/written-chart.ts';

/** Colour of cells of 1:25,000 and larger on the map. */
const DETAILED = '#a50f15';
/** Colours of cells by age. */
const AGES = ['#00441b', '#41ab5d', '#f16913', '#7f2704'];
/** Of a job on a busy machine. */
const JOB_MS = 240_000;
const BOX = [30, 10, 30.05, 10.05] as const;
const NEXT = [30.05, 10, 30.1, 10.05] as const;
const cellOf = (name: string, box: typeof BOX | typeof NEXT) =>
  writtenBytes({
    ...{ name, usageBand: 5, scaleDenominator: 10_000 },
    areas: [
      ['M_COVR', box, { CATCOV: 1 }],
      ['DEPARE', box, { DRVAL1: 10, DRVAL2: 20 }],
    ],
  });
const CELL = cellOf('ZZ5ACME1', BOX);
const SECOND = cellOf('ZZ5ACME2', NEXT);
const TILE = '/api/v2/tiles/data-geojson-v1/14/9557/7734.json';

function zipOf(name: string, bytes: Uint8Array): Buffer {
  const zip = zipFiles([[`ENC_ROOT/${name}`, bytes]]);
  return Buffer.concat([zip.bytes, zipDirectory(zip.members, zip.bytes.length)]);
}

const scratch = scratchFolder();
let browser: Browser;
let dist: Dist;
let service: SelfHosted;
beforeAll(async () => {
  if (browserPath === undefined) return;
  dist = await makeDist();
  [browser, service] = await Promise.all([
    openBrowser(),
    startUploadService(dist, scratch, {
      INITIAL_ADMIN_EMAIL: ADMIN.email,
      INITIAL_ADMIN_PASSWORD: ADMIN.password,
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  if (service !== undefined) await discard(service, service.data);
  dist?.remove();
});

/** Drops a file on the form, as a browser does when the user drags it from a folder. */
async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const data = await page.evaluateHandle(
    ({ name, base64 }) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    { name, base64: Buffer.from(bytes).toString('base64') },
  );
  await page.dispatchEvent('form.drop', 'drop', { dataTransfer: data });
}

const tileOf = async (account: string): Promise<string> => {
  const headers = { authorization: `Bearer ${await service.token({ account })}` };
  return (await fetch(service.address + TILE, { headers })).text();
};

/** Signs in and opens the section Charts. */
async function openCharts(context: BrowserContextOptions) {
  const pages = { browser, service } as unknown as ChartPages;
  const opened = await openPortalPage(pages, context, '#charts');
  await opened.page.fill('input[type=email]', ADMIN.email);
  await opened.page.fill('input[type=password]', ADMIN.password);
  await opened.page.keyboard.press('Enter');
  await heading(opened.page, 'Charts');
  return opened;
}

describe.runIf(browserPath !== undefined).each(CONTEXTS)('the charts %s', (label, context) => {
  const shoot = async (page: Page, name: string) => {
    const folder = process.env['PORTAL_SHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${label}-${name}.png`, fullPage: true });
  };

  it('shows a dropped zip as a job and as a cell, for this account only, until it is deleted', async () => {
    const { page, faults } = await openCharts(context);
    const tokens: string[] = [];
    let streams = 0;
    page.on('request', (request) => {
      if (/\/jobs\/[^/]+\/events$/.test(request.url())) streams++;
    });
    page.on('response', (answer) => {
      const token = /\/enc-v2\/.*token=(map-[^&]*)/.exec(answer.url())?.[1];
      if (token !== undefined && answer.ok()) tokens.push(token);
    });
    await heading(page, 'Upload');
    await checkPortal(page, context);
    await drop(page, 'harbour.zip', zipOf('ZZ5ACME1.000', CELL));
    await page.getByRole('heading', { name: 'harbour.zip' }).waitFor();
    const row = page.locator('portal-charts ul.tokens').first().locator('> li').first();
    await row.getByText(/: done/).waitFor({ timeout: JOB_MS });
    expect(streams).toBeGreaterThan(0);
    await page.getByRole('heading', { name: 'ZZ5ACME1 (yours)' }).waitFor({ timeout: 60_000 });
    const cell = page.locator('li', {
      has: page.getByRole('heading', { name: 'ZZ5ACME1 (yours)' }),
    });
    await cell.getByText(/^Edition 1, update 0, issued 2026-01-01; 1:10,000/).waitFor();
    const map = page.locator('portal-cell-map canvas');
    await expect
      .poll(async () => (await colorShares(map)).has(DETAILED), { timeout: 60_000 })
      .toBe(true);
    // The tiles of the map are those of the account.
    await expect.poll(() => tokens.length).toBeGreaterThan(0);
    const own = await fetch(`${service.address}${TILE}?token=${tokens.at(-1)}`);
    expect(await own.text()).toContain('ZZ5ACME1');
    await page.selectOption('#cell-colors', 'age');
    const hasAge = async () => {
      const colors = await colorShares(map);
      return !colors.has(DETAILED) && AGES.some((one) => colors.has(one));
    };
    await expect.poll(hasAge).toBe(true);
    await shoot(page, 'ages');
    await page.selectOption('#cell-colors', 'scale');
    expect(await tileOf('operator')).toContain('ZZ5ACME1');
    expect(await tileOf('rival')).not.toContain('ZZ5ACME1');
    await page.getByRole('heading', { name: 'Versions' }).waitFor();
    await page.getByText(/with your cell ZZ5ACME1/).waitFor();
    const cells = 'button[aria-label="1 cell: harbour.zip"]';
    await tabTo(page, cells);
    await page.keyboard.press('Enter');
    await row.getByText(/edition 1, update 0: accepted/).waitFor();
    await checkPortal(page, context);
    await shoot(page, 'charts');

    await page.click('nav a[href="#jobs"]');
    await heading(page, 'Jobs');
    await page.click('button[aria-label="Steps and messages: Upload: harbour.zip"]');
    await page.getByText(/^Publish: done/).waitFor();
    await checkPortal(page, context);
    await shoot(page, 'jobs');

    await page.click('nav a[href="#charts"]');
    await drop(page, 'second.zip', zipOf('ZZ5ACME2.000', SECOND));
    await page.getByText(/with your 2 cells ZZ5ACME1, ZZ5ACME2/).waitFor({ timeout: JOB_MS });
    const back = 'button[aria-label^="Return to this version"]';
    await tabTo(page, back);
    await page.keyboard.press('Enter');
    await checkPortal(page, context);
    await shoot(page, 'return');
    await page.click('portal-charts button.main:has-text("Return to")');
    await page.getByText('Not part of the current version.').waitFor({ timeout: JOB_MS });
    await page.click('button[aria-label="Delete: second.zip"]');
    await page.getByLabel('To confirm, type second.zip').fill('second.zip');
    await page.keyboard.press('Enter');
    const second = page.getByRole('heading', { name: 'second.zip' });
    await second.waitFor({ state: 'detached', timeout: JOB_MS });
    await page.click('button[aria-label="Delete: harbour.zip"]');
    await page.getByLabel('To confirm, type harbour.zip').fill('harbour.zip');
    await page.keyboard.press('Enter');
    const deleted = page.getByRole('heading', { name: 'harbour.zip' });
    await deleted.waitFor({ state: 'detached', timeout: JOB_MS });
    await expect.poll(() => tileOf('operator'), { timeout: 60_000 }).not.toContain('ZZ5ACME1');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('explains why an upload failed', async () => {
    const { page, faults } = await openCharts(context);
    await drop(
      page,
      `half-${context.isMobile === true}.zip`,
      zipOf('ZZ5ACME1.000', CELL).subarray(0, 200),
    );
    const row = page.locator('portal-charts ul.tokens').first().locator('> li').first();
    await row.getByRole('heading', { name: `half-${context.isMobile === true}.zip` }).waitFor();
    await row.getByText(/cannot be read as a zip/).waitFor({ timeout: JOB_MS });
    await shoot(page, 'failed');
    await drop(page, 'notes.pdf', Buffer.from('no chart'));
    await page.getByText(/notes\.pdf is not accepted/).waitFor();
    // The browser reports the refused request as an error.
    expect(faults.filter((text) => !/status of 400/.test(text))).toEqual([]);
    await page.context().close();
  });
});
