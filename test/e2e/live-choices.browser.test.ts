// A document with `live` in MapLibre: one call of the map changes the safety depth and the units,
// without requests. The picture equals that of a document made with these options.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import {
  type ChartHost,
  moveTo,
  openChart,
  openChartHost,
  pictureOf,
  showStyle,
} from '../support/chart-host.ts';

const SIZE = { width: 500, height: 400 };
/** Off the demo's port: soundings, contours and dangers of many depths. */
const VIEW = { center: [-19.998, -30.005], zoom: 12.6 } as const;

describe.runIf(browserPath !== undefined)('live choices on a map', () => {
  let browser: Browser;
  let host: ChartHost;

  beforeAll(async () => {
    host = await openChartHost(inject('demoCharts'), inject('assets'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  test('safety depth, units and sectors of lights change as if asked for, without a request', async () => {
    const page = await openChart(browser, host, SIZE);
    const wanted = { depthLimit: 12, depthUnits: 'feet', showLightSectors: false } as const;
    const asked = await shown(page, withFixedTexts(host.style(wanted)));
    // The same digits were loaded for it that the live document will need.
    const before = await shown(page, withFixedTexts(host.style({ live: true })));
    expect(differing(before, asked)).toBeGreaterThan(10_000);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await setState(page, wanted);
    const after = await settledPicture(page);
    // A pixel or two where lines cross depend on the order in which tiles were drawn.
    expect(differing(after, asked)).toBeLessThan(20);
    expect(requests).toEqual([]);
    await page.close();
  });

  async function shown(page: Page, style: StyleSpecification): Promise<Buffer> {
    await showStyle(page, style, VIEW);
    return settledPicture(page);
  }

  /** The picture once two looks at it are the same. */
  async function settledPicture(page: Page): Promise<Buffer> {
    let picture = (await pictureOf(page)).data;
    for (let before: Buffer | undefined; before === undefined || !before.equals(picture); ) {
      before = picture;
      await moveTo(page, VIEW);
      picture = (await pictureOf(page)).data;
    }
    return picture;
  }
});

/** Pixels of two pictures' bytes that are not the same. */
function differing(a: Buffer, b: Buffer): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (a.readInt32LE(i) !== b.readInt32LE(i)) count++;
  return count;
}

/**
 * Without names that MapLibre tries at several positions. It tries their last positions first, so that
 * they depend on the map's history.
 */
function withFixedTexts(style: StyleSpecification): StyleSpecification {
  const layers = style.layers.filter(
    ({ layout }) => layout === undefined || !('text-variable-anchor' in layout),
  );
  return { ...style, layers };
}

interface StatefulMap {
  setGlobalStateProperty(name: string, value: unknown): void;
}

const setState = (page: Page, state: Readonly<Record<string, unknown>>): Promise<void> =>
  page.evaluate((state) => {
    const { chart } = globalThis as unknown as { chart: StatefulMap };
    for (const [name, value] of Object.entries(state)) chart.setGlobalStateProperty(name, value);
  }, state);
