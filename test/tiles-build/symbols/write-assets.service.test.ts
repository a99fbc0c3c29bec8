import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type WrittenAssets, writeAssets } from '../../../tiles-build/symbols/write-assets.ts';

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

/** Digest of every file below the folder, with its path. */
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

test('the index names what is there', async () => {
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

test('every font of the charts has CSS for browsers, and the font that it names is beside it', async () => {
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

test('unchanged inputs are not built again', () => {
  expect(first.state).toBe('unchanged');
});

// Every sprite and glyph is made anew here: the same inputs give the same bytes.
test('what is lost is built again, to the same bytes, and older folders go', async () => {
  const before = await contentOf();
  await rm(join(folder, 'sprites', first.index.sprites.hash, 'day.png'));
  await writeFile(join(folder, 'fonts', '000000000000'), 'an older build');
  expect((await writeAssets(ROOT, folder)).state).toBe('built');
  expect(await contentOf()).toBe(before);
});
