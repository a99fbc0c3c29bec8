// Divides the tiles of a tileset into parts. A region is quartered until its tiles fit into a part, so
// a change of one cell moves no border elsewhere.

import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { FIRST_REGION_ZOOM } from '../../shared/chart/part-index.ts';
import { lowerBound } from '../../shared/geo/sorted.ts';
import { QUARTERS, type TileId } from '../../shared/geo/tile.ts';
import { idsBelow } from '../../shared/pmtiles/tile-ids.ts';
import type { RecordList } from '../archive/record-list.ts';

/** Maximum bytes of a part's tiles. */
export interface PartLimits {
  /** For a region larger than a tile of zoom 5, because little data is not worth many files. */
  readonly wide: number;
  readonly narrow: number;
}

const MEBI = 2 ** 20;
export const PART_LIMITS: PartLimits = { wide: 2 * MEBI, narrow: 8 * MEBI };
/** Names are distributed by hash, so the names of a cell are in many regions. */
export const NAMES_LIMITS: PartLimits = { wide: MEBI / 8, narrow: 8 * MEBI };

/** Records in [first, end). */
export interface Run {
  readonly first: number;
  readonly end: number;
}

export interface PlannedPart {
  /** Tile of the world, or `undefined` for the base. */
  readonly region: TileId | undefined;
  /** In order, at least one. */
  readonly runs: readonly Run[];
}

/** The records of a region at one zoom in one of the worlds. */
interface Layer extends Run {
  /** Zoom in the world. */
  readonly zoom: number;
  /** Column and row of the world. */
  readonly world: readonly [column: number, row: number];
}

/**
 * @param list one record per tile, in tile id order
 * @param worldZoom zoom of the tile that is one world
 * @returns the base first, then by tile id of the region
 */
export function planParts(
  list: Pick<RecordList, 'tileIds' | 'sizes'>,
  worldZoom: number,
  limits: PartLimits,
): readonly PlannedPart[] {
  const { tileIds, sizes } = list;
  const bytesBefore = new Float64Array(sizes.length + 1);
  for (const [i, size] of sizes.entries()) bytesBefore[i + 1] = bytesBefore[i]! + size;
  const parts: PlannedPart[] = [];
  const firstInRegions = zxyToTileId(FIRST_REGION_ZOOM + worldZoom, 0, 0);
  const base: Run[] = [{ first: 0, end: lowerBound(tileIds, firstInRegions) }];

  const cutTo = (layer: Layer, { z, x, y }: TileId): Layer => {
    const [column, row] = layer.world;
    const tile = { z: z + worldZoom, x: x + column * 2 ** z, y: y + row * 2 ** z };
    const { from, to } = idsBelow(tile, layer.zoom - z);
    const first = lowerBound(tileIds, from, layer.first, layer.end);
    return { ...layer, first, end: lowerBound(tileIds, to, first, layer.end) };
  };
  const visit = (region: TileId, layers: readonly Layer[]): void => {
    if (layers.length === 0) return;
    const bytes = layers.reduce(
      (sum, { first, end }) => sum + bytesBefore[end]! - bytesBefore[first]!,
      0,
    );
    const below = layers.filter(({ zoom }) => zoom > region.z);
    if (bytes <= limits[region.z < FIRST_REGION_ZOOM ? 'wide' : 'narrow'] || below.length === 0) {
      parts.push({ region, runs: inOrder(layers) });
      return;
    }
    for (const layer of layers) if (layer.zoom === region.z) base.push(layer);
    for (const [dx, dy] of QUARTERS) {
      const quarter = { z: region.z + 1, x: 2 * region.x + dx, y: 2 * region.y + dy };
      const within = below.map((layer) => cutTo(layer, quarter));
      visit(quarter, within.filter(isSome));
    }
  };

  visit(
    WORLD,
    layersOf(tileIds, worldZoom)
      .map((layer) => cutTo(layer, WORLD))
      .filter(isSome),
  );
  parts.sort((a, b) => idOf(a.region!) - idOf(b.region!));
  const runs = inOrder(base.filter(isSome));
  return runs.length === 0 ? parts : [{ region: undefined, runs }, ...parts];
}

const WORLD: TileId = { z: 0, x: 0, y: 0 };

/** The layers of all regions together, not yet cut. */
function layersOf(tileIds: Float64Array, worldZoom: number): Layer[] {
  const end = tileIds.length;
  const deepest = end === 0 ? -1 : tileIdToZxy(tileIds[end - 1]!)[0] - worldZoom;
  const layers: Layer[] = [];
  for (let zoom = FIRST_REGION_ZOOM; zoom <= deepest; zoom++) {
    for (let world = 0; world < 4 ** worldZoom; world++) {
      const side = 2 ** worldZoom;
      layers.push({ zoom, world: [world % side, Math.floor(world / side)], first: 0, end });
    }
  }
  return layers;
}

const isSome = ({ first, end }: Run): boolean => end > first;

const inOrder = (runs: readonly Run[]): Run[] =>
  runs.map(({ first, end }) => ({ first, end })).sort((a, b) => a.first - b.first);

const idOf = ({ z, x, y }: TileId): number => zxyToTileId(z, x, y);
