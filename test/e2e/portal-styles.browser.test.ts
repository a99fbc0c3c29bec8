// The styles of the portal in Chromium: the style tool with its chart, versions, files, and texts that would run
// if they were inserted as HTML.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSavedStyle } from '../../shared/contract/saved-style.ts';
import { createLink, ensureAdministrator } from '../../workers/host/registry/portal-users.ts';
import { withRegistry } from '../../workers/host/registry/registry.ts';
import type { LeadlineChart } from '../../workers/web/client/chart/leadline-chart.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages } from '../support/chart-page.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import {
  checkPortal,
  DESKTOP,
  heading,
  holdOne,
  openPortalPage,
  tabTo,
} from '../support/portal-page.ts';

const EMAIL = 'admin@leadline.example';
const SCRIPT = '<img src=x onerror=alert(1)>';
const NAME = `${SCRIPT} bridge`;
const STRIKING = '#ff00fe';

let database: TestDatabase;
let pages: ChartPages;
let token: string;

beforeAll(async () => {
  if (browserPath === undefined) return;
  database = await freshDatabase();
  pages = await openChartPages(database);
  token = await pages.service.token();
  await withRegistry(database.ownerUrl, (registry) =>
    ensureAdministrator(
      { registry, actor: 'test' },
      { email: EMAIL, account: 'operator', password: 'seven grey herons' },
    ),
  );
});
afterAll(() => pages?.stop());
beforeEach(() => database?.query('DELETE FROM saved_style'));

/** Opens the section as a signed-in user. @param demo token of the service for a demo */
async function openStyles(demo: string | null) {
  const link = await withRegistry(database.ownerUrl, (registry) =>
    createLink({ registry, actor: 'test' }, EMAIL),
  );
  const { page, faults } = await openPortalPage(pages, DESKTOP, `#link=${link}`);
  await page.route('**/api/v1/demo-token', (route) => route.fulfill({ json: { token: demo } }));
  await heading(page, 'Overview');
  await page.goto(`${pages.service.address}/portal#styles`);
  await page.reload();
  await heading(page, 'Styles');
  return { page, faults };
}

const press = async (page: Page, selector: string) => {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
};
/** Whether the style on the map contains a text. */
const isDrawnWith = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const chart = document.querySelector<LeadlineChart>('leadline-chart');
    return JSON.stringify(chart?.map?.getStyle() ?? '').includes(wanted);
  }, text);
/** Whether the chart, which stays in view, is above the control that has the focus. */
const isFocusCovered = (page: Page) =>
  page.evaluate(() => {
    const { left, top, width, height } = document.activeElement!.getBoundingClientRect();
    const front = document.elementFromPoint(left + width / 2, top + height / 2);
    return front?.closest('.live') !== null;
  });
const saved = async () =>
  (await database.query('SELECT name, base_theme, parameters FROM saved_style ORDER BY created_at'))
    .rows;

