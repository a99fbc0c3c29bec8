// Each drawn feature is found: random point features that the map has rendered are in the answer to a
// query at their position and zoom.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages } from '../support/chart-page.ts';
import { isLong } from '../support/long-run.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_123;
const WANTED = isLong ? 500 : 170;
const PORT = { longitude: -20, latitude: -30.015 };
/** Views of the demo: the zoom, and the maximum distance of the centre from the port, in degrees. */
const VIEWS: readonly (readonly [zoom: number, degrees: number])[] = [
  [4.6, 3],
  [7.4, 1],
  [8.2, 0.6],
  [9.5, 0.4],
  [10.7, 0.2],
  [11.3, 0.12],
  [12.4, 0.06],
  [12.9, 0.05],
  [13.2, 0.04],
  [14, 0.03],
  [14.8, 0.02],
  [15.5, 0.02],
  [16.3, 0.01],
  [17, 0.01],
];

interface Rendered {
  readonly layer: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

interface Result {
  readonly layerId: string;
  readonly attributes: { readonly objectName?: string };
  readonly geometry: { readonly type: string; readonly coordinates: readonly number[] };
  readonly extras: { readonly distance: number };
}

describe.runIf(browserPath !== undefined)('drawn features', () => {
  let pages: ChartPages;

  beforeAll(async () => {
    pages = await openChartPages();
  });
  afterAll(() => pages?.stop());

  test(`are found by a query: ${WANTED} rendered points`, async () => {
    const random = seededRandom(SEED);
    const at = `at=13/${PORT.latitude}/${PORT.longitude}&token=${await pages.service.token()}`;
    const page = await pages.open(at, {
      viewport: isLong ? { width: 1000, height: 800 } : { width: 660, height: 500 },
    });
    const drawn: Rendered[] = [];
    const classes = new Set<string>();
    for (const [zoom, degrees] of VIEWS) {
      const longitude = PORT.longitude + (random() * 2 - 1) * degrees;
      const latitude = PORT.latitude + (random() * 2 - 1) * degrees;
      const points = (await pointsAt(page, zoom, longitude, latitude)).filter(canBeAsked);
      // Limit the points per view. Some views have fewer points.
      drawn.push(...shuffled(points, random).slice(0, Math.ceil((3 * WANTED) / VIEWS.length)));
    }
    expect(drawn.length).toBeGreaterThanOrEqual(WANTED);
    const missing: string[] = [];
    for (const point of shuffled(drawn, random).slice(0, WANTED)) {
      classes.add(classOf(point));
      const { results } = await query(point);
      if (!results.some((result) => isThat(result, point))) {
        missing.push(`${JSON.stringify(point)} not among ${results.map((one) => one.layerId)}`);
      }
    }
    expect(missing).toEqual([]);
    // Several kinds must occur: symbols, soundings, lights, names of areas.
    expect(classes.size).toBeGreaterThan(15);
  });

  async function query({ longitude, latitude, zoom }: Rendered): Promise<{ results: Result[] }> {
    // Tiles have 4096 units, so a point is drawn up to half a unit from its position.
    const radius = (40_075_017 / 2 ** Math.min(Math.floor(zoom), 15) / 4096) * 1.5 + 0.1;
    const response = await pages.service.get('/api/v1/enc_query?extras=true', {
      method: 'POST',
      body: JSON.stringify({ position: { longitude, latitude }, radius, zoom }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { results: Result[] };
  }
});

/** Fisher–Yates shuffle. */
function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
}

/** Neither the background, which belongs to no cell, nor classes that the contract excludes. */
const canBeAsked = (point: Rendered): boolean =>
  !/^(bg_|coverage|maritime_)/.test(point.layer) &&
  !['M_NSYS', 'M_QUAL', 'M_NPUB', 'MAGVAR'].includes(classOf(point)) &&
  (point.zoom >= 13 || !['SOUNDG', 'DEPCNT'].includes(classOf(point)));

/** Symbols and names of areas have a separate layer with their class, and so do the arcs of lights. */
const classOf = ({ layer, properties }: Rendered): string =>
  layer === 'LIGHTS_SECTOR' ? 'LIGHTS' : String(properties['cls'] ?? layer);

function isThat(result: Result, point: Rendered): boolean {
  const { properties } = point;
  if (classOf(point) !== result.layerId) return false;
  const name = properties['nm'];
  if (name !== undefined && result.attributes.objectName !== name) return false;
  if (result.layerId !== 'SOUNDG') return true;
  return (
    Math.round(result.geometry.coordinates[2]! * 10) === Math.round(Number(properties['d']) * 10)
  );
}

/** All points that the map renders in a view, each once. */
async function pointsAt(
  page: Page,
  zoom: number,
  longitude: number,
  latitude: number,
): Promise<Rendered[]> {
  return page.evaluate(
    async (view) => {
      interface Chart {
        jumpTo(to: object): void;
        once(event: string, done: () => void): void;
        queryRenderedFeatures(): {
          source: string;
          sourceLayer?: string;
          properties: Record<string, unknown>;
          geometry: { type: string; coordinates: [number, number] };
        }[];
      }
      const chart = (globalThis as never as { chartMap: Chart }).chartMap;
      const idle = new Promise<void>((done) => chart.once('idle', done));
      chart.jumpTo({ center: [view.longitude, view.latitude], zoom: view.zoom });
      await idle;
      const seen = new Set<string>();
      return chart.queryRenderedFeatures().flatMap(({ sourceLayer, properties, geometry }) => {
        if (geometry.type !== 'Point' || sourceLayer === undefined) return [];
        const [x, y] = geometry.coordinates;
        const key = `${sourceLayer} ${x} ${y} ${JSON.stringify(properties)}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [{ layer: sourceLayer, properties, longitude: x, latitude: y, zoom: view.zoom }];
      });
    },
    { zoom, longitude, latitude },
  );
}
