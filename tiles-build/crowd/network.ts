// The network of crossings: what each platform measured in the bins that several contributors sounded,
// and in those with a charted sounding of a good survey.

import { FINEST_BIN_ZOOM } from '../../shared/crowd/bin.ts';
import { SIGMAS_95 } from '../../shared/crowd/track-tides.ts';
import { BiasNetwork, type Observation } from './bias.ts';
import type { ChartDepths } from './chart-depths.ts';
import type { Contributors } from './contributors.ts';
import { binsOf, type PassList, RELEASED, UNREDUCED } from './passes.ts';
import { boxOfShard } from './shard.ts';
import type { CrowdStore } from './store.ts';

/** Variance of a pass from the bed, the echo and the waves, metres squared. */
const PASS_VARIANCE = 0.2 ** 2;
/** A charted sounding stands for a point in the bin. */
const POINT_SIGMA = 0.3;
/** A tile of zoom 14 stands for a survey: its soundings share their reduction to chart datum. */
const SURVEY_LEVELS = FINEST_BIN_ZOOM - 14;
/** More observations are sampled by bin: enough for any number of platforms, and bounded memory. */
const MAX_OBSERVATIONS = 4_000_000;

export async function networkOf(
  store: CrowdStore,
  contributors: Contributors,
  chart: ChartDepths | undefined,
  onShard: (done: number) => void = () => undefined,
): Promise<BiasNetwork> {
  const shards = store.shards();
  const network = new BiasNetwork(contributors);
  let passesLeft = 0;
  for (const shard of shards) passesLeft += store.countPasses(shard);
  const share = Math.min(1, MAX_OBSERVATIONS / Math.max(1, passesLeft));
  for (const [done, shard] of shards.entries()) {
    onShard(done);
    await chart?.prepare(boxOfShard(shard));
    addShard(network, store.readPasses(shard), contributors, chart, share);
  }
  return network;
}

function addShard(
  network: BiasNetwork,
  passes: PassList,
  contributors: Contributors,
  chart: ChartDepths | undefined,
  share: number,
): void {
  const { x, y, flags } = passes.columns;
  const order = passes.byBin();
  for (const [from, end] of binsOf(passes, order)) {
    const first = order[from]!;
    if (share < 1 && hashOf(x[first]!, y[first]!) >= share) continue;
    const indices = order
      .subarray(from, end)
      .filter((i) => (flags[i]! & (UNREDUCED | RELEASED)) === RELEASED);
    if (indices.length === 0) continue;
    const charted = chart?.at(x[first]!, y[first]!);
    if (charted?.isLand === true) continue;
    const observations = observationsOf(passes, indices);
    const isCrossing = contributors.secondOf(observations.map(({ platform }) => platform)) > 0;
    const survey =
      charted?.sounding === undefined
        ? undefined
        : {
            depth: charted.sounding,
            sigma: Math.hypot(charted.uncertainty / SIGMAS_95, POINT_SIGMA),
            survey: (y[first]! >> SURVEY_LEVELS) * 2 ** 21 + (x[first]! >> SURVEY_LEVELS),
          };
    if (!isCrossing && survey === undefined) continue;
    network.addBin(observations, survey);
    for (const i of indices) {
      const { platform, day, tide } = passes.columns;
      network.addDay(platform[i]!, day[i]!, tide[i]! ** 2);
    }
  }
}

/** One observation for each platform in a bin. */
function observationsOf({ columns }: PassList, indices: Uint32Array): Observation[] {
  const sums = new Map<number, { depth: number; tide: number; count: number }>();
  for (const i of indices) {
    const platform = columns.platform[i]!;
    const sum = sums.get(platform) ?? { depth: 0, tide: 0, count: 0 };
    sums.set(platform, sum);
    sum.depth += columns.mean[i]!;
    sum.tide += columns.tide[i]! ** 2;
    sum.count++;
  }
  return Array.from(sums, ([platform, { depth, tide, count }]) => ({
    platform,
    depth: depth / count,
    variance: (PASS_VARIANCE + tide / count) / count,
  }));
}

/** From 0 to below 1, always the same for a bin. */
function hashOf(x: number, y: number): number {
  let bits = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 32;
}
