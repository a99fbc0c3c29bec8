// The bed of a bin as a paraboloid: least squares over its passes give slope and curvature, and the depth at
// the centre with its variance. Weighted least squares and its propagation of errors: for example K.-R. Koch,
// "Parameter Estimation and Hypothesis Testing in Linear Models", Springer, 1999, sections 3.2 and 3.3.

import { pushTo } from '../../shared/geo/map-entries.ts';
import type { PlatformBias } from './bias.ts';
import { medianOf } from './components.ts';
import type { Contributors } from './contributors.ts';
import { type PassList, RELEASED } from './passes.ts';

/** Error that all soundings of a pass share besides tide and bias: waves, heel and speed, metres. */
const PASS_SIGMA = 0.05;
/** Contributors that the ratio of the shard counts for in a bin, and that 1 counts for in a shard. */
const PRIOR_CONTRIBUTORS = 6;
const PRIOR_RATIO = 50;
/** Residuals of a contributor above this count as this: deviations. */
const MAX_DEVIATIONS = 3;
/** Passes with fewer soundings say nothing about the noise. */
const LEAST_SOUNDINGS = 4;
/** Passes in a block share one expectation of slope and noise; a side is 2^n bins. */
const BLOCK_LEVELS = 2;
/** Passes, and degrees of freedom, that the values of the shard count for in a block. */
const PRIOR_PASSES = 1;
const PRIOR_FREEDOM = 10;
/** Deviations of a variance that are chance. */
const CHANCE = 2;
/**
 * Variance of the curvature, for the variance of soundings around straight passes. Depths curved by c times the
 * squared distance from the centre have the variance c² / 180 around a pass as long as a bin, and less around others.
 */
const CURVATURE_SHARE = 72;
/** Loss of the median of many against the mean. */
const MEDIAN_LOSS = Math.PI / 2;

type Columns = PassList['columns'];

/** A pass after the correction of its platform's bias. */
export interface Corrected {
  readonly index: number;
  readonly contributor: number;
  readonly mean: number;
  readonly least: number;
  readonly sigma: number;
}

/** What the passes around a bin have in common. */
interface Ground {
  /** Variance of the slope in each direction, metres per bin, squared. */
  readonly slope: number;
  /** Variance of a sounding around a straight pass. */
  readonly noise: number;
  /** Variance of the factor of the squared distance from the centre, in bins, in the depths. */
  readonly curvature: number;
}

export type GroundAt = (x: number, y: number) => Ground;

export interface BedFit {
  /** Median over contributors of their medians, at the centre of the bin. */
  readonly median: number;
  /** Variance of the median from errors of passes, as they are expected. */
  readonly expected: number;
  /** Squares of the residuals of contributors, in units of what is expected, and their number. */
  readonly squares: number;
  readonly freedom: number;
  /** Variance from the slope, the curvature, and the error that all platforms share. */
  readonly other: number;
}

/** The ground around the bins of a shard. */
export function groundOf({ count, columns }: PassList): GroundAt {
  const [noises, slopes]: [number[], number[]] = [[], []];
  const blocks = new Map<
    number,
    { slope: number; count: number; residual: number; freedom: number }
  >();
  for (let i = 0; i < count; i++) {
    // Soundings of one contributor alone must not change what is public.
    if ((columns.flags[i]! & RELEASED) === 0 || columns.count[i]! < LEAST_SOUNDINGS) continue;
    const { residual, freedom, slope } = alongPass(columns, i);
    // The median of a variance is less than its mean (E. B. Wilson, M. M. Hilferty, 1931).
    noises.push(residual / freedom / (1 - 2 / (9 * freedom)) ** 3);
    slopes.push(slope);
    const key = blockOf(columns.x[i]!, columns.y[i]!);
    const block = blocks.get(key) ?? { slope: 0, count: 0, residual: 0, freedom: 0 };
    blocks.set(key, block);
    block.slope += slope;
    block.count++;
    block.residual += residual;
    block.freedom += freedom;
  }
  const isEmpty = noises.length === 0;
  const [usual, usualSlope] = isEmpty ? [0.01, 0.25] : [medianOf(noises), medianOf(slopes)];
  return (x, y) => {
    const block = blocks.get(blockOf(x, y)) ?? { slope: 0, count: 0, residual: 0, freedom: 0 };
    const freedom = PRIOR_FREEDOM + block.freedom;
    const noise = (PRIOR_FREEDOM * usual + block.residual) / freedom;
    const slope = (PRIOR_PASSES * usualSlope + block.slope) / (PRIOR_PASSES + block.count);
    const chance = usual * (1 + CHANCE * Math.sqrt(2 / freedom));
    return {
      slope: Math.max(slope, 1e-4),
      noise: Math.max(noise, 1e-4),
      curvature: CURVATURE_SHARE * Math.max(0, noise - chance) + 1e-6,
    };
  };
}

