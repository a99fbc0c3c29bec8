import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { type WrittenAssets, writeAssets } from '../../../tiles-build/symbols/write-assets.ts';
import { isLong } from '../../support/long-run.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
let folder: string;
let first: WrittenAssets;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assets-'));
  await cp(inject('assets'), folder, { recursive: true });
  first = await writeAssets(ROOT, folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Digests of all files below the folder by path. */
async function contentOf(): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true });
  for (const path of entries.sort()) {
    if ((await stat(join(folder, path))).isFile()) {
      hash.update(path).update(await readFile(join(folder, path)));
    }
  }
  return hash.digest('hex');
}

test('the index refers to existing files', async () => {
  const { index } = first;
  expect(index.sprites.themes.dusk).toBe(`/sprites/${index.sprites.hash}/dusk`);
  for (const address of Object.values(index.sprites.themes)) {
    for (const ending of ['.json', '.png', '@2x.json', '@2x.png']) {
      expect((await stat(join(folder, address + ending))).size).toBeGreaterThan(1000);
    }
  }
  expect(index.fonts.stacks['Noto Sans Bold']).toContain('1024-1279');
  const glyphs = index.fonts.template
    .replace('{fontstack}', 'Noto Sans Bold')
    .replace('{range}', '1024-1279');
  expect((await stat(join(folder, glyphs))).size).toBeGreaterThan(1000);
});

test('every font has a CSS file with its font file next to it', async () => {
  const { fonts, webFonts } = first.index;
  const css = webFonts.files.filter((address) => address.endsWith('.css'));
  expect(css).toHaveLength(Object.keys(fonts.stacks).length);
  const italic = webFonts.template
    .replace('{font-family}', 'noto-sans')
    .replace('{fontweight}', '400')
    .replace('{-fontstyle}', '-italic');
  expect(css).toContain(italic);
  for (const address of css) {
    const text = await readFile(join(folder, address), 'utf8');
    const font = join(folder, dirname(address), /url\("([^"]+)"\)/.exec(text)![1]!);
    // The tag of TrueType outlines (OpenType 1.9, "Table Directory").
    expect((await readFile(font)).subarray(0, 4).toString('hex')).toBe('00010000');
  }
});

/** Red, green and blue at a position of the deepest imagery tiles, read with a second JPEG decoder. */
async function colorAt(longitude: number, latitude: number): Promise<number[]> {
  const { template, maxZoom: z } = first.index.imagery!;
  const [x, y] = [mercatorX(longitude) * 2 ** z, mercatorY(latitude) * 2 ** z];
  const path = template.replace('{z}/{x}/{y}', `${z}/${Math.floor(x)}/${Math.floor(y)}`);
  const data = (await readFile(join(folder, path))).toString('base64');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><image width="256"
    height="256" href="data:image/jpeg;base64,${data}"/></svg>`;
  const { pixels } = new Resvg(svg).render();
  const at = 4 * (256 * Math.floor((y % 1) * 256) + Math.floor((x % 1) * 256));
  return [...pixels.subarray(at, at + 3)];
}

test('imagery shows sea, forest, desert and ice at known positions', async () => {
  for (const [longitude, latitude] of [
    [-140, 5],
    [-30, -30],
    [80, -20],
  ] as const) {
    const [red, , blue] = await colorAt(longitude, latitude);
    expect(blue! - red!, `sea at ${longitude}, ${latitude}`).toBeGreaterThan(20);
  }
  const [red, green, blue] = await colorAt(-62, -5);
  expect(green! - Math.max(red!, blue!), 'Amazonas').toBeGreaterThan(3);
  const sahara = await colorAt(10, 24);
  expect(sahara[0]! - sahara[2]!, 'Sahara').toBeGreaterThan(30);
  for (const [longitude, latitude] of [
    [-40, 72],
    [90, -80],
  ] as const) {
    expect(Math.min(...(await colorAt(longitude, latitude))), 'ice').toBeGreaterThan(180);
  }
  // The Red Sea is ten pixels wide at this zoom.
  const sea = await Promise.all(
    [33, 37.8, 41.5].map(async (longitude) => {
      const [r, , b] = await colorAt(longitude, 21);
      return b! > r!;
    }),
  );
  expect(sea).toEqual([false, true, false]);
});

test('writeAssets does not build unchanged inputs again', () => {
  expect(first.state).toBe('unchanged');
});

test.runIf(isLong)(
  'writeAssets restores missing files with the same bytes and removes old folders',
  async () => {
    const before = await contentOf();
    await rm(join(folder, 'sprites', first.index.sprites.hash, 'day.png'));
    await writeFile(join(folder, 'fonts', '000000000000'), 'an older build');
    expect((await writeAssets(ROOT, folder)).state).toBe('built');
    expect(await contentOf()).toBe(before);
  },
);
