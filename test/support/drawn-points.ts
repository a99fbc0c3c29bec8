// Points that the tiles of a written chart hold at a zoom, with their places on the screen.

import type { TileFeature } from '../../shared/mvt/decode.ts';
import { tileAt, type WrittenChart } from './written-chart.ts';

type Place = readonly [longitude: number, latitude: number];

/** Pixels of a zoom, from the world's upper left corner. */
export interface At {
  readonly x: number;
  readonly y: number;
}

export interface DrawnPoint extends At {
  readonly feature: TileFeature;
}

/** Features of a layer at a zoom, over all tiles of a box. */
export function drawnIn(
  chart: WrittenChart,
  [west, south, east, north]: readonly [number, number, number, number],
  layer: string,
  zoom: number,
): DrawnPoint[] {
  const from = tileAt(zoom, [west, north]);
  const to = tileAt(zoom, [east, south]);
  const found: DrawnPoint[] = [];
  for (let x = from.x; x <= to.x; x++) {
    for (let y = from.y; y <= to.y; y++) {
      for (const feature of chart.tile(layer, { z: zoom, x, y })) {
        const [dx, dy] = feature.paths[0]!;
        found.push({ feature, x: x * 512 + dx! / 8, y: y * 512 + dy! / 8 });
      }
    }
  }
  return found;
}

export function pixelsAt(zoom: number, place: Place): At {
  const { z, x, y } = tileAt(28, place);
  return { x: (x / 2 ** (z - zoom)) * 512, y: (y / 2 ** (z - zoom)) * 512 };
}

export const distance = (a: At, b: At): number => Math.hypot(a.x - b.x, a.y - b.y);
