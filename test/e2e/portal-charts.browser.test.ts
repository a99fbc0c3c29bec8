// Charts in the portal in Chromium, with a worker: drop a zip, follow its job, see the cell in the list and
// in a tile of the account only, and delete it. The same with a large file whose connection is lost, and with
// Boston's real cells.

import { gzipSync } from 'node:zlib';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipDirectory, zipFiles } from '../../shared/region/stored-zip.ts';
import { BOSTON_OBJECT, BOSTON_TILE, zipOfBoston } from '../support/boston.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import type { ChartPages } from '../support/chart-page.ts';
import { startUploadService } from '../support/chart-uploads.ts';
import { hasBusyCells } from '../support/enc-data.ts';
import { colorShares } from '../support/page-colors.ts';
import {
  ADMIN,
  checkPortal,
  DESKTOP,
  heading,
  openPortalPage,
  tabTo,
} from '../support/portal-page.ts';
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
const MEBI = 2 ** 20;
const TUS = /\/charts\/uploads\/tus/;
const TILE = '/api/v2/tiles/data-geojson-v1/14/9557/7734.json';

/** @param padding length of a text next to the cell */
function zipOf(name: string, bytes: Uint8Array, padding = 0): Buffer {
  const zip = zipFiles([
    [`ENC_ROOT/${name}`, bytes],
    ...(padding === 0 ? [] : [['ENC_ROOT/README.TXT', Buffer.alloc(padding, 'x')] as const]),
  ]);
  return Buffer.concat([zip.bytes, zipDirectory(zip.members, zip.bytes.length)]);
}

