// Chromium without a window, drawing maps in software.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium must be there in CI; elsewhere its absence is said. */
export const browserPath: string | undefined = (() => {
  const found = process.env['CHROMIUM_PATH'] ?? PATHS.find((path) => existsSync(path));
  if (found === undefined) {
    if (process.env['CI'])
      throw new Error('Chromium is missing: install it, or set CHROMIUM_PATH.');
    process.stderr.write('Skipped: tests in a browser, as Chromium is not installed.\n');
  }
  return found;
})();

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
