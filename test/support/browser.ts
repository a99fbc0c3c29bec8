// Headless Chromium with software rendering.

import { type Browser, chromium } from 'playwright-core';
import { browserPath } from './machine.ts';

export { browserPath };

/** Few pixels and no fading, because drawing is done in software. Tests that compare pixels set a factor of 1. */
const LIGHTLY_DRAWN = { deviceScaleFactor: 0.5, reducedMotion: 'reduce' } as const;

/** Opens a browser. In tests, its pages draw at most ten frames a second. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launch();
  // Benchmarks measure the speed of maps.
  if (process.env['VITEST'] === undefined) return browser;
  const open = browser.newContext.bind(browser);
  // `newPage` calls it too.
  browser.newContext = async (options) => {
    const context = await open({ ...LIGHTLY_DRAWN, ...options });
    await context.addInitScript(drawSeldom);
    return context;
  };
  return browser;
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      // Pages are put together without shaders: a third of the time of drawing, which is in software.
      '--disable-gpu-compositing',
      // Most pages live for seconds: only what runs far more often than usual is worth optimizing,
      // which otherwise takes a fifth of the time of opening a chart.
      '--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=60000',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });

/**
 * Runs before the scripts of a page. A map draws everything again for each tile that arrives, and in software a frame
 * takes longer than its new part is worth. The first frame after a pause comes at once.
 */
function drawSeldom(): void {
  const frameMs = 100;
  const [request, cancel] = [requestAnimationFrame, cancelAnimationFrame];
  const withdrawals = new Map<number, () => void>();
  let lastId = 0;
  let lastFrame = Number.NEGATIVE_INFINITY;
  globalThis.requestAnimationFrame = (callback) => {
    const id = ++lastId;
    const draw = () => {
      const frame = request((now) => {
        withdrawals.delete(id);
        lastFrame = now;
        callback(now);
      });
      withdrawals.set(id, () => cancel(frame));
    };
    const pause = lastFrame + frameMs - performance.now();
    if (pause > 0) {
      const timer = setTimeout(draw, pause);
      withdrawals.set(id, () => clearTimeout(timer));
    } else draw();
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    withdrawals.get(id)?.();
    withdrawals.delete(id);
  };
}
