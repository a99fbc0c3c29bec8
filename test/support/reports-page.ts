// Helpers for tests of reports on the chart page, in Chromium with a service and database.

import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openChartPages, PORT_OF_WICK, plainly } from './chart-page.ts';
import { type MortalDatabase, mortalDatabase } from './database.ts';
import type { Service } from './service.ts';

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 740 },
  hasTouch: true,
  isMobile: true,
};

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
  /** Console errors that no test has expected yet. */
  readonly complaints: string[];
  /** Returns the console errors so far and marks them as expected. */
  expected(): readonly string[];
  open(token: string, context?: BrowserContextOptions, choices?: string): Promise<Page>;
  /** A page that tests share, because opening a chart is slow. */
  again(token: string): Promise<Page>;
  /** Creates a report through the API. @returns its id */
  report(token: string, options: Partial<ReportOptions>): Promise<string>;
  stop(): Promise<void>;
}

export interface ReportOptions {
  readonly reportType: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly description: string;
}

export async function openReportsBench(): Promise<ReportsBench> {
  const database = await mortalDatabase();
  const { service, complaints, open, stop } = await openChartPages(database);
  const openAt = (token: string, context?: BrowserContextOptions, choices = '') =>
    // Bright symbols matter only at night.
    open(
      `at=${PORT_OF_WICK}&token=${token}${choices}`,
      context,
      choices === '' ? plainly : undefined,
    );
  const kept = new Map<string, Page>();
  return {
    service,
    database,
    complaints,
    stop,
    expected: () => complaints.splice(0),
    open: openAt,
    again: async (token) => {
      const page = kept.get(token) ?? (await openAt(token));
      kept.set(token, page);
      await tidy(page);
      return page;
    },
    report: async (token, options) => {
      const { reportType = 'hazard', latitude = -29.989, longitude = -19.988 } = options;
      const id = randomUUID();
      const { description } = options;
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
  };
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

/** Number of reports in each circle on the chart. */
export const clusters = async (page: Page): Promise<number[]> =>
  (await drawnIn(page, 'user_reports-cluster')).map(({ point_count }) => Number(point_count));

/** Screen position of the head of a pin. */
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

/** Makes the page load the list again, as after an `online` event. */
export const refresh = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')));

/** The events of Control and a click on macOS. */
export async function controlClick(page: Page, { x, y }: Place): Promise<void> {
  const event = { button: 0, ctrlKey: true, clientX: x, clientY: y, bubbles: true };
  await page.locator('#map canvas').evaluate((canvas, init) => {
    for (const type of ['mousedown', 'contextmenu', 'mouseup'])
      canvas.dispatchEvent(new MouseEvent(type, init));
  }, event);
}

/** Closes open popups and loads the list again. */
async function tidy(page: Page): Promise<void> {
  const close = page.locator('#user-report .close');
  if (await close.isVisible()) await close.click();
  await page.evaluate(() => {
    for (const fold of Array.from(document.querySelectorAll('details'))) fold.open = false;
  });
  await refresh(page);
}

/**
 * Presses the count of the reports of a place. It has no effect while the counts are made again.
 * @returns the number of pins on the chart
 */
export async function pressCount(
  page: Page,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): Promise<number> {
  const { x, y } = await pinAt(page, latitude, longitude);
  if ((await clusters(page)).length > 0) await page.mouse.click(x, y + 17);
  return (await pins(page)).length;
}
