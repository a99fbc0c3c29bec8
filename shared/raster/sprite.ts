// Extracts the images of a sprite.

import { remembered } from '../geo/map-entries.ts';

/** An image: red, green, blue and opacity, not premultiplied. */
export interface SpriteImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export type SpriteImages = (name: string) => SpriteImage | undefined;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Images of a sprite by name. @param index content of the sprite's JSON */
export function spriteImages(
  index: Readonly<Record<string, Place>>,
  sprite: SpriteImage,
): SpriteImages {
  const images = new Map<string, SpriteImage>();
  return (name) => {
    const place = Object.hasOwn(index, name) ? index[name] : undefined;
    if (place === undefined) return undefined;
    return remembered(images, name, () => cutOut(place, sprite));
  };
}

function cutOut({ x, y, width, height }: Place, sprite: SpriteImage): SpriteImage {
  const pixels = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = 4 * ((y + row) * sprite.width + x);
    pixels.set(sprite.pixels.subarray(from, from + 4 * width), 4 * row * width);
  }
  return { width, height, pixels };
}
