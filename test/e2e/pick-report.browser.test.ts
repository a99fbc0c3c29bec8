// A click on the chart shows the features at that position: a list, details in words, and an outline on
// the chart.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath } from '../support/browser.ts';
import {
  type ChartPages,
  openChartPages,
  PATIENTLY,
  PORT_OF_WICK,
  settled,
} from '../support/chart-page.ts';

interface Chart {
  loaded(): boolean;
  once(event: string, done: () => void): void;
  jumpTo(to: object): void;
  project(at: [number, number]): { x: number; y: number };
  getLayer(id: string): unknown;
  getStyle(): { sprite: string };
  getSource(id: string): { serialize(): { data: { features: { geometry: { type: string } }[] } } };
  queryRenderedFeatures(
    at?: [number, number] | object,
    options?: object,
  ): {
    layer: { id: string };
    sourceLayer?: string;
    source: string;
    properties: Record<string, unknown>;
    geometry: { type: string; coordinates: number[] };
  }[];
}

const withChart = async <T>(page: Page, work: (chart: Chart) => T): Promise<T> =>
  page.evaluate(`(${work.toString()})(globalThis.chartMap)`) as Promise<T>;

describe.runIf(browserPath !== undefined)('the pick report', () => {
  let pages: ChartPages;
  let token: string;

  beforeAll(async () => {
    pages = await openChartPages();
    token = await pages.service.token();
  });
  afterAll(() => pages?.stop());

  const openPage = (at: string) => pages.open(`at=${at}&token=${token}`);

  /** The position on the screen of a named feature. */
  const placeOf = (page: Page, name: string) =>
    page.evaluate((wanted) => {
      const chart = (globalThis as never as { chartMap: Chart }).chartMap;
      const found = chart.queryRenderedFeatures().find(({ properties, geometry }) => {
        return properties['nm'] === wanted && geometry.type === 'Point';
      })!;
      const { x, y } = chart.project(found.geometry.coordinates as [number, number]);
      return { x, y };
    }, name);

  test('lists the features under a click, shows their details, and outlines them', async () => {
    const page = await openPage(PORT_OF_WICK);
    const { x, y } = await placeOf(page, 'Wick East Beacon');
    await page.mouse.click(x, y);
    const rows = page.locator('#pick li button');
    await rows.first().waitFor();
    const headings = await rows.allTextContents();
    expect(headings.some((text) => text.includes('Wick East Beacon'))).toBe(true);
    // Under a mark is the sea.
    expect(headings.some((text) => text.startsWith('Water, depth'))).toBe(true);
    const isArea = headings.findIndex((text) => text.startsWith('Water, depth'));
    expect(headings.findIndex((text) => text.includes('Wick East Beacon'))).toBeLessThan(isArea);

    await rows.filter({ hasText: 'Wick East Beacon' }).first().click();
    expect(await page.locator('#pick > p').first().textContent()).toMatch(
      /^Wick East Beacon: .* beacon, .*\.$/,
    );
    // The terms of S-57 are in a closed section.
    expect(await page.locator('#pick dl').isVisible()).toBe(false);
    const details = await page.locator('#pick dl').textContent();
    expect(details).toContain('Object name');
    expect(details).toContain('Wick East Beacon');
    expect(await page.locator('#pick').textContent()).toContain('Not for navigation');
    await settled(page);
    const outlined = () =>
      withChart(page, (chart) =>
        chart
          .queryRenderedFeatures(undefined, {
            // The layers are missing for a moment during a change of palette.
            layers: ['pick-report-line', 'pick-report-point'].filter((id) => chart.getLayer(id)),
          })
          .map(({ geometry }) => geometry.type),
      );
    const kindsOutlined = async () => [...new Set(await outlined())];
    await expect.poll(kindsOutlined, PATIENTLY).toEqual(['Point']);

    await page.locator('#pick button', { hasText: 'Back to list' }).click();
    await page.locator('#pick li button[data-class=DEPARE]').first().click();
    await expect.poll(kindsOutlined, PATIENTLY).toEqual(['Polygon']);

    // The outline remains after a change of palette.
    await page.locator('#panel > summary').click();
    const palette = () => withChart(page, (chart) => chart.getStyle().sprite);
    const byDay = await palette();
    await page.locator('select[name=theme]').selectOption('night');
    await expect.poll(palette, PATIENTLY).not.toBe(byDay);
    await expect.poll(kindsOutlined, PATIENTLY).toEqual(['Polygon']);

    await page.locator('#pick .close').focus();
    await page.keyboard.press('Escape');
    expect(await page.locator('#pick').isHidden()).toBe(true);
    await expect.poll(kindsOutlined, PATIENTLY).toEqual([]);
    await page.close();
  });

  test('formats a light as charts print it, and reports a place without features', async () => {
    const page = await openPage(PORT_OF_WICK);
    const light = await page.evaluate(() => {
      const chart = (globalThis as never as { chartMap: Chart }).chartMap;
      const found = chart
        .queryRenderedFeatures()
        .find(
          ({ sourceLayer, geometry }) => sourceLayer === 'LIGHTS' && geometry.type === 'Point',
        )!;
      const { x, y } = chart.project(found.geometry.coordinates as [number, number]);
      return { x, y, text: String(found.properties['tx']) };
    });
    await page.mouse.click(light.x, light.y);
    await page.locator('#pick li button[data-class=LIGHTS]').first().waitFor();
    const headings = await page.locator('#pick li button[data-class=LIGHTS]').allTextContents();
    expect(headings.join(' ')).toMatch(/(F|Fl|Iso|Oc|Q)[^ ]* .*\d+s/);
    await page.close();

    const far = await openPage('10.00/10.00000/60.00000');
    await far.mouse.click(450, 325);
    await far.locator('#pick p', { hasText: 'nothing here' }).waitFor();
    // Screen readers read what has the focus.
    expect(await far.evaluate(() => document.activeElement?.textContent)).toMatch(/nothing here/);
    await far.keyboard.press('Escape');
    expect(await far.locator('#pick').isHidden()).toBe(true);
    await far.close();
  });

  test('removes the report of another place while it waits for the next', async () => {
    const page = await openPage(PORT_OF_WICK);
    const { x, y } = await placeOf(page, 'Wick East Beacon');
    await page.mouse.click(x, y);
    const rows = page.locator('#pick li button');
    await rows.first().waitFor();
    await rows.first().click();
    let release = () => {};
    const isReleased = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/v1/enc_query*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.mouse.click(x - 60, y);
    await page.locator('#pick p', { hasText: 'Loading…' }).waitFor();
    expect(await page.locator('#pick').textContent()).not.toContain('Wick East Beacon');
    release();
    await rows.first().waitFor();
    await page.close();
  });

  test('causes no console errors in these tests', () => {
    expect(pages.complaints).toEqual([]);
  });
});
