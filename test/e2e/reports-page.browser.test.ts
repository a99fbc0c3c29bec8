// User reports on the chart page: creating, reading, voting and deleting, also while the database is down.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserPath } from '../support/browser.ts';
import { DESKTOP, PATIENTLY, settled } from '../support/chart-page.ts';
import { shareOfGlare } from '../support/page-colors.ts';
import {
  clusters,
  controlClick,
  openReportsBench,
  PHONE,
  pinAt,
  pins,
  pressCount,
  type ReportsBench,
  refresh,
} from '../support/reports-page.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SPOT = { x: 400, y: 420 };
/** A place in the middle of the chart. */
const spot = { latitude: -29.989, longitude: -19.988 };

describe.runIf(browserPath !== undefined)('reports on the chart page', () => {
  let bench: ReportsBench;
  let anna: string;
  let ben: string;
  /** Creates no reports, because a page shows its own new reports for a minute without the list. */
  let carl: string;

  beforeAll(async () => {
    bench = await openReportsBench();
    anna = await bench.service.token({ subject: 'anna', account: 'one', scopes: SCOPES });
    ben = await bench.service.token({ subject: 'ben', account: 'two', scopes: SCOPES });
    carl = await bench.service.token({ subject: 'carl', account: 'one', scopes: SCOPES });
  });
  afterAll(() => bench?.stop());
  beforeEach(() => bench.database.query('TRUNCATE report_vote, user_report'));

  const stored = async () =>
    (await bench.database.query('SELECT * FROM user_report ORDER BY created_at, id')).rows;
  const card = (page: Page) => page.locator('#user-report');
  const notes = (page: Page) => card(page).locator('textarea');
  const message = (page: Page) => card(page).locator('.message');
  const press = (page: Page, words: string) =>
    card(page).locator('button', { hasText: words }).click();
  const write = async (page: Page, kind: string, text: string) => {
    await card(page).locator(`input[value=${kind}]`).check();
    await notes(page).fill(text);
  };

  test('are created by a press, seen and voted on by another visitor with the same public token, and deleted only by their owner', async () => {
    const page = await bench.again(anna);
    await page.mouse.click(SPOT.x, SPOT.y, { button: 'right' });
    // The report requires a kind.
    await press(page, 'Send report');
    expect(await stored()).toEqual([]);
    await write(page, 'hazard', 'A log, about 4 m');
    await press(page, 'Send report');
    await expect.poll(() => message(page).textContent(), PATIENTLY).toMatch(/Thank you/);
    const [made] = await stored();
    expect(made).toMatchObject({
      owner_subject: expect.stringMatching(/^device:/),
      report_type: 'hazard',
      properties: { description: 'A log, about 4 m' },
    });
    expect(made.id).toMatch(UUID_V4);
    expect(made.external_user_id).toMatch(UUID_V4);
    const at = await pinAt(page, made.latitude, made.longitude);
    expect(Math.hypot(at.x - SPOT.x, at.y + 17 - SPOT.y)).toBeLessThan(1);
    const pin = { id: made.id, reportType: 'hazard' };
    await expect.poll(() => pins(page), PATIENTLY).toEqual([pin]);
    const other = await bench.open(anna);
    await expect.poll(() => pins(other), PATIENTLY).toEqual([pin]);
    await other.mouse.click(at.x, at.y);
    await expect.poll(() => card(other).locator('.notes').textContent()).toBe('A log, about 4 m');
    // The click on a pin does not open the pick report.
    expect(await other.locator('#pick').isHidden()).toBe(true);
    expect(await card(other).textContent()).toMatch(/Reported (just now|\d+ minutes? ago)/);
    expect(await card(other).locator('button', { hasText: 'Delete' }).isHidden()).toBe(true);
    await press(other, 'Confirm · 0');
    await expect.poll(() => card(other).textContent()).toContain('Confirm · 1');
    await press(other, 'Dispute · 0');
    await expect.poll(() => card(other).textContent()).toContain('Confirm · 0Dispute · 1');
    expect((await stored())[0]).toMatchObject({ upvotes: 0, downvotes: 1 });
    // The card of the owner is still open, and shows the change.
    await refresh(page);
    await expect.poll(() => card(page).textContent(), PATIENTLY).toContain('Dispute · 1');
    await press(page, 'Delete');
    await card(page).getByText('Confirm delete').dispatchEvent('click', { detail: 2 });
    expect(await message(page).textContent()).toMatch(/^Press again/);
    expect((await stored())[0].deleted_at).toBeNull();
    await press(page, 'Confirm delete');
    await expect.poll(() => card(page).textContent()).toContain('The report was deleted.');
    expect(Number((await stored())[0].deleted_at)).toBeGreaterThan(0);
    await expect.poll(() => pins(page), PATIENTLY).toEqual([]);

    await press(other, 'Confirm · 0');
    await expect
      .poll(() => message(other).textContent())
      .toMatch(/This report was deleted or has expired/);
    await expect.poll(() => pins(other), PATIENTLY).toEqual([]);
    expect(bench.expected().every((text) => /410/.test(text))).toBe(true);
    // A click elsewhere opens the pick report, and closes the card.
    await other.mouse.click(SPOT.x, SPOT.y - 100);
    await other.locator('#pick li button').first().waitFor();
    expect(await card(other).isHidden()).toBe(true);
    await other.close();
  });

  test('of the first list are on the chart, and remain when the theme changes', async () => {
    await bench.report(anna, { description: 'Unlit buoy' });
    const page = await bench.open(anna);
    const lists = () =>
      page.evaluate(() => {
        const asked = performance.getEntriesByType('resource').map(({ name }) => name);
        return asked.filter((name) => name.includes('user-reports?')).length;
      });
    await expect.poll(async () => (await pins(page)).length, PATIENTLY).toBe(1);
    expect(await lists()).toBe(1);
    await page.locator('#panel > summary').click();
    await page.locator('select[name=theme]').selectOption('dusk');
    await settled(page);
    await expect.poll(async () => (await pins(page)).length, PATIENTLY).toBe(1);
    await page.close();
  });

  test('work by keyboard', async () => {
    const page = await bench.open(anna);
    const focusedId = () => page.evaluate(() => document.activeElement?.id);
    for (let i = 0; i < 40 && (await focusedId()) !== 'report'; i++)
      await page.keyboard.press('Tab');
    expect(await focusedId()).toBe('report');
    await page.keyboard.press('Enter');
    for (const key of ['Space', 'ArrowDown', 'ArrowDown', 'Tab']) await page.keyboard.press(key);
    await page.keyboard.type('Fog, 200 m');
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => message(page).textContent(), PATIENTLY).toMatch(/Thank you/);
    const [made] = await stored();
    expect(made).toMatchObject({
      report_type: 'weather',
      properties: { description: 'Fog, 200 m' },
      latitude: expect.closeTo(-29.987, 5),
      longitude: expect.closeTo(-19.988, 5),
    });
    await page.keyboard.press('Escape');
    expect(await card(page).isHidden()).toBe(true);

    await page.locator('#panel > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('#reports-fold > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-report]').waitFor();
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => card(page).locator('.notes').textContent()).toBe('Fog, 200 m');
    for (const key of ['Tab', 'Space']) await page.keyboard.press(key);
    await expect.poll(() => card(page).textContent()).toContain('Confirm · 1');
    for (const key of ['Tab', 'Tab', 'Enter', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => card(page).textContent()).toContain('The report was deleted.');
    await page.close();
  });

  test('open in a popup at the bottom after a long press on a phone, and a tap elsewhere loses no text', async () => {
    const page = await bench.open(anna, PHONE);
    const finger = await page.context().newCDPSession(page);
    const touch = (type: string, points: readonly object[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: points } as never);
    await touch('touchStart', [{ x: 150, y: 250 }]);
    await notes(page).waitFor();
    await touch('touchEnd', []);
    const { y, height } = (await card(page).boundingBox())!;
    expect(y + height).toBeCloseTo(740, 0);
    expect(await page.locator('#pick').isHidden()).toBe(true);
    await write(page, 'wildlife', 'Two whales');
    await page.touchscreen.tap(250, 180);
    await page.locator('#pick li button').first().waitFor();
    expect(await card(page).isHidden()).toBe(true);

    await page.reload();
    await settled(page);
    await page.locator('.draft-pin').tap();
    expect(await notes(page).inputValue()).toBe('Two whales');
    await press(page, 'Send report');
    await expect.poll(() => message(page).textContent(), PATIENTLY).toMatch(/Thank you/);
    const [made] = await stored();
    const at = await pinAt(page, made.latitude, made.longitude);
    expect(Math.hypot(at.x - 150, at.y + 17 - 250)).toBeLessThan(2);
    expect(await page.locator('.draft-pin').count()).toBe(0);
    await page.close();
  });

  test('show user text as text, byte for byte', async () => {
    const hostile = [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      '\u202eright to left \u2066and back\u2069 \u200f\u061c שלום',
      '  spaces,\n\n\ttabs &amp; "quotes" \\u0041 %00 {{1}}',
      '🐋👩‍👩‍👧‍👦 e\u0301 \ufeff.',
      'x'.repeat(4000),
    ];
    const mixed = hostile.slice(0, 4).join('\n');
    const room = 4000 - mixed.length;
    const typed = `${mixed}${'🐋'.repeat(Math.floor(room / 2))}${'x'.repeat(room % 2)}`;
    const ids = new Map<string, string>();
    for (const [i, description] of hostile.entries()) {
      const place = { latitude: -29.988, longitude: -19.994 + i * 0.003 };
      ids.set(await bench.report(ben, { ...place, description }), description);
    }
    const page = await bench.again(anna);
    await page.locator('#panel > summary').click();
    await page.locator('#reports-fold > summary').click();
    await expect.poll(() => page.locator('[data-report]').count(), PATIENTLY).toBe(5);
    for (const [id, description] of ids) {
      await page.locator(`[data-report="${id}"]`).click();
      await expect.poll(() => card(page).locator('.notes').textContent()).toBe(description);
      expect(await card(page).locator('.notes *').count()).toBe(0);
    }
    expect(await page.locator('#reports-fold').locator('img, script').count()).toBe(0);

    await page.locator('#report').click();
    await write(page, 'hazard', typed);
    await press(page, 'Send report');
    await expect.poll(() => message(page).textContent(), PATIENTLY).toMatch(/Thank you/);
    const made = (await stored()).find(({ owner_subject }) => /^device:/.test(owner_subject))!;
    expect(made.properties).toEqual({ description: typed });
    expect(await card(page).locator('.notes').textContent()).toBe(typed);
    expect(await page.title()).toBe('Leadline chart');
  });

  test('show an error while the database is down, keep the text, and work afterwards', async () => {
    const page = await bench.again(anna);
    await controlClick(page, SPOT);
    const pin = await page.locator('.draft-pin').boundingBox();
    expect(pin!.x + pin!.width / 2).toBeCloseTo(SPOT.x, 0);
    await write(page, 'accident', 'Aground, no help needed');
    bench.database.freeze();
    try {
      await press(page, 'Send report');
      await expect
        .poll(() => message(page).textContent(), PATIENTLY)
        .toBe(
          'The service may or may not have saved this. It is safe to send it again. Try again in 2 s. Your text is kept.',
        );
      // A request for the list may have failed too.
      const complaints = bench.expected();
      expect(complaints).toEqual(complaints.map(() => expect.stringContaining('503')));
      expect(complaints).not.toEqual([]);
      // The service checks the database only every few seconds.
      const state = async () =>
        ((await (await bench.service.get('/readyz')).json()) as { database: string }).database;
      await expect.poll(state, PATIENTLY).toBe('down');
      expect(bench.expected().every((text) => /503/.test(text))).toBe(true);
      // A page that is opened now shows its chart without errors.
      const other = await bench.open(ben);
      // The folds that contain the list are closed.
      const words = () => other.locator('#reports-state').innerText();
      await expect.poll(words, PATIENTLY).toContain('Reports are not available right now.');
      expect(bench.complaints).toEqual([]);
      bench.database.thaw();
      await expect.poll(state, PATIENTLY).toBe('up');
      await other.locator('#reports-state').waitFor({ state: 'hidden' });
      await other.close();
    } finally {
      bench.database.thaw();
    }
    expect(await notes(page).inputValue()).toBe('Aground, no help needed');
    await press(page, 'Send again');
    await expect.poll(() => message(page).textContent(), PATIENTLY).toMatch(/Thank you/);
    // The database may have carried out the statement before it stopped.
    expect(bench.expected().every((text) => /409/.test(text))).toBe(true);
    expect(await stored()).toHaveLength(1);
  });

  test('are not duplicated after a lost answer, and later changes are kept', async () => {
    const page = await bench.again(anna);
    const loseAnswer = () =>
      page.route(
        '**/api/v1/user-reports',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
    for (const change of ['', ' and a rope']) {
      await page.locator('#report').click();
      await write(page, 'hazard', 'A net');
      await loseAnswer();
      await press(page, 'Send report');
      await expect
        .poll(() => message(page).textContent(), PATIENTLY)
        .toBe('The service cannot be reached. Your text is kept.');
      const before = (await stored()).length;
      await notes(page).fill(`A net${change}`);
      await press(page, 'Send again');
      if (change !== '') {
        await expect
          .poll(() => message(page).textContent(), PATIENTLY)
          .toMatch(/^Your report was saved before your last changes\./);
        expect(await notes(page).inputValue()).toBe('A net and a rope');
        expect(await stored()).toHaveLength(before);
        await press(page, 'Send again');
      }
      await expect.poll(() => message(page).textContent(), PATIENTLY).toMatch(/Thank you/);
      expect(await stored()).toHaveLength(before + (change === '' ? 0 : 1));
    }
    expect(bench.expected().every((text) => /409|ERR_FAILED/.test(text))).toBe(true);

    // Without a network the page sends no request.
    await page.locator('#report').click();
    await write(page, 'hazard', 'A crate');
    await page.context().setOffline(true);
    await press(page, 'Send report');
    await expect
      .poll(() => message(page).textContent())
      .toBe('You are offline. Your text is kept.');
    await page.context().setOffline(false);
    await press(page, 'Send again');
    await expect.poll(() => message(page).textContent(), PATIENTLY).toMatch(/Thank you/);
  });

  test('disappear when expired or deleted, with a note in an open card', async () => {
    const id = await bench.report(ben, { ...spot, description: 'Squall' });
    const other = await bench.report(ben, { latitude: -29.989, longitude: -19.995 });
    const page = await bench.again(carl);
    const shown = async () => (await pins(page)).map((pin) => pin.id).sort();
    await expect.poll(shown, PATIENTLY).toEqual([id, other].sort());
    const { x, y } = await pinAt(page, spot.latitude, spot.longitude);
    await page.mouse.click(x, y);
    await card(page).locator('.notes', { hasText: 'Squall' }).waitFor();
    await bench.database.query('UPDATE user_report SET expires_at = 1 WHERE id = $1', [id]);
    await bench.database.query('UPDATE user_report SET deleted_at = 1 WHERE id <> $1', [id]);
    await refresh(page);
    await expect
      .poll(() => message(page).textContent(), PATIENTLY)
      .toMatch(/This report was deleted or has expired/);
    expect(await card(page).locator('button', { hasText: 'Confirm' }).isDisabled()).toBe(true);
    await expect.poll(() => pins(page), PATIENTLY).toEqual([]);
  });

  test('in one place are counted, overlapping ones are offered in a list, and hidden reports are not shown', async () => {
    const crowd = { latitude: -29.987, longitude: -19.98 };
    for (let i = 0; i < 9; i++) await bench.report(ben, crowd);
    await bench.report(ben, { ...spot, description: 'First' });
    await bench.report(ben, { ...spot, description: 'Second' });
    const page = await bench.again(carl);
    await expect.poll(() => clusters(page), PATIENTLY).toEqual([9]);
    // Another of their tiles may arrive later.
    await expect.poll(async () => (await pins(page)).length, PATIENTLY).toBe(2);
    const { x, y } = await pinAt(page, spot.latitude, spot.longitude);
    await page.mouse.click(x, y);
    await card(page).locator('button', { hasText: 'First' }).click();
    await expect.poll(() => card(page).locator('.notes').textContent()).toBe('First');
    await page.locator('#panel > summary').click();
    await page.locator('input[name=showUserReports]').uncheck();
    await expect.poll(() => pins(page), PATIENTLY).toEqual([]);
    expect(page.url()).toContain('showUserReports=false');
    await page.locator('input[name=showUserReports]').check();
    // They remain after a change of palette, which removes all layers that were added to a chart.
    await page.locator('select[name=theme]').selectOption('dusk');
    await settled(page);
    await expect.poll(() => clusters(page), PATIENTLY).toEqual([9]);
    await expect
      .poll(() => pressCount(page, crowd), { ...PATIENTLY, interval: 2000 })
      .toBeGreaterThanOrEqual(9);
  });

  test('have no bright elements at night', async () => {
    await bench.report(anna, { description: 'Unlit buoy' });
    const page = await bench.open(anna, DESKTOP, '&theme=night');
    await expect.poll(async () => (await pins(page)).length, PATIENTLY).toBe(1);
    const { x, y } = await pinAt(page, -29.989, -19.988);
    await page.mouse.click(x, y);
    await card(page).locator('.notes').waitFor();
    expect(await shareOfGlare(page)).toBeLessThan(0.0003);
    await page.locator('#report').click();
    await write(page, 'hazard', 'Another');
    expect(await shareOfGlare(page)).toBeLessThan(0.0003);
    await page.close();
  });

  test('show that a token may not create reports', async () => {
    const reader = await bench.service.token({ scopes: ['tiles', 'styles'] });
    const page = await bench.open(reader);
    await page.locator('#report').click();
    await write(page, 'hazard', 'A buoy adrift');
    await press(page, 'Send report');
    await expect
      .poll(() => message(page).textContent(), PATIENTLY)
      .toBe('The token of this page does not allow this. Your text is kept.');
    expect(bench.expected()).toEqual([expect.stringContaining('403')]);
    await page.close();
  });

  test('cause no other console errors', () => {
    expect(bench.complaints).toEqual([]);
  });
});

const SCOPES = ['tiles', 'styles', 'query', 'reports:write'] as const;
