// The built-in imagery for `showSatellite`: Natural Earth II, a picture of the world's land cover
// in the public domain (naturalearthdata.com, terms of use). The source is the copy in the package
// @cesium/engine, which is resampled to web map tiles.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { decode, encode } from 'jpeg-js';
import { latitudeAt } from '../../shared/geo/mercator.ts';

export const IMAGERY_ATTRIBUTION = 'Natural Earth';
/**
 * Deepest zoom of the 256-pixel tiles: there, at the equator, a pixel of the picture is a pixel of
 * the map.
 */
export const IMAGERY_MAX_ZOOM = 3;

const TILE = 256;
/**
 * Tiles of the source picture, which are in degrees, with two adjacent ones at zoom 0 (TMS,
 * geodetic).
 */
const SOURCE_ZOOM = 2;
const WIDTH = 2 * TILE * 2 ** SOURCE_ZOOM;
const HEIGHT = WIDTH / 2;
const QUALITY = 82;
const CHANNELS = 4;
const OPAQUE = 255;

/** Path below the imagery folder, mapped to a JPEG file. */
export function worldImageryFiles(): Map<string, Uint8Array> {
  const world = worldPicture();
  const files = new Map<string, Uint8Array>();
  for (let z = 0; z <= IMAGERY_MAX_ZOOM; z++) {
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) {
        files.set(`${z}/${x}/${y}.jpg`, mercatorTile(world, z, x, y));
      }
    }
  }
  return files;
}

/** The whole picture, north up: red, green, blue and an unused byte, by row. */
function worldPicture(): Uint8Array {
  const require = createRequire(import.meta.url);
  const folder = join(
    dirname(require.resolve('@cesium/engine/package.json')),
    'Source/Assets/Textures/NaturalEarthII',
    String(SOURCE_ZOOM),
  );
  const world = new Uint8Array(WIDTH * HEIGHT * CHANNELS);
  for (let column = 0; column < WIDTH / TILE; column++) {
    for (let row = 0; row < HEIGHT / TILE; row++) {
      // Rows of a TMS start in the south.
      const file = join(folder, String(column), `${HEIGHT / TILE - 1 - row}.jpg`);
      const { data } = decode(readFileSync(file), { useTArray: true });
      for (let line = 0; line < TILE; line++) {
        const from = line * TILE * CHANNELS;
        const to = ((row * TILE + line) * WIDTH + column * TILE) * CHANNELS;
        world.set(data.subarray(from, from + TILE * CHANNELS), to);
      }
    }
  }
  return world;
}

/** A tile of the Mercator square; each pixel is the mean of the source pixels that it covers. */
function mercatorTile(world: Uint8Array, z: number, x: number, y: number): Uint8Array {
  const side = TILE * 2 ** z;
  const data = new Uint8Array(TILE * TILE * CHANNELS).fill(OPAQUE);
  const across = WIDTH / side;
  const columns = Array.from({ length: TILE }, (_, column) => {
    const left = (x * TILE + column) * across;
    return middles(left, left + across, WIDTH);
  });
  const lineOf = (unit: number) => ((90 - latitudeAt(unit)) / 180) * HEIGHT;
  for (let line = 0; line < TILE; line++) {
    const top = lineOf((y * TILE + line) / side);
    const bottom = lineOf((y * TILE + line + 1) / side);
    const lines = middles(top, bottom, HEIGHT);
    for (const [column, own] of columns.entries()) {
      putMean(data, (line * TILE + column) * CHANNELS, world, own, lines);
    }
  }
  return encode({ data, width: TILE, height: TILE }, QUALITY).data;
}

/** Writes the mean colour of a box of pixels to a position of a tile. */
function putMean(
  tile: Uint8Array,
  at: number,
  world: Uint8Array,
  [fromX, toX]: Span,
  [fromY, toY]: Span,
): void {
  let [red, green, blue] = [0, 0, 0];
  for (let y = fromY; y <= toY; y++) {
    for (let x = fromX; x <= toX; x++) {
      const from = (y * WIDTH + x) * CHANNELS;
      red += world[from]!;
      green += world[from + 1]!;
      blue += world[from + 2]!;
    }
  }
  const count = (toX - fromX + 1) * (toY - fromY + 1);
  tile[at] = red / count;
  tile[at + 1] = green / count;
  tile[at + 2] = blue / count;
}

type Span = readonly [first: number, last: number];

/**
 * The range of pixels, of `most`, whose centres are between two positions. If the range is empty,
 * the nearest pixel.
 */
function middles(from: number, to: number, most: number): Span {
  const first = Math.ceil(from - 0.5);
  const last = Math.ceil(to - 0.5) - 1;
  if (last >= first) return [Math.max(first, 0), Math.min(last, most - 1)];
  const nearest = Math.min(Math.max(Math.floor((from + to) / 2), 0), most - 1);
  return [nearest, nearest];
}
