// `npm run pictures`: the demo port as the chart page shows it, in three themes, with three safety
// depths, in three units and with other choices, and the page itself, kept as documentation. Take and
// check them again after a change of how charts look.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { BASE_THEMES, DEPTH_UNITS } from '../../shared/style/options.ts';
import { writeAssets } from '../../tiles-build/symbols/write-assets.ts';
import { buildPage } from '../../workers/host/bundle/build-page.ts';
import { demoCharts } from '../bench/bench-charts.ts';
import { openBrowser } from '../support/browser.ts';
import { settled } from '../support/chart-page.ts';
import { type Service, startService } from '../support/service.ts';
import { takePagePictures } from './page-pictures.ts';
import { writeSmallPng } from './small-png.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SIDE = { width: 440, height: 360 };
const GAP = 4;
const AT = '12.6/-29.985/-20.006';
/** Cables and restricted water near the port. */
const AT_LIMITS = '11.8/-30.03/-20.055';
const DEPTHS_METERS = [2, 5, 12];
/** Larger than the picture, so that its middle is clear of the page's controls. */
const VIEWPORT = { width: 1400, height: 900 };

const assets = mkdtempSync(join(tmpdir(), 'leadline-pictures-'));
await buildPage(ROOT, assets);
await writeAssets(ROOT, assets);
const { demo } = await demoCharts();
const service = await startService({ charts: demo, assetsDir: assets });
const browser = await openBrowser();
try {
  const themes = [];
  for (const theme of BASE_THEMES) {
    for (const depth of DEPTHS_METERS) themes.push(`theme=${theme}&depthLimit=${depth}`);
  }
  await pictureSideBySide('themes-and-depths.png', themes);
  await pictureSideBySide(
    'units.png',
    DEPTH_UNITS.map((unit) => `depthUnits=${unit}`),
  );
  await pictureSideBySide(
    'choices.png',
    ['symbols=paper', 'boundaries=symbolized&lightText=false', 'theme=day'],
    AT_LIMITS,
  );
  await takePagePictures(service, browser);
} finally {
  await browser.close();
  await service.stop();
  rmSync(assets, { recursive: true, force: true });
}

/** Pictures side by side, three in a row. */
async function pictureSideBySide(name: string, choices: readonly string[], at = AT): Promise<void> {
  const rows = Math.ceil(choices.length / 3);
  const whole = new PNG({
    width: 3 * SIDE.width + 2 * GAP,
    height: rows * SIDE.height + (rows - 1) * GAP,
  });
  whole.data.fill(255);
  for (const [i, choice] of choices.entries()) {
    const picture = await pictureOf(service, browser, `at=${at}&${choice}`);
    const x = (i % 3) * (SIDE.width + GAP);
    const y = Math.floor(i / 3) * (SIDE.height + GAP);
    PNG.bitblt(picture, whole, 0, 0, SIDE.width, SIDE.height, x, y);
    process.stdout.write(`${name}: ${choice}\n`);
  }
  writeSmallPng(join(import.meta.dirname, name), whole);
}

async function pictureOf(from: Service, by: Browser, choice: string): Promise<PNG> {
  const page = await by.newPage({ viewport: VIEWPORT });
  try {
    await page.goto(`${from.address}/#${choice}&token=${await from.token()}`);
    await settled(page);
    const clip = {
      x: (VIEWPORT.width - SIDE.width) / 2,
      y: (VIEWPORT.height - SIDE.height) / 2,
      ...SIDE,
    };
    return PNG.sync.read(await page.screenshot({ clip }));
  } finally {
    await page.close();
  }
}
