// Chromium without a window, drawing maps in software.

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
