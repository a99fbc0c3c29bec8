// No name, character or clearance lies on the symbol of an aid to navigation, at whole zooms and
// between them: counted in pixels of what MapLibre draws, letters and symbols apart.

import type { Browser } from 'playwright-core';
import type { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import {
  type ChartHost,
  moveTo,
  openChart,
  openChartHost,
  type PaintChange,
  pictureOf,
  repaint,
  showStyle,
} from '../support/chart-host.ts';
import { CROWDED_WATERS, layersByRole } from '../support/crowded-waters.ts';
import { isLong } from '../support/long-run.ts';

/** Every half zoom from 8 to 17, or those at which marks crowd most. */
const ZOOMS = isLong ? Array.from({ length: 19 }, (_, i) => 8 + i / 2) : [9.5, 11, 12, 13.5, 15];
const SIZE = { width: 900, height: 700 };

describe.runIf(browserPath !== undefined).each(CROWDED_WATERS)('$name', ({ charts, center }) => {
  let browser: Browser;
  let host: ChartHost;

  beforeAll(async () => {
    host = await openChartHost(await charts(), inject('assets'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  test('no letter of a name lies on the symbol of an aid, and names are shown', async () => {
    const style = host.style();
    const { aids, names, measured } = layersByRole(style);
    const page = await openChart(browser, host, SIZE);
    await showStyle(page, style, { center, zoom: ZOOMS[0]! });
    const halos = [...names].map((id): PaintChange => [id, 'text-halo-width', 0]);
    const opacity = (ids: readonly string[], of: 'text' | 'icon', value: number) =>
      ids.map((id): PaintChange => [id, `${of}-opacity`, value]);
    await repaint(page, [...halos, ...opacity(measured, 'text', 0)]);
    let letters = 0;
    const touching: string[] = [];
    for (const zoom of ZOOMS) {
      await repaint(page, [...opacity(names, 'text', 1), ...opacity(aids, 'icon', 0)]);
      await moveTo(page, { center, zoom });
      const withNames = await pictureOf(page);
      await repaint(page, opacity(names, 'text', 0));
      const bare = await pictureOf(page);
      await repaint(page, opacity(aids, 'icon', 1));
      const withAids = await pictureOf(page);
      const inLetters = differing(withNames, bare);
      const inAids = differing(withAids, bare);
      letters += inLetters.filter(Boolean).length;
      const shared = inLetters.flatMap((isLetter, i) => (isLetter && inAids[i] ? [i] : []));
      for (const i of shared.slice(0, 3)) {
        touching.push(`zoom ${zoom}: pixel ${i % SIZE.width}, ${Math.floor(i / SIZE.width)}`);
      }
    }
    await page.close();
    expect(touching).toEqual([]);
    expect(letters).toBeGreaterThan(1000);
  });
});

/** Pixels that are another colour in one picture than in the other. */
function differing(a: PNG, b: PNG): boolean[] {
  return Array.from({ length: a.width * a.height }, (_, i) => {
    const difference = [0, 1, 2].map((c) => Math.abs(a.data[4 * i + c]! - b.data[4 * i + c]!));
    return Math.max(...difference) > 24;
  });
}
