// Determines the blocks that a raster tile shows. Style zooms refer to tiles of 512 pixels, so a
// raster tile of 256 pixels at zoom z shows map zoom z − 1, and one block contains four raster
// tiles.

import type { TileId } from '../geo/tile.ts';
import { TILE_PIXELS } from './display-list.ts';

/** A block with the position of its corner in pixels of the raster tile. */
interface WindowBlock {
  readonly tile: TileId;
  readonly left: number;
  readonly top: number;
  readonly isOwn: boolean;
}

export interface Window {
  /** Map zoom that the tile shows. */
  readonly zoom: number;
  readonly blockPixels: number;
  readonly blocks: readonly WindowBlock[];
}

/** The blocks within a tile's width of the raster tile, also across 180°. */
export function windowOf({ z, x, y }: TileId): Window {
  const zoom = Math.max(0, z - 1);
  const blockPixels = z === 0 ? TILE_PIXELS : 2 * TILE_PIXELS;
  const perBlock = blockPixels / TILE_PIXELS;
  const across = 2 ** zoom;
  const blocks: WindowBlock[] = [];
  for (let by = Math.floor((y - 1) / perBlock); by <= Math.floor((y + 1) / perBlock); by++) {
    if (by < 0 || by >= across) continue;
    for (let bx = Math.floor((x - 1) / perBlock); bx <= Math.floor((x + 1) / perBlock); bx++) {
      blocks.push({
        tile: { z: zoom, x: ((bx % across) + across) % across, y: by },
        left: (bx * perBlock - x) * TILE_PIXELS,
        top: (by * perBlock - y) * TILE_PIXELS,
        isOwn: bx === Math.floor(x / perBlock) && by === Math.floor(y / perBlock),
      });
    }
  }
  return { zoom, blockPixels, blocks };
}
