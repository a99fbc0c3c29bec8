// Platforms that are connected by crossings, and the zero of their depths: charted soundings, or the median of
// the contributors.

import { pushTo } from '../../shared/geo/map-entries.ts';
import type { Contributors } from './contributors.ts';

/** Standard deviation of the offset of an unknown platform, metres. */
export const PRIOR_SIGMA = 0.8;
/** Bins that two platforms must share before the crossing counts. */
const LEAST_BINS = 3;
/** Charted depths on the track of a platform before they alone support its bias. */
export const LEAST_CHARTED = 10;
/** Contributors before their median may replace charted depths as the zero of a component. */
const LEAST_CONTRIBUTORS = 3;
/** Standard deviation of the error that the charted soundings of one survey share, metres. */
const SURVEY_SIGMA = 0.08;
/** The same for all surveys: charted soundings are rounded. */
const ROUNDING_SIGMA = 0.03;
/** Loss of the median against the mean. */
const MEDIAN_LOSS = Math.PI / 2;

/** Observations as columns, with numbers of platforms from 0. */
export interface Network {
  /** Number of each platform in the state. */
  readonly platforms: readonly number[];
  readonly contributors: Contributors;
  readonly priors: Float64Array;
  /** For each bin the first of its observations; one more at the end. */
  readonly starts: Uint32Array;
  readonly platform: Uint32Array;
  readonly depths: Float64Array;
  readonly weights: Float64Array;
  /** Weights times those of Huber. */
  readonly robust: Float64Array;
  readonly charted: Float64Array;
  readonly chartWeights: Float64Array;
  readonly chartRobust: Float64Array;
  readonly surveys: readonly number[];
}

export interface Links {
  /** Platforms that are connected by crossings, by the first of them. */
  readonly components: ReadonlyMap<number, readonly number[]>;
  /** Weight of each survey by component. */
  readonly surveys: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** By platform: shared bins, other contributors in at least `LEAST_BINS`, charted depths. */
  readonly bins: Uint32Array;
  readonly others: readonly number[];
  readonly charts: Uint32Array;
}

/** With more platforms in a bin, not every pair is compared, because their number grows with the square. */
const MOST_COMPARED = 256;
/** Platforms that stand for all others of such a bin, each of another account. */
const MOST_PARTNERS = 64;

/** Returns the platforms of a bin that its platforms are compared with. */
function partnersIn({ platforms, contributors, starts, platform }: Network) {
  const chosen = new Map<number, readonly number[]>();
  return (bin: number): Iterable<number> => {
    const inBin = platform.subarray(starts[bin], starts[bin + 1]);
    const known = inBin.length <= MOST_COMPARED ? inBin : chosen.get(bin);
    if (known !== undefined) return known;
    const firsts = new Map<number, number>();
    for (const one of inBin.toSorted((a, b) => platforms[a]! - platforms[b]!)) {
      const account = contributors.accounts[platforms[one]!]!;
      if (firsts.size < MOST_PARTNERS && !firsts.has(account)) firsts.set(account, one);
    }
    const found = [...firsts.values()];
    chosen.set(bin, found);
    return found;
  };
}

/** The bins of each platform, in ascending order. */
function binsByPlatform({ platforms, starts, platform }: Network): Uint32Array[] {
  const counts = new Uint32Array(platforms.length);
  for (const one of platform) counts[one]!++;
  const lists = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let bin = 0; bin + 1 < starts.length; bin++)
    for (let i = starts[bin]!; i < starts[bin + 1]!; i++) {
      const one = platform[i]!;
      lists[one]![counts[one]!++] = bin;
    }
  return lists;
}

export function linksOf(network: Network): Links {
  const { platforms, contributors, chartWeights } = network;
  const size = platforms.length;
  const [bins, charts] = [new Uint32Array(size), new Uint32Array(size)];
  const parents = Uint32Array.from(platforms.keys());
  const rootOf = (one: number): number => {
    let root = one;
    while (parents[root] !== root) root = parents[root]!;
    parents[one] = root;
    return root;
  };
  const partnersOf = partnersIn(network);
  // Of one platform: the number of all pairs can exceed the memory.
  const shared = new Uint32Array(size);
  const others = binsByPlatform(network).map((own, one) => {
    const met = new Set<number>();
    for (const bin of own) {
      let crosses = chartWeights[bin]! > 0;
      if (crosses) charts[one]!++;
      for (const other of partnersOf(bin)) {
        if (!contributors.areIndependent(platforms[one]!, platforms[other]!)) continue;
        crosses = true;
        shared[other]!++;
        met.add(other);
      }
      if (crosses) bins[one]!++;
    }
    const crossed = [...met].filter((other) => shared[other]! >= LEAST_BINS);
    for (const other of met) shared[other] = 0;
    for (const other of crossed) parents[rootOf(one)] = rootOf(other);
    return contributors.count(crossed.map((other) => platforms[other]!));
  });
  const roots = Array.from(platforms, (_, i) => rootOf(i));
  const components = grouped(roots, roots.keys());
  return { components, surveys: surveysOf(network, roots), bins, others, charts };
}

function surveysOf(
  { starts, platform, chartRobust, surveys }: Network,
  roots: readonly number[],
): Map<number, Map<number, number>> {
  const weights = new Map<number, Map<number, number>>();
  for (const [bin, weight] of chartRobust.entries()) {
    if (weight === 0) continue;
    const inBin = platform.subarray(starts[bin], starts[bin + 1]);
    for (const root of new Set(Array.from(inBin, (one) => roots[one]!))) {
      const own = weights.get(root) ?? new Map<number, number>();
      weights.set(root, own);
      own.set(surveys[bin]!, (own.get(surveys[bin]!) ?? 0) + weight);
    }
  }
  return weights;
}

/**
 * What to subtract from the biases of a component, and the standard deviation that remains: nothing
 * where charted depths set the zero, otherwise the median over contributors, which one contributor with
 * any number of platforms cannot move. `undefined` if there are too few of both.
 */
export function zeroOf(
  { platforms, contributors }: Network,
  bias: Float64Array,
  { charts, surveys }: Links,
  root: number,
  members: readonly number[],
): { readonly shift: number; readonly sigma: number; readonly median?: number } | undefined {
  const numbers = members.map((i) => platforms[i]!);
  const contributorOf = contributors.among(numbers);
  const byContributor = grouped(numbers.map(contributorOf), members.keys());
  const medians = [...byContributor.values()].map((own) =>
    medianOf(own.map((i) => bias[members[i]!]!)),
  );
  const known = medians.length < LEAST_CONTRIBUTORS ? {} : { median: medianOf(medians) };
  if (members.some((i) => charts[i]! >= LEAST_CHARTED))
    return { shift: 0, sigma: chartSigma([...surveys.get(root)!.values()]), ...known };
  if (known.median === undefined) return undefined;
  const sigma = PRIOR_SIGMA * Math.sqrt(MEDIAN_LOSS / medians.length);
  return { shift: known.median, sigma, ...known };
}

/** Standard deviation of the weighted mean of charted soundings. @param weights by survey */
function chartSigma(weights: readonly number[]): number {
  const all = weights.reduce((sum, one) => sum + one, 0);
  const squares = weights.reduce((sum, one) => sum + one ** 2, 0);
  return Math.hypot(ROUNDING_SIGMA, SURVEY_SIGMA * (Math.sqrt(squares) / all), 1 / Math.sqrt(all));
}

/** Indices by their key. */
function grouped(keys: readonly number[], indices: Iterable<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const i of indices) {
    pushTo(groups, keys[i]!, i);
  }
  return groups;
}

/** @param values at least one */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
