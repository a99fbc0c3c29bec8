// The sources of a style in a real map: labels in each accepted font, imagery at addresses with each
// accepted placeholder, and tiles of reports.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { encode } from 'fast-png';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { TileId } from '../../shared/geo/tile.ts';
import { Painter } from '../../shared/raster/paint/paint.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { startCanvas } from '../support/canvas.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type MapPage, openMapPage } from '../support/map-page.ts';
import { artworkOf, rasterDrawer, withoutTexts } from '../support/raster-tiles.ts';
import { type Service, startService } from '../support/service.ts';

const HARBOUR: TileId = { z: 15, x: 14_562, y: 19_247 };
const LABELS = ['SOUNDG-label', 'BOYLAT-name', 'LIGHTS-label', 'DEPCNT-label'];

const IMAGERY_ALONE = { showSatellite: 'true', showLayers: 'satellite' };

const FONTS = [
  'Noto Sans Regular',
  'Noto Sans Bold,Noto Sans Regular',
  'Roboto Regular, Noto Sans Italic',
];

describe.runIf(browserPath !== undefined)('a style in MapLibre', () => {
  let service: Service;
  let database: TestDatabase;
  let browser: Browser;
  /** Opened once for all labels, and once for all imagery. */
  let labelled: MapPage | undefined;
  let covered: MapPage | undefined;
  const asked: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    service = await startService({
      charts: inject('demoCharts'),
      assetsDir: inject('assets'),
      database: database.bindings,
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await labelled?.close();
    await covered?.close();
    await browser?.close();
    await service?.stop();
    await database?.stop();
  });

  async function styleOf(query: Record<string, string>): Promise<StyleSpecification> {
    const words = new URLSearchParams({ ...query, token: await service.token() });
    const response = await fetch(`${service.address}/api/v1/styles/base.json?${words}`);
    expect(response.status).toBe(200);
    return (await response.json()) as StyleSpecification;
  }

  async function labelsIn(style: StyleSpecification): Promise<number> {
    labelled ??= await openMapPage(browser, style);
    await labelled.restyle(style);
    const { rendered } = await labelled.show(HARBOUR, LABELS);
    // The line under a drying height is a picture, and needs no glyph.
    return rendered.filter(({ properties }) => !(Number(properties['dm']) < 0)).length;
  }

  test.each(FONTS)(
    'a style in MapLibre shows its labels in font=%s, and so do raster tiles',
    async (font) => {
      const style = await styleOf({ font });
      expect(await labelsIn(style)).toBeGreaterThan(10);

      const artwork = artworkOf(inject('assets'));
      const painted = async (document: StyleSpecification) => {
        const drawer = await rasterDrawer(inject('demoCharts'), artwork, document);
        const list = await drawer.displayList(HARBOUR);
        await drawer.close();
        return { list, pixels: new Painter(artwork, startCanvas).paint(list).slice() };
      };
      const drawn = await painted(style);
      const bare = await painted(withoutTexts(style));
      const texts = drawn.list.items.filter((item) => item.kind === 'text');
      expect(texts.length).toBeGreaterThan(10);
      for (const { font: used, glyphs } of texts) {
        expect(glyphs.every(({ code }) => artwork.glyphs(used).has(code))).toBe(true);
      }
      const changed = drawn.pixels.filter((value, i) => value !== bare.pixels[i]).length;
      expect(changed).toBeGreaterThan(500);
    },
  );

  test('a style in MapLibre shows its labels in another font if its own has no glyphs', async () => {
    const style = JSON.stringify(await styleOf({ font: 'Noto Sans Bold' }));
    const other = JSON.parse(style.replaceAll('"Noto Sans Bold"', '"Roboto Regular"'));
    expect(await labelsIn(other)).toBeGreaterThan(10);
  });

  test('a style in MapLibre shows reports from tiles, with counts below zoom 9', async () => {
    const report = async () => {
      const body = { reportType: 'weather', position: { latitude: -29.989, longitude: -19.988 } };
      const token = await service.token({ scopes: ['reports:write'] });
      const headers = { authorization: `Bearer ${token}` };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const made = (await (await service.get('/api/v1/user-reports', init)).json()) as {
        id: string;
      };
      return made.id;
    };
    const ids = [await report(), await report()];
    const style = await styleOf({ showUserReports: 'true' });
    labelled ??= await openMapPage(browser, style);
    await labelled.restyle(style);
    const layers = ['user_reports-icon', 'user_reports-cluster', 'user_reports-count'];
    const drawnAt = async (tile: TileId) =>
      (await labelled!.show(tile, layers)).rendered.map((one) => [one.layer, one.properties]);
    // A map shows a raster tile at one zoom less.
    const shown = await drawnAt({ z: 13, x: 3641, y: 4811 });
    const pin = { id: expect.toBeOneOf(ids), reportType: 'weather', upvoteCount: 0 };
    expect(shown).toEqual(ids.map(() => ['user_reports-icon', expect.objectContaining(pin)]));
    const counts = { point_count: 2, hazards: 0, is_partial: false };
    expect(new Set(await drawnAt({ z: 9, x: 227, y: 300 }))).toEqual(
      new Set([
        ['user_reports-cluster', counts],
        ['user_reports-count', counts],
      ]),
    );
  });

  test.each([
    ['http://a.example/{z}/{x}/{y}{ratio}.png', /^http:\/\/a\.example\/\d+\/\d+\/\d+\.png$/],
    [
      'https://a.example/{prefix}/{z}.{x}.{y}',
      /^https:\/\/a\.example\/[0-9a-f]{2}\/\d+\.\d+\.\d+$/,
    ],
    ['http://a.example/{quadkey}.png', /^http:\/\/a\.example\/[0-3]+\.png$/],
    [
      'https://a.example/?bbox={bbox-epsg-3857}',
      /^https:\/\/a\.example\/\?bbox=(-?[\d.]+,){3}-?[\d.]+$/,
    ],
    ['https://{s}.tile.example/{z}/{x}/{y}', /^https:\/\/[abc]\.tile\.example\/\d+\/\d+\/\d+$/],
  ])('a style in MapLibre asks for its imagery at %s', async (satelliteTileUrl, address) => {
    asked.length = 0;
    const style = await styleOf({ ...IMAGERY_ALONE, satelliteTileUrl });
    covered ??= await openMapPage(withImagery(browser, asked), style);
    await covered.restyle(style);
    await covered.show(HARBOUR, []);
    expect(asked.length).toBeGreaterThan(0);
    for (const one of asked) expect(one).toMatch(address);
  });
});

/** A browser whose pages get a picture from every foreign address. Records the requests. */
function withImagery(browser: Browser, asked: string[]): Browser {
  const data = new Uint8Array([9, 99, 9, 255]);
  const body = Buffer.from(encode({ width: 1, height: 1, data }));
  const headers = { 'access-control-allow-origin': '*' };
  const newPage: Browser['newPage'] = async (options) => {
    const page = await browser.newPage(options);
    const isForeign = ({ hostname }: URL) => hostname.endsWith('example');
    await page.route(isForeign, (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'image/png', headers, body });
    });
    return page;
  };
  return { newPage } as Browser;
}
