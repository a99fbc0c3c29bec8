// No seam shows at the borders of cells and tiles: with the ground alone drawn over a glaring
// background, nothing of the background may shine through.

import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { hasEncData } from '../support/enc-data.ts';
import { isLong } from '../support/long-run.ts';
import { realCharts } from '../support/real-charts.ts';
import { type Service, startService } from '../support/service.ts';

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
  { name: 'Homer', latitude: 59.6, longitude: -151.42, zooms: [11.4, 13, 14.6] },
  {
    name: 'four cells of Kachemak Bay',
    latitude: 59.4,
    longitude: -151.8,
    zooms: [11, 12.3, 13.7],
  },
  {
    name: 'Tacoma at its northern border',
    latitude: 47.3211,
    longitude: -122.45,
    zooms: [13, 14.3],
  },
];

describe.runIf(browserPath !== undefined)('seams', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  }, 120_000);
  afterAll(() => browser?.close());

  /** Pixels of the background that shine through, of 900 × 600. */
  async function glaring(
    service: Service,
    place: Place,
    zoom: number,
    kept: readonly string[] = [...GROUND, ...STRUCTURES],
  ): Promise<number> {
    const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
    try {
      const token = await service.token();
      const at = `${zoom}/${place.latitude}/${place.longitude}`;
      await page.goto(`${service.address}/#at=${at}&token=${token}`);
      await page.waitForFunction(() => 'chartMap' in globalThis);
      await page.evaluate(
        async ({ kept, color }) => {
          interface Chart {
            loaded(): boolean;
            once(event: string, done: () => void): void;
            getStyle(): { layers: { id: string }[] };
            setLayoutProperty(id: string, name: string, value: string): void;
            setPaintProperty(id: string, name: string, value: string): void;
          }
          const map = (globalThis as unknown as { chartMap: Chart }).chartMap;
          const idle = () => new Promise<void>((done) => map.once('idle', done));
          if (!map.loaded()) await idle();
          for (const { id } of map.getStyle().layers) {
            if (id !== 'background' && !kept.includes(id))
              map.setLayoutProperty(id, 'visibility', 'none');
          }
          map.setPaintProperty('background', 'background-color', color);
          await idle();
        },
        { kept, color: GLARING },
      );
      const picture = PNG.sync.read(await page.locator('.maplibregl-canvas').screenshot());
      let count = 0;
      for (let y = 60; y < picture.height - 80; y++) {
        for (let x = 380; x < picture.width - 60; x++) {
          const i = 4 * (y * picture.width + x);
          const [red, green, blue] = picture.data.subarray(i, i + 3);
          // No colour of the ground is near it, however they are mixed.
          if (red! > 200 && green! < 120 && blue! > 200) count++;
        }
      }
      return count;
    } finally {
      await page.close();
    }
  }

  const sets: readonly {
    name: string;
    charts: () => Promise<string> | string;
    places: readonly Place[];
  }[] = [
    { name: 'the demo', charts: () => inject('demoCharts'), places: DEMO_PLACES },
    ...(hasEncData
      ? [
          {
            name: 'real cells',
            charts: () => realCharts('withCoarse'),
            places: REAL_PLACES,
          },
        ]
      : []),
  ];
  for (const { name, charts, places } of sets) {
    describe(name, () => {
      let service: Service;
      beforeAll(async () => {
        service = await startService({ charts: await charts(), assetsDir: inject('assets') });
      }, 180_000);
      afterAll(() => service?.stop());

      test('the measure sees what is missing: without the land, the background shines', async () => {
        const kept = GROUND.filter((id) => id !== 'LNDARE-fill');
        expect(await glaring(service, places[0]!, 11.5, kept)).toBeGreaterThan(1000);
      });

      for (const place of places) {
        // Drawing in software takes seconds a picture.
        for (const zoom of place.zooms.filter((_, i) => isLong || i % 2 === 0)) {
          test(`${place.name} at zoom ${zoom}: the ground is closed`, async () => {
            expect(await glaring(service, place, zoom)).toBe(0);
          });
        }
      }
    });
  }
});
