// The public bins of a shard and their tiles.

import { zxyToTileId } from 'pmtiles';
import {
  BIN_LEVELS,
  CROWD_MAX_ZOOM,
  type CrowdBin,
  FINEST_BIN_ZOOM,
} from '../../shared/crowd/bin.ts';
import { encodeCrowdTile } from '../../shared/crowd/bin-layer.ts';
import { pushTo } from '../../shared/geo/map-entries.ts';
import { createPackWriter } from '../archive/pack.ts';
import { withHash, zipTile } from '../archive/tile-bytes.ts';
import { groundOf, ratioOf } from './bed-fit.ts';
import { type BinContext, coarserBins, makeBin, releasePasses, supportBin } from './bins.ts';
import type { BinBox, ChartDepths } from './chart-depths.ts';
import { binsOf, FORMER, PassList } from './passes.ts';
import {
  type CrowdStore,
  newTally,
  placeOf,
  SHARD_ZOOM,
  type ShardResult,
  type TrackTally,
} from './store.ts';

/** Finest bins along a side of a shard. */
const SIDE = 2 ** (FINEST_BIN_ZOOM - SHARD_ZOOM);

export function boxOfShard(shard: string): BinBox {
  const [x, y] = placeOf(shard);
  return { fromX: x * SIDE, fromY: y * SIDE, endX: (x + 1) * SIDE, endY: (y + 1) * SIDE };
}

type ShardContext = Pick<BinContext, 'bias' | 'contributors' | 'leastContributors'>;

/** Releases the passes of bins that enough contributors sounded. */
export function releaseShard(
  store: CrowdStore,
  shard: string,
  rules: Parameters<typeof releasePasses>[2],
): void {
  const passes = store.readPasses(shard);
  const order = passes.byBin();
  const replaced = new Set<number>();
  for (const [from, end] of binsOf(passes, order))
    for (const i of releasePasses(passes, order.subarray(from, end), rules)) replaced.add(i);
  const kept = new PassList(Math.max(1, passes.count));
  kept.addFrom(passes, (i) => !replaced.has(i));
  store.writePasses(shard, kept);
}

/** Makes the bins of a shard again and writes them and their tiles. */
export async function makeShard(
  store: CrowdStore,
  shard: string,
  chart: ChartDepths | undefined,
  context: ShardContext,
): Promise<void> {
  await chart?.prepare(boxOfShard(shard));
  const passes = store.readPasses(shard);
  const result = resultOf(passes, chart, context);
  store.writeResult(shard, result);
  writeTiles(store.packPath(shard), result.bins, SHARD_ZOOM, CROWD_MAX_ZOOM);
}

function resultOf(
  passes: PassList,
  chart: ChartDepths | undefined,
  context: ShardContext,
): ShardResult {
  const tracks: Record<number, TrackTally> = {};
  const { x, y, track, platform, count, flags } = passes.columns;
  const tallyOf = (number: number): TrackTally => (tracks[number] ??= newTally());
  const full: BinContext = {
    ...context,
    chartAt: (x, y) => chart?.at(x, y),
    onContradicted: (number, soundings) => {
      tallyOf(number).contradicted += soundings;
    },
  };
  const ground = groundOf(passes);
  const order = passes.byBin();
  const places = [...binsOf(passes, order)].flatMap(([from, end]) => {
    const indices = order.subarray(from, end);
    const isLand = full.chartAt(x[order[from]!]!, y[order[from]!]!)?.isLand === true;
    if (!isLand) return { indices, supported: supportBin(passes, indices, ground, full) };
    for (const i of indices) if ((flags[i]! & FORMER) === 0) tallyOf(track[i]!).land += count[i]!;
    return [];
  });
  const ratio = ratioOf(places.flatMap(({ supported }) => supported?.fit ?? []));
  const bins: CrowdBin[] = [];
  for (const { indices, supported } of places) {
    const bin = supported && makeBin(passes, supported, ratio, full);
    if (bin !== undefined) bins.push(bin);
    const accountOf = (index: number) => context.contributors.accounts[platform[index]!]!;
    const first = new Map<number, number>();
    for (const i of indices) if (!first.has(accountOf(i))) first.set(accountOf(i), track[i]!);
    const supporting = new Set(supported?.kept.map(({ index }) => accountOf(index)));
    for (const [account, number] of first) {
      const tally = tallyOf(number);
      tally.bins++;
      if (bin === undefined || !supporting.has(account)) continue;
      tally.publicBins++;
      if (bin.platforms === context.leastContributors) tally.addedBins++;
      if (bin.diff !== undefined) tally.shoals++;
    }
  }
  return { bins, tracks };
}

/** Writes tiles in the order of their ids. @param bins of zoom `last + BIN_LEVELS` */
export function writeTiles(
  path: string,
  bins: readonly CrowdBin[],
  first: number,
  last: number,
): void {
  const tiles: [id: number, bytes: Uint8Array][] = [];
  let level = bins;
  for (let zoom = last; zoom >= first; zoom--) {
    for (const tile of tilesOf(zoom, level)) tiles.push(tile);
    level = coarserBins(level);
  }
  const writer = createPackWriter(path);
  for (const [tileId, bytes] of tiles.sort(([a], [b]) => a - b)) writer.add({ tileId, bytes });
  writer.finish();
}

/** @param bins of zoom `zoom + BIN_LEVELS` */
function tilesOf(zoom: number, bins: readonly CrowdBin[]): [tileId: number, bytes: Uint8Array][] {
  const byTile = new Map<number, CrowdBin[]>();
  for (const bin of bins) {
    const id = zxyToTileId(zoom, bin.x >>> BIN_LEVELS, bin.y >>> BIN_LEVELS);
    pushTo(byTile, id, bin);
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