const blockOf = (x: number, y: number) => (y >> BLOCK_LEVELS) * 2 ** 21 + (x >> BLOCK_LEVELS);

/** The regression of the depths of a pass on the distance sailed; passes are nearly straight. */
function alongPass(columns: Columns, i: number) {
  const [count, length] = [columns.count[i]!, columns.uu[i]! + columns.vv[i]!];
  const square = length > 0 ? (columns.ud[i]! ** 2 + columns.vd[i]! ** 2) / length : 0;
  const residual = Math.max(0, count * columns.spread[i]! ** 2 - square);
  return { residual, freedom: count - 2, slope: length > 0 ? square / length : 0 };
}

/** @param kept passes of the bin, of at least one contributor */
export function fitBed(
  { columns }: PassList,
  kept: readonly Corrected[],
  groundAt: GroundAt,
  context: {
    readonly bias: (platform: number) => PlatformBias;
    readonly contributors: Contributors;
  },
): BedFit {
  const { bias, contributors } = context;
  const vesselOf = (index: number) => contributors.vessels[columns.platform[index]!]!;
  const first = kept[0]!.index;
  const ground = groundAt(columns.x[first]!, columns.y[first]!);
  const noiseOf = (index: number) => ground.noise / columns.count[index]! + PASS_SIGMA ** 2;
  const crossingOf = (index: number) => bias(columns.platform[index]!).crossing;
  const shape = fitShape(
    columns,
    kept,
    ground,
    (index) => noiseOf(index) + columns.tide[index]! ** 2 + crossingOf(index) ** 2,
  );
  const groups = [...groupBy(kept).values()];
  const medians: number[] = [];
  const variances: number[] = [];
  const shared = new Sums();
  const place: Place = [0, 0, 0];
  let [noise, common] = [0, 0];
  for (const passes of groups) {
    const sums = new Sums();
    let ownNoise = 0;
    const depths = passes.map(({ index, mean }) => {
      const share = 1 / passes.length;
      for (const [to, weight] of [
        [sums, share],
        [shared, share / groups.length],
      ] as const) {
        to.add(`d${columns.day[index]!}`, weight * columns.tide[index]!);
        // The biases of a vessel may have one error, which is published. Residuals are compared with less, as
        // the scale of the errors would otherwise make bins of other vessels too certain.
        const cause = to === sums ? `p${columns.platform[index]!}` : `v${vesselOf(index)}`;
        to.add(cause, weight * crossingOf(index));
      }
      ownNoise += share ** 2 * noiseOf(index);
      const own = placeOf(columns, index);
      for (const i of AXES) place[i] += (share / groups.length) * own[i];
      common = Math.max(common, bias(columns.platform[index]!).common ** 2);
      return mean - dot(shape.factors, own);
    });
    noise += ownNoise / groups.length ** 2;
    medians.push(medianOf(depths));
    variances.push(ownNoise + sums.squares());
  }
  const median = medianOf(medians);
  const deviations = medians.map((one, i) =>
    Math.min((one - median) ** 2 / variances[i]!, MAX_DEVIATIONS ** 2),
  );
  const loss = 1 + (MEDIAN_LOSS - 1) * (1 - 2 / Math.max(2, groups.length));
  return {
    median,
    expected: loss * (noise + shared.squares()),
    squares: deviations.reduce((sum, one) => sum + one, 0),
    freedom: groups.length - 1,
    other: dot(place, shape.inverse.map((row) => dot(row, place)) as Place) + common,
  };
}

