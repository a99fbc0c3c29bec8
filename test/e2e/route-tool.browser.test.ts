// The route tool in a browser, with routes of the service: by click, by drag and by keyboard, at night
// and on a phone, without console errors.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath } from '../support/browser.ts';
import {
  type ChartPages,
  openChartPages,
  PATIENTLY,
  plainly,
  settled,
} from '../support/chart-page.ts';
import { gpxFaults } from '../support/gpx-shape.ts';
import { shareOfGlare } from '../support/page-colors.ts';

const OFF_WICK = '13.00/-29.99500/-19.98800';
/** Positions in the demo bay, on both sides of its fairway. */
const WEST = [-30.005, -20.012] as const;
const EAST = [-30.005, -19.97] as const;
/** In the town. */
const ASHORE = [-29.981, -19.99] as const;

interface Chart {
  loaded(): boolean;
  once(event: string, done: () => void): void;
  project(at: [number, number]): { x: number; y: number };
  getLayer(id: string): unknown;
  queryRenderedFeatures(at: undefined, options: object): { properties: { kind: string } }[];
}

type Place = readonly [latitude: number, longitude: number];

describe.runIf(browserPath !== undefined)('the route tool', () => {
  let pages: ChartPages;
  let token: string;

  beforeAll(async () => {
    pages = await openChartPages();
    token = await pages.service.token();
  });
  afterAll(() => pages?.stop());

  /** The requests to the route endpoint. */
  const asked: { waypoints: Place[]; vessel: Record<string, number> }[] = [];

  const openPage = (hash: string, viewport = { width: 1000, height: 700 }) =>
    pages.open(`at=${hash}&token=${token}`, { viewport }, (page) => {
      // Bright symbols matter at night.
      if (!hash.includes('theme=')) plainly(page);
      page.on('request', (request) => {
        if (request.url().includes('/routing/route')) asked.push(request.postDataJSON());
      });
    });

  const pixelOf = (page: Page, [latitude, longitude]: Place) =>
    page.evaluate(
      (at) => {
        const { x, y } = (globalThis as never as { chartMap: Chart }).chartMap.project(at);
        return { x, y };
      },
      [longitude, latitude] as [number, number],
    );
  const clickAt = async (page: Page, place: Place) => {
    const { x, y } = await pixelOf(page, place);
    await page.mouse.click(x, y);
  };

  /** The kinds of route features that are drawn. */
  const drawn = (page: Page) =>
    page.evaluate(() => {
      const { chartMap } = globalThis as never as { chartMap: Chart };
      const layers = ['route-line', 'route-spots'].filter((id) => chartMap.getLayer(id));
      if (layers.length === 0) return [];
      const found = chartMap.queryRenderedFeatures(undefined, { layers });
      return [...new Set(found.map(({ properties }) => properties.kind))].sort();
    });

  const planned = (page: Page) =>
    page.locator('#route [role=status] p', { hasText: ' NM' }).waitFor();
  const rows = (page: Page) =>
    page
      .locator('#route ol input')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

  const openWithRoute = async (hash: string, viewport?: { width: number; height: number }) =>
    withRoute(await openPage(hash, viewport));

  async function withRoute(page: Page) {
    await page.locator('#route-open').click();
    await enterDraft(page);
    // On a phone the popup reduces the size of the map.
    await page.waitForFunction(() => {
      const [map, canvas] = ['#map', '#map canvas'].map((one) => document.querySelector(one)!);
      return map!.clientHeight === canvas!.clientHeight;
    });
    await clickAt(page, WEST);
    await clickAt(page, EAST);
    await planned(page);
    return page;
  }

  /** Enters a draft if none is stored. */
  async function enterDraft(page: Page, meters = '1') {
    const draft = page.locator('#route input[name=draft]');
    if ((await draft.inputValue()) !== '') return;
    await draft.fill(meters);
    await draft.press('Enter');
  }

  let kept: Page | undefined;
  /** A page without a route for consecutive tests, because opening a chart takes longer than most of them. */
  const offWick = async () => {
    if (kept === undefined) {
      kept = await openPage(OFF_WICK);
      return kept;
    }
    if (await kept.locator('#route').isHidden()) await kept.locator('#route-open').click();
    const clear = kept.locator('#route button', { hasText: 'Clear' });
    if (await clear.isEnabled()) await clear.click();
    await kept.locator('#route .close').click();
    return kept;
  };

  test('requires the draft first, by keyboard too, and stores it', async () => {
    asked.length = 0;
    const page = await openPage(OFF_WICK);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    await page.locator('#route-open').focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('draft');
    const draft = page.locator('#route input[name=draft]');
    expect(await draft.inputValue()).toBe('');
    expect(await page.locator('#route summary').count()).toBe(1);
    expect(await draft.isVisible()).toBe(true);
    await clickAt(page, WEST);
    await clickAt(page, EAST);
    const note = page.locator('#route [role=status] p', { hasText: 'Enter the draft' });
    await note.waitFor();
    expect(await page.locator('.waypoint').count()).toBe(2);
    expect(asked).toEqual([]);
    await draft.focus();
    await page.keyboard.type('1.8');
    await page.keyboard.press('Enter');
    await planned(page);
    expect(asked.map(({ vessel }) => vessel)).toEqual([{ draft: 1.8 }]);
    // Without a draft, the route for the previous draft is removed.
    await draft.fill('');
    await draft.press('Tab');
    await note.waitFor();
    expect(await page.locator('#route [role=status] p', { hasText: ' NM' }).count()).toBe(0);
    expect(asked).toHaveLength(1);
    await draft.fill('2.1');
    await draft.press('Tab');
    await planned(page);
    await page.reload();
    await page.waitForFunction(() => 'chartMap' in globalThis);
    await page.locator('#route-open').focus();
    await page.keyboard.press('Enter');
    expect(await draft.inputValue()).toBe('2.1');
    expect(await focused()).not.toBe('draft');
    await page.close();
  });

  test('sends no request before it is opened, and receives clicks while it is open', async () => {
    asked.length = 0;
    const page = await offWick();
    await clickAt(page, WEST);
    await page.locator('#pick li button').first().waitFor();
    expect(asked).toEqual([]);
    await page.locator('#route-open').click();
    expect(await page.locator('#pick').isHidden()).toBe(true);
    await enterDraft(page);
    await clickAt(page, WEST);
    await clickAt(page, EAST);
    await planned(page);
    expect(asked).toHaveLength(1);
    expect(asked[0]!.waypoints).toHaveLength(2);
    expect(await page.locator('#pick').isHidden()).toBe(true);
    expect(await page.locator('#route').textContent()).toContain('Not for navigation');
    expect(await page.locator('#route').textContent()).toMatch(/least depth \d+(\.\d)? m/);
    const units = page.locator('select[name=depthUnits]');
    await units.selectOption('feet', { force: true });
    await expect
      .poll(() => page.locator('#route').textContent())
      .toMatch(/least depth \d+ feet.*at least \d+ feet/);
    await units.selectOption('meters', { force: true });
    expect(asked).toHaveLength(1);
    await settled(page);
    await expect.poll(async () => (await drawn(page)).length, PATIENTLY).toBeGreaterThan(0);
    // Once closed, the route is removed from the chart, and clicks open the pick report again.
    await page.locator('#route .close').click();
    await settled(page);
    await expect.poll(() => drawn(page), PATIENTLY).toEqual([]);
    expect(await page.locator('.waypoint').count()).toBe(0);
    await clickAt(page, WEST);
    await page.locator('#pick li button').first().waitFor();
    // When opened again, its state is the same.
    await page.locator('#route-open').click();
    await planned(page);
    expect(await page.locator('.waypoint').count()).toBe(2);
  });

  test('explains once why there is no route, and uses the nearest safe point', async () => {
    const page = await offWick();
    await page.locator('#route-open').click();
    await enterDraft(page);
    await clickAt(page, WEST);
    await clickAt(page, ASHORE);
    const note = page.locator('.failure');
    await note.waitFor();
    expect(await note.count()).toBe(1);
    expect(await note.textContent()).toMatch(/land|water|shallow/i);
    expect(await note.textContent()).not.toContain('`');
    expect(await page.locator('.waypoint.at-fault').allTextContents()).toEqual(['2']);
    await note.locator('button', { hasText: 'Use the nearest safe point' }).press('Enter');
    await planned(page);
    expect(await focusedText(page)).toBe('Add a waypoint at the centre');
    expect(await note.count()).toBe(0);
  });

  test('splits a leg by a click, moves waypoints by dragging, and removes them', async () => {
    const page = await withRoute(await offWick());
    const [from, to] = [await pixelOf(page, WEST), await pixelOf(page, EAST)];
    const box = (await page.locator('.waypoint', { hasText: '2' }).boundingBox())!;
    // A position on the drawn line, near its middle.
    const seen = await page.waitForFunction(
      ([a, b]) => {
        const { chartMap } = globalThis as never as {
          chartMap: { queryRenderedFeatures(at: [number, number], options: object): unknown[] };
        };
        const x = (a!.x + b!.x) / 2;
        for (let y = 0; y < 700; y++) {
          const found = chartMap.queryRenderedFeatures([x, y], { layers: ['route-line'] });
          if (found.length > 0) return { x, y };
        }
        return undefined;
      },
      [from, to],
    );
    const onLine = await seen.jsonValue();
    await page.mouse.click(onLine!.x, onLine!.y);
    await page.waitForFunction(() => document.querySelectorAll('.waypoint').length === 3);
    await planned(page);
    const three = await rows(page);
    // The new waypoint is between the others.
    const middle = (await page.locator('.waypoint', { hasText: '2' }).boundingBox())!;
    expect(Math.abs(middle.x + middle.width / 2 - onLine!.x)).toBeLessThan(2);
    expect(middle.x).toBeLessThan(box.x);
    await page.mouse.move(middle.x + 12, middle.y + 12);
    await page.mouse.down();
    await page.mouse.move(middle.x + 20, middle.y + 50, { steps: 4 });
    await page.mouse.up();
    await planned(page);
    const moved = await rows(page);
    expect([moved[0], moved[2]]).toEqual([three[0], three[2]]);
    expect(moved[1]).not.toBe(three[1]);

    await page.locator('button[aria-label="Remove waypoint 2"]').click();
    await planned(page);
    expect(await rows(page)).toEqual([three[0], three[2]]);
  });

  test('works by keyboard alone', async () => {
    const page = await offWick();
    await page.locator('#route-open').focus();
    await page.keyboard.press('Enter');
    await enterDraft(page);
    await page.locator('#route button', { hasText: 'at the centre' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.locator('input[aria-label="Waypoint 2"]').focus();
    await page.keyboard.press('ControlOrMeta+a');
    // Text in a field is kept when an answer arrives.
    await page.keyboard.type('30 00.60 S');
    await planned(page);
    await page.keyboard.type(' 19 58.20 W');
    await page.keyboard.press('Tab');
    await planned(page);
    expect(await rows(page)).toContain('30° 00.60′ S 019° 58.20′ W');
    await page.locator('.waypoint', { hasText: '1' }).focus();
    const [before] = await rows(page);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
    await planned(page);
    expect((await rows(page))[0]).not.toBe(before);
    // The focus stays in the same control, or moves to the next one if that disappears.
    expect(await focusedText(page)).toBe('1');
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => document.querySelectorAll('.waypoint').length === 1);
    expect(await focusedText(page)).toBe('1');
    await page.locator('#route button', { hasText: 'at the centre' }).press('Enter');
    await page.locator('button[aria-label="Remove waypoint 1"]').press('Enter');
    expect(await rows(page)).toHaveLength(1);
    expect(await focusedText(page)).toBe('×');
    await page.locator('#route button', { hasText: 'Clear' }).press('Enter');
    expect(await focusedText(page)).toBe('Add a waypoint at the centre');
    await page.keyboard.press('Escape');
    expect(await page.locator('#route').isHidden()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('route-open');
  });

  test('stores the vessel, plans for it, and exports the route as GPX', async () => {
    const page = await withRoute(await offWick());
    await page.locator('#route summary').click();
    await page.locator('#route input[name=draft]').fill('3.5');
    await page.locator('#route input[name=speed]').fill('6');
    await page.locator('#route input[name=speed]').press('Tab');
    await page.locator('#route p', { hasText: 'Planned for at least 4.2 m water depth' }).waitFor();
    expect(asked.at(-1)!.vessel).toEqual({ draft: 3.5, speed: 6 });
    expect(await page.locator('#route [role=status]').textContent()).toMatch(/ min/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#route button', { hasText: 'Export GPX' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('leadline-route.gpx');
    const text = readFileSync((await download.path())!, 'utf8');
    expect(gpxFaults(text)).toEqual([]);
    expect(text).toContain('<name>WP2</name>');
    await page.reload();
    await page.waitForFunction(() => 'chartMap' in globalThis);
    expect(await page.locator('#route input[name=draft]').inputValue()).toBe('3.5');
  });

  test('plans no route while a value of the vessel is invalid, and names the value', async () => {
    const page = await withRoute(await offWick());
    await page.locator('#route summary').click();
    const air = page.locator('#route input[name=airDraft]');
    await air.fill('18');
    await air.press('Tab');
    await planned(page);
    const before = asked.length;
    const note = page.locator('#route [role=status] p', { hasText: '“Air draft (m)”' });
    for (const text of ['250', '1e']) {
      await air.fill('');
      await air.pressSequentially(text);
      await air.press('Tab');
      await note.waitFor();
      expect(await page.locator('#route [role=status] p', { hasText: ' NM' }).count()).toBe(0);
    }
    await page.locator('#route button', { hasText: 'Reverse' }).click();
    await note.waitFor();
    await air.fill('17.5');
    await air.press('Tab');
    await planned(page);
    expect(asked.slice(before).map(({ vessel }) => vessel['airDraft'])).toEqual([17.5]);

    await page.route('**/api/v1/routing/route*', (route) => route.abort(), { times: 1 });
    await page.locator('#route button', { hasText: 'Reverse' }).click();
    const failure = 'The route could not be planned: the service cannot be reached.';
    await page.locator('#route [role=status] p', { hasText: failure }).waitFor();
    expect(pages.complaints.splice(0).filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
    await air.fill('');
    await air.press('Tab');
    await planned(page);
  });

  test('has no bright elements at night, and follows a change of theme', async () => {
    const page = await openWithRoute(`${OFF_WICK}&theme=night`);
    await settled(page);
    expect(await shareOfGlare(page)).toBeLessThan(0.0003);
    await page.locator('#panel > summary').click();
    await page.locator('select[name=theme]').selectOption('dusk');
    await settled(page);
    await page.waitForFunction(() =>
      (globalThis as never as { chartMap: Chart }).chartMap.getLayer('route-line'),
    );
    await settled(page);
    await expect.poll(async () => (await drawn(page)).length, PATIENTLY).toBeGreaterThan(0);
    await page.close();
  });

  test('is a popup on a phone that hides no control', async () => {
    const page = await openWithRoute('12.00/-29.99500/-19.98800', { width: 390, height: 780 });
    await settled(page);
    const popup = (await page.locator('#route').boundingBox())!;
    expect(popup.x).toBe(0);
    expect(popup.width).toBe(390);
    for (const control of [
      '#search',
      '#panel > summary',
      '#caution',
      '#readout',
      '.maplibregl-ctrl-zoom-in',
      '.maplibregl-ctrl-scale',
      '.maplibregl-ctrl-attrib',
      '#route-open',
    ]) {
      const box = (await page.locator(control).boundingBox())!;
      expect(box.y + box.height, control).toBeLessThanOrEqual(popup.y);
      expect(box.y, control).toBeGreaterThanOrEqual(0);
    }
    await page.close();
  });

  test('causes no console errors in these tests', () => {
    expect(pages.complaints).toEqual([]);
  });
});
