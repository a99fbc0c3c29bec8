// Depths of bins from their passes: which bins are public, their depths and their uncertainty.

import { type CrowdBin, MIN_CONTRIBUTORS } from '../../shared/crowd/bin.ts';
import { medianOf, type PlatformBias } from './bias.ts';
import type { ChartedDepth } from './chart-depths.ts';
import { type PassList, RELEASED, UNREDUCED } from './passes.ts';
import { SIGMAS_95 } from './reduce-track.ts';

/** Noise of a pass: echo, waves and position on a slope, metres. */
const PASS_SIGMA = 0.1;
/** Other contributors that must contradict a pass, and by how much: metres, and deviations. */
const CONTRADICTING = 3;
const CONTRADICTED_METERS = 1.5;
const CONTRADICTED_SIGMAS = 5;
/** Passes that the expected spread of a bin counts for when the spread is estimated. */
const PRIOR_PASSES = 3;
/** Variance of the bed at the centre of a bin, as a share of the variance of its passes. */
const CENTRE_SHARE = 0.08;
const MS_PER_DAY = 86_400_000;

/** What a bin needs besides its passes. */
export interface BinContext {
  /** By platform. */
  readonly bias: (platform: number) => PlatformBias;
  readonly contributors: Uint32Array;
  readonly chartAt: (x: number, y: number) => ChartedDepth | undefined;
  /** Called for each pass that others contradict. */
  readonly onContradicted: (track: number, soundings: number) => void;
}

/** A pass after the correction of its platform's bias. */
interface Corrected {
  readonly index: number;
  readonly contributor: number;
  readonly mean: number;
  readonly least: number;
  readonly sigma: number;
}

/**
 * Releases the new passes of a bin if they come from enough contributors. Passes of one contributor
 * alone never change a public bin, so the difference of two archives does not contain one track.
 */
export function releasePasses(
  { columns: { flags, platform } }: PassList,
  indices: Uint32Array,
  contributors: Uint32Array,
): void {
  const pending = indices.filter((i) => (flags[i]! & RELEASED) === 0);
  const count = new Set(pending.map((i) => contributors[platform[i]!]!)).size;
  if (count >= MIN_CONTRIBUTORS) for (const i of pending) flags[i]! |= RELEASED;
}

/** The public bin of released passes; `undefined` if there are too few contributors. */
export function makeBin(
  passes: PassList,
  indices: Uint32Array,
  context: BinContext,
): CrowdBin | undefined {
  const { columns } = passes;
  const released = indices.filter((i) => (columns.flags[i]! & RELEASED) !== 0);
  const all = Array.from(released, (i) => correct(passes, i, context));
  const kept = supportedOf(all, ({ index }) =>
    context.onContradicted(columns.track[index]!, columns.count[index]!),
  );
  const byContributor = groupBy(kept);
  if (byContributor.size < MIN_CONTRIBUTORS) return undefined;
  const least = kept.reduce((a, b) => (b.least < a.least ? b : a));
  const [x, y] = [columns.x[released[0]!]!, columns.y[released[0]!]!];
  const median = medianOf([...byContributor.values()].map((own) => medianOf(own.map(meanOf))));
  const days = Uint16Array.from(kept, ({ index }) => columns.day[index]!).sort();
  const variance = varianceOf(passes, kept, median, context);
  const depth = least.least - SIGMAS_95 * least.sigma;
  const chart = context.chartAt(x, y);
  return {
    x,
    y,
    depth: Math.floor(depth * 10) / 10,
    least: rounded(least.least),
    median: rounded(median),
    unc: rounded(SIGMAS_95 * Math.sqrt(variance)),
    count: kept.reduce((sum, { index }) => sum + columns.count[index]!, 0),
    platforms: byContributor.size,
    from: monthOf(days[0]!),
    to: monthOf(days.at(-1)!),
    reduced: kept.every(({ index }) => (columns.flags[index]! & UNREDUCED) === 0),
    ...comparedWith(chart, byContributor),
  };
}

const meanOf = ({ mean }: Corrected): number => mean;
const rounded = (meters: number): number => Math.round(meters * 100) / 100;
const monthOf = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 7);

function correct({ columns }: PassList, index: number, context: BinContext): Corrected {
  const platform = columns.platform[index]!;
  const { meters, crossing, common } = context.bias(platform);
  return {
    index,
    contributor: context.contributors[platform]!,
    mean: columns.mean[index]! - meters,
    least: columns.least[index]! - meters,
    sigma: Math.hypot(crossing, common, columns.tide[index]!, PASS_SIGMA),
  };
}

function groupBy(passes: readonly Corrected[]): Map<number, Corrected[]> {
  const groups = new Map<number, Corrected[]>();
  for (const one of passes) {
    const own = groups.get(one.contributor);
    if (own === undefined) groups.set(one.contributor, [one]);
    else own.push(one);
  }
  return groups;
}

