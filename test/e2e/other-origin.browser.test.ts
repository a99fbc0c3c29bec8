// The chart on the page of a customer, with a different origin from the service: buoys, lights and texts
// must appear in MapLibre, in OpenLayers, and in raster tiles in Leaflet.

import type { Browser } from 'playwright-core';
import type { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import {
  type Library,
  type Mark,
  type OtherOrigin,
  openOtherOrigin,
  type View,
} from '../support/other-origin-page.ts';
import { type Service, startService } from '../support/service.ts';

/** The demo port in the centre: buoys, lights, names and soundings. */
const CENTER: [number, number] = [-19.99, -29.99];
const ZOOM = 13;
const PATIENCE_MS = 180_000;
const BUOYS = /^BOY.*-icon$/;
const BEACONS = /^BCN.*-icon$/;
const LIGHTS = /^LIGHTS-icon$/;

describe.runIf(browserPath !== undefined)('a page of another origin', () => {
  let service: Service;
  let browser: Browser;
  let other: OtherOrigin;
  let token: string;
  let whole: View;
  /** The style with all layers of symbols and texts, and without them. */
  let symbols: string[];
  let texts: string[];

  const styleAt = (query = '') =>
    `${service.address}/api/v1/styles/base.json?token=${token}&${query}`;
  const show = (library: Library, query = '') => other.show(library, styleAt(query), CENTER, ZOOM);

  beforeAll(async () => {
    service = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
    token = await service.token();
    browser = await openBrowser();
    other = await openOtherOrigin(browser, service.address);
    const style = (await (await fetch(styleAt())).json()) as {
      layers: { id: string; layout?: Record<string, unknown> }[];
    };
    const having = (property: string) =>
      style.layers.filter(({ layout }) => layout?.[property] !== undefined).map(({ id }) => id);
    symbols = having('icon-image');
    texts = having('text-field');
    whole = await show('maplibre');
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser?.close();
    await other?.stop();
    await service?.stop();
  });

  const marksOf = (pattern: RegExp) =>
    inside(whole.marks.filter(({ layer }) => pattern.test(layer)));

  test('has a different origin from the service', () => {
    expect(new URL(other.origin).origin).not.toBe(new URL(service.address).origin);
  });

  test('shows buoys, lights and texts in MapLibre without errors', () => {
    expect(whole.complaints).toEqual([]);
    expect(marksOf(BUOYS).length).toBeGreaterThan(1);
    expect(marksOf(BEACONS).length).toBeGreaterThan(1);
    expect(marksOf(LIGHTS).length).toBeGreaterThan(1);
    expect(marksOf(/^(BOY.*-name|LIGHTS-label|SOUNDG-label)$/).length).toBeGreaterThan(5);
  });

  test.each(['maplibre', 'openlayers'] as const)(
    'paints each buoy and each light in %s, compared with the same chart without symbols',
    async (library) => {
      const with_ = library === 'maplibre' ? whole : await show(library);
      const without = await show(library, `hideLayers=${symbols.join(',')}`);
      expect([...with_.complaints, ...without.complaints]).toEqual([]);
      for (const pattern of [BUOYS, BEACONS, LIGHTS]) {
        const marks = marksOf(pattern);
        expect(marks.length).toBeGreaterThan(0);
        const missing = marks.filter((mark) => changed(with_.picture, without.picture, mark) < 10);
        expect(missing).toEqual([]);
      }
    },
    PATIENCE_MS,
  );

  test.each(['maplibre', 'openlayers'] as const)(
    'paints texts in %s, compared with the same chart without texts',
    async (library) => {
      const with_ = library === 'maplibre' ? whole : await show(library);
      const without = await show(library, `hideLayers=${texts.join(',')}`);
      // Other soundings fade in from the zoom in `mz`, so they are transparent below it.
      const inScale = marksOf(/^SOUNDG-/).filter(
        ({ properties }) => Number(properties['mz'] ?? 0) <= ZOOM,
      );
      // In OpenLayers, deep soundings give way to one another too.
      const soundings = inScale.filter(
        ({ layer }) => library === 'maplibre' || layer === 'SOUNDG-depth',
      );
      expect(soundings.length).toBeGreaterThan(3);
      const missing = soundings.filter((mark) => changed(with_.picture, without.picture, mark) < 5);
      expect(missing).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'shows the same buoys and lights as raster tiles in Leaflet',
    async () => {
      const address = `${service.address}/api/v2/tiles/raster-v1/{z}/{x}/{y}.png?token=${token}`;
      const { picture, complaints } = await other.show('leaflet', address, CENTER, ZOOM);
      expect(complaints).toEqual([]);
      const bare = await show('maplibre', `hideLayers=${[...symbols, ...texts].join(',')}`);
      for (const pattern of [BUOYS, BEACONS, LIGHTS]) {
        const missing = marksOf(pattern).filter(
          (mark) => changed(picture, bare.picture, mark) < 10,
        );
        expect(missing).toEqual([]);
      }
    },
    PATIENCE_MS,
  );
});

const REACH = 12;

/** The marks that are far enough from the edge of the image. */
const inside = (marks: readonly Mark[]): Mark[] =>
  marks.filter(({ x, y }) => x > REACH && y > REACH && x < 640 - REACH && y < 480 - REACH);

/** The number of pixels around a mark with a clearly different colour in the two images. */
function changed(one: PNG, other: PNG, { x, y }: Mark): number {
  let count = 0;
  for (let row = Math.round(y) - REACH; row < y + REACH; row++) {
    for (let column = Math.round(x) - REACH; column < x + REACH; column++) {
      const at = 4 * (row * one.width + column);
      const apart = [0, 1, 2].map((i) => Math.abs(one.data[at + i]! - other.data[at + i]!));
      if (Math.max(...apart) > 60) count++;
    }
  }
  return count;
}
