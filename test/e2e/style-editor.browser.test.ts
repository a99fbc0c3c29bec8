// The style editor of the chart page in a browser: a style is made, seen, saved, opened again,
// renamed and deleted, by mouse and by keyboard, without an error in the console.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserPath } from '../support/browser.ts';
import {
  type ChartPages,
  openChartPages,
  PORT_OF_WICK,
  plainly,
  settled,
} from '../support/chart-page.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { colorShares, shareOfGlare } from '../support/page-colors.ts';

const STRIKING = '#ff00fe';

describe.runIf(browserPath !== undefined)('the style editor', () => {
  let pages: ChartPages;
  let database: TestDatabase;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase();
    pages = await openChartPages(database);
    token = await pages.service.token();
  });
  afterAll(() => pages?.stop());
  beforeEach(() => database.query('DELETE FROM saved_style'));

  const openPage = (hash = `at=${PORT_OF_WICK}&token=${token}`) =>
    // Bright symbols matter only at night.
    pages.open(
      hash,
      { viewport: { width: 760, height: 640 } },
      hash.includes('theme=night') ? undefined : plainly,
    );

  async function openEditor(page: Page): Promise<void> {
    await page.locator('#panel > summary').click();
    await page.locator('#styles > summary').click();
    await page.locator('#style-colors input').first().waitFor();
  }

  /** Pages that tests use one after the other: opening a chart takes longer than most of them. */
  const editors = new Map<'day' | 'night', Page>();
  const editorBy = async (theme: 'day' | 'night') => {
    const known = editors.get(theme);
    if (known !== undefined) return known;
    const page = await openPage(`at=${PORT_OF_WICK}&token=${token}&theme=${theme}`);
    editors.set(theme, page);
    await openEditor(page);
    return page;
  };

  const result = (page: Page) => page.locator('#style-form output[name=result]');
  const button = (page: Page, name: string) => page.locator(`#style-form button[name=${name}]`);
  const kept = async () =>
    (await database.query('SELECT name, base_theme, parameters FROM saved_style ORDER BY name'))
      .rows;

  const focusedName = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('name'));

  const setColor = (page: Page, colorToken: string, value: string) =>
    page.locator(`#color-${colorToken}`).fill(value);

  /** The share of the chart, right of the panel, that has a colour. */
  async function shareOf(page: Page, hex: string): Promise<number> {
    await settled(page);
    const clip = { x: 340, y: 100, width: 400, height: 440 };
    return (await colorShares(page, { clip })).get(hex) ?? 0;
  }

  test('the style editor shows a colour at once, saves it, and a link opens it again', async () => {
    const page = await editorBy('day');
    expect(await shareOf(page, STRIKING)).toBe(0);
    await setColor(page, 'DEPMD', STRIKING);
    await expect.poll(() => shareOf(page, STRIKING)).toBeGreaterThan(0.012);
    expect(await kept()).toEqual([]);

    await page.locator('input[name=depthLimit]').fill('8');
    await page.locator('input[name=depthLimit]').press('Tab');
    await page.locator('#style-form input[name=name]').fill('My bridge');
    await button(page, 'create').click();
    await expect.poll(() => result(page).textContent()).toBe('Saved as My bridge.');
    expect(await kept()).toEqual([
      {
        name: 'My bridge',
        base_theme: 'day',
        parameters: {
          colors: { DEPMD: STRIKING },
          settings: expect.objectContaining({ depthLimit: 8, depthUnits: 'meters' }),
        },
      },
    ]);
    await expect.poll(() => shareOf(page, STRIKING)).toBeGreaterThan(0.012);

    await page.waitForURL(/style=[0-9a-f-]{36}/);
    const again = await openPage(new URL(page.url()).hash.slice(1));
    await expect.poll(() => shareOf(again, STRIKING)).toBeGreaterThan(0.012);
    expect(await again.locator('input[name=depthLimit]').inputValue()).toBe('8');
    await openEditor(again);
    expect(await again.locator('#style-form select[name=saved]').textContent()).toContain(
      'My bridge',
    );
    expect(await again.locator('#color-DEPMD').inputValue()).toBe(STRIKING);
    await again.close();
  });

  test('the style editor changes, renames and deletes what was saved, and goes back to none', async () => {
    const page = await editorBy('day');
    await page.locator('#style-form select[name=saved]').selectOption('');
    for (const word of ['save', 'rename', 'delete']) {
      expect(await button(page, word).isDisabled(), word).toBe(true);
    }
    await page.locator('#style-form input[name=name]').fill('First');
    await button(page, 'create').click();
    await expect.poll(() => result(page).textContent()).toBe('Saved as First.');

    await setColor(page, 'DEPMD', STRIKING);
    await button(page, 'save').click();
    await expect.poll(() => result(page).textContent()).toBe('Saved First.');
    expect((await kept())[0].parameters.colors).toEqual({ DEPMD: STRIKING });

    // Another tab changes the style, and this one has a colour that is not saved.
    const { rows } = await database.query('SELECT id FROM saved_style');
    const parameters = { colors: {}, settings: { depthLimit: 9 } };
    const changed = await pages.service.get(`/api/portal/v1/styles/${rows[0].id}`, {
      method: 'POST',
      body: JSON.stringify({ parameters }),
    });
    expect(await changed.json()).toMatchObject({ parameters });
    await setColor(page, 'DEPVS', '#00fe01');
    await page.locator('#style-form input[name=name]').fill('Second');
    await button(page, 'rename').click();
    await expect.poll(() => result(page).textContent()).toBe('Renamed to Second.');
    expect(await kept()).toEqual([{ name: 'Second', base_theme: 'day', parameters }]);
    expect(await page.locator('#color-DEPVS').inputValue()).toBe('#00fe01');

    // The name is taken, and nothing is lost by trying.
    await button(page, 'create').click();
    await expect.poll(() => result(page).textContent()).toMatch(/has this name/);
    pages.complaints.splice(
      0,
      pages.complaints.length,
      ...pages.complaints.filter((text) => !/409/.test(text)),
    );

    await page
      .locator('#style-colors div', { hasText: 'Medium depths' })
      .getByText('Reset')
      .click();
    await expect.poll(() => shareOf(page, STRIKING)).toBe(0);

    await button(page, 'delete').click();
    // The second click of a double click, wherever the first click moved the button.
    const isTaken = await button(page, 'delete').evaluate((one) =>
      one.dispatchEvent(new MouseEvent('click', { detail: 2, cancelable: true })),
    );
    expect(isTaken).toBe(false);
    expect(await kept()).toHaveLength(1);
    await button(page, 'delete').click();
    await expect.poll(() => result(page).textContent()).toBe('Deleted Second.');
    expect(await focusedName(page)).toBe('saved');
    expect(await kept()).toEqual([]);
    expect(page.url()).not.toContain('style=');
  });

  test('the style editor takes a colour while the chart waits for another style', async () => {
    const page = await editorBy('day');
    expect(await shareOf(page, STRIKING)).toBe(0);
    const isOnItsWay = await page.evaluate(
      (color) =>
        new Promise<boolean>((done) => {
          interface Chart {
            getStyle(): unknown;
            setStyle(...words: readonly unknown[]): unknown;
          }
          const { chartMap } = globalThis as never as { chartMap: Chart };
          const setStyle = chartMap.setStyle.bind(chartMap);
          chartMap.setStyle = (...words) => {
            chartMap.setStyle = setStyle;
            setStyle(...words);
            done(chartMap.getStyle() === undefined);
            const field = document.querySelector<HTMLInputElement>('#color-DEPMD')!;
            field.value = color;
            field.dispatchEvent(new Event('input', { bubbles: true }));
          };
          (document.querySelector('leadline-chart') as never as { reload(): void }).reload();
        }),
      STRIKING,
    );
    expect(isOnItsWay).toBe(true);
    await expect.poll(() => shareOf(page, STRIKING)).toBeGreaterThan(0.012);
    expect(pages.complaints).toEqual([]);
  });

  test('the open style is downloaded as provisioning reads it', async () => {
    const page = await editorBy('day');
    await page.locator('#style-form input[name=name]').fill('Night bridge');
    await setColor(page, 'DEPVS', STRIKING);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'download').click(),
    ]);
    expect(file.suggestedFilename()).toBe('Night bridge.json');
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({
      name: 'Night bridge',
      baseTheme: 'day',
      parameters: { colors: { DEPVS: STRIKING }, settings: { depthUnits: 'meters' } },
    });
  });

  test('the style editor works by keyboard alone', async () => {
    await pages.service.get('/api/portal/v1/styles', {
      method: 'POST',
      body: JSON.stringify({ name: 'Night watch', baseTheme: 'night' }),
    });
    const page = await openPage();
    await page.locator('#panel > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('#styles > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('#style-colors input').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => result(page).textContent()).toBe('Opened Night watch.');
    expect(await page.locator('body').getAttribute('data-theme')).toBe('night');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.type(' 2');
    await page.keyboard.press('Enter');
    await expect.poll(() => result(page).textContent()).toBe('Renamed to Night watch 2.');
    expect((await kept()).map(({ name }) => name)).toEqual(['Night watch 2']);
    expect(await focusedName(page)).toBe('name');
    // Every control of the form can be reached.
    const reached = new Set<string>();
    await page.locator('#styles > summary').focus();
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const { name, id } = document.activeElement as HTMLInputElement;
          return id !== '' ? id : (name ?? '');
        }),
      );
    }
    for (const name of [
      'saved',
      'name',
      'baseTheme',
      'create',
      'save',
      'rename',
      'download',
      'delete',
    ]) {
      expect([...reached]).toContain(name);
    }
    expect([...reached].filter((name) => name.startsWith('color-')).length).toBeGreaterThan(12);
    editors.set('night', page);
  });

  test('the style editor does not glare by night', async () => {
    const page = await editorBy('night');
    expect(await page.locator('body').getAttribute('data-theme')).toBe('night');
    await settled(page);
    expect(await shareOfGlare(page)).toBeLessThan(0.0004);
  });

  test('the style editor reports a link to a deleted style', async () => {
    const page = await openPage(
      `at=${PORT_OF_WICK}&token=${token}&style=11111111-2222-4333-8444-555555555555`,
    );
    await page.getByRole('dialog', { name: /saved style in this link was deleted/ }).waitFor();
    expect(pages.complaints.splice(0).filter((text) => !/404/.test(text))).toEqual([]);
    await page.close();
  });

  test('the style editor loads the styles when it opens again after a failure', async () => {
    await pages.service.get('/api/portal/v1/styles', {
      method: 'POST',
      body: JSON.stringify({ name: 'Night watch', baseTheme: 'night' }),
    });
    const page = await openPage();
    let refuse = () => {};
    const isRefused = new Promise<void>((done) => {
      refuse = done;
    });
    await page.route('**/api/portal/v1/styles*', (route) => isRefused.then(() => route.abort()), {
      times: 1,
    });
    await page.locator('#panel > summary').click();
    const fold = page.locator('#styles > summary');
    for (const word of ['save', 'rename', 'delete']) {
      expect(await button(page, word).isDisabled(), word).toBe(true);
    }
    await fold.click();
    // Fields that are about to be filled take no input.
    await expect.poll(() => result(page).textContent()).toBe('Loading…');
    const isInert = () =>
      page.locator('#style-form').evaluate((form) => (form as HTMLFormElement).inert);
    expect(await isInert()).toBe(true);
    refuse();
    await expect.poll(isInert).toBe(false);
    expect(await result(page).textContent()).not.toMatch(/^(Loading…)?$/);
    for (const word of ['save', 'rename', 'delete']) {
      expect(await button(page, word).isDisabled(), word).toBe(true);
    }
    await fold.click();
    await fold.click();
    await expect
      .poll(() => page.locator('#style-form select[name=saved]').textContent())
      .toContain('Night watch');
    expect(await result(page).textContent()).toBe('');
    expect(pages.complaints.splice(0).every((text) => /ERR_FAILED/.test(text))).toBe(true);
    await page.close();
  });

  test('the style editor reports that the token may not save', async () => {
    const reader = await pages.service.token({ scopes: ['tiles', 'styles'] });
    const page = await openPage(`at=${PORT_OF_WICK}&token=${reader}`);
    await page.locator('#panel > summary').click();
    await page.locator('#styles > summary').click();
    await expect
      .poll(() => result(page).textContent())
      .toBe('This token has no permission for saved styles.');
    expect(pages.complaints.splice(0).every((text) => /403/.test(text))).toBe(true);
    await page.close();
  });

  test('nothing else complained in the console', () => {
    expect(pages.complaints).toEqual([]);
  });
});
