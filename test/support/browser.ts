// Headless Chromium with software rendering.

import { type Browser, chromium } from 'playwright-core';
import { browserPath } from './machine.ts';

export { browserPath };

export const openBrowser = (): Promise<Browser> =>
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
 * For pages with a map, before their scripts: a map draws all again for each tile that comes, and in
 * software a frame takes longer than what is new in it is worth. Ten frames a second at most; the first
 * after a pause comes at once.
 */
export function drawSeldom(): void {
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
