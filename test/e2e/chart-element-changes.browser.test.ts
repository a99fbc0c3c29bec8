// <leadline-chart>: routes for an invalid draft and beyond 180°, following the position after other moves of the
// chart and after a fault of the receiver, and picks beyond 180°.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath } from '../support/browser.ts';
import { PATIENTLY } from '../support/chart-page.ts';
import { type ElementPage, openElementPage } from '../support/element-page.ts';

interface Globals {
  readonly chart: { follow: string | undefined; zoom: number; center: number[] };
  readonly chartMap: { zoomTo(zoom: number): unknown; isMoving(): boolean };
  /** The callbacks of the last `watchPosition`. */
  readonly receiver: { found(position: object): void; failed(error: object): void };
}

describe.runIf(browserPath !== undefined)('a chart element', () => {
  let bench: ElementPage;
  let page: Page;
  beforeAll(async () => {
    bench = await openElementPage();
    page = bench.page;
    await bench.put({ center: '-20.01,-30.045', zoom: '12' });
    await page.waitForFunction(() => 'chartMap' in globalThis);
  });
  afterAll(() => bench?.stop());

  const notice = (topic: string) => page.locator(`leadline-chart [data-topic=${topic}]`);
  const follow = () => page.locator('leadline-chart').getAttribute('follow');

  it('plans no route while the draft is invalid, and routes beyond 180° when it is valid', async () => {
    const asked: { waypoints: number[][]; vessel: object }[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/routing/route')) asked.push(request.postDataJSON());
    });
    await bench.set('draft', '1,8');
    await bench.set('route', '339.98,-30.05 340,-30.04');
    await notice('attributes').getByText('draft must be a number').waitFor();
    for (const draft of ['NaN', '']) {
      await bench.set('draft', draft);
      expect(await notice('attributes').textContent()).toContain('draft must be a number');
    }
    await bench.set('draft', '2');
    await expect
      .poll(async () => (await bench.eventsOf('leadline-route')).length, PATIENTLY)
      .toBe(1);
    expect(asked).toMatchObject([{ vessel: { draft: 2 } }]);
    const [[, first], [, second]] = asked[0]!.waypoints as [number[], number[]];
    expect([first, second]).toEqual([expect.closeTo(-20.02, 9), -20]);
    expect(await bench.eventsOf('leadline-route')).toMatchObject([{ success: true }]);
    await bench.set('draft', '');
    await notice('attributes').waitFor();
    expect(asked).toHaveLength(1);
    await bench.set('route', null);
    await bench.set('draft', null);
  });

  it('follows the position again after a fault of the receiver', async () => {
    await page.evaluate(() => {
      navigator.geolocation.watchPosition = (found, failed) => {
        Object.assign(globalThis, { receiver: { found, failed } });
        return 1;
      };
      (globalThis as never as Globals).chart.follow = 'north-up';
    });
    await page.waitForFunction(() => 'receiver' in globalThis);
    await locate(page, -20);
    await page.evaluate(() =>
      (globalThis as never as Globals).receiver.failed({ code: 3, PERMISSION_DENIED: 1 }),
    );
    await notice('position').waitFor();
    expect(await follow()).toBe('north-up');
    await locate(page, -19.99);
    await notice('position').waitFor({ state: 'detached' });
    expect(await follow()).toBe('north-up');
  });

  it('follows the position after a zoom and a change of size, and stops after any other move', async () => {
    await page.setViewportSize({ width: 650, height: 520 });
    await page.evaluate(() => (globalThis as never as Globals).chartMap.zoomTo(13.5));
    await bench.set('zoom', '13');
    await expect
      .poll(() => page.evaluate(() => (globalThis as never as Globals).chart.zoom))
      .toBe(13);
    await page.mouse.move(200, 200);
    for (const zoom of [() => page.mouse.wheel(0, 200), () => page.mouse.dblclick(200, 200)]) {
      // On a busy machine the zoom begins late, and two clicks can be too far apart for a double click, or be taken
      // for a drag. Then the chart is to follow again before the next attempt.
      const zoomAndFollow = async () => {
        await bench.set('follow', 'north-up');
        await page.waitForFunction(() => !(globalThis as never as Globals).chartMap.isMoving());
        const before = await page.evaluate(() => (globalThis as never as Globals).chart.zoom);
        await zoom();
        const isZoomed = page.waitForFunction(
          (zoomBefore) => {
            const { chart, chartMap } = globalThis as never as Globals;
            return chart.zoom !== zoomBefore && !chartMap.isMoving();
          },
          before,
          { timeout: 10_000 },
        );
        return isZoomed.then(() => isFollowedTo(page, -19.985)).catch(() => false);
      };
      await expect.poll(zoomAndFollow, PATIENTLY).toBe(true);
    }
    await locate(page, -19.985);
    expect(await follow()).toBe('north-up');
    const moves = [
      () => page.locator('leadline-chart canvas').press('ArrowLeft'),
      () => bench.set('center', '-20.1,-30.1'),
    ];
    for (const move of moves) {
      await bench.set('follow', 'north-up');
      await locate(page, -19.985);
      // A move while the chart still goes to the position can be lost on a busy machine.
      await page.waitForFunction(() => !(globalThis as never as Globals).chartMap.isMoving());
      const moveAgain = async () => {
        await move();
        return follow();
      };
      await expect.poll(moveAgain, { ...PATIENTLY, interval: 2000 }).toBe(null);
    }
    await send(page, -19.98);
    const [longitude] = await page.evaluate(() => (globalThis as never as Globals).chart.center);
    expect(longitude).toBeCloseTo(-20.1, 6);
  });

  it('stops following if the user blocks the position', async () => {
    await bench.set('follow', 'north-up');
    await page.evaluate(() =>
      (globalThis as never as Globals).receiver.failed({ code: 1, PERMISSION_DENIED: 1 }),
    );
    await notice('position').getByText('location access is blocked').waitFor();
    expect(await follow()).toBe(null);
  });

  it('reports the longitude of a pick on a copy of the world within ±180', async () => {
    await bench.set('pick', '');
    await bench.set('zoom', '3');
    await bench.set('center', '175,-30');
    // 170 of the 4,096 pixels around the globe, to the east of the middle.
    await page.mouse.click(page.viewportSize()!.width / 2 + 170, 250);
    const picks = () => bench.eventsOf('leadline-pick');
    await expect.poll(async () => (await picks()).length, PATIENTLY).toBe(1);
    expect((await picks())[0]!['longitude']).toBeCloseTo(175 + (170 / 4096) * 360 - 360, 3);
  });

  it('takes properties set before its definition, and leaves no container without WebGL', async () => {
    const left = await page.evaluate(async () => {
      HTMLCanvasElement.prototype.getContext = () => null;
      const name = 'own-chart';
      const chart = document.createElement(name);
      Object.assign(chart, { token: 'pk.none', pick: true, safetyDepth: 7 });
      customElements.define(name, class extends (customElements.get('leadline-chart')!) {});
      document.body.replaceChildren(chart);
      for (const units of ['feet', 'meters']) {
        await new Promise((done) => setTimeout(done));
        chart.setAttribute('units', units);
      }
      const given = ['pick', 'safety-depth', 'token'].map((one) => chart.getAttribute(one));
      return { given, children: chart.childElementCount };
    });
    expect(left).toEqual({ given: ['', '7', 'pk.none'], children: 0 });
    const errors = await bench.eventsOf('leadline-error');
    expect(errors.at(-1)).toMatchObject({ topic: 'drawing' });
  });

  it('causes no console errors in these tests', () => {
    expect(bench.complaints).toEqual([]);
  });
});

/** Sends a position to the page, and repeats it, as receivers do, until the chart has followed it. */
const locate = (page: Page, longitude: number): Promise<void> =>
  expect.poll(() => isFollowedTo(page, longitude), PATIENTLY).toBe(true);

/** Sends a position to the page. Returns whether the chart followed it. */
async function isFollowedTo(page: Page, longitude: number): Promise<boolean> {
  await send(page, longitude);
  const waited = page.waitForFunction(
    (longitude) => {
      const { chart, chartMap } = globalThis as never as Globals;
      return !chartMap.isMoving() && Math.abs(chart.center[0]! - longitude) < 1e-5;
    },
    longitude,
    { timeout: 10_000 },
  );
  return waited.then(() => true).catch(() => false);
}

const send = (page: Page, longitude: number): Promise<void> =>
  page.evaluate((longitude) => {
    const coords = { longitude, latitude: -30.04, accuracy: 10, heading: null, speed: null };
    (globalThis as never as Globals).receiver.found({ coords });
  }, longitude);
