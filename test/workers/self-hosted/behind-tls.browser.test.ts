// The self-hosted service behind a TLS proxy. A map library runs on an HTTPS page of another origin, so that the
// browser blocks every `http:` address.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { paletteFor } from '../../../shared/style/palette.ts';
import { browserPath, openBrowser } from '../../support/browser.ts';
import {
  type Dist,
  discard,
  httpsServer,
  makeData,
  makeDist,
  type SelfHosted,
  startSelfHosted,
  startTlsProxy,
  type TlsProxy,
} from '../../support/self-hosted.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const data = makeData();
let dist: Dist;
let service: SelfHosted;
let proxy: TlsProxy;
let browser: Browser;
let page: Awaited<ReturnType<typeof httpsServer>>;
let token: string;

describe.runIf(browserPath !== undefined)('behind a TLS proxy', () => {
  beforeAll(async () => {
    dist = await makeDist();
    const environment = { TRUSTED_PROXIES: 'loopback' };
    service = await startSelfHosted({ dist, data, charts: inject('demoCharts'), environment });
    token = await service.token();
    proxy = await startTlsProxy(service.port);
    page = await httpsServer((request, response) => void answerPage(request.url ?? '/', response));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    page?.server.close();
    page?.server.closeAllConnections();
    await discard(service, data);
    dist?.remove();
  });

  test('MapLibre on another origin draws the chart, with its symbols and letters', async () => {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: { width: 600, height: 400 },
    });
    const tab = await context.newPage();
    const complaints: string[] = [];
    const asked: { readonly url: string; readonly status: number }[] = [];
    tab.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('response', (answer) => asked.push({ url: answer.url(), status: answer.status() }));
    await tab.goto(`https://127.0.0.1:${page.port}/`);
    await tab.waitForFunction('window.isDrawn === true', undefined, { timeout: 60_000 });
    const picture = await tab.screenshot();
    await context.close();
    expect(complaints).toEqual([]);
    expect(waterAndLand(picture)).toBeGreaterThan(0.5);
    const ofService = asked.filter(({ url }) => url.startsWith(proxy.origin));
    for (const part of ['/styles/base.json', '/tiles/enc-v2/', '/sprites/', '/fonts/']) {
      expect([part, ofService.some(({ url }) => url.includes(part))]).toEqual([part, true]);
    }
    expect(ofService.filter(({ status }) => status !== 200)).toEqual([]);
    expect(asked.filter(({ url }) => url.startsWith('http:'))).toEqual([]);
  });

  test('styles, TileJSON and the API document contain the requested address with https', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    for (const path of [
      `/api/v1/styles/base.json?token=${token}`,
      `/api/v1/styles/raster.json?token=${token}`,
      `/api/v2/tiles/enc-v2.json?token=${token}`,
      '/openapi.json',
    ]) {
      const text = await (await context.request.get(proxy.origin + path)).text();
      expect(text).toContain(proxy.origin);
      // The API document uses http://localhost:5173 as an example of an origin.
      expect([...text.matchAll(/http:\/\/(localhost|127)(?!:5173)[^"]*/g)]).toEqual([]);
    }
    await context.close();
  });
});

const library = (name: string) =>
  readFileSync(resolve(ROOT, `node_modules/maplibre-gl/dist/${name}`));

async function answerPage(path: string, response: import('node:http').ServerResponse) {
  const send = (type: string, body: string | Buffer) =>
    response.writeHead(200, { 'content-type': type }).end(body);
  if (path.startsWith('/maplibre-gl-')) return send('text/javascript', library(path.slice(1)));
  if (path === '/map.js') {
    const contents = `
      import { Map, setWorkerUrl } from 'maplibre-gl';
      setWorkerUrl(new URL('/maplibre-gl-worker.mjs', location.href).href);
      const map = new Map({ container: 'map', center: [-20.01, -30.0], zoom: 13,
        style: ${JSON.stringify(`${proxy.origin}/api/v1/styles/base.json?token=${token}`)} });
      map.once('idle', () => { window.isDrawn = true; });`;
    const made = await build({
      stdin: { contents, resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      write: false,
    });
    return send('text/javascript', made.outputFiles[0]!.text);
  }
  return send(
    'text/html',
    `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
     <style>body{margin:0}#map{height:100vh}</style><div id="map"></div>
     <script type="module" src="/map.js"></script>`,
  );
}

/** The share of pixels with the chart's colours of water and land. */
function waterAndLand(file: Buffer): number {
  const day = paletteFor('day');
  const wanted = new Set(
    [day.DEPDW, day.DEPMD, day.DEPMS, day.DEPVS, day.LANDA].map((hex) => hex.toLowerCase()),
  );
  const { data: pixels } = PNG.sync.read(file);
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (wanted.has(`#${pixels.subarray(i, i + 3).toString('hex')}`)) count++;
  }
  return count / (pixels.length / 4);
}
