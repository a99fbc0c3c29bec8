// <leadline-chart> from the package, on a page of another origin without a bundler: its attributes, its
// events and its error messages.

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHART_THEME } from '../../shared/style/options.ts';
import { paletteFor } from '../../shared/style/palette.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, PATIENTLY, plainly, settled } from '../support/chart-page.ts';
import { type ElementPage, openElementPage } from '../support/element-page.ts';

describe.runIf(browserPath !== undefined)('a chart element on a page of another origin', () => {
  let bench: ElementPage;
  let pages: ChartPages;
  let context: BrowserContext;
  let page: Page;
  let token: string;
  let complaints: string[];
  beforeAll(async () => {
    bench = await openElementPage();
    ({ pages, context, page, token, complaints } = bench);
  });
  afterAll(() => bench?.stop());

  const put = (attributes: Readonly<Record<string, string>>) => bench.put(attributes);
  const set = (name: string, value: string | null) => bench.set(name, value);
  const eventsOf = (type: string) => bench.eventsOf(type);
  const state = (name: string) => bench.state(name);
  const share = (hex: string) => bench.share(hex);
  const attribute = (name: string) => page.locator('leadline-chart').getAttribute(name);

  test('shows the chart, and the notice that it is not for navigation', async () => {
    await put({ pick: '', controls: '', 'show-light-sectors': 'false' });
    await settled(page);
    await expect.poll(() => share(paletteFor(CHART_THEME).LANDA), PATIENTLY).toBeGreaterThan(0.1);
    expect(await page.locator('#caution').textContent()).toBe('Not for navigation');
    expect(await page.locator('#caution').isVisible()).toBe(true);
    expect(await state('showLightSectors')).toBe(false);
    expect(await eventsOf('leadline-error')).toEqual([]);
  });

  test('changes safety depth and units without a request to the service', async () => {
    const asked: string[] = [];
    const note = (request: { url(): string }) => asked.push(request.url());
    const before = await share(paletteFor(CHART_THEME).DEPVS);
    page.on('request', note);
    await set('safety-depth', '12');
    await set('units', 'feet');
    await expect.poll(() => state('depthLimit')).toBe(12);
    await expect.poll(() => state('depthUnits')).toBe('feet');
    // A deeper safety depth, so more of the water is shallow.
    await expect
      .poll(async () => (await share(paletteFor(CHART_THEME).DEPVS)) - before, PATIENTLY)
      .not.toBe(0);
    expect(asked.filter((url) => url.includes('/api/'))).toEqual([]);
    // Without the attribute the default of the service applies again.
    await set('safety-depth', null);
    await expect.poll(() => state('depthLimit')).toBe(3);
    page.off('request', note);
    expect(asked.filter((url) => url.includes('/api/'))).toEqual([]);
  });

  test('reports the name of an invalid option, and keeps the displayed chart', async () => {
    await set('safety-depth', 'deep');
    const notice = page.locator('leadline-chart [data-topic=chart]');
    await notice.waitFor();
    expect(await notice.textContent()).toContain('depthLimit');
    expect(await state('depthLimit')).toBe(3);
    expect((await eventsOf('leadline-error')).map(({ topic }) => topic)).toEqual(['chart']);
    await set('safety-depth', '5');
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => state('depthLimit')).toBe(5);
    expect(complaints.splice(0).every((text) => /400/.test(text))).toBe(true);
  });

  test('loads another document for another theme, and keeps the safety depth', async () => {
    await set('theme', 'night');
    await expect.poll(() => share(paletteFor('night').LANDA), PATIENTLY).toBeGreaterThan(0.1);
    expect(await state('depthLimit')).toBe(5);
    expect(await page.locator('#caution').isVisible()).toBe(true);
    // No element around the chart is bright, including the MapLibre controls.
    const grounds = await page
      .locator(
        'leadline-chart :is(.maplibregl-ctrl-group, .maplibregl-ctrl-attrib, .maplibregl-ctrl-scale)',
      )
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(grounds.length).toBeGreaterThan(1);
    expect(grounds.filter((color) => brightestOf(color) > 40)).toEqual([]);
    await set('theme', null);
    await settled(page);
    expect(await state('depthLimit')).toBe(5);
  });

  test('works by keyboard: it queries the centre of the chart, and closes the answer', async () => {
    await page.locator('body').focus();
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab');
      const isChart = await page.evaluate(
        () => document.activeElement instanceof HTMLCanvasElement,
      );
      if (isChart) break;
    }
    await page.keyboard.press('Enter');
    const rows = page.locator('leadline-chart .panel li button');
    await rows.first().waitFor();
    const [answer] = await eventsOf('leadline-pick');
    expect(answer!['longitude']).toBeCloseTo(-19.988, 4);
    expect((answer!['results'] as unknown[]).length).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.locator('leadline-chart .panel details summary').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('leadline-chart .panel').first().isHidden()).toBe(true);
    expect(await page.evaluate(() => document.activeElement instanceof HTMLCanvasElement)).toBe(
      true,
    );
  });

  test('lets a page that prevents a pick event show the answer itself', async () => {
    await page.evaluate(() =>
      addEventListener('leadline-pick', (event) => event.preventDefault(), { once: true }),
    );
    const before = (await eventsOf('leadline-pick')).length;
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await eventsOf('leadline-pick')).length, PATIENTLY)
      .toBe(before + 1);
    expect(await page.locator('leadline-chart .panel').first().isHidden()).toBe(true);
  });

  test('follows the device after a press of its button, until the chart is moved by hand', async () => {
    const button = page.locator('leadline-chart .leadline-follow');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('.leadline-position').waitFor();
    expect(await attribute('follow')).toBe('north-up');
    const [at] = await eventsOf('leadline-position');
    expect(at).toMatchObject({ latitude: -29.99, longitude: -19.99, accuracy: 40 });
    const center = () =>
      page.evaluate(() => (globalThis as never as { chart: { center: number[] } }).chart.center);
    await expect.poll(async () => (await center())[0], PATIENTLY).toBeCloseTo(-19.99, 4);
    // The receiver of the app takes precedence over the device.
    await page.evaluate(() => {
      const { chart } = globalThis as never as { chart: { position: unknown } };
      chart.position = { longitude: -19.98, latitude: -29.98, course: 90, speed: 3 };
    });
    await expect.poll(async () => (await center())[0], PATIENTLY).toBeCloseTo(-19.98, 4);
    await page.mouse.move(350, 250);
    await page.mouse.down();
    await page.mouse.move(300, 220, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => attribute('follow')).toBe(null);
    expect((await eventsOf('leadline-follow')).map(({ isFollowing }) => isFollowing)).toEqual([
      true,
      false,
    ]);
    expect(await button.getAttribute('aria-pressed')).toBe('false');
  });

  test('shows reports, and sends an event when one is pressed', async () => {
    const position = { latitude: -29.987, longitude: -19.988 };
    await pages.service.get('/api/v1/user-reports', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        reportType: 'hazard',
        position,
        properties: { description: '<b>A log</b>' },
      }),
    });
    await set('center', '-19.988,-29.9871');
    await set('reports', '');
    const pins = () =>
      page.evaluate(() => {
        interface Shown {
          getLayer(id: string): unknown;
          queryRenderedFeatures(options: object): unknown[];
        }
        const { chartMap } = globalThis as never as { chartMap: Shown };
        const layers = ['user_reports-icon'];
        return chartMap.getLayer(layers[0]!)
          ? chartMap.queryRenderedFeatures({ layers }).length
          : 0;
      });
    await expect.poll(pins, PATIENTLY).toBe(1);
    const at = await page.evaluate(({ longitude, latitude }) => {
      const { chartMap } = globalThis as never as {
        chartMap: { project(at: number[]): { x: number; y: number } };
      };
      const { x, y } = chartMap.project([longitude, latitude]);
      return { x, y };
    }, position);
    await page.mouse.click(at.x, at.y - 8);
    const panel = page.locator('leadline-chart .panel', { hasText: 'Hazard' });
    await panel.waitFor();
    // User text is shown as text.
    expect(await panel.textContent()).toContain('<b>A log</b>');
    const [report] = await eventsOf('leadline-report');
    expect(report).toMatchObject({ report: { reportType: 'hazard' } });
    await page.keyboard.press('Escape');
    // By keyboard the report in the middle opens.
    await set('center', `${position.longitude},${position.latitude}`);
    await expect.poll(pins, PATIENTLY).toBe(1);
    await page.keyboard.press('Enter');
    await panel.waitFor();
    expect(await eventsOf('leadline-report')).toHaveLength(2);
    await page.keyboard.press('Escape');
    // At intervals of 30 seconds two lists would take longer than the test timeout.
    for (let i = 0; i < 2; i++) {
      await context.setOffline(true);
      const list = page.waitForResponse(/\/user-reports\?/, { timeout: 20_000 });
      await context.setOffline(false);
      expect((await list).status()).toBe(200);
    }
    expect(complaints.splice(0).filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual(
      [],
    );
    await set('reports', null);
    await expect.poll(pins, PATIENTLY).toBe(0);
  });

  test('plans and draws a valid route attribute, and reports an invalid one', async () => {
    await set('route', '-19.98,-30.03 somewhere');
    await page.locator('leadline-chart [data-topic=attributes]').waitFor();
    await set('draft', '2');
    await set('route', '-20.02,-30.05 -20,-30.04');
    await expect.poll(async () => (await eventsOf('leadline-route')).length, PATIENTLY).toBe(1);
    expect(await page.locator('leadline-chart [data-topic=attributes]').count()).toBe(0);
    const [answer] = await eventsOf('leadline-route');
    expect(answer).toMatchObject({ success: true, constraints: { vessel: { draft: 2 } } });
  });

  test('causes no console errors in these tests', () => {
    expect(complaints.splice(0)).toEqual([]);
  });

  test('covers a chart that fails to load with the reason, and recovers when it loads', async () => {
    plainly(page);
    await put({ token: 'pk.none' });
    const cover = page.locator('leadline-chart .cover p');
    await expect.poll(() => cover.textContent(), PATIENTLY).toMatch(/cannot be shown.*token/);
    const errors = await eventsOf('leadline-error');
    expect(errors.at(-1)).toMatchObject({ topic: 'chart' });
    expect(await page.locator('#caution').isVisible()).toBe(true);
    await set('token', token);
    await cover.waitFor({ state: 'detached' });
    await expect.poll(() => share(paletteFor(CHART_THEME).LANDA), PATIENTLY).toBeGreaterThan(0.1);
  });

  test('hatches parts of the chart that fail to load, and retries on request', async () => {
    await context.route('**/api/v2/tiles/**', (route) =>
      route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } }),
    );
    await put({});
    const notice = page.locator('leadline-chart [data-topic=tiles]');
    await notice.waitFor();
    const hatch = '#606060';
    const hatched = async () =>
      [...(await bench.shares())].some(([hex, part]) => hex === hatch && part > 0.3);
    await expect.poll(hatched, PATIENTLY).toBe(true);
    await context.unroute('**/api/v2/tiles/**');
    await notice.locator('button').click();
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => share(paletteFor(CHART_THEME).LANDA), PATIENTLY).toBeGreaterThan(0.1);
    expect(await hatched()).toBe(false);
    complaints.splice(0);
  });

  test('names the token if it is refused while the chart is open', async () => {
    await context.route('**/api/v2/tiles/enc-v2/**', (route) =>
      route.fulfill({ status: 401, headers: { 'access-control-allow-origin': '*' } }),
    );
    await put({});
    const notice = page.locator('leadline-chart [data-topic=tiles]');
    await notice.getByText('the token is missing, expired or invalid').waitFor(PATIENTLY);
    await context.unroute('**/api/v2/tiles/enc-v2/**');
    await notice.locator('button').click();
    await notice.waitFor({ state: 'detached' });
    complaints.splice(0);
  });

  test('is silent if it is removed before its first answer', async () => {
    const { promise, release } = held();
    await context.route('**/api/v2/tiles/enc-v2.json*', async (route) => {
      await promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/v2/tiles/enc-v2.json*');
    await page.evaluate(() => {
      const shown = document.querySelector('leadline-chart')!;
      const chart = document.createElement('leadline-chart');
      for (const name of ['base-url', 'token']) {
        chart.setAttribute(name, shown.getAttribute(name)!);
      }
      const heard: string[] = [];
      for (const name of ['leadline-ready', 'leadline-style', 'leadline-error']) {
        chart.addEventListener(name, () => heard.push(name));
      }
      document.body.append(chart);
      Object.assign(globalThis, { heard, removed: chart });
    });
    await asked;
    const answered = page.waitForResponse('**/api/v2/tiles/enc-v2.json*');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.evaluate(() => (globalThis as never as { removed: Element }).removed.remove());
    release();
    await answered;
    // A style would be asked for at once.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
    expect(await page.evaluate(() => (globalThis as never as { heard: string[] }).heard)).toEqual(
      [],
    );
    expect(requests.filter((url) => url.includes('base.json'))).toEqual([]);
    await context.unroute('**/api/v2/tiles/enc-v2.json*');
    complaints.splice(0);
  });

  test('reports a part of the chart that fails to load, and retries automatically', async () => {
    let lost: string | undefined;
    await context.route('**/api/v2/tiles/**', (route) => {
      const { pathname } = new URL(route.request().url());
      lost ??= pathname;
      return pathname === lost
        ? route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } })
        : route.continue();
    });
    await put({});
    const notice = page.locator('leadline-chart [data-topic=tiles]');
    await notice.waitFor();
    await context.unroute('**/api/v2/tiles/**');
    await notice.waitFor({ state: 'detached' });
    // The browser itself logs the 503.
    expect(complaints.splice(0).filter((text) => !/503/.test(text))).toEqual([]);
  });

  test('reports missing symbols until they are loaded', async () => {
    await page.unroute('**/api/v1/styles/base.json*');
    await context.route('**/sprites/**', (route) => route.fulfill({ status: 503 }));
    await put({});
    const notice = page.locator('leadline-chart [data-topic=drawing]');
    await notice.waitFor();
    // A change without a new document does not load symbols.
    await set('safety-depth', '7');
    await expect.poll(() => state('depthLimit')).toBe(7);
    expect(await notice.count()).toBe(1);
    await context.unroute('**/sprites/**');
    await notice.locator('button').click();
    await notice.waitFor({ state: 'detached' });
    const hasSymbols = () =>
      page.evaluate(() =>
        (globalThis as never as { chartMap: { hasImage(id: string): boolean } }).chartMap.hasImage(
          'BOYLAT13',
        ),
      );
    await expect.poll(hasSymbols, PATIENTLY).toBe(true);
    complaints.splice(0);
  });

  test('reports a missing MapLibre stylesheet', async () => {
    const link = (isDisabled: boolean) =>
      page.evaluate((isDisabled) => {
        document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')!.disabled = isDisabled;
      }, isDisabled);
    await link(true);
    await put({});
    await page.locator('leadline-chart [data-topic=drawing]').waitFor();
    await link(false);
    await put({});
    await expect.poll(() => share(paletteFor(CHART_THEME).LANDA), PATIENTLY).toBeGreaterThan(0.1);
    expect(await page.locator('leadline-chart [data-topic]').count()).toBe(0);
  });

  test('removes its content with the element, and shows the chart again when it returns', async () => {
    await page.evaluate(async () => {
      const chart = document.querySelector('leadline-chart')!;
      chart.remove();
      await Promise.resolve();
      await Promise.resolve();
      if (chart.querySelector('canvas') !== null) throw new Error('The map is still there.');
      document.body.append(chart);
    });
    await page.locator('leadline-chart canvas').waitFor();
    await expect.poll(() => share(paletteFor(CHART_THEME).LANDA), PATIENTLY).toBeGreaterThan(0.1);
    expect(complaints).toEqual([]);
  });
});

/** A promise, and the function that fulfils it. */
function held() {
  let release: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    release = done;
  });
  return { promise, release: () => release() };
}

/** The largest of red, green and blue of a colour as browsers write it, 0 to 255. */
const brightestOf = (color: string) =>
  Math.max(...(color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
