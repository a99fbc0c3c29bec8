// `npm run pictures:compare -- CHECKOUT`: the same cells drawn by another version of the project and by
// this one, side by side, at the places where the two differ. CHECKOUT is a folder of that version with
// its packages installed.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import type { StyleOptions } from '../../shared/style/options.ts';
import { writeDemoCharts } from '../../tiles-build/demo/write-demo-charts.ts';
import { openBrowser } from '../support/browser.ts';
import { openChart, openChartHost, pictureOf, showStyle } from '../support/chart-host.ts';
import { writeGappyCell, writeGrounds } from '../support/four-grounds.ts';
import { writtenBytes } from '../support/written-chart.ts';
import { coastCell } from './coast-cell.ts';
import { COMPARED, type Compared } from './compared.ts';
import { crowdedCell } from './crowded-cell.ts';
import { writeSmallPng } from './small-png.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SIZE = { width: 420, height: 300 };
const GAP = 4;

const command = new Command('pictures:compare')
  .description('Draw the same charts by another version of the project and by this one.')
  .argument('<checkout>', 'folder of the other version, with its packages installed')
  .option('--work <folder>', 'where cells, charts and symbols are kept between runs')
  .option('--only <names>', 'some pictures, separated by commas')
  .parse();
const options = command.opts<{ work?: string; only?: string }>();
const work = options.work ?? mkdtempSync(join(tmpdir(), 'leadline-compare-'));
const only = options.only?.split(',');

const cells = join(work, 'cells');
const background = join(work, 'background');
await writeDemoCharts(cells);
writeGappyCell(cells);
writeGrounds(background);
const crowded = crowdedCell();
for (const { name, bytes } of [{ name: crowded.name, bytes: writtenBytes(crowded) }, coastCell()]) {
  mkdirSync(join(cells, name), { recursive: true });
  writeFileSync(join(cells, name, `${name}.000`), bytes);
}

const browser = await openBrowser();
try {
  const before = await picturesOf(resolve(command.args[0]!), 'before', browser);
  const now = await picturesOf(ROOT, 'now', browser);
  for (const { name } of COMPARED) {
    const [left, right] = [before.get(name), now.get(name)];
    if (left === undefined || right === undefined) continue;
    const whole = new PNG({ width: 2 * SIZE.width + GAP, height: SIZE.height });
    whole.data.fill(255);
    PNG.bitblt(left, whole, 0, 0, SIZE.width, SIZE.height, 0, 0);
    PNG.bitblt(right, whole, 0, 0, SIZE.width, SIZE.height, SIZE.width + GAP, 0);
    writeSmallPng(join(import.meta.dirname, `compared-${name}.png`), whole);
  }
} finally {
  await browser.close();
  if (options.work === undefined) rmSync(work, { recursive: true, force: true });
}

/** The pictures of a version, by its own build, symbols and styles. */
async function picturesOf(checkout: string, version: 'before' | 'now', by: Browser) {
  const [charts, assets] = [join(work, `charts-${version}`), join(work, `assets-${version}`)];
  const run = (...words: string[]) =>
    execFileSync(process.execPath, ['--import', 'tsx', ...words], {
      cwd: checkout,
      stdio: 'inherit',
    });
  const build = ['build', '--enc', cells, '--background', background, '--out', charts];
  run('tiles-build/cli.ts', ...build, '--jobs', '2');
  run('tiles-build/symbols/build-assets.ts', '--out', assets);
  const load = (path: string) => import(pathToFileURL(join(checkout, path)).href);
  const { buildStyle } = await load('shared/style/document/build-style.ts');
  const { DEFAULT_OPTIONS } = await load('shared/style/options.ts');
  const host = await openChartHost(charts, assets, { buildStyle, DEFAULT_OPTIONS });
  const pictures = new Map<string, PNG>();
  try {
    const page = await openChart(by, host, SIZE);
    for (const compared of COMPARED) {
      if (only !== undefined && !only.includes(compared.name)) continue;
      const { center, zoom } = compared;
      await showStyle(page, host.style(choicesOf(compared, version)), { center, zoom });
      pictures.set(compared.name, await pictureOf(page));
      process.stdout.write(`${compared.name}, ${version}\n`);
    }
    await page.close();
  } finally {
    await host.stop();
  }
  return pictures;
}

function choicesOf(compared: Compared, version: 'before' | 'now'): Partial<StyleOptions> {
  return { ...compared.choices, ...(version === 'now' ? compared.choicesNow : {}) };
}
