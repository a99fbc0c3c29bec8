// The user’s own soundings on the chart page: selected, drawn, labelled and deselected.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, DESKTOP, openChartPages, plainly } from '../support/chart-page.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { sendSoundings, voyage } from '../support/soundings.ts';

const COUNT = 4000;
const SOUNDINGS = voyage(COUNT, 11);
const { latitude, longitude } = SOUNDINGS[COUNT / 2]!;
const LAYERS = ['own-soundings-points', 'own-soundings-depths'];

interface Chart {
  loaded(): boolean;
  once(event: string, done: () => void): void;
  jumpTo(to: object): void;
  getLayer(id: string): unknown;
  queryRenderedFeatures(options: object): {
    layer: { id: string };
    properties: { count: number; depth: number; meanDepth: number };
  }[];
}

describe.runIf(browserPath !== undefined)('soundings on the chart page', () => {
  let database: TestDatabase;
  let pages: ChartPages;
  let page: Page;

  beforeAll(async () => {
    database = await freshDatabase();
    pages = await openChartPages(database);
    const { service } = pages;
    expect((await sendSoundings(service, { soundings: SOUNDINGS })).status).toBe(201);
    const at = `13.00/${latitude}/${longitude}`;
    const token = await service.token();
    page = await pages.open(`at=${at}&showUserReports=false&token=${token}`, DESKTOP, plainly);
    await page.locator('#panel > summary').click();
    await page.locator('#soundings > summary').click();
  });
  afterAll(() => pages?.stop());

  const choose = (words: string) =>
    page.locator('#soundings select').selectOption({ label: words });
  const waitForMessage = (pattern: RegExp) =>
    page.locator('#soundings output', { hasText: pattern }).waitFor();
  const onChart = async () => {
    await page.waitForFunction(() =>
      (globalThis as never as { chartMap: Chart }).chartMap.loaded(),
    );
    return page.evaluate((ids) => {
      const { chartMap } = globalThis as never as { chartMap: Chart };
      const layers = ids.filter((id) => chartMap.getLayer(id) !== undefined);
      return layers.length === 0
        ? []
        : chartMap
            .queryRenderedFeatures({ layers })
            .map(({ layer, properties }) => ({ layer: layer.id, ...properties }));
    }, LAYERS);
  };
  const moveTo = (to: object) =>
    page.evaluate((there) => {
      (globalThis as never as { chartMap: Chart }).chartMap.jumpTo(there);
    }, to);

  test('are not fetched or drawn until they are selected', async () => {
    expect(await onChart()).toEqual([]);
    expect(pages.service.log.some((line) => line.includes('bathymetry/soundings'))).toBe(false);
  });

  test('are drawn and counted by number', async () => {
    await choose('Density');
    await waitForMessage(/^\d+ in view\.$/);
    const drawn = await onChart();
    expect(drawn.length).toBeGreaterThan(10);
    expect(new Set(drawn.map(({ layer }) => layer))).toEqual(new Set(['own-soundings-points']));
    const said = Number(/^\d+/.exec((await page.locator('#soundings output').textContent())!)?.[0]);
    expect(said).toBeLessThanOrEqual(COUNT);
    // Soundings under the panel or at the edge are drawn too. The whole trip fits the view at a lower
    // zoom.
    await moveTo({ zoom: 9 });
    await waitForMessage(new RegExp(`^${COUNT} in view`));
    const far = await onChart();
    expect(far.length).toBeLessThan(drawn.length);
  });

  test('are drawn with their depths, and follow a change of theme and units', async () => {
    await moveTo({ zoom: 15 });
    await choose('Depth');
    await waitForMessage(/in view/);
    const layersOf = async () => new Set((await onChart()).map(({ layer }) => layer));
    await expect.poll(layersOf).toEqual(new Set(LAYERS));
    const deepest = Math.max(...SOUNDINGS.map(({ depth }) => depth));
    for (const { depth, meanDepth } of await onChart()) {
      expect(depth).toBeLessThanOrEqual(meanDepth);
      expect(meanDepth).toBeLessThanOrEqual(deepest);
    }
    await page.locator('#choices [name=theme]').selectOption('night');
    await page.locator('#choices [name=depthUnits]').selectOption('feet');
    await expect.poll(layersOf).toEqual(new Set(LAYERS));
  });

  test('disappear when deselected, and a message reports if the view contains no soundings', async () => {
    await moveTo({ center: [10, -40], zoom: 10 });
    await waitForMessage(/^You have no soundings in view\.$/);
    await choose('Nothing');
    await moveTo({ center: [longitude, latitude], zoom: 13 });
    expect(await onChart()).toEqual([]);
  });

  test('cause no console errors in these tests', () => {
    expect(pages.complaints).toEqual([]);
  });
});
