// Depths of bins from their passes: which bins are public, their depths and their uncertainty.

import type { CrowdBin } from '../../shared/crowd/bin.ts';
import { SIGMAS_95 } from '../../shared/crowd/track-tides.ts';
import { pushTo } from '../../shared/geo/map-entries.ts';
import {
  type BedFit,
  type Corrected,
  fitBed,
  type GroundAt,
  groupBy,
  varianceOf,
} from './bed-fit.ts';
import type { PlatformBias } from './bias.ts';
import type { ChartedDepth } from './chart-depths.ts';
import { medianOf } from './components.ts';
import type { Contributors } from './contributors.ts';
import { FORMER, type PassList, RELEASED, UNREDUCED } from './passes.ts';

/** Noise of a pass: echo, waves and position on a slope, metres. */
const PASS_SIGMA = 0.1;
/** Other contributors that must contradict a pass, and by how much: metres, and deviations. */
const CONTRADICTING = 3;
const CONTRADICTED_METERS = 1.5;
const CONTRADICTED_SIGMAS = 5;
const MS_PER_DAY = 86_400_000;

/** What a bin needs besides its passes. */
export interface BinContext {
  /** By platform. */
  readonly bias: (platform: number) => PlatformBias;
  readonly contributors: Contributors;
  /** Contributors that a public bin needs. */
  readonly leastContributors: number;
  readonly chartAt: (x: number, y: number) => ChartedDepth | undefined;
  /** Called for each pass that others contradict. */
  readonly onContradicted: (track: number, soundings: number) => void;
}

/**
 * Releases the new passes of a bin if they come from enough contributors. Passes of one contributor
 * alone never change a public bin, so the difference of two archives does not contain one track.
 * @returns former passes, which the released ones replace
 */
export function releasePasses(
  { columns: { flags, platform } }: PassList,
  indices: Uint32Array,
  { contributors, leastContributors }: Pick<BinContext, 'contributors' | 'leastContributors'>,
): Uint32Array {
  const pending = indices.filter((i) => (flags[i]! & RELEASED) === 0);
  const count = contributors.count(Array.from(pending, (i) => platform[i]!));
  if (count < leastContributors) return new Uint32Array();
  for (const i of pending) flags[i]! |= RELEASED;
  return indices.filter((i) => (flags[i]! & FORMER) !== 0);
}

/** The supported passes of a public bin. */
export interface BinPasses {
  readonly kept: readonly Corrected[];
  readonly fit: BedFit;
}

/** The released passes of a bin that are supported; `undefined` if there are too few contributors. */
export function supportBin(
  passes: PassList,
  indices: Uint32Array,
  groundAt: GroundAt,
  context: BinContext,
): BinPasses | undefined {
  const { columns } = passes;
  const released = indices.filter((i) => (columns.flags[i]! & RELEASED) !== 0);
  const all = correct(passes, released, context);
  const supported = supportedOf(all, ({ index }) => {
    // The track no longer contains these soundings as they are here.
    if ((columns.flags[index]! & FORMER) === 0)
      context.onContradicted(columns.track[index]!, columns.count[index]!);
  });
  const isWhole = supported.length === all.length;
  // Without some passes, fewer of the others can be independent.
  const kept = isWhole ? all : correct(passes, supported.map(indexOf), context);
  if (groupBy(kept).size < context.leastContributors) return undefined;
  return { kept, fit: fitBed(passes, kept, groundAt, context) };
}

/** @param ratio of the variances in the shard to what is expected (`ratioOf`) */
export function makeBin(
  { columns }: PassList,
  { kept, fit }: BinPasses,
  ratio: number,
  context: BinContext,
): CrowdBin {
  const least = kept.reduce((a, b) => (b.least < a.least ? b : a));
  const [x, y] = [columns.x[least.index]!, columns.y[least.index]!];
  const days = Uint16Array.from(kept, ({ index }) => columns.day[index]!).sort();
  const depth = least.least - SIGMAS_95 * least.sigma;
  return {
    x,
    y,
    depth: Math.floor(depth * 10) / 10,
    least: rounded(least.least),
    median: rounded(fit.median),
    unc: rounded(SIGMAS_95 * Math.sqrt(varianceOf(fit, ratio))),
    count: kept.reduce((sum, { index }) => sum + columns.count[index]!, 0),
    platforms: groupBy(kept).size,
    from: monthOf(days[0]!),
    to: monthOf(days.at(-1)!),
    reduced: kept.every(({ index }) => (columns.flags[index]! & UNREDUCED) === 0),
    ...comparedWith(context.chartAt(x, y), columns, kept, context.contributors),
  };
}

