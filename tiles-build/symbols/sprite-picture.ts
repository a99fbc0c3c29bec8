// One sprite: images packed into a picture, with the index that the MapLibre style
// specification describes (https://maplibre.org/maplibre-style-spec/sprite/).

import potpack from 'potpack';
import type { Palette } from '../../shared/style/palette.ts';
import { imageToSvg, type SpriteImage } from './sprite-images.ts';
import { svgDocument, svgToPng } from './svg-png.ts';

export interface SpriteEntry {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

interface SpritePicture {
  readonly png: Uint8Array;
  readonly index: Readonly<Record<string, SpriteEntry>>;
}

/**
 * Transparent pixels between images, so that filtering at an edge does not include the neighbour.
 */
const GAP = 1;

export function renderSprite(
  images: readonly SpriteImage[],
  palette: Palette,
  ratio: 1 | 2,
): SpritePicture {
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
