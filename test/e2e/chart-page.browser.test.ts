// The chart page in a browser: it shows the chart, and its controls work by mouse and by keyboard,
// without console errors.

import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHART_THEME } from '../../shared/style/options.ts';
import { paletteFor } from '../../shared/style/palette.ts';
import { seriousFaults } from '../support/axe.ts';
import { browserPath } from '../support/browser.ts';
import {
  type ChartPages,
  DESKTOP,
  namesDrawn,
  openChartPages,
  PATIENTLY,
  PORT_OF_WICK,
  plainly,
  settled,
} from '../support/chart-page.ts';
import { colorShares, shareOfGlare } from '../support/page-colors.ts';

/** A response in the format of the service. */
const answerOf = (name: string) => ({
  names: [
    {
      name,
      objectClass: 'SEAARE',
      objectClassName: 'Sea area / named water area',
      cell: 'ZZ5WICK1',
      position: { longitude: -20, latitude: -30 },
      zoom: 13,
    },
  ],
  isComplete: true,
});

describe.runIf(browserPath !== undefined)('the chart page', () => {
  let pages: ChartPages;
  let token: string;

  beforeAll(async () => {
    pages = await openChartPages();
    token = await pages.service.token();
  });
  afterAll(() => pages?.stop());

  let kept: Page | undefined;
  /** A page for consecutive tests, because opening a chart takes longer than most of them. */
  const portPage = async () => (kept ??= await pages.open(`at=${PORT_OF_WICK}&token=${token}`));

  let dusky: Page | undefined;
  const duskPage = async () =>
    (dusky ??= await pages.open(`at=${PORT_OF_WICK}&token=${token}&theme=dusk`));

  const colorsOf = (page: Page) => colorShares(page.locator('#map'));

  test('shows land and water of the demo port, and the notice that it is not for navigation', async () => {
    const page = await portPage();
    const found = await colorsOf(page);
    const { LANDA, DEPMD } = paletteFor(CHART_THEME);
    expect(found.get(LANDA.toLowerCase()) ?? 0).toBeGreaterThan(0.01);
    expect(found.get(DEPMD.toLowerCase()) ?? 0).toBeGreaterThan(0.01);
    expect(await page.locator('#caution').textContent()).toBe('Not for navigation');
    expect(await page.locator('#map .maplibregl-ctrl-scale').textContent()).toMatch(/\sNM$/);
    // Text over a chart needs a background to be readable.
    for (const widget of ['#caution', '#readout', '#map .maplibregl-ctrl-group']) {
      const ground = await page
        .locator(widget)
        .first()
        .evaluate((one) => getComputedStyle(one).backgroundColor);
      expect([widget, ground]).not.toEqual([widget, 'rgba(0, 0, 0, 0)']);
    }
    expect(await page.locator('#readout').textContent()).toMatch(
      /29° 59\.\d\d′ S 019° 59\.\d\d′ W/,
    );
    expect(await page.locator('#readout').textContent()).toContain('1:12,000 chart');
    // The page starts with 3 m. The demo has contours of 2 and 5 m, and dredged areas.
    await expect
      .poll(() => page.locator('#readout').textContent(), PATIENTLY)
      .toMatch(/ · safety contour [\d.]+ m( and deeper)? \(safety depth 3 m\)$/);
  });

  test('opens without a position on a chart, not on a view of the world', async () => {
    const page = await pages.open(`token=${token}`, DESKTOP, plainly);
    const found = await colorsOf(page);
    // The colours of uncharted water and land: together less than a third of the image.
    const { BGWTR, BGLND, LANDA } = paletteFor(CHART_THEME);
    const shareOf = (hex: string) => found.get(hex.toLowerCase()) ?? 0;
    expect(shareOf(BGWTR) + shareOf(BGLND)).toBeLessThan(0.33);
    expect(shareOf(LANDA)).toBeGreaterThan(0.004);
    await page.close();
  });

  test('copies a link to the view with the options, and without a token', async () => {
    const page = await duskPage();
    const copied = page.evaluate(
      () =>
        new Promise<string>((done) => {
          navigator.clipboard.writeText = async (text) => done(text);
        }),
    );
    await page.locator('#panel > summary').click();
    await page.locator('#share').click();
    const link = await copied;
    expect(link).toContain(`#at=${PORT_OF_WICK}`);
    expect(link).toContain('theme=dusk');
    expect(link).not.toContain('token');
    expect(await page.locator('#share-result').textContent()).toBe(
      'Link copied. It does not contain your token.',
    );
  });

  test('changes theme, units and safety depth, and keeps them in its URL', async () => {
    const page = await duskPage();
    if ((await page.locator('#panel').getAttribute('open')) === null)
      await page.locator('#panel > summary').click();
    await page.locator('select[name=theme]').selectOption('night');
    await page.locator('select[name=depthUnits]').selectOption('feet');
    await page.locator('input[name=depthLimit]').fill('12');
    await page.locator('input[name=depthLimit]').press('Tab');
    await page.locator('select[name=topmarks]').selectOption('true');
    await page.locator('input[name=textGroups][value=seabed]').uncheck();
    await settled(page);
    expect(await page.locator('body').getAttribute('data-theme')).toBe('night');
    expect(page.url()).toContain('theme=night');
    expect(page.url()).toContain('depthUnits=feet');
    expect(page.url()).toContain('depthLimit=12');
    expect(page.url()).toContain('topmarks=true');
    expect(page.url()).toContain('textGroups=important%2Cnames%2Clights%2Cplaces%2Cother');
    const asked = await page
      .locator('#map')
      .evaluate((chart) => [chart.getAttribute('topmarks'), chart.getAttribute('text-groups')]);
    expect(asked).toEqual(['true', 'important,names,lights,places,other']);
    // No control is bright on a dark bridge, nor are the search results.
    await page.locator('#query').fill('wick');
    await page.locator('#search-names [role=option]').first().hover();
    expect(await shareOfGlare(page)).toBeLessThan(0.0003);
    const again = await pages.open(new URL(page.url()).hash.slice(1), DESKTOP, plainly);
    expect(await again.locator('body').getAttribute('data-theme')).toBe('night');
    await again.locator('#panel > summary').click();
    expect(await again.locator('input[name=textGroups][value=seabed]').isChecked()).toBe(false);
    expect(await again.locator('select[name=topmarks]').inputValue()).toBe('true');
    await page.close();
    await again.close();
  });

  test('works by keyboard alone', async () => {
    const page = await portPage();
    await page.locator('#query').focus();
    await page.keyboard.type('30 01.8 S, 20 00.0 W');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await page.locator('#search-result').textContent()).toBe('30° 01.80′ S 020° 00.00′ W');
    expect(page.url()).toMatch(/at=14\.00\/-30\.03000\/-20\.00000/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('#panel').getAttribute('open')).not.toBeNull();
    await page.locator('input[name=showLightSectors]').focus();
    await page.keyboard.press('Space');
    await page.waitForURL(/showLightSectors=false/);
  });

  describe('the search for names', () => {
    let page: Page;
    let answer: (route: Route) => unknown;
    const field = () => page.locator('#query');
    const result = () => page.locator('#search-result').textContent();

    beforeAll(async () => {
      page = await portPage();
      await page.evaluate(([zoom, latitude, longitude]) => {
        const { chartMap } = globalThis as never as { chartMap: { jumpTo(to: object): void } };
        chartMap.jumpTo({ center: [longitude, latitude], zoom });
      }, PORT_OF_WICK.split('/').map(Number));
      await settled(page);
      await page.route('**/api/v1/names?*', (route) => answer(route));
    });
    afterAll(() => page?.unroute('**/api/v1/names?*'));

    test('is aborted when the user types again, and its answer is not shown', async () => {
      const asked: Route[] = [];
      const withdrawn: string[] = [];
      page.on('requestfailed', (request) => {
        if (request.url().includes('/names?')) withdrawn.push(request.url());
      });
      answer = (route) => asked.push(route);
      await field().fill('wi');
      await expect.poll(() => asked.length).toBe(1);
      await field().fill('wick');
      await expect.poll(() => asked.length).toBe(2);
      await expect.poll(() => withdrawn).toEqual([asked[0]!.request().url()]);
      await asked[1]!.fulfill({ json: answerOf('The second') });
      await page.locator('#search-names strong').waitFor();
      expect(await page.locator('#search-names strong').allTextContents()).toEqual(['The second']);
    });

    test('finds names in view without the service, and reports that it searched only these', async () => {
      const complaintsBefore = pages.complaints.length;
      answer = (route) => route.abort();
      await field().fill('wick east');
      await expect
        .poll(result)
        .toBe('1 name found. Only the chart in view was searched: the service cannot be reached.');
      answer = (route) => route.fulfill({ status: 503, json: { code: 'charts_unavailable' } });
      await field().fill('wick east beacon');
      await field().press('Enter');
      await expect
        .poll(result)
        .toBe(
          'Wick East Beacon. Only the chart in view was searched: the search service is not available right now.',
        );
      // Also if the list is there before Enter is pressed.
      await field().fill('');
      await field().fill('wick east');
      await expect.poll(result).toMatch(/^1 name found\. Only the chart in view was searched/);
      await field().press('Enter');
      expect(await result()).toBe(
        'Wick East Beacon. Only the chart in view was searched: the search service is not available right now.',
      );
      const before = page.url();
      answer = (route) => route.fulfill({ status: 403, json: { code: 'scope_required' } });
      await field().fill('lantern weather');
      await field().press('Enter');
      await expect
        .poll(result)
        .toBe(
          'No results in view for “lantern weather”. Only the chart in view was searched: the token of this page does not allow searches.',
        );
      expect(page.url()).toBe(before);
      // Browsers log each request that fails.
      for (const complaint of pages.complaints.splice(complaintsBefore)) {
        expect(complaint).toMatch(/^Failed to load resource: /);
      }
    });

    test('moves to a mark or area outside the view, and reports an unknown name', async () => {
      answer = (route) => route.continue();
      await field().fill('');
      const listed = page.locator('#search-names [role=option]');
      expect(await namesDrawn(page)).not.toContain('Lantern weather buoy');
      // Typed key by key: the results of the first letters are replaced.
      await field().pressSequentially('lantern wea');
      // South-east of the port, according to the source table of the charts.
      await expect
        .poll(() => listed.first().textContent())
        .toMatch(/^Lantern weather buoy .* · \d+\.\d+ NM, 1[0-4]\d° T$/);
      await field().press('Enter');
      await expect.poll(result).toBe('Lantern weather buoy');
      await settled(page);
      expect(await namesDrawn(page)).toContain('Lantern weather buoy');
      await field().fill('spill bank');
      await field().press('Enter');
      await expect.poll(result).toBe('Spill Bank');
      await settled(page);
      expect(await namesDrawn(page)).toContain('Spill Bank');
      await field().fill('Atlantis');
      await field().press('Enter');
      await expect.poll(result).toBe('No results for “Atlantis”.');
    });
  });

  test('explains its symbols', async () => {
    const page = await portPage();
    if (!(await page.locator('#legend > summary').isVisible()))
      await page.locator('#panel > summary').click();
    const complaintsBefore = pages.complaints.length;
    await page.route('**/sprites/**', (route) => route.abort(), { times: 1 });
    await page.locator('#legend > summary').click();
    await page.getByText('The symbols could not be loaded.').waitFor();
    expect(await page.locator('#problem').isVisible()).toBe(false);
    expect(pages.complaints.splice(complaintsBefore)).toEqual([
      expect.stringMatching(/^Failed to load resource: /),
    ]);
    for (let i = 0; i < 2; i++) await page.locator('#legend > summary').click();
    await page.locator('#legend-list .symbol').first().waitFor();
    expect(await page.locator('#legend-list li').count()).toBeGreaterThanOrEqual(25);
  });

  test('fits a phone', async () => {
    const artwork: string[] = [];
    const page = await pages.open(
      `at=${PORT_OF_WICK}&token=${token}`,
      { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2 },
      (opened) => {
        plainly(opened);
        opened.on('request', (request) => {
          if (request.url().includes('/sprites/')) artwork.push(request.url());
        });
      },
    );
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    // The caution does not cover the control that closes the display choices.
    const summary = page.locator('#panel > summary');
    await summary.click();
    const [caution, closer] = await Promise.all(
      [page.locator('#caution'), summary].map((one) => one.boundingBox()),
    );
    expect(caution!.y).toBeGreaterThan(closer!.y + closer!.height);
    // The legend needs no other symbols than the chart, because no others are cached for a theme.
    const ofChart = [...artwork];
    expect(ofChart.map((url) => /@2x\.\w+$/.exec(url)?.[0]).sort()).toEqual([
      '@2x.json',
      '@2x.png',
    ]);
    await page.locator('#legend > summary').click();
    const symbol = page.locator('#legend-list .symbol > span').first();
    await symbol.waitFor();
    expect(artwork.filter((url) => !ofChart.includes(url))).toEqual([]);
    const plain = ofChart.find((url) => url.endsWith('.json'))!.replace('@2x', '');
    const { BOYLAT13 } = (await (await fetch(plain)).json()) as Record<string, { width: number }>;
    expect(await symbol.evaluate((one) => one.clientWidth)).toBe(BOYLAT13!.width);
    await page.close();
  });

  test('causes no console errors in these tests', () => {
    expect(pages.complaints).toEqual([]);
  });

  test('describes the service without a token, without the map library, and opens the chart with one', async () => {
    const page = await pages.browser.newPage({ viewport: { width: 390, height: 844 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pages.service.address);
    const field = page.locator('#enter input');
    await field.waitFor();
    expect(await page.locator('#map, #search, #panel').locator('visible=true').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(asked.filter((url) => url.endsWith('/page/chart.js'))).toEqual([]);
    const token = await pages.service.token();
    const code = await page.locator('#about pre').textContent();
    const [, style] = /'(http[^']+)'/.exec(code!.replace('TOKEN', token))!;
    expect(await (await fetch(style!)).json()).toMatchObject({ version: 8 });
    await field.fill(token);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(page.url()).toContain(token);
    expect(await page.locator('#about').isVisible()).toBe(false);
    await page.goBack();
    await page.locator('#about h1').waitFor(PATIENTLY);
    expect(page.url()).not.toContain(token);
    await page.close();
  });

  test.each(['light', 'dark'] as const)(
    'draws a live chart for visitors if the service has a demo token: %s',
    async (colorScheme) => {
      const viewport = { width: 390, height: 844 };
      const page = await pages.browser.newPage({ viewport, colorScheme });
      const token = await pages.service.token({ scopes: ['tiles', 'styles', 'query'] });
      const body = JSON.stringify({ token });
      await page.route('**/api/v1/demo-token', (route) =>
        route.fulfill({ contentType: 'application/json', body }),
      );
      await page.goto(pages.service.address);
      await page.locator('#demo figcaption', { hasText: 'A live chart' }).waitFor(PATIENTLY);
      expect(await page.locator('#demo img').count()).toBe(0);
      expect(await page.locator('#demo leadline-chart canvas').isVisible()).toBe(true);
      expect(await page.locator('#enter input').isVisible()).toBe(true);
      expect(await seriousFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.close();
    },
  );

  test('describes the service without JavaScript', async () => {
    const context = await pages.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pages.service.address);
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(await page.locator('#about a[href="/docs/guides"]').last().isVisible()).toBe(true);
    expect(await page.locator('#search').isVisible()).toBe(false);
    await context.close();
  });
});
