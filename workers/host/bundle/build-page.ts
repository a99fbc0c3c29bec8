// The chart page and its libraries as static files, the way the platform's assets will serve them.

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { build } from 'esbuild';
import { pageNavigation } from '../../service/http/page-navigation.ts';
import { PAGE_FILES } from '../../web/chart/offline/kept-answers.ts';
import { buildGuides } from './build-guides.ts';

/** Write the pages below `assetsDir`: documents at its root, scripts and styles under `page/`. */
export async function buildPage(root: string, assetsDir: string): Promise<void> {
  const source = join(root, 'workers', 'web', 'chart');
  const pages = ['chart/start', 'chart/chart', 'chart/playground/playground', 'docs/docs'];
  const target = join(assetsDir, 'page');
  await mkdir(target, { recursive: true });
  await build({
    entryPoints: [
      { in: join(source, 'demo.ts'), out: 'demo' },
      ...pages.flatMap((name) =>
        ['ts', 'css'].map((ending) => ({
          in: join(root, 'workers', 'web', `${name}.${ending}`),
          out: basename(name),
        })),
      ),
      { in: join(root, 'workers/web/docs/guides.ts'), out: 'guides' },
      // For pages of other origins.
      { in: join(root, 'workers/web/client/chart/define.ts'), out: 'leadline-chart' },
      { in: join(root, 'node_modules/maplibre-gl/dist/maplibre-gl.css'), out: 'leadline-chart' },
    ],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    sourcemap: false,
    outdir: target,
    logLevel: 'error',
  });
  const portal = join(root, 'workers', 'web', 'portal');
  await buildPortal(portal, target);
  for (const [folder, page, path] of [
    [source, 'index.html', '/'],
    [source, 'playground.html', '/playground.html'],
    [portal, 'portal.html', '/portal'],
  ] as const) {
    const text = await readFile(join(folder, page), 'utf8');
    await writeFile(join(assetsDir, page), text.replaceAll('<nav></nav>', pageNavigation(path)));
  }
  await buildGuides(root, assetsDir);
  for (const file of ['icon.svg', 'manifest.webmanifest', 'chart-page.png']) {
    await copyFile(join(source, file), join(target, file));
  }
  await writeIcons(join(source, 'icon.svg'), target);
  // Browsers look for it at the root, for documents that name no icon.
  await writeFile(join(assetsDir, 'favicon.ico'), await icoOf(join(source, 'icon.svg')));
  // The map library starts its worker from a file of its own, which must come from this host.
  const library = join(root, 'node_modules', 'maplibre-gl', 'dist', 'maplibre-gl-worker.mjs');
  await copyFile(library, join(target, 'maplibre-gl-worker.mjs'));
  await buildServiceWorker(source, assetsDir);
}

const PORTAL_STYLES = ['portal.css', 'style-tool.css', 'chart-map.css', 'report-map.css'];

/** The portal, whose sections are modules of their own. Modules of former builds are removed. */
async function buildPortal(source: string, target: string): Promise<void> {
  const { metafile } = await build({
    metafile: true,
    entryPoints: ['portal.ts', ...PORTAL_STYLES].map((name) => join(source, name)),
    entryNames: '[name]',
    chunkNames: 'portal-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    outdir: target,
    logLevel: 'error',
  });
  const outputs = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  const old = (await readdir(target)).filter(
    (name) => /^portal-\w+\.js$/.test(name) && !outputs.has(name),
  );
  await Promise.all(old.map((name) => rm(join(target, name), { force: true })));
}

/** Pixels to each side that systems may cut off a maskable icon: a tenth (W3C, Web Application Manifest). */
const MASKED = 0.1;

/** PNG icons for systems that do not support SVG. */
async function writeIcons(drawing: string, target: string): Promise<void> {
  const svg = await readFile(drawing, 'utf8');
  const whole = svg.replace(/viewBox="0 0 (\d+) \d+"/, (_, side: string) => {
    const edge = Number(side) * MASKED;
    return `viewBox="${[-edge, -edge, Number(side) + 2 * edge, Number(side) + 2 * edge].join(' ')}"`;
  });
  const icons = [
    ['icon-192.png', svg, 192, undefined],
    ['icon-512.png', svg, 512, undefined],
    ['icon-maskable.png', whole, 512, '#0b3d5c'],
  ] as const;
  for (const [name, text, width, background] of icons) {
    const options = { fitTo: { mode: 'width', value: width }, ...(background && { background }) };
    const picture = new Resvg(text, options as ConstructorParameters<typeof Resvg>[1]).render();
    await writeFile(join(target, name), picture.asPng());
  }
}

/** An icon file of PNG pictures: six bytes, sixteen for each picture, then the pictures. */
async function icoOf(drawing: string): Promise<Buffer> {
  const svg = await readFile(drawing, 'utf8');
  const pictures = [16, 32, 48].map((side) => ({
    side,
    png: new Resvg(svg, { fitTo: { mode: 'width', value: side } }).render().asPng(),
  }));
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [i, { side, png }] of pictures.entries()) {
    const at = 6 + 16 * i;
    head.writeUInt8(side, at);
    head.writeUInt8(side, at + 1);
    // One plane of 32 bits.
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** Built last, because it contains a digest of the files of the page. */
async function buildServiceWorker(source: string, assetsDir: string): Promise<void> {
  const hash = createHash('sha256');
  for (const path of PAGE_FILES) {
    hash.update(await readFile(join(assetsDir, path === '/' ? 'index.html' : path)));
  }
  const digest = JSON.stringify(hash.digest('hex').slice(0, 16));
  await build({
    entryPoints: [join(source, 'offline', 'service-worker.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    define: { PAGE_DIGEST: digest },
    outfile: join(assetsDir, 'chart-worker.js'),
    logLevel: 'error',
  });
}
