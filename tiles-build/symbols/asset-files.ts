// All asset files as bytes in memory, and the index that names them. `write-assets.ts` writes them.

import { createHash } from 'node:crypto';
import { zipFiles } from '../../shared/region/stored-zip.ts';
import { ASSETS_INDEX_NAME, type AssetsIndex } from '../../shared/style/assets-index.ts';
import { BASE_THEMES, THEMES, type Theme } from '../../shared/style/options.ts';
import { paletteFor } from '../../shared/style/palette.ts';
import { FONT_STACKS, type FontStack, glyphRanges, rangeName } from './glyph-ranges.ts';
import { spriteImages } from './sprite-images.ts';
import { renderSprite } from './sprite-picture.ts';
import { WEB_FONT_TEMPLATE, webFontFiles } from './web-fonts.ts';
import { IMAGERY_ATTRIBUTION, IMAGERY_MAX_ZOOM, worldImageryFiles } from './world-imagery.ts';

/** Path below the asset folder, mapped to content. */
type AssetFiles = ReadonlyMap<string, Uint8Array>;

export const SPRITE_RATIOS = [1, 2] as const;

/** All asset files. The index is last, so that it never names a file that does not exist yet. */
export async function makeAssetFiles(inputs: string): Promise<AssetFiles> {
  const sprites = makeSpriteFiles();
  const { files: fonts, stacks } = await makeGlyphFiles();
  const webFonts = await webFontFiles();
  const imagery = worldImageryFiles();
  const imageryHash = contentHash(imagery);
  const spriteHash = contentHash(sprites);
  const fontHash = contentHash(fonts);
  const webFontHash = contentHash(webFonts);
  const offline = zipFiles(offlineFiles(sprites, fonts));
  const offlineHash = contentHash(new Map([['artwork', offline.bytes]]));
  const index: AssetsIndex = {
    format: 1,
    inputs,
    sprites: {
      hash: spriteHash,
      themes: byKey(THEMES, (theme: Theme) => `/sprites/${spriteHash}/${theme}`),
    },
    fonts: {
      hash: fontHash,
      template: `/fonts/${fontHash}/{fontstack}/{range}.pbf`,
      stacks,
    },
    webFonts: {
      hash: webFontHash,
      template: `/web-fonts/${webFontHash}/${WEB_FONT_TEMPLATE}`,
      files: [...webFonts.keys()].map((name) => `/web-fonts/${webFontHash}/${name}`),
    },
    imagery: {
      hash: imageryHash,
      template: `/imagery/${imageryHash}/{z}/{x}/{y}.jpg`,
      maxZoom: IMAGERY_MAX_ZOOM,
      attribution: IMAGERY_ATTRIBUTION,
    },
    offline: {
      hash: offlineHash,
      file: `/offline/${offlineHash}.bin`,
      bytes: offline.bytes.length,
      members: [...offline.members],
    },
  };
  return new Map([
    ...below(`sprites/${spriteHash}`, sprites),
    ...below(`fonts/${fontHash}`, fonts),
    ...below(`web-fonts/${webFontHash}`, webFonts),
    ...below(`imagery/${imageryHash}`, imagery),
    [`offline/${offlineHash}.bin`, offline.bytes] as const,
    [ASSETS_INDEX_NAME, jsonBytes(index, 2)] as const,
  ]);
}

/**
 * Assets of a region file: sprites of the themes of its styles, and all glyphs, by their names in
 * the zip.
 */
function* offlineFiles(sprites: AssetFiles, fonts: AssetFiles): Generator<[string, Uint8Array]> {
  for (const [name, bytes] of sprites) {
    if (BASE_THEMES.some((theme) => name.startsWith(`${theme}.`) || name.startsWith(`${theme}@`))) {
      yield [`sprites/${name}`, bytes];
    }
  }
  for (const [name, bytes] of fonts) yield [`glyphs/${name}`, bytes];
}

/** `day.json`, `day.png`, `day@2x.json`, … for each theme. */
export function makeSpriteFiles(): AssetFiles {
  const files = new Map<string, Uint8Array>();
  for (const theme of THEMES) {
    const images = spriteImages(theme);
    for (const ratio of SPRITE_RATIOS) {
      const { png, index } = renderSprite(images, paletteFor(theme), ratio);
      const name = ratio === 1 ? theme : `${theme}@2x`;
      files.set(`${name}.json`, jsonBytes(index));
      files.set(`${name}.png`, png);
    }
  }
  return files;
}

async function makeGlyphFiles() {
  const files = new Map<string, Uint8Array>();
  const stacks: Partial<Record<FontStack, readonly string[]>> = {};
  for (const stack of FONT_STACKS) {
    const ranges = await glyphRanges(stack);
    for (const { start, bytes } of ranges) files.set(`${stack}/${rangeName(start)}.pbf`, bytes);
    stacks[stack] = ranges.map(({ start }) => rangeName(start));
  }
  return { files, stacks: stacks as AssetsIndex['fonts']['stacks'] };
}

/** Digest of names and contents, short enough for a URL. */
function contentHash(files: AssetFiles): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  return hash.digest('hex').slice(0, 12);
}

function below(folder: string, files: AssetFiles): [string, Uint8Array][] {
  return [...files].map(([name, bytes]) => [`${folder}/${name}`, bytes]);
}

function jsonBytes(value: unknown, indent = 0): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, indent)}\n`);
}

function byKey<Key extends string>(keys: readonly Key[], make: (key: Key) => string) {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, string>;
}
