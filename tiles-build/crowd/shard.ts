// The public bins of a shard and their tiles.

import { zxyToTileId } from 'pmtiles';
import {
  BIN_LEVELS,
  CROWD_MAX_ZOOM,
  type CrowdBin,
  FINEST_BIN_ZOOM,
} from '../../shared/crowd/bin.ts';
import { encodeCrowdTile } from '../../shared/crowd/bin-layer.ts';
import { createPackWriter } from '../archive/pack.ts';
import { withHash, zipTile } from '../archive/tile-bytes.ts';
import { type BinContext, coarserBins, makeBin, releasePasses } from './bins.ts';
import type { BinBox, ChartDepths } from './chart-depths.ts';
import { binsOf, type PassList, RELEASED } from './passes.ts';
import { type CrowdStore, placeOf, SHARD_ZOOM, type ShardResult } from './store.ts';

/** Finest bins along a side of a shard. */
const SIDE = 2 ** (FINEST_BIN_ZOOM - SHARD_ZOOM);

export function boxOfShard(shard: string): BinBox {
  const [x, y] = placeOf(shard);
  return { fromX: x * SIDE, fromY: y * SIDE, endX: (x + 1) * SIDE, endY: (y + 1) * SIDE };
}

/** Releases the passes of bins that enough contributors sounded. */
export function releaseShard(store: CrowdStore, shard: string, contributors: Uint32Array): void {
  const passes = store.readPasses(shard);
  const order = passes.byBin();
  for (const [from, end] of binsOf(passes, order))
    releasePasses(passes, order.subarray(from, end), contributors);
  store.writePasses(shard, passes);
}

/** Makes the bins of a shard again and writes them and their tiles. */
export async function makeShard(
  store: CrowdStore,
  shard: string,
  chart: ChartDepths | undefined,
  context: Pick<BinContext, 'bias' | 'contributors'>,
): Promise<void> {
  await chart?.prepare(boxOfShard(shard));
  const passes = store.readPasses(shard);
  const result = resultOf(passes, chart, context);
  store.writeResult(shard, result);
  writeTiles(store.packPath(shard), result.bins);
}

function resultOf(
  passes: PassList,
  chart: ChartDepths | undefined,
  context: Pick<BinContext, 'bias' | 'contributors'>,
): ShardResult {
  const bins: CrowdBin[] = [];
  const tracks: Record<number, [number, number, number, number]> = {};
  const { track, platform, flags } = passes.columns;
  const tallyOf = (number: number) => {
    const tally = tracks[number] ?? [0, 0, 0, 0];
    tracks[number] = tally;
    return tally;
  };
  const full: BinContext = {
    ...context,
    chartAt: (x, y) => chart?.at(x, y),
    onContradicted: (number, soundings) => {
      tallyOf(number)[3] += soundings;
    },
  };
  const order = passes.byBin();
  for (const [from, end] of binsOf(passes, order)) {
    const indices = order.subarray(from, end);
    const bin = makeBin(passes, indices, full);
    if (bin !== undefined) bins.push(bin);
    const released = indices.filter((i) => (flags[i]! & RELEASED) !== 0);
    const groups = new Set(Array.from(released, (i) => context.contributors[platform[i]!]!));
    for (const number of new Set(Array.from(indices, (i) => track[i]!))) {
      const tally = tallyOf(number);
      tally[0]++;
      if (bin === undefined) continue;
      tally[1]++;
      // Without this contributor the bin would have too few.
      if (groups.size === 2) tally[2]++;
    }
  }
  return { bins, tracks };
}

/** Tiles from the zoom of shards to the last, in the order of their ids. */
function writeTiles(path: string, bins: readonly CrowdBin[]): void {
  const tiles: [id: number, bytes: Uint8Array][] = [];
  let level = bins;
  for (let zoom = CROWD_MAX_ZOOM; zoom >= SHARD_ZOOM; zoom--) {
    for (const tile of tilesOf(zoom, level)) tiles.push(tile);
    level = coarserBins(level);
  }
  const writer = createPackWriter(path);
  for (const [tileId, bytes] of tiles.sort(([a], [b]) => a - b)) writer.add({ tileId, bytes });
  writer.finish();
}

/** @param bins of zoom `zoom + BIN_LEVELS` */
export function tilesOf(
  zoom: number,
  bins: readonly CrowdBin[],
): [tileId: number, bytes: Uint8Array][] {
  const byTile = new Map<number, CrowdBin[]>();
  for (const bin of bins) {
    const id = zxyToTileId(zoom, bin.x >>> BIN_LEVELS, bin.y >>> BIN_LEVELS);
    const own = byTile.get(id);
    if (own === undefined) byTile.set(id, [bin]);
    else own.push(bin);
  }
  return [...byTile].map(([id, own]) => {
    const [x, y] = [own[0]!.x >>> BIN_LEVELS, own[0]!.y >>> BIN_LEVELS];
    own.sort((a, b) => a.y - b.y || a.x - b.x);
    return [id, withHash(zipTile(encodeCrowdTile({ z: zoom, x, y }, own)))];
  });
}

/** Bins of the last zoom below shards, for the tiles of the zooms above them. */
export function overviewBins(bins: readonly CrowdBin[]): readonly CrowdBin[] {
  let level = bins;
  for (let zoom = CROWD_MAX_ZOOM; zoom >= SHARD_ZOOM; zoom--) level = coarserBins(level);
  return level;
}
