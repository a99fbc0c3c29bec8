// Bins as a vector tile: one layer of squares and one of their centres.

import type { TileId } from '../geo/tile.ts';
import { decodeTile } from '../mvt/decode.ts';
import { EXTENT, encodeTile, LayerBuilder, pointCommands, polygonCommands } from '../mvt/encode.ts';
import { BIN_LEVELS, BINS_PER_SIDE, type CrowdBin, type PlacedBin } from './bin.ts';

/** Squares, for fills. */
export const CROWD_LAYER = 'crowd_depth';
/** Centres of the squares with the same attributes, for labels and symbols. */
export const CROWD_POINT_LAYER = 'crowd_depth_point';

/** Attributes of both layers. All are numbers, except `from` and `to` (texts) and `reduced`. */
export const CROWD_ATTRIBUTES = [
  'depth',
  'least',
  'median',
  'unc',
  'count',
  'platforms',
  'from',
  'to',
  'reduced',
  'charted',
  'diff',
] as const satisfies readonly (keyof CrowdBin)[];

const SIDE = EXTENT / BINS_PER_SIDE;

/** @param bins bins of this tile, at its zoom + `BIN_LEVELS`; bins outside the tile are an error */
export function encodeCrowdTile(tile: TileId, bins: Iterable<CrowdBin>): Uint8Array {
  const squares = new LayerBuilder(CROWD_LAYER);
  const centres = new LayerBuilder(CROWD_POINT_LAYER);
  for (const bin of bins) {
    const left = (bin.x - tile.x * BINS_PER_SIDE) * SIDE;
    const top = (bin.y - tile.y * BINS_PER_SIDE) * SIDE;
    if (left < 0 || top < 0 || left >= EXTENT || top >= EXTENT) {
      throw new RangeError(`Bin ${bin.x}/${bin.y} is outside tile ${tile.z}/${tile.x}/${tile.y}.`);
    }
    const properties = propertiesOf(bin);
    const [right, bottom] = [left + SIDE, top + SIDE];
    squares.add(
      0,
      3,
      properties,
      polygonCommands([[[left, top, right, top, right, bottom, left, bottom]]]),
    );
    centres.add(0, 1, properties, pointCommands([left + SIDE / 2, top + SIDE / 2]));
  }
  return encodeTile([squares, centres]);
}

function propertiesOf(bin: CrowdBin): Record<string, number | string | boolean> {
  const properties: Record<string, number | string | boolean> = {};
  for (const name of CROWD_ATTRIBUTES) {
    const value = bin[name];
    if (value !== undefined) properties[name] = value;
  }
  return properties;
}

/**
 * The bins of a stored tile.
 * @param tile the tile as it is stored, not one made by overzoom
 * @throws Error if the bytes are not a vector tile
 */
export function decodeCrowdTile(tile: TileId, bytes: Uint8Array): PlacedBin[] {
  const layers = decodeTile(bytes, (name) => name === CROWD_POINT_LAYER);
  const bins: PlacedBin[] = [];
  for (const { properties, paths } of layers[0]?.features ?? []) {
    const [u, v] = paths[0]!;
    bins.push({
      ...(properties as unknown as CrowdBin),
      zoom: tile.z + BIN_LEVELS,
      x: tile.x * BINS_PER_SIDE + Math.floor(u! / SIDE),
      y: tile.y * BINS_PER_SIDE + Math.floor(v! / SIDE),
    });
  }
  return bins;
}
