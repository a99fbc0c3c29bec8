// One sprite sheet: images packed into a picture, with the index that the MapLibre style
// specification describes (https://maplibre.org/maplibre-style-spec/sprite/).

import { Resvg } from '@resvg/resvg-js';
import potpack from 'potpack';
import type { Palette } from '../../shared/style/palette.ts';
import { imageToSvg, type SpriteImage } from './sprite-images.ts';

export interface SpriteEntry {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

export interface SpriteSheet {
  readonly png: Uint8Array;
  readonly index: Readonly<Record<string, SpriteEntry>>;
}

/** Transparent pixels between images, so that filtering at an edge sees none of the neighbour. */
const GAP = 1;

export function renderSheet(
  images: readonly SpriteImage[],
  palette: Palette,
  ratio: 1 | 2,
): SpriteSheet {
  const boxes = images.map((image) => ({
    image,
    w: image.width * ratio + GAP,
    h: image.height * ratio + GAP,
    x: 0,
    y: 0,
  }));
  const { w: width, h: height } = potpack(boxes);
  const byName = boxes.sort((a, b) => (a.image.name < b.image.name ? -1 : 1));
  const content = byName.map(({ image, x, y }) => imageToSvg(image, palette, { x, y, ratio }));
  const entries = byName.map(({ image, x, y }): [string, SpriteEntry] => [
    image.name,
    { x, y, width: image.width * ratio, height: image.height * ratio, pixelRatio: ratio },
  ]);
  return {
    png: svgToPng(svgDocument(width, height, content.join(''))),
    index: Object.fromEntries(entries),
  };
}

export function svgDocument(width: number, height: number, content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `${content}</svg>`
  );
}

/** `fontFiles` are needed only where a document has text. */
export function svgToPng(svg: string, fontFiles: readonly string[] = []): Uint8Array {
  const font = { loadSystemFonts: false, fontFiles: [...fontFiles] };
  return new Resvg(svg, { font }).render().asPng();
}