let browser: Browser;
let dist: Dist;
let service: SelfHosted;
beforeAll(async () => {
  if (browserPath === undefined) return;
  dist = await makeDist();
  [browser, service] = await Promise.all([
    openBrowser(),
    startUploadService(dist, {
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
    async ({ name, base64 }) => {
      const transfer = new DataTransfer();
      const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      const bytes = await new Response(stream).arrayBuffer();
      transfer.items.add(new File([bytes], name, { lastModified: 1 }));
      return transfer;
    },
    // Large files are mostly padding.
    { name, base64: gzipSync(bytes).toString('base64') },
  );
  await page.dispatchEvent('form.drop', 'drop', { dataTransfer: data });
}

const tileOf = async (account: string, path = TILE): Promise<string> => {
  const headers = { authorization: `Bearer ${await service.token({ account })}` };
  const text = await (await fetch(service.address + path, { headers })).text();
  return text.replace(/"requestId":"[^"]*"/, '');
};

const firstRow = (page: Page) =>
  page.locator('portal-charts ul.tokens').first().locator('> li').first();

async function deleteUpload(page: Page, name: string): Promise<void> {
  await page.click(`button[aria-label="Delete: ${name}"]`);
  await page.getByLabel(`To confirm, type ${name}`).fill(name);
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name });
  await heading.waitFor({ state: 'detached', timeout: JOB_MS });
}

/** Signs in and opens the section Charts. */
async function openCharts() {
  const pages = { browser, service } as unknown as ChartPages;
  const opened = await openPortalPage(pages, { deviceScaleFactor: 1, ...DESKTOP }, '#charts');
  await opened.page.fill('input[type=email]', ADMIN.email);
  await opened.page.fill('input[type=password]', ADMIN.password);
  await opened.page.keyboard.press('Enter');
  await heading(opened.page, 'Charts');
  return opened;
}

describe.runIf(browserPath !== undefined)('the charts', () => {
  it('shows a dropped zip as a job and as a cell, for this account only, until it is deleted', async () => {
    const { page, faults } = await openCharts();
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
    await checkPortal(page);
    await drop(page, 'harbour.zip', zipOf('ZZ5ACME1.000', CELL));
    await page.getByRole('heading', { name: 'harbour.zip' }).waitFor();
    const row = firstRow(page);
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
    await page.selectOption('#cell-colors', 'scale');
    expect(await tileOf('operator')).toContain('ZZ5ACME1');
    expect(await tileOf('rival')).not.toContain('ZZ5ACME1');
    await page.getByRole('heading', { name: 'Versions' }).waitFor();
    await page.getByText(/with your cell ZZ5ACME1/).waitFor();
    const cells = 'button[aria-label="1 cell: harbour.zip"]';
    await tabTo(page, cells);
    await page.keyboard.press('Enter');
    await row.getByText(/edition 1, update 0: accepted/).waitFor();
    await checkPortal(page);

    // An answer may come after the user has left the section.
    const left = await page.locator('portal-cell-map').elementHandle();
    await page.click('nav a[href="#jobs"]');
    await heading(page, 'Jobs');
    await left!.evaluate((element) => {
      const late = element as unknown as { cells: unknown[]; updateComplete: Promise<unknown> };
      late.cells = [...late.cells];
      return late.updateComplete;
    });
    await page.click('button[aria-label="Steps and messages: Upload: harbour.zip"]');
    await page.getByText(/^Publish: done/).waitFor();
    await checkPortal(page);

    await page.click('nav a[href="#charts"]');
    await page.setInputFiles('#chart-files', {
      name: 'second.zip',
      mimeType: 'application/zip',
      buffer: zipOf('ZZ5ACME2.000', SECOND),
    });
    await page.getByText(/with your 2 cells ZZ5ACME1, ZZ5ACME2/).waitFor({ timeout: JOB_MS });
    const back = 'button[aria-label^="Return to this version"]';
    await tabTo(page, back);
    await page.keyboard.press('Enter');
    await checkPortal(page);
    await page.click('portal-charts button.main:has-text("Return to")');
    await page.getByText('Not part of the current version.').waitFor({ timeout: JOB_MS });
    await deleteUpload(page, 'second.zip');
    await deleteUpload(page, 'harbour.zip');
    await expect.poll(() => tileOf('operator')).not.toContain('ZZ5ACME1');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('ends the upload of a large file that the user stops', async () => {
    const { page, faults } = await openCharts();
    await page.route(TUS, (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    );
    await drop(page, 'stopped.zip', Buffer.alloc(17e6));
    await page.getByText('The connection was lost. The transfer continues').waitFor();
    await checkPortal(page);
    const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Stop' }).click();
    expect((await ended).status()).toBe(204);
    await page.getByText('Progress of the transfer').waitFor({ state: 'detached' });
    await page.locator('#chart-files:enabled').waitFor();
    expect(faults.filter((text) => !/ERR_CONNECTION_RESET/.test(text))).toEqual([]);
    await page.context().close();
  });

  it('continues a large file where the connection was lost, also after a reload', async () => {
    const { page, faults } = await openCharts();
    const name = 'large.zip';
    const bytes = zipOf('ZZ5ACME1.000', CELL, 20e6);
    const offsets: string[] = [];
    let isLost = false;
    const onTus = (route: Route) => {
      const offset = route.request().headers()['upload-offset'];
      // The connection is lost after the first part.
      isLost ||= offset === `${8 * MEBI}`;
      if (isLost) return route.abort('connectionreset');
      if (offset !== undefined) offsets.push(offset);
      return route.continue();
    };
    await page.route(TUS, onTus);
    await drop(page, name, bytes);
    await page.getByText('The connection was lost. The transfer continues').waitFor();
    expect(offsets).toEqual(['0']);
    await page.unroute(TUS);
    // The page asks before it is left with a transfer in progress.
    const dialogs: string[] = [];
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      return dialog.accept();
    });
    await page.reload();
    expect(dialogs).toEqual(['beforeunload']);
    await heading(page, 'Upload');
    let losses = 0;
    await page.route(TUS, (route) => {
      const offset = route.request().headers()['upload-offset'];
      if (offset !== undefined && losses++ === 0) return route.abort('connectionreset');
      if (offset !== undefined) offsets.push(offset);
      return route.continue();
    });
    await drop(page, name, bytes);
    await page.getByRole('heading', { name }).waitFor();
    // Nothing was sent twice.
    expect(offsets).toEqual([0, 8, 16].map((mebi) => `${mebi * MEBI}`));
    await firstRow(page)
      .getByText(/: done/)
      .waitFor({ timeout: JOB_MS });
    expect(await tileOf('rival')).not.toContain('ZZ5ACME1');
    await expect.poll(() => tileOf('operator')).toContain('ZZ5ACME1');
    await deleteUpload(page, name);
    expect(faults.filter((text) => !/ERR_CONNECTION_RESET/.test(text))).toEqual([]);
    await page.context().close();
  });

  it.runIf(hasBusyCells)("shows Boston's cells until they are deleted", async () => {
    const { page, faults } = await openCharts();
    const before = await tileOf('operator', BOSTON_TILE);
    expect(before).not.toContain(BOSTON_OBJECT);
    await drop(page, 'boston.zip', zipOfBoston());
    const row = firstRow(page);
    await row.getByRole('heading', { name: 'boston.zip' }).waitFor();
    await row.getByRole('progressbar', { name: 'Progress of boston.zip' }).waitFor();
    await row.getByText(/: done/).waitFor({ timeout: JOB_MS });
    for (const cell of ['US5MA11M', 'US5MA12M']) {
      await page.getByRole('heading', { name: `${cell} (yours)` }).waitFor({ timeout: 60_000 });
    }
    await page.click('button[aria-label="2 cells: boston.zip"]');
    await row.getByText(/^US5MA11M, edition \d+, update 3: accepted/).waitFor();
    const own = () => tileOf('operator', BOSTON_TILE);
    await expect.poll(own).toContain(BOSTON_OBJECT);
    expect(await tileOf('rival', BOSTON_TILE)).toBe(before);
    await checkPortal(page);
    await deleteUpload(page, 'boston.zip');
    await expect.poll(own).toBe(before);
    const cells = page.getByRole('heading', { name: /US5MA1/ });
    await expect.poll(() => cells.count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('explains why an upload failed', async () => {
    const { page, faults } = await openCharts();
    await drop(page, 'half.zip', zipOf('ZZ5ACME1.000', CELL).subarray(0, 200));
    const row = firstRow(page);
    await row.getByRole('heading', { name: 'half.zip' }).waitFor();
    await row.getByText(/cannot be read as a zip/).waitFor({ timeout: JOB_MS });
    await drop(page, 'notes.pdf', Buffer.from('no chart'));
    await page.getByText(/notes\.pdf is not accepted/).waitFor();
    await drop(page, 'scan.pdf', Buffer.alloc(17e6));
    await page.getByText(/scan\.pdf is not accepted/).waitFor();
    // The browser reports the refused request as an error.
    expect(faults.filter((text) => !/status of 400/.test(text))).toEqual([]);
    await page.context().close();
  });
});
