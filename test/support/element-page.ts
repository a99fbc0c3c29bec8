// A minimal page on another origin with the <leadline-chart> element of the package, without a bundler.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { writeModules } from '../../workers/web/client/packing/build-package.ts';
import { type ChartPages, openChartPages, PATIENTLY } from './chart-page.ts';
import { freshDatabase } from './database.ts';
import { type ColorShares, colorShares } from './page-colors.ts';
import { mapLibreFiles, serveFiles } from './second-origin.ts';
import { ROOT } from './source-files.ts';

const PAGE = `<!doctype html><html lang="en"><title>A chart</title><meta charset="utf-8">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/maplibre-gl.css">
<style>body { margin: 0 } leadline-chart { height: 100vh }</style>
<script type="importmap">{ "imports": { "maplibre-gl": "/maplibre-gl.mjs" } }</script>
<body></body>
<script type="module">
  globalThis.eventsOf = [];
  for (const name of ['ready', 'style', 'pick', 'position', 'follow', 'report', 'route', 'error']) {
    addEventListener('leadline-' + name, ({ type, detail, target }) => {
      // From then on layers can be added.
      if (name === 'ready') (globalThis.chartMap = detail.map).addLayer({ id: 'own', type: 'background', paint: { 'background-opacity': 0 } });
      if (name !== 'ready' && name !== 'style') eventsOf.push({ type, detail: JSON.parse(JSON.stringify(detail)) });
      globalThis.chart = target;
    });
  }
  await import('/chart/define.js');
  globalThis.isDefined = true;
</script></html>`;

/** A dispatched event. */
interface PageEvent {
  readonly type: string;
  readonly detail: Record<string, unknown>;
}

export interface ElementPage {
  readonly pages: ChartPages;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly token: string;
  /** Console errors of the page. */
  readonly complaints: string[];
  /** Adds an element to the page, with these attributes in addition to the defaults. */
  put(attributes: Readonly<Record<string, string>>): Promise<void>;
  /** Sets or removes an attribute of the element. */
  set(name: string, value: string | null): Promise<void>;
  /** Details of the events of a name so far. */
  eventsOf(type: string): Promise<PageEvent['detail'][]>;
  /** A value of the map's global state. */
  state(name: string): Promise<unknown>;
  /** Share of the pixels with a colour, 0 to 1. */
  shares(): Promise<ColorShares>;
  share(hex: string): Promise<number>;
  stop(): Promise<void>;
}

interface Globals {
  readonly eventsOf: readonly PageEvent[];
  readonly chartMap: { getGlobalState(): Record<string, unknown> };
}

/** Starts a service with the demo charts and a database, and opens the page, without an element yet. */
export async function openElementPage(): Promise<ElementPage> {
  const pages = await openChartPages(await freshDatabase());
  const token = await pages.service.token();
  const folder = mkdtempSync(join(tmpdir(), 'leadline-client-'));
  const modules = await writeModules(folder);
  const script = (path: string) => ['text/javascript', readFileSync(join(folder, path))] as const;
  const styles = join(ROOT, 'node_modules/maplibre-gl/dist/maplibre-gl.css');
  const host = await serveFiles({
    '': ['text/html', PAGE],
    ...mapLibreFiles('maplibre-gl.mjs'),
    'maplibre-gl.css': ['text/css', readFileSync(styles)],
    ...Object.fromEntries(modules.map(({ path }) => [path, script(path)])),
  });
  const context = await pages.browser.newContext({
    viewport: { width: 700, height: 500 },
    permissions: ['geolocation'],
    geolocation: { latitude: -29.99, longitude: -19.99, accuracy: 40 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENTLY.timeout);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(host.origin);
  await page.waitForFunction(() => 'isDefined' in globalThis);

  const shares = () => colorShares(page);
  return {
    pages,
    context,
    page,
    token,
    complaints,
    put: (attributes) =>
      page.evaluate(
        (all) => {
          const chart = document.createElement('leadline-chart');
          for (const [name, value] of Object.entries(all)) chart.setAttribute(name, value);
          document.body.replaceChildren(chart);
        },
        {
          'base-url': pages.service.address,
          token,
          center: '-19.988,-29.987',
          zoom: '13',
          ...attributes,
        },
      ),
    set: (name, value) =>
      page.locator('leadline-chart').evaluate(
        (chart, [name, value]) => {
          if (value === null) chart.removeAttribute(name);
          else chart.setAttribute(name, value);
        },
        [name, value] as const,
      ),
    eventsOf: (type) =>
      page.evaluate(
        (type) =>
          (globalThis as never as Globals).eventsOf
            .filter((one) => one.type === type)
            .map(({ detail }) => detail),
        type,
      ),
    state: (name) =>
      page.evaluate(
        (name) => (globalThis as never as Globals).chartMap.getGlobalState()[name],
        name,
      ),
    shares,
    share: async (hex) => (await shares()).get(hex.toLowerCase()) ?? 0,
    stop: async () => {
      await host.stop();
      await pages.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
