// Derives a tile from an ancestor by scaling, clipping and encoding. This is correct for every tile
// that an archive does not contain, because each stored tile is complete.

import { type Box, clipLine, type Flat } from '../geo/clip-box.ts';
import { splitPolygon } from '../geo/split-polygon.ts';
import type { TileId } from '../geo/tile.ts';
import { decodeTile, polygonsOf, type TileFeature, type TileLayer } from './decode.ts';
import { EXTENT, encodeTile } from './encode.ts';
import { builderOf } from './merge.ts';

/** Buffer of areas and lines beyond the tile border, in units; equal to the build's. */
export const TILE_BUFFER = 80;

/** What areas and lines are cut to. */
export const BUFFERED_TILE: Box = {
  left: -TILE_BUFFER,
  top: -TILE_BUFFER,
  right: EXTENT + TILE_BUFFER,
  bottom: EXTENT + TILE_BUFFER,
};

/**
 * Derive `tile` from the bytes of its ancestor `from`. Features with a SCAMIN zoom (`mz`) are kept;
 * the style hides them. The result can be empty.
 */
export function overzoomTile(bytes: Uint8Array, from: TileId, tile: TileId): Uint8Array {
  if (tile.z === from.z) return bytes;
  return encodeTile(overzoomLayers(decodeTile(bytes), from, tile).map(builderOf));
}

/** Like `overzoomTile` for decoded layers. */
export function overzoomLayers(
  layers: readonly TileLayer[],
  from: TileId,
  tile: TileId,
): readonly TileLayer[] {
  const scale = 2 ** (tile.z - from.z);
  if (scale === 1) return layers;
  const shiftX = (tile.x - from.x * scale) * EXTENT;
  const shiftY = (tile.y - from.y * scale) * EXTENT;
  return layers.map(({ name, extent, features }) => {
    const factor = (scale * EXTENT) / extent;
    const kept = features.flatMap((feature) => {
      const paths = feature.paths.map((path) => moved(path, factor, shiftX, shiftY));
      return cut(feature, paths) ?? [];
    });
    return { name, extent: EXTENT, features: kept };
  });
}

function moved(path: Flat, factor: number, shiftX: number, shiftY: number): Flat {
  const out: Flat = new Array(path.length);
  for (let i = 0; i < path.length; i += 2) {
    out[i] = Math.round(path[i]! * factor - shiftX);
    out[i + 1] = Math.round(path[i + 1]! * factor - shiftY);
  }
  return out;
}

function cut(feature: TileFeature, paths: readonly Flat[]): TileFeature | undefined {
  if (feature.type === 1) {
    const inside: Flat = [];
    const all = paths[0]!;
    for (let i = 0; i < all.length; i += 2) {
      const x = all[i]!;
      const y = all[i + 1]!;
      // Half-open, as in the build, so that a point belongs to only one tile.
      if (x >= 0 && y >= 0 && x < EXTENT && y < EXTENT) inside.push(x, y);
    }
    return inside.length === 0 ? undefined : { ...feature, paths: [inside] };
  }
  const kept =
    feature.type === 2
      ? paths.flatMap((path) => clipLine(path, BUFFERED_TILE))
      : polygonsOf(paths).flatMap((polygon) => splitPolygon(polygon, BUFFERED_TILE).flat());
  return kept.length === 0 ? undefined : { ...feature, paths: kept };
}
