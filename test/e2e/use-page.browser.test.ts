// The snippets of the page for developers, as they stand there: each is bundled, run in a browser
// from another origin, and must draw the demo port without an error in the console.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { paletteFor } from '../../shared/style/palette.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { mapLibreFiles, serveFiles } from '../support/second-origin.ts';
import { type Service, startService } from '../support/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(resolve(ROOT, 'workers/page/use.html'), 'utf8');
const PATIENCE_MS = 60_000;

/** The text of a snippet, as the reader copies it. */
function snippet(name: string): string {
  const found = new RegExp(`data-snippet="${name}">([^<]*)<`).exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`There is no snippet ${name}.`);
  return found.replaceAll('&amp;', '&').trim();
}

const onPage = [...PAGE.matchAll(/data-snippet="([^"]+)"/g)].map(([, name]) => name!);
const scripts = onPage.filter((name) => name !== 'xyz');

describe.runIf(browserPath !== undefined)('the page for developers', () => {
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

  const filledIn = (text: string) =>
    text.replaceAll('ADDRESS', service.address).replaceAll('TOKEN', token);

  test.each(scripts)(
    'the snippet %s draws the port',
    async (name) => {
      const bundle = await build({
        stdin: { contents: filledIn(snippet(name)), resolveDir: ROOT },
        bundle: true,
        format: 'esm',
        write: false,
        logLevel: 'silent',
      });
      const host = await serveFiles({
        '': [
          'text/html',
          `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
           <style>body{margin:0}#map{height:100vh}
           .leaflet-pane,.leaflet-tile{position:absolute;left:0;top:0}</style>
           <div id="map"></div><script type="module" src="/snippet.js"></script>`,
        ],
        'snippet.js': ['text/javascript', bundle.outputFiles[0]!.text],
        ...mapLibreFiles(),
      });
      const page = await browser.newPage({ viewport: { width: 600, height: 400 } });
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      // ol-mapbox-style asks a font host of its own choice for Noto Sans; the browser's will do.
      await page.route(
        ({ origin }) => ![service.address, host.origin].includes(origin),
        (route) => route.fulfill({ contentType: 'text/css', body: '' }),
      );
      await page.goto(host.origin);
      const deadline = Date.now() + PATIENCE_MS;
      let share = 0;
      // Drawn piece by piece: looked at until it is there.
      while (share < 0.5 && Date.now() < deadline) share = waterAndLand(await page.screenshot());
      await page.close();
      await host.stop();
      expect(complaints).toEqual([]);
      expect(share).toBeGreaterThan(0.5);
    },
    2 * PATIENCE_MS,
  );

  test('the plain address gives a picture', async () => {
    const address = filledIn(snippet('xyz')).replace('{z}', '3').replace('{x}', '3');
    const answer = await fetch(address.replace('{y}', '4'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('all snippets are tried', () => {
    expect(onPage).toEqual(['maplibre', 'leaflet', 'openlayers', 'openlayers-raster', 'xyz']);
  });
});

/** The part of a picture that has the chart's colours of ground. */
function waterAndLand(file: Buffer): number {
  const day = paletteFor('day');
  const wanted = new Set(
    [day.DEPDW, day.DEPMD, day.DEPMS, day.DEPVS, day.LANDA].map((hex) => hex.toLowerCase()),
  );
  const { data } = PNG.sync.read(file);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (wanted.has(`#${data.subarray(i, i + 3).toString('hex')}`)) count++;
  }
  return count / (data.length / 4);
}