/** Without the passes that at least three other contributors contradict. */
function supportedOf(
  all: readonly Corrected[],
  onContradicted: (pass: Corrected) => void,
): readonly Corrected[] {
  const byContributor = groupBy(all);
  if (byContributor.size <= CONTRADICTING) return all;
  const medians = new Map<number, number>();
  for (const [contributor, own] of byContributor)
    medians.set(contributor, medianOf(own.map(meanOf)));
  return [...byContributor].flatMap(([contributor, own]) => {
    const others = [...medians].flatMap(([other, depth]) => (other === contributor ? [] : depth));
    const middle = medianOf(others);
    const spread = medianOf(others.map((depth) => Math.abs(depth - middle)));
    return own.filter((pass) => {
      const deviation = CONTRADICTED_SIGMAS * Math.hypot(pass.sigma, spread);
      const isSupported = Math.abs(pass.mean - middle) <= Math.max(CONTRADICTED_METERS, deviation);
      if (!isSupported) onContradicted(pass);
      return isSupported;
    });
  });
}

/** Variance of the bed at the bin's centre around the median. */
function varianceOf(
  { columns }: PassList,
  kept: readonly Corrected[],
  median: number,
  { bias }: BinContext,
): number {
  let squares = 0;
  let expected = 0;
  let tide = 0;
  const own = new Map<number, number>();
  let common = 0;
  const days = new Set<number>();
  for (const { index, mean } of kept) {
    const platform = bias(columns.platform[index]!);
    own.set(columns.platform[index]!, platform.crossing ** 2);
    common = Math.max(common, platform.common ** 2);
    squares += (mean - median) ** 2;
    tide += columns.tide[index]! ** 2 / kept.length;
    expected += (columns.spread[index]! ** 2 + PASS_SIGMA ** 2) / kept.length;
    days.add(columns.day[index]!);
  }
  let platforms = 0;
  for (const one of own.values()) platforms += one / own.size;
  const prior = expected + tide + platforms;
  const passVariance =
    (PRIOR_PASSES * prior + squares) / (PRIOR_PASSES + Math.max(kept.length - 1, 0));
  const relief = Math.max(expected, passVariance - tide - platforms);
  return (
    CENTRE_SHARE * relief +
    passVariance / kept.length +
    tide / days.size +
    platforms / own.size +
    common
  );
}

/**
 * The charted depth, and the difference if the second-shoalest contributor is shoaler by more than both
 * uncertainties. One contributor alone cannot make a possible shoal.
 */
function comparedWith(
  chart: ChartedDepth | undefined,
  byContributor: ReadonlyMap<number, readonly Corrected[]>,
): Pick<CrowdBin, 'charted' | 'diff'> {
  if (chart?.depth === undefined) return {};
  const shoalest = [...byContributor.values()]
    .map((own) => own.reduce((a, b) => (b.mean < a.mean ? b : a)))
    .sort((a, b) => a.mean - b.mean);
  const second = shoalest[1]!;
  const difference = chart.depth - second.mean;
  const limit = SIGMAS_95 * second.sigma + chart.uncertainty;
  const charted = rounded(chart.depth);
  return difference > limit ? { charted, diff: rounded(difference) } : { charted };
}

/**
 * Bins of twice the width, which keep the least depth. The number of contributors is at least that of
 * each part.
 */
export function coarserBins(bins: readonly CrowdBin[]): CrowdBin[] {
  const coarse = new Map<number, CrowdBin[]>();
  for (const bin of bins) {
    const key = Math.floor(bin.y / 2) * 2 ** 21 + Math.floor(bin.x / 2);
    const own = coarse.get(key);
    if (own === undefined) coarse.set(key, [bin]);
    else own.push(bin);
  }
  return [...coarse.values()].map(joinBins);
}

function joinBins(parts: readonly CrowdBin[]): CrowdBin {
  const shown = parts.reduce((a, b) => (b.depth < a.depth ? b : a));
  const diffs = parts.flatMap(({ diff }) => diff ?? []);
  const charted = parts.flatMap((part) => part.charted ?? []);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return {
    x: Math.floor(shown.x / 2),
    y: Math.floor(shown.y / 2),
    depth: shown.depth,
    least: Math.min(...parts.map(({ least }) => least)),
    median: rounded(parts.reduce((sum, part) => sum + (part.median * part.count) / count, 0)),
    unc: Math.max(...parts.map(({ unc }) => unc)),
    count,
    platforms: Math.max(...parts.map(({ platforms }) => platforms)),
    from: parts.map(({ from }) => from).sort()[0]!,
    to: parts
      .map(({ to }) => to)
      .sort()
      .at(-1)!,
    reduced: parts.every(({ reduced }) => reduced),
    ...(charted.length > 0 ? { charted: Math.min(...charted) } : {}),
    ...(diffs.length > 0 ? { diff: Math.max(...diffs) } : {}),
  };
}
