// Optional programs and data for tests: real cells, GDAL, nginx, Python clients, Chromium. Tests that need missing ones
// are skipped, and the end of a run lists them. In CI only real cells may be missing.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/**
 * The headless shell comes first: in the other browsers each page opens a window with its own
 * documents, which takes a fourth of the time to open a chart.
 */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Folder of the development data: `LEADLINE_ENC_DIR`, or `../shared/data`. */
export const ENC_DATA = process.env['LEADLINE_ENC_DIR'] ?? join(ROOT, '..', 'shared', 'data');
export const hasEncData = existsSync(join(ENC_DATA, 'ENC_ROOT'));

export const hasGdal = runs('ogr2ogr', '--version');
export const hasNginx = runs('nginx', '-v');

/** Debian's Python sees the packages of `apt-get`; another one may come first in the path. */
export const PYTHON = '/usr/bin/python3';
export const hasPythonClients =
  runs('java', '-version') &&
  runs(PYTHON, '-c', 'import certifi, dateutil, requests, six, urllib3');

export const browserPath: string | undefined =
  process.env['CHROMIUM_PATH'] ?? CHROMIUM.find((path) => existsSync(path));

/** Whatever is missing: the support file of the tests that need it, and the solution. */
export const ABSENT: readonly { readonly support: string; readonly message: string }[] = [
  {
    support: 'test/support/enc-data.ts',
    isThere: hasEncData,
    message: `tests on real cells: ${ENC_DATA} has no folder ENC_ROOT (set LEADLINE_ENC_DIR)`,
  },
  {
    support: 'test/support/gdal.ts',
    isThere: hasGdal,
    message: 'comparisons with GDAL: ogr2ogr is missing (install gdal-bin)',
  },
  {
    support: 'test/support/nginx.ts',
    isThere: hasNginx,
    message: 'tests behind nginx: nginx is missing (install it)',
  },
  {
    support: 'test/support/python-client.ts',
    isThere: hasPythonClients,
    message:
      'tests of Python clients: Java or packages of Python are missing (install default-jre-headless, python3-certifi, python3-dateutil, python3-requests, python3-six and python3-urllib3)',
  },
  {
    support: 'test/support/browser.ts',
    isThere: browserPath !== undefined,
    message: 'tests in a browser: Chromium is missing (install it, or set CHROMIUM_PATH)',
  },
].filter(({ isThere }) => !isThere);

if (process.env['CI']) {
  const mustBe = ABSENT.find(({ support }) => support !== 'test/support/enc-data.ts');
  if (mustBe !== undefined) throw new Error(`CI may not skip ${mustBe.message}.`);
}

function runs(program: string, ...options: string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
