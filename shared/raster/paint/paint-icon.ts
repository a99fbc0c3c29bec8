// Icons: on whole pixels where they stand upright, sampled between pixels where they are turned.

import { type IconItem, TILE_PIXELS } from '../display-list.ts';
import type { SpriteImage } from '../sprite.ts';
import type { Surface } from './surface.ts';

const SIZE = TILE_PIXELS;

export function paintIcon(surface: Surface, icon: IconItem, image: SpriteImage): void {
  if (icon.turnDegrees === undefined) paintUpright(surface, icon, image);
  else paintTurned(surface, icon, image, (icon.turnDegrees * Math.PI) / 180);
}

function paintUpright(surface: Surface, { x, y }: IconItem, image: SpriteImage): void {
  const { width, height, pixels } = image;
  // The image's pixel that a tile's pixel shows is the one its middle falls on.
  const left = Math.round(x - width / 2);
  const top = Math.round(y - height / 2);
  for (let row = Math.max(0, -top); row < height && top + row < SIZE; row++) {
    for (let column = Math.max(0, -left); column < width && left + column < SIZE; column++) {
      const i = 4 * (row * width + column);
      const alpha = pixels[i + 3]!;
      if (alpha === 0) continue;
      surface.blend(
        (top + row) * SIZE + left + column,
        pixels[i]!,
        pixels[i + 1]!,
        pixels[i + 2]!,
        alpha / 255,
      );
    }
  }
}

function paintTurned(surface: Surface, { x, y }: IconItem, image: SpriteImage, turn: number): void {
  const { width, height, pixels } = image;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const reachX = (Math.abs(width * cos) + Math.abs(height * sin)) / 2 + 1;
  const reachY = (Math.abs(width * sin) + Math.abs(height * cos)) / 2 + 1;
  const lastX = Math.min(SIZE, Math.ceil(x + reachX));
  const lastY = Math.min(SIZE, Math.ceil(y + reachY));
  for (let py = Math.max(0, Math.floor(y - reachY)); py < lastY; py++) {
    for (let px = Math.max(0, Math.floor(x - reachX)); px < lastX; px++) {
      const dx = px + 0.5 - x;
      const dy = py + 0.5 - y;
      // Back into the image, where its pixels' middles are whole numbers.
      const u = dx * cos + dy * sin + width / 2 - 0.5;
      const v = dy * cos - dx * sin + height / 2 - 0.5;
      if (u <= -1 || v <= -1 || u >= width || v >= height) continue;
      const column = Math.floor(u);
      const row = Math.floor(v);
      let red = 0;
      let green = 0;
      let blue = 0;
      let alpha = 0;
      for (let corner = 0; corner < 4; corner++) {
        const cx = column + (corner & 1);
        const cy = row + (corner >> 1);
        if (cx < 0 || cy < 0 || cx >= width || cy >= height) continue;
        const i = 4 * (cy * width + cx);
        const own = pixels[i + 3]!;
        if (own === 0) continue;
        const share =
          Math.abs(1 - (corner & 1) - (u - column)) * Math.abs(1 - (corner >> 1) - (v - row));
        const weight = own * share;
        alpha += weight;
        red += pixels[i]! * weight;
        green += pixels[i + 1]! * weight;
        blue += pixels[i + 2]! * weight;
      }
      if (alpha > 0) {
        surface.blend(py * SIZE + px, red / alpha, green / alpha, blue / alpha, alpha / 255);
      }
    }
  }
}
