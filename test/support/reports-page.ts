// The chart page with reports in Chromium, against the real service and a database of its own: what
// tests of it do with page, chart and database.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { writeAssets } from '../../tiles-build/symbols/write-assets.ts';
import { buildPage } from '../../workers/local/build-page.ts';
import { openBrowser } from './browser.ts';
import { type MortalDatabase, mortalDatabase } from './database.ts';
import { type Service, startService } from './service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The demo's port. */
const VIEW = '14.00/-29.98700/-19.98800';
export const DESKTOP: BrowserContextOptions = { viewport: { width: 900, height: 650 } };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 740 },
  hasTouch: true,
  isMobile: true,
};
/** Pins are drawn when the list has come, on a machine that may be busy. */
export const PATIENTLY = { timeout: 30_000 };

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Drawn {
  readonly id: string;
  readonly reportType: string;
}

interface Chart {
  loaded(): boolean;
  project(at: [number, number]): Place;
  getLayer(id: string): unknown;
  getZoom(): number;
  queryRenderedFeatures(options: object): { properties: Record<string, unknown> }[];
}

export interface ReportsBench {
  readonly service: Service;
  readonly database: MortalDatabase;
  /** Everything that a page complained of in its console, and not yet expected. */
  readonly complaints: string[];
  /** Complaints so far, which thereby are expected. */
  expected(): readonly string[];
  open(token: string, context?: BrowserContextOptions, choices?: string): Promise<Page>;
  /** Report through the API. @returns its id */
  report(token: string, wish: Partial<ReportWish>): Promise<string>;
  stop(): Promise<void>;
}

export interface ReportWish {
  readonly reportType: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly description: string;
}

export async function openReportsBench(charts: string): Promise<ReportsBench> {
  const assets = mkdtempSync(join(tmpdir(), 'leadline-reports-'));
  await buildPage(ROOT, assets);
  await writeAssets(ROOT, assets);
  const database = await mortalDatabase();
  const service = await startService({
    charts,
    assetsDir: assets,
    database: database.bindings,
  });
  const browser: Browser = await openBrowser();
  const complaints: string[] = [];
  return {
    service,
    database,
    complaints,
    expected: () => complaints.splice(0),
    open: async (token, context = DESKTOP, choices = '') => {
      const page = await (await browser.newContext(context)).newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('dialog', (dialog) => complaints.push(`A dialog: ${dialog.message()}`));
      await page.goto(`${service.address}/#at=${VIEW}&token=${token}${choices}`);
      await settled(page);
      return page;
    },
    report: async (token, wish) => {
      const { reportType = 'hazard', latitude = -29.989, longitude = -19.988 } = wish;
      const id = randomUUID();
      const { description } = wish;
      const answer = await service.get('/api/v1/user-reports', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({
          id,
          reportType,
          position: { latitude, longitude },
          properties: description === undefined ? {} : { description },
        }),
      });
      if (answer.status !== 201) throw new Error(`Not taken: ${await answer.text()}`);
      return id;
    },
    stop: async () => {
      await browser.close();
      await service.stop();
      await database.stop();
      rmSync(assets, { recursive: true, force: true });
    },
  };
}

export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => 'chartMap' in globalThis);
  await page.waitForFunction(() => (globalThis as never as { chartMap: Chart }).chartMap.loaded());
}

const drawnIn = (page: Page, layer: string) =>
  page.evaluate((id) => {
    const chart = (globalThis as never as { chartMap: Chart }).chartMap;
    if (!chart.getLayer(id)) return [];
    return chart.queryRenderedFeatures({ layers: [id] }).map(({ properties }) => properties);
  }, layer);

/** The pins on the chart. */
export async function pins(page: Page): Promise<Drawn[]> {
  const found = (await drawnIn(page, 'user_reports-icon')) as unknown as Drawn[];
  return found.map(({ id, reportType }) => ({ id, reportType }));
}

/** How many reports each circle on the chart counts. */
export const clusters = async (page: Page): Promise<number[]> =>
  (await drawnIn(page, 'user-reports-cluster')).map(({ point_count }) => Number(point_count));

/** Where on the screen the round part of a pin is whose point is at a place. */
export async function pinAt(page: Page, latitude: number, longitude: number): Promise<Place> {
  const { x, y } = await page.evaluate(
    (at) => {
      const { x, y } = (globalThis as never as { chartMap: Chart }).chartMap.project(at);
      return { x, y };
    },
    [longitude, latitude] as [number, number],
  );
  return { x, y: y - 17 };
}

/** The page asks for the list again, as it does when the network comes back. */
export const refresh = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')));
