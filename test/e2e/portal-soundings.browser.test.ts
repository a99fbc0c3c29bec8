// The soundings of the portal in Chromium by keyboard: a track on a map with its depths, files, deletion, and
// texts that would run if they were inserted as HTML.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrackContribution } from '../../shared/crowd/contribution.ts';
import { createLink } from '../../workers/host/registry/portal-users.ts';
import { browserPath } from '../support/browser.ts';
import type { ChartPages } from '../support/chart-page.ts';
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
import { sendSoundings, voyage } from '../support/soundings.ts';

const NAME = '<img src=x onerror=alert(1)> harbour';

let pages: ChartPages;
let administer: PortalPages['administer'];
let database: PortalPages['database'];
beforeAll(async () => {
  if (browserPath === undefined) return;
  ({ pages, administer, database } = await startPortalPages());
});
afterAll(() => pages?.stop());

describe.runIf(browserPath !== undefined)('the soundings', () => {
  it('shows a track on a map with its depths, exports it and deletes it by keyboard', async () => {
    const link = await administer((one) => createLink(one, ADMIN.email));
    const { page, faults } = await openPortalPage(pages, DESKTOP, `#link=${link}`);
    await heading(page, 'Overview');
    await tabTo(page, 'nav a[href="#soundings"]');
    await page.keyboard.press('Enter');
    await page.getByText('There is no track yet').waitFor();
    const token = await pages.service.token({
      ...{ account: 'operator', subject: NAME, scopes: ['bathymetry:write'] },
    });
    const platform = { uniqueId: 'one', name: NAME };
    const soundings = voyage(200, 5, 10_000);
    const headers = { authorization: `Bearer ${token}` };
    const sent = await sendSoundings(pages.service, { platform, soundings }, headers);
    expect(sent.status).toBe(201);
    await page.reload();
    await page.getByRole('heading', { name: `${NAME}, 2020-09-13 12:26`, exact: true }).waitFor();
    await page
      .getByText(
        /^Until 2020-09-13 12:59; 200 points; depths from\s+[\d.]+ to [\d.]+ m; [\d.]+ NM$/,
      )
      .waitFor();
    await page.getByText(`Subject ${NAME}`, { exact: true }).waitFor();
    await checkPortal(page);
    await page.getByText('all tracks are private').waitFor();
    await showsContributions(page);
    await setsConsentOfAll(page);
    const open = 'button[aria-label^="Map and depths"]';
    await tabTo(page, open);
    expect(await page.getAttribute(open, 'aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await page.getByText('The map has no chart').waitFor();
    await page.getByRole('region', { name: 'Map of the track' }).waitFor();
    await page.locator('portal-track-view .usage-chart canvas').waitFor();
    await checkPortal(page);
    const fileOf = async (press: () => Promise<void>) => {
      const file = page.waitForEvent('download');
      await press();
      return readFileSync(await (await file).path(), 'utf8');
    };
    const list = () => page.getByRole('button', { name: 'Download as CSV' }).click();
    expect(await fileOf(list)).toMatch(/^id,subject,platform,.*\r\n[\w-]+,<img src=x /);
    const corrected = JSON.parse(
      await fileOf(() => page.getByRole('button', { name: /^GeoJSON, corrected/ }).click()),
    );
    expect(corrected.properties.leadline.corrections).toMatchObject([
      { transducer: 0.5, bias: { meters: -0.42 } },
    ]);
    const gpx = () => page.getByRole('link', { name: /^GPX/ }).click();
    expect(await fileOf(gpx)).toContain('<trkpt ');
    const reading = await pages.service.token({ scopes: ['tiles', 'styles'] });
    await page.route('**/api/v1/demo-token', (route) =>
      route.fulfill({ json: { token: reading } }),
    );
    await page.reload();
    const tile = page.waitForResponse(/\.mvt/);
    await page.locator(open).click();
    expect((await tile).status()).toBe(200);
    expect(await page.getByText('The map has no chart').count()).toBe(0);
    await page.locator('button[aria-label^="Delete"]').focus();
    await page.keyboard.press('Enter');
    await tabTo(page, '[id^="delete-"]');
    await page.keyboard.type('2020-09-13');
    await page.keyboard.press('Enter');
    await checkPortal(page);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('2020-09-13 12:26');
    await page.keyboard.press('Enter');
    await page.getByText('There is no track yet').waitFor();
    const { rows } = await database.query('SELECT count(*)::int AS found FROM track');
    expect(rows).toEqual([{ found: 0 }]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** What a build stored about the track, and its section by keyboard. */
async function showsContributions(page: Page) {
  const part: TrackContribution = {
    ...{ builtAt: Date.UTC(2026, 5, 1, 12), points: 200, used: 180, transducer: 0.5 },
    rejected: { outlier: 12, contradicted: 8 },
    tide: { reduced: false, error95: 2.6 },
    bias: { meters: -0.42, unc: 0.14, crossings: 96 },
    ...{ bins: 41, publicBins: 30, addedBins: 4, shoals: 1 },
  };
  await database.query(`UPDATE track SET share = 'aggregate'`);
  await database.query(
    'INSERT INTO crowd_track SELECT account_id, subject, id, $1::jsonb FROM track',
    [JSON.stringify(part)],
  );
  await page.reload();
  await heading(page, 'What your tracks added');
  const section = page.locator('portal-contributions');
  await section.getByText('Crowdsourced depths as of 2026-06-01 12:00 UTC').waitFor();
  expect(await section.locator('> dl').innerText()).toContain(
    '30 public of 41; public because of you: 4',
  );
  await tabTo(page, 'portal-contributions summary');
  await page.keyboard.press('Enter');
  await section.getByText('Measures 0.42 m too shallow, ± 0.14 m').waitFor();
  await section.locator('details').getByText('8: other boats contradict the depth').waitFor();
  await checkPortal(page);
}

/** A choice for all tracks asks for the name of the account first. */
async function setsConsentOfAll(page: Page) {
  const shareOf = async () => (await database.query('SELECT share FROM track')).rows;
  const consent = page.locator('portal-consent');
  const one = page.getByRole('combobox', { name: /^Consent: / });
  await one.selectOption('private');
  await tabTo(page, 'button[aria-label^="Save: Consent: "]');
  expect(await shareOf()).toEqual([{ share: 'aggregate' }]);
  await page.keyboard.press('Enter');
  await expect.poll(shareOf).toEqual([{ share: 'private' }]);
  await page.locator('button:disabled').waitFor({ state: 'detached' });
  expect(await one.inputValue()).toBe('private');
  await one.selectOption('aggregate');
  await page.keyboard.press('Enter');
  await expect.poll(shareOf).toEqual([{ share: 'aggregate' }]);
  // The name that was typed for one choice does not confirm another.
  await consent.getByRole('button', { name: 'Private' }).click();
  await page.fill('#consent-of-all', 'operator');
  await consent.getByRole('button', { name: 'Open data' }).focus();
  await page.keyboard.press('Enter');
  await consent.getByText('passes the tracks of the account on to hydrographic offices').waitFor();
  expect(await page.inputValue('#consent-of-all')).toBe('');
  await tabTo(page, '#consent-of-all');
  await page.keyboard.type('another account');
  await page.keyboard.press('Enter');
  await checkPortal(page);
  expect(await shareOf()).toEqual([{ share: 'aggregate' }]);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('operator');
  await page.keyboard.press('Enter');
  await consent.getByText('1 track was changed').waitFor();
  expect(await shareOf()).toEqual([{ share: 'open data' }]);
  expect(await page.locator('#consent-of-all').count()).toBe(0);
}
