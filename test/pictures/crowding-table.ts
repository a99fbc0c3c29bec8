// `npm run pictures:crowding -- CHECKOUT`: how crowded harbours are at each zoom as another version of
// the project paints them and as this one does, as tables in CROWDING.md. Of
// and of real cells if they are present.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { writeDemoCharts } from '../../tiles-build/demo/write-demo-charts.ts';
import { type Crowding, crowdingAt } from '../support/crowding.ts';
import { encData, hasBusyCells, hasEncData } from '../support/enc-data.ts';
import { tileAt } from '../support/written-chart.ts';

const HEAD = `# How crowded harbours are at each zoom

Measured on nine raster tiles around the middle of a harbour in the day style, without these rules → with them.
Ink is the share of pixels that symbols, texts and lines change. A centimetre is that of a screen with 96 pixels per inch.
Symbols overlap if their centres are less than 10 pixels apart; the table counts pairs.
Written by \`npm run pictures:crowding -- CHECKOUT\`, where CHECKOUT is the version before the rules; \`test/shared/raster/crowding\` limits each value.
`;

const ROOT = resolve(import.meta.dirname, '../..');
const CANVAS = 'test/support/canvas.ts';
const ZOOMS = [8, 9, 10, 11, 12, 13, 14, 15];

const command = new Command('pictures:crowding')
  .description('Count how crowded harbours are, by another version of the project and by this one.')
  .argument('<checkout>', 'folder of the other version, with its packages installed')
  .option('--work <folder>', 'where charts and symbols are kept between runs')
  .parse();
const options = command.opts<{ work?: string }>();
const work = options.work ?? mkdtempSync(join(tmpdir(), 'leadline-crowding-'));
const versions = [
  ['before', resolve(command.args[0]!)],
  ['now', ROOT],
] as const;

const demo = join(work, 'demo-cells');
await writeDemoCharts(demo);
const WATERS = [
  { name: 'demo', title: 'The demo port', enc: [demo], center: [-20, -30.02] },
  ...(hasEncData
    ? [
        {
          name: 'tacoma',
          title: 'Tacoma',
          enc: [encData('ENC_ROOT', 'US5WA22M'), encData('ENC_ROOT', 'US1WC01M')],
          center: [-122.43, 47.275],
        },
      ]
    : []),
  ...(hasBusyCells
    ? [
        { name: 'busy', title: 'Boston', enc: [encData('ENC_BUSY')], center: [-70.98, 42.335] },
        { name: 'busy', title: 'Chesapeake', enc: [encData('ENC_BUSY')], center: [-76.386, 38.97] },
      ]
    : []),
] as const;

const found = new Map<string, Crowding[]>();
for (const [version, checkout] of versions) {
  const assets = join(work, `assets-${version}`);
  run(checkout, 'tiles-build/symbols/build-assets.ts', '--out', assets);
  const { artworkOf, dayStyle, rasterDrawer } = await load(
    checkout,
    'test/support/raster-tiles.ts',
  );
  const { Painter } = await load(checkout, 'shared/raster/paint/paint.ts');
  // Versions before the painter was WebAssembly need none.
  const { startCanvas } = existsSync(join(checkout, CANVAS)) ? await load(checkout, CANVAS) : {};
  const artwork = artworkOf(assets);
  for (const { name, title, enc, center } of WATERS) {
    const charts = join(work, `${name}-${version}`);
    mkdirSync(charts, { recursive: true });
    if (!existsSync(join(charts, 'manifest.json'))) {
      run(
        checkout,
        'tiles-build/cli.ts',
        'build',
        ...enc.flatMap((one) => ['--enc', one]),
        '--out',
        charts,
        '--jobs',
        '2',
      );
    }
    const drawer = await rasterDrawer(charts, artwork, dayStyle());
    const rows: Crowding[] = [];
    for (const zoom of ZOOMS) {
      const middle = tileAt(zoom + 1, center as readonly [number, number]);
      rows.push(await crowdingAt(drawer, new Painter(artwork, startCanvas), middle, 1));
    }
    found.set(`${title} ${version}`, rows);
    await drawer.close();
  }
}

const percent = (share: number) => (100 * share).toFixed(1);

const tables = WATERS.map(({ title }) => {
  const [before, now] = versions.map(([version]) => found.get(`${title} ${version}`)!);
  const rows = ZOOMS.map((zoom, i) => {
    const [a, b] = [before![i]!, now![i]!];
    const cells = [
      `${percent(a.ink)} → ${percent(b.ink)}`,
      `${a.symbols.toFixed(2)} → ${b.symbols.toFixed(2)}`,
      `${a.overlaps} → ${b.overlaps}`,
      `${a.soundings.toFixed(2)} → ${b.soundings.toFixed(2)}`,
    ];
    return `| ${zoom} | ${cells.join(' | ')} |`;
  });
  return `## ${title}

| zoom | ink, % | symbols a cm² | symbols on one another | soundings a cm² |
|---|---|---|---|---|
${rows.join('\n')}
`;
});
writeFileSync(join(ROOT, 'tiles-build/generalise/CROWDING.md'), `${HEAD}\n${tables.join('\n')}`);
if (options.work === undefined) rmSync(work, { recursive: true, force: true });

function run(cwd: string, ...words: string[]): void {
  execFileSync(process.execPath, ['--import', 'tsx', ...words], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function load(checkout: string, path: string) {
  return import(pathToFileURL(join(checkout, path)).href);
}
