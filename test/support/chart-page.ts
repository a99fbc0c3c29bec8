// The chart page in Chromium, with the running service: the setup of every test of the page.

import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { inject } from 'vitest';
import { openBrowser } from './browser.ts';
import type { TestDatabase } from './database.ts';
import { type Service, startService } from './service.ts';

/** The demo's port in the middle: zoom, latitude, longitude. */
export const PORT_OF_WICK = '14.00/-29.98700/-19.98800';
export const DESKTOP: BrowserContextOptions = { viewport: { width: 900, height: 650 } };
/** A long timeout, because the machine may be busy. */
export const PATIENTLY = { timeout: 120_000 };

/** Message of the browser's driver about slow software rendering, which is not a fault of the page. */
export const DRIVER_MESSAGE = /GL Driver Message \(OpenGL, Performance/;

export interface ChartPages {
  readonly service: Service;
  readonly browser: Browser;
  /** All errors and warnings in the console of a page. */
  readonly complaints: string[];
  /**
   * Opens the page and waits until its chart is drawn.
   *
   * @param hash options of the page, including the token
   * @param prepare runs before the page loads
   */
  open(
    hash: string,
    context?: BrowserContextOptions,
    prepare?: (page: Page) => void,
  ): Promise<Page>;
  stop(): Promise<void>;
}

/** Starts a service with the demo charts, and a browser. @param database for reports */
export async function openChartPages(database?: TestDatabase): Promise<ChartPages> {
  const service = await startService({
    charts: inject('demoCharts'),
    assetsDir: inject('assets'),
    ...(database === undefined ? {} : { database: database.bindings }),
  });
  const browser = await openBrowser();
  const complaints: string[] = [];
  return {
    service,
    browser,
    complaints,
    open: async (hash, context = DESKTOP, prepare = () => {}) => {
      const page = await (await browser.newContext(context)).newPage();
      page.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return;
        if (DRIVER_MESSAGE.test(message.text())) return;
        complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('dialog', (dialog) => complaints.push(`A dialog: ${dialog.message()}`));
      // The chart shows drawing errors on the page; here they count as complaints.
      await page.addInitScript(() =>
        addEventListener('leadline-error', (event) => {
          const { topic, message } = (event as CustomEvent<{ topic: string; message: string }>)
            .detail;
          // biome-ignore lint/suspicious/noConsole: tests of the page listen to it
          if (topic === 'drawing' || topic === 'tiles') console.error(message);
        }),
      );
      if (context.serviceWorkers !== 'allow') await page.addInitScript(refuseServiceWorkers);
      prepare(page);
      await page.goto(`${service.address}/#${hash}`);
      await settled(page);
      return page;
    },
    stop: async () => {
      await browser.close();
      await service.stop();
      await database?.stop();
    },
  };
}

/** Layers of the chart that {@link plainly} keeps. */
const PLAIN = /^(DEPARE|DRGARE|LNDARE|COALNE|AREASYM)-/;

/**
 * Draws only the ground and the names of waters, for tests whose results do not depend on other symbols and texts:
 * software draws the whole chart several times as long. Layers of other sources, such as reports, remain.
 */
export function plainly(page: Page): void {
  page.route('**/api/v1/styles/base.json*', (route) =>
    fulfillPlainly(route).catch((error) => {
      if (!page.isClosed()) throw error;
    }),
  );
}

async function fulfillPlainly(route: Route): Promise<void> {
  const response = await route.fetch();
  if (!response.ok()) return route.fulfill({ response });
  const style = (await response.json()) as StyleSpecification;
  const isKept = (layer: LayerSpecification) =>
    layer.type === 'background' || layer.source !== 'chart' || PLAIN.test(layer.id);
  return route.fulfill({ response, json: { ...style, layers: style.layers.filter(isKept) } });
}

/**
 * Files that tests remove must not come from the cache of the service worker. Rejects registration as browsers do:
 * with Playwright's own option the page would wait for a worker in vain.
 */
function refuseServiceWorkers(): void {
  ServiceWorkerContainer.prototype.register = () =>
    Promise.reject(new DOMException('Service workers are disabled.', 'SecurityError'));
}

interface Chart {
  loaded(): boolean;
  queryRenderedFeatures(): readonly { readonly properties: { readonly nm?: string } }[];
  once(event: string, done: () => void): void;
}

/** Resolves when the chart is completely drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => 'chartMap' in globalThis);
  await page.evaluate(async () => {
    const { chartMap } = globalThis as never as { chartMap: Chart };
    if (!chartMap.loaded()) await new Promise<void>((done) => chartMap.once('idle', done));
  });
}

/** All names that the chart draws. */
export const namesDrawn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { chartMap } = globalThis as never as { chartMap: Chart };
    return chartMap.queryRenderedFeatures().flatMap(({ properties: { nm } }) => nm ?? []);
  });
