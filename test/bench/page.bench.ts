// The layers of the chart's style, the time of a frame while the chart moves, the time of its scripts and its calls of
// the graphics library, the time from an empty page to a complete chart, and the JavaScript that the chart page
// receives. The styles are shown in turn: that of this version, the same without symbols, and the style document at the
// path LEADLINE_STYLE_BEFORE, for example of an earlier version. The graphics are rendered in software.
// LEADLINE_STYLE_WRITTEN=path writes the style document.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Browser } from 'playwright-core';
import { writeAssets } from '../../tiles-build/symbols/write-assets.ts';
import { buildPage } from '../../workers/host/bundle/build-page.ts';
import { packAssets } from '../../workers/host/bundle/pack-assets.ts';
import { openBrowser } from '../support/browser.ts';
import { hasBusyCells } from '../support/enc-data.ts';
import { mapLibreFiles, serveFiles } from '../support/second-origin.ts';
import { type Service, startService } from '../support/service.ts';
import { busyCharts } from './bench-charts.ts';
import { goalLines } from './goals.ts';
import { quantile } from './quantile.ts';

const ROUNDS = 2;
const FRAMES = 12;
const GOALS = { layers: 140, share: 0.6, kilobytes: 400 };
/** Zoom, latitude and longitude in the busy cells: Boston and Annapolis. Otherwise those of the demo port. */
const PLACES = hasBusyCells
  ? ['14/42.335/-71.02', '12.8/42.328/-70.98', '11/42.33/-70.9', '14/38.97/-76.47']
  : ['14/-29.987/-19.988', '12/-29.985/-20.006'];
const VIEWPORT = { width: 900, height: 650 };

const HTML = `<!doctype html><meta charset="utf-8"><style>body{margin:0}#map{height:100vh}</style><div id="map"></div>
<script type="module">
  import { Map } from '/maplibre-gl.mjs';
  const { style, zoom, center } = await (await fetch('/view.json')).json();
  const map = new Map({ container: 'map', style, zoom, center, attributionControl: false, validateStyle: false });
  const idle = () => new Promise((done) => {
    map.once('idle', () => done());
    map.triggerRepaint();
  });
  let fault;
  map.on('error', ({ error }) => (fault ??= error));
  await idle();
  const completeMs = performance.now();
  const gl = map.getCanvas().getContext('webgl2');
  const calls = [];
  const draw = gl.drawElements.bind(gl);
  gl.drawElements = (...call) => {
    calls.push(0);
    draw(...call);
  };
  const frame = (direction) => {
    const before = performance.now();
    map.panBy([12 * direction, 5 * direction], { animate: false });
    map.redraw();
    const script = performance.now() - before;
    // Waits for the graphics process.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return { frame: performance.now() - before, script, calls: calls.splice(0).length };
  };
  globalThis.figures = async (count) => {
    const frames = Array.from({ length: count });
    // The way there loads the tiles.
    for (const _ of frames) frame(1);
    await idle();
    if (fault !== undefined) throw fault;
    const made = frames.map(() => frame(-1));
    const of = (kind) => made.map((one) => one[kind]);
    return { frame: of('frame'), script: of('script'), calls: of('calls'), complete: [completeMs] };
  };
</script>`;

type Kind = 'frame' | 'script' | 'calls' | 'complete';
/** Values of each kind. */
type Figures = Readonly<Record<Kind, readonly number[]>>;

