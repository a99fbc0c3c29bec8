// Raster tiles drawn from an archive on disk by the same parts that the Worker uses, so that a test
// can look at the display list and at styles that the service does not serve.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { decode } from 'fast-png';
import { ancestor, type TileId } from '../../shared/geo/tile.ts';
import { decodeTile, type TileLayer } from '../../shared/mvt/decode.ts';
import { overzoomLayers } from '../../shared/mvt/overzoom.ts';
import type { PreparedBlock } from '../../shared/raster/block.ts';
import { type CompiledLayer, compileStyle } from '../../shared/raster/compile-style.ts';
import { composeTile } from '../../shared/raster/compose-tile.ts';
import { type DisplayList, TILE_PIXELS } from '../../shared/raster/display-list.ts';
import { fallbackGlyphs, type Glyph, readGlyphRange } from '../../shared/raster/glyphs.ts';
import type { Artwork } from '../../shared/raster/paint/paint.ts';
import { prepareBlock } from '../../shared/raster/prepare-block.ts';
import { spriteImages } from '../../shared/raster/sprite.ts';
import { windowOf } from '../../shared/raster/window.ts';
import { WindowMarks } from '../../shared/raster/window-marks.ts';
import type { AssetsIndex } from '../../shared/style/assets-index.ts';
import { buildStyle } from '../../shared/style/document/build-style.ts';
import { fontsOf } from '../../shared/style/fonts.ts';
import { CHART_SOURCE } from '../../shared/style/layers/layer.ts';
import { DEFAULT_OPTIONS, type StyleOptions } from '../../shared/style/options.ts';
import { openArchive } from '../../tiles-build/archive/file-source.ts';
import { wholeArchive } from './whole-archive.ts';

/** The artwork of a folder of assets, as `npm run assets` leaves it. */
export function artworkOf(assets: string): Artwork {
  const index = JSON.parse(readFileSync(join(assets, 'assets.json'), 'utf8')) as AssetsIndex;
  const sprite = join(assets, index.sprites.themes.day);
  const sheet = decode(readFileSync(`${sprite}.png`));
  const images = spriteImages(JSON.parse(readFileSync(`${sprite}.json`, 'utf8')), {
    width: sheet.width,
    height: sheet.height,
    pixels: sheet.data as Uint8Array,
  });
  const fonts = new Map<string, Map<number, Glyph>>();
  for (const [font, ranges] of Object.entries(index.fonts.stacks)) {
    const glyphs = new Map<number, Glyph>();
    for (const range of ranges) {
      const path = index.fonts.template.replace('{fontstack}', font).replace('{range}', range);
      for (const [code, glyph] of readGlyphRange(readFileSync(join(assets, path)))) {
        glyphs.set(code, glyph);
      }
    }
    fonts.set(font, glyphs);
  }
  const glyphs = (list: string) =>
    fallbackGlyphs(fontsOf(list).flatMap((font) => fonts.get(font) ?? []));
  return { images, glyphs };
}

/** The day style that raster tiles are drawn with. */
export function dayStyle(options: Partial<StyleOptions> = {}): StyleSpecification {
  const nowhere = 'https://nowhere.test/';
  return buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: { tiles: nowhere, sprite: nowhere, glyphs: nowhere, reports: nowhere },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
  });
}

/** The style without its texts. */
export function withoutTexts(style: StyleSpecification): StyleSpecification {
  const layers = style.layers.filter(
    (layer) => !(layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined),
  );
  return { ...style, layers };
}

export interface RasterDrawer {
  readonly style: readonly CompiledLayer[];
  displayList(tile: TileId): Promise<DisplayList>;
  close(): Promise<void>;
}

/** Draws display lists from the vector tiles in a folder of charts. */
export async function rasterDrawer(
  charts: string,
  artwork: Artwork,
  document: StyleSpecification,
): Promise<RasterDrawer> {
  const { archive, close } = await openArchive(wholeArchive(charts, 'enc-v2'));
  const { maxZoom } = await archive.getHeader();
  const style = compileStyle(document, CHART_SOURCE);
  const known = new Map<string, PreparedBlock>();

  async function layersOf(tile: TileId): Promise<readonly TileLayer[]> {
    for (let z = Math.min(tile.z, maxZoom); z >= 0; z--) {
      const from = ancestor(tile, z);
      const found = await archive.getZxy(from.z, from.x, from.y);
      if (found !== undefined) {
        return overzoomLayers(decodeTile(new Uint8Array(found.data)), from, tile);
      }
    }
    return [];
  }

  return {
    style,
    close,
    displayList: async (tile) => {
      const { zoom, blockPixels, blocks } = windowOf(tile);
      const set = [];
      for (const one of blocks) {
        const key = `${blockPixels}/${one.tile.z}/${one.tile.x}/${one.tile.y}`;
        let block = known.get(key);
        if (block === undefined) {
          const layers = await layersOf(one.tile);
          const iconSize = (name: string) => {
            const image = artwork.images(name);
            return image === undefined ? undefined : ([image.width, image.height] as const);
          };
          const { glyphs } = artwork;
          block = prepareBlock({ layers, style, zoom, blockPixels, glyphs, iconSize });
          if (known.size > 64) known.clear();
          known.set(key, block);
        }
        set.push({ ...one, block });
      }
      const [originX, originY] = [tile.x * TILE_PIXELS, tile.y * TILE_PIXELS];
      const marks = new WindowMarks(set, blockPixels);
      return composeTile({ blocks: set, marks, style, zoom, originX, originY });
    },
  };
}
