// Symbols and glyphs for raster tiles, read once per isolate from the same static assets that maps
// load.

import { decode } from 'fast-png';
import { remembered } from '../../../shared/geo/map-entries.ts';
import type { TileLayer } from '../../../shared/mvt/decode.ts';
import {
  fallbackGlyphs,
  type Glyph,
  type GlyphSet,
  readGlyphRange,
} from '../../../shared/raster/glyphs.ts';
import type { Artwork } from '../../../shared/raster/paint/paint.ts';
import { type SpriteImages, spriteImages } from '../../../shared/raster/sprite.ts';
import type { AssetsIndex } from '../../../shared/style/assets-index.ts';
import { fontsOf } from '../../../shared/style/fonts.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';

const RANGE_SIZE = 256;
/** Glyph ranges for the style's own texts: digits and words, the drying line, small digits. */
const ALWAYS = [0, 768, 8192];

export interface LoadedArtwork extends Artwork {
  /** Loads the glyphs that the texts of a tile may need. @throws ApiError 503 */
  loadLettersOf(layers: readonly TileLayer[]): Promise<void>;
}

/** Cache: the assets never change within a deployment. */
let held: LoadedArtwork | undefined;

/** @throws ApiError 503 if the assets cannot be read */
export async function rasterArtwork(env: Env, index: AssetsIndex): Promise<LoadedArtwork> {
  if (held !== undefined) return held;
  const images = await guarded(() => readSprite(env, index.sprites.themes.day));
  const letters = new Letters(env, index);
  await letters.load(ALWAYS);
  // Another request may have loaded it in the meantime. All requests must use the same letters,
  // because the painter keeps the artwork that it got first.
  held ??= {
    images,
    glyphs: (fonts) => letters.of(fonts),
    loadLettersOf: (layers) => letters.load(rangesOf(layers)),
  };
  return held;
}

async function readSprite(env: Env, address: string): Promise<SpriteImages> {
  const places = JSON.parse(new TextDecoder().decode(await readAsset(env, `${address}.json`)));
  const picture = decode(await readAsset(env, `${address}.png`));
  if (picture.channels !== 4 || picture.depth !== 8)
    throw new Error('the sprite is not 8-bit RGBA');
  return spriteImages(places, {
    width: picture.width,
    height: picture.height,
    pixels: picture.data as Uint8Array,
  });
}

/** Glyphs of all fonts, loaded by range when texts need them. */
class Letters {
  readonly #env: Env;
  readonly #index: AssetsIndex;
  readonly #fonts = new Map<string, Map<number, Glyph>>();
  /** By font list; a style has only a few. */
  readonly #stacks = new Map<string, GlyphSet>();
  readonly #loaded = new Set<number>();

  constructor(env: Env, index: AssetsIndex) {
    this.#env = env;
    this.#index = index;
    for (const font of Object.keys(index.fonts.stacks)) this.#fonts.set(font, new Map());
  }

  of(fonts: string): GlyphSet {
    return remembered(this.#stacks, fonts, () =>
      fallbackGlyphs(fontsOf(fonts).flatMap((font) => this.#fonts.get(font) ?? [])),
    );
  }

  async load(ranges: Iterable<number>): Promise<void> {
    const missing = [...ranges].filter((range) => !this.#loaded.has(range));
    await guarded(() => Promise.all(missing.map((range) => this.#loadRange(range))));
  }

  async #loadRange(first: number): Promise<void> {
    const name = `${first}-${first + RANGE_SIZE - 1}`;
    const { stacks, template } = this.#index.fonts;
    const having = Object.keys(stacks).filter((font) => stacks[font]!.includes(name));
    await Promise.all(
      having.map(async (font) => {
        const path = template.replace('{fontstack}', encodeURIComponent(font));
        const bytes = await readAsset(this.#env, path.replace('{range}', name));
        const glyphs = this.#fonts.get(font)!;
        for (const [code, glyph] of readGlyphRange(new Uint8Array(bytes))) glyphs.set(code, glyph);
      }),
    );
    this.#loaded.add(first);
  }
}

/** There are many texts, and most contain only characters of the first range. */
const BEYOND_FIRST = /[\u0100-\uffff]/;

/** First code points of the glyph ranges that the texts of a tile need. */
function rangesOf(layers: readonly TileLayer[]): Set<number> {
  const ranges = new Set<number>();
  for (const { features } of layers) {
    for (const { properties } of features) {
      for (const key in properties) {
        const text = properties[key];
        if (typeof text !== 'string' || !BEYOND_FIRST.test(text)) continue;
        for (let i = 0; i < text.length; i++) {
          const code = text.charCodeAt(i);
          if (code >= RANGE_SIZE) ranges.add(code - (code % RANGE_SIZE));
        }
      }
    }
  }
  return ranges;
}

async function readAsset(env: Env, path: string): Promise<ArrayBuffer> {
  const found = await env.ASSETS?.fetch(`https://assets.invalid${path}`);
  if (found?.status !== 200) throw new Error(`${path} is missing`);
  return found.arrayBuffer();
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    logFault('raster artwork', error);
    throw new ApiError('artwork_unavailable');
  }
}