/** Sums of errors with the same cause. */
class Sums {
  readonly #sums = new Map<string, number>();

  add(key: string, value: number): void {
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + value);
  }

  squares(): number {
    let all = 0;
    for (const one of this.#sums.values()) all += one ** 2;
    return all;
  }
}

export function groupBy(passes: readonly Corrected[]): Map<number, Corrected[]> {
  const groups = new Map<number, Corrected[]>();
  for (const one of passes) {
    pushTo(groups, one.contributor, one);
  }
  return groups;
}

/** Ratio of the variances of the bins of a shard to what is expected. */
export function ratioOf(fits: Iterable<BedFit>): number {
  let [squares, freedom] = [PRIOR_RATIO, PRIOR_RATIO];
  for (const fit of fits) {
    squares += fit.squares;
    freedom += fit.freedom;
  }
  return squares / freedom;
}

/** Variance of the bed at the centre of the bin around the median. */
export function varianceOf({ expected, squares, freedom, other }: BedFit, ratio: number): number {
  const own = (PRIOR_CONTRIBUTORS * ratio + squares) / (PRIOR_CONTRIBUTORS + freedom);
  return own * expected + other;
}

/** Mean of a pass: position from the centre in bins, and the squared distance. */
type Place = [u: number, v: number, square: number];
const AXES = [0, 1, 2] as const;
const dot = (a: Place, b: Place): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function placeOf({ count, u, v, uu, vv }: Columns, i: number): Place {
  return [u[i]!, v[i]!, u[i]! ** 2 + v[i]! ** 2 + (uu[i]! + vv[i]!) / count[i]!];
}

/**
 * Factors of `Place` in the depth, and the inverse of their normal matrix, which is their covariance.
 * @param varianceOfPass by index
 */
function fitShape(
  columns: Columns,
  kept: readonly Corrected[],
  { noise, slope, curvature }: Ground,
  varianceOfPass: (index: number) => number,
): { readonly factors: Place; readonly inverse: readonly Place[] } {
  const passes = kept.map(({ index, mean }) => {
    return { index, mean, place: placeOf(columns, index), weight: 1 / varianceOfPass(index) };
  });
  const middle: Place = [0, 0, 0];
  let [all, depth] = [0, 0];
  for (const { mean, place, weight } of passes) {
    all += weight;
    depth += weight * mean;
    for (const i of AXES) middle[i] += weight * place[i];
  }
  const normal: Place[] = [
    [1 / slope, 0, 0],
    [0, 1 / slope, 0],
    [0, 0, 1 / curvature],
  ];
  const right: Place = [0, 0, 0];
  for (const { index, mean, place, weight } of passes) {
    const away = AXES.map((i) => place[i] - middle[i] / all) as Place;
    for (const i of AXES) {
      right[i] += weight * away[i] * (mean - depth / all);
      for (const j of AXES) normal[i]![j] += weight * away[i] * away[j];
    }
    normal[0]![0] += columns.uu[index]! / noise;
    normal[0]![1] += columns.uv[index]! / noise;
    normal[1]![0] += columns.uv[index]! / noise;
    normal[1]![1] += columns.vv[index]! / noise;
    right[0] += columns.ud[index]! / noise;
    right[1] += columns.vd[index]! / noise;
  }
  const inverse = inverseOf(normal);
  return { factors: inverse.map((row) => dot(row, right)) as Place, inverse };
}

/** The inverse of a symmetric matrix by its cofactors. */
function inverseOf(rows: readonly Place[]): Place[] {
  const at = (i: number, j: number): number => rows[i % 3]![(j % 3) as 0 | 1 | 2];
  const cofactors = AXES.map(
    (i) =>
      AXES.map(
        (j) => at(i + 1, j + 1) * at(i + 2, j + 2) - at(i + 1, j + 2) * at(i + 2, j + 1),
      ) as Place,
  );
  const determinant = dot(rows[0]!, cofactors[0]!);
  return cofactors.map((row) => row.map((one) => one / determinant) as Place);
}