describe.runIf(browserPath !== undefined)('the styles of the portal', () => {
  it('makes a style on a live chart by keyboard, changes it and restores a version', async () => {
    const { page, faults } = await openStyles(null);
    await page.getByText('There is no style yet').waitFor();
    await checkPortal(page);
    await press(page, 'portal-styles .tools button.main');
    await heading(page, 'New style');
    await tabTo(page, '#chart-token');
    await page.keyboard.type(token);
    await checkPortal(page);
    await page.keyboard.press('Enter');
    await expect.poll(() => isDrawnWith(page, 'Leadline day')).toBe(true);
    await tabTo(page, '#style-name');
    await page.keyboard.type(NAME);
    await press(page, 'portal-style-tool details:nth-of-type(2) > summary');
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Shift+Tab');
      expect(await isFocusCovered(page)).toBe(false);
    }
    await page.locator('#color-DEPMD').fill(STRIKING);
    await expect.poll(() => isDrawnWith(page, STRIKING)).toBe(true);
    expect(await saved()).toEqual([]);
    await checkPortal(page);
    await press(page, 'portal-style-tool button.main[type=submit]');
    await page.getByText('Saved. Maps show it').waitFor();
    await heading(page, `Style ${NAME}`);
    expect(await saved()).toEqual([
      {
        name: NAME,
        base_theme: 'day',
        parameters: {
          colors: { DEPMD: STRIKING },
          settings: expect.objectContaining({ depthLimit: 3, depthUnits: 'meters' }),
        },
      },
    ]);

    await page.getByLabel('Theme').selectOption('night');
    await page.getByLabel('Depth units').selectOption('feet');
    await expect.poll(() => isDrawnWith(page, 'Leadline night')).toBe(true);
    const sendList = await holdOne(page, '**/portal/v1/styles');
    await page.locator('#style-name').press('Enter');
    await expect.poll(async () => (await saved())[0].base_theme).toBe('night');
    await page.getByText('Saved. Maps show it').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    sendList();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('New style');
    await press(page, 'button[aria-label^="Versions"]');
    await checkPortal(page);
    await press(page, 'button[aria-label^="Restore"]');
    await expect.poll(async () => (await saved())[0].base_theme).toBe('day');
    const { rows } = await database.query(
      `SELECT act FROM admin_act WHERE act LIKE 'style %' AND actor LIKE 'user:%' ORDER BY id DESC LIMIT 3`,
    );
    expect(rows.map(({ act }) => act)).toEqual(['style change', 'style change', 'style create']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('duplicates, exports, imports and deletes styles, and shows every text as text', async () => {
    const style = {
      name: NAME,
      baseTheme: 'dusk',
      parameters: {
        colors: { DEPVS: '#112233', [SCRIPT]: '#445566' },
        settings: {
          iconSet: SCRIPT,
          satelliteTileUrl: `https://tiles.example/{z}/{x}/{y}?${encodeURI(SCRIPT)}`,
          showSatellite: true,
          glyphs: `https://fonts.example/{fontstack}/{range}.pbf`,
          font: 'Unknown font',
          [SCRIPT]: SCRIPT,
        },
        [SCRIPT]: { [SCRIPT]: SCRIPT },
      },
    };
    const { page, faults } = await openStyles(token);
    const file = { name: 'a.json', mimeType: 'application/json' };
    const importText = (text: string, name = file.name) =>
      page.locator('input[type=file]').setInputFiles({ ...file, name, buffer: Buffer.from(text) });
    await importText(JSON.stringify(style));
    await heading(page, NAME);
    await page.getByRole('button', { name: `Edit: ${NAME}` }).click();
    await expect.poll(() => isDrawnWith(page, '#112233')).toBe(true);
    expect(await isDrawnWith(page, 'tiles.example')).toBe(false);
    await page.getByRole('button', { name: `Versions: ${NAME}` }).click();
    await page.getByText('There is no earlier version').waitFor();
    const exported = page.waitForEvent('download');
    await page.getByRole('button', { name: `Export: ${NAME}` }).click();
    const text = readFileSync(await (await exported).path(), 'utf8');
    expect(JSON.parse(text)).toEqual(style);
    expect(readSavedStyle(JSON.parse(text))).toHaveProperty('style');
    await page.getByRole('button', { name: `Duplicate: ${NAME}` }).click();
    await heading(page, `${NAME} copy`);
    await importText('{"baseTheme":"night"}', `${SCRIPT.replace('/', '')}.json`);
    await heading(page, SCRIPT);
    // A file that fails does not keep the next one from the list, and can be chosen again after a correction.
    const good = { ...file, name: 'b.json', buffer: Buffer.from('{"baseTheme":"night"}') };
    const bad = { ...file, buffer: Buffer.from('{"name":') };
    const worse = { ...bad, name: 'c.json' };
    await page.locator('input[type=file]').setInputFiles([bad, good, worse]);
    await page.getByText('a.json: is not JSON; c.json: is not JSON').waitFor();
    await heading(page, 'b');
    expect(await page.locator('input[type=file]').inputValue()).toBe('');
    await importText('{"name":"n","parameters":{"x":12345678901234567890}}');
    await page.getByText(/^a\.json: parameters/).waitFor();
    await checkPortal(page);
    for (const name of [`${NAME} copy`, SCRIPT, NAME, 'b']) {
      await page.getByRole('button', { name: `Delete: ${name}`, exact: true }).click();
      const field = page.locator('[id^="delete-"]');
      await field.fill('another name');
      await field.press('Enter');
      expect(await field.isVisible()).toBe(true);
      await field.fill(name);
      await field.press('Enter');
      await field.waitFor({ state: 'detached' });
    }
    await page.getByText('There is no style yet').waitFor();
    expect(await saved()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('keep changes that could not be saved, and ask before they are lost', async () => {
    const { page } = await openStyles(token);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.dismiss();
    });
    const drawnDepth = () =>
      page.evaluate(
        () => document.querySelector<LeadlineChart>('leadline-chart')?.parameters.depthLimit,
      );
    const failures = [500, 401];
    await page.route('**/api/portal/v1/styles', (route) => {
      const status = route.request().method() === 'POST' ? failures.shift() : undefined;
      return status === undefined
        ? route.fallback()
        : route.fulfill({ status, json: { detail: 'The service failed.' } });
    });
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'New style' }).click();
    await page.locator('#style-name').fill('Deep');
    const depth = page.locator('input[name=depthLimit]');
    await depth.fill('182.8804');
    await depth.press('Tab');
    await expect.poll(drawnDepth).toBe(182.8804);
    await save();
    await page.getByText('The service failed.').waitFor();
    expect(await drawnDepth()).toBe(182.8804);
    await save();
    await page.getByText('Sign in in another tab, then try again').waitFor();
    expect(dialogs).toEqual([]);

    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    await expect.poll(() => dialogs.length).toBe(1);
    await expect.poll(() => page.url()).toMatch(/#styles$/);
    await page.getByRole('button', { name: 'New style' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => dialogs).toEqual(['confirm', 'confirm', 'confirm', 'beforeunload']);
    expect(await page.locator('#style-name').inputValue()).toBe('Deep');

    await save();
    await page.getByText('Saved. Maps show it').waitFor();
    // Another tab changes the safety depth, and this one only the name.
    await page.evaluate(async () => {
      const [{ id }] = await (await fetch('/api/portal/v1/styles')).json();
      await fetch(`/api/portal/v1/styles/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"parameters":{"settings":{"depthLimit":7}}}',
      });
    });
    await page.locator('#style-name').fill('Deeper');
    const send = await holdOne(page, '**/portal/v1/styles/*');
    await save();
    await page.locator('#style-name').fill('Deepest');
    send();
    await heading(page, 'Style Deeper');
    expect(await page.locator('#style-name').inputValue()).toBe('Deepest');
    expect(await page.getByText('Saved. Maps show it').count()).toBe(0);
    await save();
    await heading(page, 'Style Deepest');
    expect(await saved()).toMatchObject([
      { name: 'Deepest', parameters: { settings: { depthLimit: 7 } } },
    ]);
    await expect.poll(drawnDepth).toBe(7);
    expect(await depth.inputValue()).toBe('7');
    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    await heading(page, 'Tokens');
    expect(dialogs).toHaveLength(4);
    await page.context().close();
  });

  it('asks for a token if the service rejects or does not send that for a demo', async () => {
    const { page } = await openStyles('0'.repeat(32));
    await page.getByRole('button', { name: 'New style' }).click();
    await page.locator('#chart-token').waitFor();
    await page.getByRole('alert').filter({ hasText: /token/ }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.route('**/api/v1/demo-token', (route) => route.abort());
    await page.getByRole('button', { name: 'New style' }).click();
    await page.locator('#chart-token').waitFor();
    await page.context().close();
  });
});
