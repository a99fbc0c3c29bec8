// No seam shows at the borders of cells and tiles: with the ground alone drawn over a glaring
// background, nothing of the background may shine through.

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
import { hasEncData } from '../support/enc-data.ts';
import { realCharts } from '../support/real-charts.ts';

const GROUND = ['DEPARE-fill', 'DRGARE-fill', 'UNSARE-fill', 'LNDARE-fill'];
const STRUCTURES = ['PONTON-fill', 'HULKES-fill', 'FLODOC-fill', 'LAKARE-fill'];
const GLARING = '#ff00ff';

interface Place {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly zooms: readonly number[];
}

/** Borders of cells and bands, at whole zooms and between. */
const DEMO_PLACES: readonly Place[] = [
  {
    name: 'where the harbour cells meet',
    latitude: -30,
    longitude: -20,
    zooms: [13, 14.4, 15.7, 17.3],
  },
  { name: 'where band 4 ends', latitude: -30.1, longitude: -20.25, zooms: [11, 12.5, 13.6] },
  { name: 'where band 3 ends', latitude: -30.2, longitude: -21, zooms: [9, 9.8, 10.6] },
];
const REAL_PLACES: readonly Place[] = [
  { name: 'at Homer', latitude: 59.6, longitude: -151.42, zooms: [11.4, 13, 14.6] },
  {
    name: 'where four cells of Kachemak Bay meet',
    latitude: 59.4,
    longitude: -151.8,
    zooms: [11, 12.3, 13.7],
  },
  {
    name: 'in Tacoma at its northern border',
    latitude: 47.3211,
    longitude: -122.45,
    zooms: [13, 14.3],
  },
];

const SIZE = { width: 460, height: 460 };

interface Charts {
  readonly name: string;
  readonly folder: () => Promise<string> | string;
  readonly places: readonly Place[];
}

const CHARTS: readonly Charts[] = [
  { name: 'the demo', folder: () => inject('demoCharts'), places: DEMO_PLACES },
  ...(hasEncData ? [{ name: 'real cells', folder: realCharts, places: REAL_PLACES }] : []),
];

describe.runIf(browserPath !== undefined).each(CHARTS)('$name', ({ folder, places }) => {
  let browser: Browser;
  let host: ChartHost;
  let page: Page;

  beforeAll(async () => {
    host = await openChartHost(await folder(), inject('assets'));
    browser = await openBrowser();
    page = await openChart(browser, host, SIZE);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  const viewOf = ({ longitude, latitude }: Place, zoom: number) => ({
    center: [longitude, latitude] as const,
    zoom,
  });

  test('the measure sees what is missing: without the land, the background shines', async () => {
    const layers = GROUND.filter((id) => id !== 'LNDARE-fill');
    await showStyle(page, over(host.style(), layers), viewOf(places[0]!, 11.5));
    expect(await glaringPixels(page)).toBeGreaterThan(1000);
  });

  test.each(places)('the ground is closed $name', async (place) => {
    await showStyle(page, over(host.style(), [...GROUND, ...STRUCTURES]), viewOf(place, 11.5));
    const shining: Record<number, number> = {};
    for (const zoom of place.zooms) {
      await moveTo(page, viewOf(place, zoom));
      shining[zoom] = await glaringPixels(page);
    }
    expect(shining).toEqual(Object.fromEntries(place.zooms.map((zoom) => [zoom, 0])));
  });
});

/** The style with nothing but some of its layers, over a background of a colour no chart has. */
function over(style: StyleSpecification, ids: readonly string[]): StyleSpecification {
  const background = {
    id: 'background',
    type: 'background' as const,
    paint: { 'background-color': GLARING },
  };
  return { ...style, layers: [background, ...style.layers.filter(({ id }) => ids.includes(id))] };
}

/** Pixels of the background that shine through. */
async function glaringPixels(page: Page): Promise<number> {
  const { data, width, height } = await pictureOf(page);
  let count = 0;
  for (let i = 0; i < 4 * width * height; i += 4) {
    // No colour of the ground is near it, however they are mixed.
    if (data[i]! > 200 && data[i + 1]! < 120 && data[i + 2]! > 200) count++;
  }
  return count;
}
