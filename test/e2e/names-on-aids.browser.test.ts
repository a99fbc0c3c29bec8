// No name, character or clearance covers an aid to navigation, a danger or a shoal sounding, at whole zooms and
// between them. Counts pixels: MapLibre draws the texts alone, then the symbols alone.

import type {
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from '@maplibre/maplibre-gl-style-spec';
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
const ZOOMS = isLong ? Array.from({ length: 19 }, (_, i) => 8 + i / 2) : [9.5, 12, 13.5];
const SIZE = { width: 900, height: 700 };
/** Red, green and blue of the ground: no letter and no mark is nearly as bright a magenta. */
const GROUND = [255, 0, 255] as const;

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

  test('no letter of a name covers an aid, a danger or a shoal sounding, and names are shown', async () => {
    const { style, symbols, names } = marksAlone(host.style());
    const page = await openChart(browser, host, SIZE);
    const opacity = (ids: readonly string[], of: 'text' | 'icon', value: number) =>
      ids.map((id): PaintChange => [id, `${of}-opacity`, value]);
    const symbolOpacity = (value: number) => [
      ...opacity(symbols, 'icon', value),
      // Shoal soundings are texts.
      ...opacity(symbols, 'text', value),
    ];
    await showStyle(page, style, { center, zoom: ZOOMS[0]! });
    let letters = 0;
    const touching: string[] = [];
    for (const zoom of ZOOMS) {
      const onlyNames = [...opacity(names, 'text', 1), ...symbolOpacity(0)];
      await moveTo(page, { center, zoom }, onlyNames);
      const inLetters = painted(await pictureOf(page));
      await repaint(page, [...opacity(names, 'text', 0), ...symbolOpacity(1)]);
      const inSymbols = painted(await pictureOf(page));
      letters += inLetters.filter(Boolean).length;
      const shared = inLetters.flatMap((isLetter, i) => (isLetter && inSymbols[i] ? [i] : []));
      for (const i of shared.slice(0, 3)) {
        touching.push(`zoom ${zoom}: pixel ${i % SIZE.width}, ${Math.floor(i / SIZE.width)}`);
      }
    }
    await page.close();
    expect(touching).toEqual([]);
    expect(letters).toBeGreaterThan(1000);
  });
});

/** The names of the style and the symbols that keep them away, on a plain ground. */
function marksAlone(style: StyleSpecification) {
  const { aids, dangers, names } = layersByRole(style);
  const layers = style.layers.flatMap((layer): LayerSpecification[] => {
    if (layer.type === 'background' && layer.id === 'background') {
      return [{ ...layer, paint: { 'background-color': `rgb(${GROUND})` } }];
    }
    if (layer.type !== 'symbol') return [];
    return names.includes(layer.id) || isObstacle(layer)
      ? [{ ...layer, paint: { ...layer.paint, 'text-halo-width': 0 } }]
      : [];
  });
  return { style: { ...style, layers }, symbols: [...aids, ...dangers], names };
}

/** Whether texts keep clear of the layer's symbols. */
const isObstacle = ({ layout }: SymbolLayerSpecification): boolean =>
  layout?.visibility !== 'none' && layout?.['icon-ignore-placement'] === false;

/** Pixels that are not of the ground's colour. */
const painted = ({ data, width, height }: PNG): boolean[] =>
  Array.from({ length: width * height }, (_, i) =>
    GROUND.some((value, channel) => Math.abs(data[4 * i + channel]! - value) > 24),
  );