const meanOf = ({ mean }: Corrected): number => mean;
const indexOf = ({ index }: Corrected): number => index;
const rounded = (meters: number): number => Math.round(meters * 100) / 100;
const monthOf = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 7);

/** Passes without the biases, with the contributors as they count among these passes. */
function correct(
  { columns }: PassList,
  indices: ArrayLike<number>,
  { bias, contributors }: BinContext,
): Corrected[] {
  const platformOf = (index: number): number => columns.platform[index]!;
  const contributorOf = contributors.among(Array.from(indices, platformOf));
  return Array.from(indices, (index) => {
    const { meters, crossing, common } = bias(platformOf(index));
    return {
      index,
      contributor: contributorOf(platformOf(index)),
      mean: columns.mean[index]! - meters,
      least: columns.least[index]! - meters,
      sigma: Math.hypot(crossing, common, columns.tide[index]!, PASS_SIGMA),
    };
  });
}

/**
 * Without the passes that at least three other contributors, and most of all, contradict. A shoaler pass stays if
 * one of the others confirms it: both can be right about a rock that the rest missed.
 */
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
      const limit = Math.max(CONTRADICTED_METERS, deviation);
      const against = others.filter((depth) => Math.abs(pass.mean - depth) > limit).length;
      const isConfirmed = pass.mean < middle && against < others.length;
      const isSupported = isConfirmed || against < CONTRADICTING || 2 * against <= medians.size;
      if (!isSupported) onContradicted(pass);
      return isSupported;
    });
  });
}

/**
 * The charted depth, and the difference if the second-shoalest contributor is shoaler by more than both
 * uncertainties. One contributor alone cannot make a possible shoal.
 */
function comparedWith(
  chart: ChartedDepth | undefined,
  { platform }: PassList['columns'],
  kept: readonly Corrected[],
  contributors: Contributors,
): Pick<CrowdBin, 'charted' | 'diff'> {
  if (chart?.depth === undefined) return {};
  const shoalest = [...kept].sort((a, b) => a.mean - b.mean);
  const second = shoalest[contributors.secondOf(shoalest.map(({ index }) => platform[index]!))]!;
  const difference = chart.depth - second.mean;
  const limit = SIGMAS_95 * second.sigma + chart.uncertainty;
  const charted = rounded(chart.depth);
  return difference > limit ? { charted, diff: rounded(difference) } : { charted };
}

/**
 * Bins of twice the width, with the depths of their shoalest part. The number of contributors is at least that of
 * each part.
 */
export function coarserBins(bins: readonly CrowdBin[]): CrowdBin[] {
  const coarse = new Map<number, CrowdBin[]>();
  for (const bin of bins) {
    const key = Math.floor(bin.y / 2) * 2 ** 21 + Math.floor(bin.x / 2);
    pushTo(coarse, key, bin);
  }
  return [...coarse.values()].map(joinBins);
}

function joinBins(parts: readonly CrowdBin[]): CrowdBin {
  // Depths that are compared or stated together belong to one place.
  const shown = parts.reduce((a, b) => (b.depth < a.depth ? b : a));
  const diffs = parts.flatMap(({ diff }) => diff ?? []);
  return {
    x: Math.floor(shown.x / 2),
    y: Math.floor(shown.y / 2),
    depth: shown.depth,
    least: Math.min(...parts.map(({ least }) => least)),
    median: shown.median,
    unc: shown.unc,
    count: parts.reduce((sum, part) => sum + part.count, 0),
    platforms: Math.max(...parts.map(({ platforms }) => platforms)),
    from: parts.map(({ from }) => from).sort()[0]!,
    to: parts
      .map(({ to }) => to)
      .sort()
      .at(-1)!,
    reduced: parts.every(({ reduced }) => reduced),
    ...(shown.charted === undefined ? {} : { charted: shown.charted }),
    ...(diffs.length > 0 ? { diff: Math.max(...diffs) } : {}),
  };
}
