// The projects for developers: each is built with Vite as theirs would be and shown in a browser from
// another origin, and must draw the demo port and have its attribution, without an error in the console and
// without asking any other host. The snippets of the guides are these files: guides.test.ts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CHART_THEME } from '../../shared/style/options.ts';
import { type Palette, paletteFor } from '../../shared/style/palette.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { buildExample, EXAMPLES, exampleFile } from '../support/examples.ts';
import { colorShares, landAndWater } from '../support/page-colors.ts';
import { type SecondOrigin, serveFiles } from '../support/second-origin.ts';
import { type Service, startService } from '../support/service.ts';
import { ROOT } from '../support/source-files.ts';

/** Before the scripts of a page: keeps the texts that are painted on canvases, as `written`. */
function noteTexts(): void {
  const written = new Set<string>();
  Object.assign(globalThis, { written });
  const { prototype } = CanvasRenderingContext2D;
  const paint = prototype.fillText;
  prototype.fillText = function (text, ...rest) {
    written.add(text);
    return paint.call(this, text, ...rest);
  };
}

/** Texts that MapLibre draws in a window of 600 × 400 pixels at zoom 13, then at 12. */
const TEXTS_BY_VIEW: readonly { click?: string; texts: readonly string[] }[] = [
  {
    texts: [
      'Dir Oc WRG 5s 14m',
      'Fish Dock',
      'Horn(2)30s',
      'Port of Wick',
      'Speed Board',
      'The Gut',
      '5',
      '6',
      'Wick Marina',
      'Wick West Beacon',
      'clr 12',
      'clr 9',
    ],
  },
  {
    click: '.ol-zoom-out',
    texts: [
      '2',
      'Eastgate',
      'Fl G 4s 4M',
      'Horn(2)30s',
      'Speed Board',
      "St Elmo's Point",
      'The Gut',
      'Wick',
      '3',
      '4',
      '5',
      '6',
      'Wick Bay',
      'Wick Road',
      'Wick West Beacon',
      'Wick church',
      'clr 18.5',
    ],
  },
];

/** For what hangs; nothing is timed. */
const PATIENCE_MS = 180_000;

describe.runIf(browserPath !== undefined)('an example of another origin', () => {
  let service: Service;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    service = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
    token = await service.token();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  interface Shown {
    readonly page: Page;
    /** Errors of the console, and requests to hosts that are none of ours. */
    readonly complaints: string[];
    readonly host: SecondOrigin;
  }

  async function show(name: string): Promise<Shown> {
    const host = await serveFiles(await buildExample(name, { address: service.address, token }));
    const page = await browser.newPage({ viewport: { width: 600, height: 400 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(noteTexts);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.route(
      ({ origin, protocol }) =>
        protocol !== 'blob:' && ![service.address, host.origin].includes(origin),
      (route) => {
        complaints.push(`asked ${route.request().url()}`);
        return route.abort();
      },
    );
    await page.goto(host.origin);
    return { page, complaints, host };
  }

  /** Drawn piece by piece: looked at until it is there, but not so often that looking delays it. */
  const drawn = (page: Page, palette: Palette) =>
    expect
      .poll(async () => landAndWater(await colorShares(page), palette), {
        timeout: PATIENCE_MS,
        interval: 200,
      })
      .toBeGreaterThan(0.5);

  /** Its letters are the chart's own, not whatever the machine has. */
  const hasLetters = (page: Page) =>
    page.waitForFunction(() =>
      Array.from(document.fonts as unknown as Iterable<FontFace>).some(
        ({ family, status }) => /Noto Sans/.test(family) && status === 'loaded',
      ),
    );

  /** Every name, light character and clearance that MapLibre draws at these zooms must be drawn. */
  async function drawsTexts(page: Page): Promise<void> {
    for (const { click, texts } of TEXTS_BY_VIEW) {
      if (click !== undefined) {
        await page.evaluate(() =>
          (globalThis as never as { written: Set<string> }).written.clear(),
        );
        await page.click(click);
      }
      const missing = () =>
        page.evaluate((texts) => {
          const { written } = globalThis as never as { written: Set<string> };
          return texts.filter((text) => !written.has(text));
        }, texts);
      await expect.poll(missing, { timeout: PATIENCE_MS, interval: 200 }).toEqual([]);
    }
  }

  /** Its letters come when OpenLayers has given up looking for them, and are drawn. */
  async function drawsLateLetters(page: Page, palette: Palette): Promise<void> {
    const held: Route[] = [];
    await page.route('**/web-fonts/**/*.css', (route) => void held.push(route));
    await page.reload();
    await drawn(page, palette);
    // It looks ten times, a tenth of a second apart.
    await page.evaluate(async () => {
      for (let look = 0; look < 15; look++) await new Promise((done) => setTimeout(done, 100));
    });
    const before = await page.screenshot();
    expect(held).not.toEqual([]);
    for (const route of held) await route.continue();
    await page.unroute('**/web-fonts/**/*.css');
    await hasLetters(page);
    await expect
      .poll(async () => (await page.screenshot()).equals(before), { interval: 200 })
      .toBe(false);
  }

  test.each(EXAMPLES)(
    '%s draws the port with Vite’s build, and asks no other host',
    async (name) => {
      const { page, complaints, host } = await show(name);
      const themes = { 'maplibre-client': 'dusk', 'chart-element': CHART_THEME } as const;
      const palette = paletteFor(themes[name as keyof typeof themes] ?? 'day');
      await drawn(page, palette);
      const attribution = page.getByText(/\S · Not for navigation/).first();
      await attribution.waitFor({ state: 'attached' });
      if (name === 'openlayers') {
        await hasLetters(page);
        await drawsTexts(page);
        await drawsLateLetters(page, palette);
      }
      if (name === 'chart-element') {
        await page.mouse.click(300, 200);
        await page.locator('leadline-chart .panel li').first().waitFor();
        expect(await page.title()).not.toBe('Leadline as an element');
      }
      if (name === 'maplibre-client') {
        await page.mouse.click(300, 200);
        const popup = page.locator('.maplibregl-popup-content');
        await popup.waitFor();
        expect((await popup.textContent())!.length).toBeGreaterThan(3);
      }
      if (name === 'maplibre-react') {
        const asked = page.waitForRequest(/base\.json\?depthLimit=/);
        for (const depth of ['', '13000', '7.5']) await page.fill('input', depth);
        expect((await asked).url()).toContain('depthLimit=7.5&');
      }
      if (name === 'maplibre-offline') {
        // The service is stopped, so the browser has only its cache.
        await page.route(`${service.address}/**`, (route) => route.abort());
        await page.reload();
        await drawn(page, palette);
        expect(await page.textContent('#notices')).toMatch(/^Not for navigation/);
      }
      await page.close();
      await host.stop();
      expect(complaints).toEqual([]);
    },
  );

  test('examples ask for the versions of libraries that they were tried with', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const known: Record<string, string> = {
      ...devDependencies,
      '@leadline/client': 'file:../../../workers/web/client',
    };
    for (const name of EXAMPLES) {
      const own = JSON.parse(exampleFile(name, 'package.json')) as {
        dependencies: Record<string, string>;
        devDependencies: Record<string, string>;
      };
      const asked = { ...own.dependencies, ...own.devDependencies };
      const tried = Object.fromEntries(Object.keys(asked).map((one) => [one, known[one]]));
      expect([name, asked]).toEqual([name, tried]);
    }
  });
});
