// Compares the depths from a simulated fleet with the true bed.

import type { CrowdBin } from '../../shared/crowd/bin.ts';
import type { CrowdUpdate } from '../../tiles-build/crowd/build-crowd.ts';
import type { CrowdStore } from '../../tiles-build/crowd/store.ts';
import { centreOf, type Fleet } from './fleet.ts';

export interface FleetResults {
  readonly bins: number;
  /** Platforms with an estimated bias, and the share of them within 0.15 m. */
  readonly connected: number;
  readonly biasesWithin: number;
  /** Share of bins whose interval around the median contains the bed at the centre. */
  readonly intervals: number;
  /** Share of bins that do not show more depth than the bed at the centre plus the uncertainty. */
  readonly safe: number;
  /** The same for the least true depth of the bin. Boats sounded only a part of it. */
  readonly safeInWholeBin: number;
  /** Planted shoals with public bins on them, those marked, and marks elsewhere per 10,000 bins. */
  readonly shoalsSounded: number;
  readonly shoalsFound: number;
  readonly falseShoals: number;
}

const CORNERS = [-0.5, -0.25, 0, 0.25, 0.5];

/** Least true depth in a bin. */
export function leastDepthIn({ depthAt }: Fleet, { x, y }: Pick<CrowdBin, 'x' | 'y'>): number {
  const depths = CORNERS.flatMap((u) => CORNERS.map((v) => depthAt(...centreOf(x + u, y + v))));
  return Math.min(...depths);
}

export const publicBins = (store: CrowdStore): CrowdBin[] =>
  store.shards().flatMap((shard) => [...store.readResult(shard).bins]);

export function compareFleet(fleet: Fleet, store: CrowdStore, update: CrowdUpdate): FleetResults {
  const bins = publicBins(store);
  const biases = Object.entries(update.lists.biases).map(([platform, { meters, sigma }]) => {
    const truth = fleet.offsets.get(update.lists.platforms[Number(platform)]!)!;
    return { error: Math.abs(meters - truth), isKnown: sigma < 0.5 };
  });
  const connected = biases.filter(({ isKnown }) => isKnown);
  const share = <T>(all: readonly T[], test: (one: T) => boolean) =>
    all.filter(test).length / Math.max(1, all.length);
  const heightOn = ({ x, y }: CrowdBin): number =>
    Math.max(
      0,
      ...fleet.shoals.map(({ east, north, height, width }) => {
        const [longitude, latitude] = centreOf(x, y);
        const [e, n] = [(longitude + 20) * 96.4, (latitude + 30) * 110.9];
        return height * Math.exp(-((e - east) ** 2 + (n - north) ** 2) / width ** 2);
      }),
    );
  const marked = bins.filter(({ diff }) => diff !== undefined);
  const onShoal = (shoal: Fleet['shoals'][number]) => {
    const alone = { ...fleet, shoals: [shoal] };
    return (bin: CrowdBin) => heightOnOne(alone.shoals[0]!, bin) > 0.8 * shoal.height;
  };
  const sounded = fleet.shoals.filter((shoal) => {
    const isOn = onShoal(shoal);
    return bins.some((bin) => isOn(bin) && hasMargin(shoal, bin));
  });
  return {
    bins: bins.length,
    connected: connected.length,
    biasesWithin: share(connected, ({ error }) => error <= 0.15),
    intervals: share(
      bins,
      (bin) => Math.abs(fleet.depthAt(...centreOf(bin.x, bin.y)) - bin.median) <= bin.unc,
    ),
    safe: share(bins, (bin) => bin.depth <= fleet.depthAt(...centreOf(bin.x, bin.y)) + bin.unc),
    // Twenty-five depths of each bin, for those who ask.
    get safeInWholeBin() {
      return share(bins, (bin) => bin.depth <= leastDepthIn(fleet, bin) + bin.unc);
    },
    shoalsSounded: sounded.length,
    shoalsFound: sounded.filter((shoal) => marked.some(nearOf(shoal))).length,
    falseShoals: (marked.filter((bin) => heightOn(bin) < 0.2).length / bins.length) * 10_000,
  };
}

function heightOnOne({ east, north, height, width }: Fleet['shoals'][number], { x, y }: CrowdBin) {
  const [longitude, latitude] = centreOf(x, y);
  const [e, n] = [(longitude + 20) * 96.4, (latitude + 30) * 110.9];
  return height * Math.exp(-((e - east) ** 2 + (n - north) ** 2) / width ** 2);
}

const nearOf = (shoal: Fleet['shoals'][number]) => (bin: CrowdBin) =>
  heightOnOne(shoal, bin) > 0.2 * shoal.height;

/** Whether the chart states a depth there that the shoal is far above: others cannot be noticed. */
const hasMargin = (shoal: Fleet['shoals'][number], { charted, median }: CrowdBin): boolean =>
  charted !== undefined && charted - median > 1.5 && shoal.height > 2;