export async function run(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-page-'));
  const [root, assetsDir] = [resolve(import.meta.dirname, '../..'), join(scratch, 'assets')];
  await buildPage(root, assetsDir);
  await writeAssets(root, assetsDir);
  await packAssets(assetsDir);
  const service = await startService({ charts: await busyCharts(), assetsDir, isDirect: true });
  const browser = await openBrowser();
  try {
    const style = await styleOf(service);
    await compare(browser, style);
    const kilobytes = await javaScriptOf(browser, service);
    const lines = goalLines([
      {
        name: 'layers',
        reached: style.layers.length,
        most: GOALS.layers,
        unit: '',
        cause: 'the tiles have a source layer for each class, and each needs layers of its own',
      },
      {
        name: 'JavaScript',
        reached: kilobytes,
        most: GOALS.kilobytes,
        unit: 'kB',
        cause: 'most of it is MapLibre',
      },
    ]);
    for (const line of lines) console.log(line);
  } finally {
    await browser.close();
    await service.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function styleOf(service: Service): Promise<StyleSpecification> {
  // With a token in the query, the addresses of the tiles contain it too.
  const query = `?token=${await service.token()}`;
  const served = await fetch(`${service.address}/api/v1/styles/base.json${query}`);
  const style = (await served.json()) as StyleSpecification;
  const written = process.env['LEADLINE_STYLE_WRITTEN'];
  if (written !== undefined) writeFileSync(written, JSON.stringify(style));
  return style;
}

async function compare(browser: Browser, style: StyleSpecification): Promise<void> {
  const without = style.layers.filter(({ type }) => type !== 'symbol');
  const styles: Record<string, StyleSpecification> = {
    now: style,
    'without symbols': { ...style, layers: without },
  };
  const path = process.env['LEADLINE_STYLE_BEFORE'];
  if (path !== undefined) {
    const { layers } = JSON.parse(readFileSync(path, 'utf8')) as StyleSpecification;
    styles['before'] = { ...style, layers };
  }
  const names = Object.keys(styles);
  const all: { readonly name: string; readonly figures: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const place of PLACES) {
      for (const name of names) {
        all.push({ name, figures: await figuresOf(browser, { style: styles[name]!, place }) });
      }
    }
  }
  const median = (name: string, kind: Kind) =>
    quantile(
      all.flatMap((one) => (one.name === name ? one.figures[kind] : [])),
      0.5,
    );
  for (const name of names) {
    const { layers } = styles[name]!;
    const symbols = layers.filter(({ type }) => type === 'symbol').length;
    const of = (kind: Kind) => median(name, kind).toFixed(0);
    console.log(`${name}: ${layers.length} layers, ${symbols} of symbols`);
    console.log(
      `  a frame ${of('frame')} ms, scripts ${of('script')} ms, ${of('calls')} calls; a complete chart ${of('complete')} ms`,
    );
  }
  if (path === undefined) return;
  for (const kind of ['frame', 'complete'] as const) {
    const shareOf = (name: string) => median(name, kind) / median('before', kind);
    const cause = `without symbols it is ${shareOf('without symbols').toFixed(2)}`;
    const goal = {
      name: `time of a ${kind === 'frame' ? 'frame' : 'complete chart'}`,
      reached: shareOf('now'),
      most: GOALS.share,
    };
    for (const line of goalLines([{ ...goal, unit: 'of before', cause }])) console.log(line);
  }
}

async function figuresOf(
  browser: Browser,
  { style, place }: { readonly style: StyleSpecification; readonly place: string },
): Promise<Figures> {
  const [zoom, latitude, longitude] = place.split('/').map(Number);
  const view = { style, zoom, center: [longitude, latitude] };
  const host = await serveFiles({
    '': ['text/html', HTML],
    'view.json': ['application/json', JSON.stringify(view)],
    ...mapLibreFiles('maplibre-gl.mjs'),
  });
  const page = await browser.newPage({ viewport: VIEWPORT });
  try {
    await page.goto(host.origin);
    await page.waitForFunction(() => 'figures' in globalThis, undefined, { timeout: 120_000 });
    return await page.evaluate(
      (count) =>
        (globalThis as unknown as { figures(count: number): Promise<Figures> }).figures(count),
      FRAMES,
    );
  } finally {
    await page.close();
    await host.stop();
  }
}

/** The JavaScript that the chart page receives, in kB. */
async function javaScriptOf(browser: Browser, service: Service): Promise<number> {
  const page = await browser.newPage({ viewport: VIEWPORT, serviceWorkers: 'block' });
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!/\.m?js$/.test(new URL(request.url()).pathname)) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  try {
    await page.goto(`${service.address}/#at=${PLACES[0]}&token=${await service.token()}`);
    await page.waitForFunction(() => document.querySelector('.maplibregl-canvas') !== null);
    await page.waitForLoadState('networkidle');
    const all = await Promise.all(sizes);
    return all.reduce((sum, size) => sum + size, 0) / 1000;
  } finally {
    await page.close();
  }
}
