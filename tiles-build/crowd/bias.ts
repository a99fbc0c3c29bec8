// Estimates the bias of each platform (measured minus true depth) from bins that several platforms have
// sounded and from charted depths in well-surveyed water, by robust least squares over the network.
//
// B. R. Calder, S. Dijkstra, S. Hoy, K. Himschoot, A. Schofield, "A Design for a Trusted Community
// Bathymetry System", Marine Geodesy 43 (2020), 327-358: crossings calibrate vessels that do not measure
// their offsets. P. J. Huber, "Robust Estimation of a Location Parameter", Annals of Mathematical
// Statistics 35 (1964), 73-101: the weights. The depth of each bin is eliminated, and conjugate
// gradients solve for the biases.

import { SIGMAS_95 } from '../../shared/crowd/track-tides.ts';
import { LEAST_CHARTED, linksOf, type Network, PRIOR_SIGMA, zeroOf } from './components.ts';
import type { Contributors } from './contributors.ts';

/** Huber's constant: 95 % efficiency for normal errors. */
const HUBER = 1.345;
const SIGMA_PER_MAD = 1.4826;
const REWEIGHTINGS = 8;
const MAX_STEPS = 200;
const TOLERANCE = 1e-7;
/** Independent other contributors that support a correction which makes depths deeper. */
const LEAST_OTHERS = 2;
/** Larger corrections towards greater depths are refused, metres. */
const MAX_DEEPENING = 2.5;

/** What a platform measured in one bin. */
export interface Observation {
  readonly platform: number;
  /** Mean depth of its passes, metres, and its variance without the bias. */
  readonly depth: number;
  readonly variance: number;
}

/** A sounding of a good survey. */
export interface ChartedSounding {
  readonly depth: number;
  /** Standard deviation as the depth of the bin. */
  readonly sigma: number;
  /** Number of the survey. */
  readonly survey: number;
}

export interface PlatformBias {
  /** Measured minus true depth, metres; 0 if it cannot be estimated. */
  readonly meters: number;
  /** Standard deviation of the platform's own estimate. */
  readonly sigma: number;
  /** The part of it that is not from the tides of the platform's own days. */
  readonly crossing: number;
  /** Standard deviation that all platforms of the component share. */
  readonly common: number;
  /** Bins shared with other contributors, or with a charted depth. */
  readonly crossings: number;
}

export const UNKNOWN_BIAS: PlatformBias = {
  meters: 0,
  sigma: PRIOR_SIGMA,
  crossing: PRIOR_SIGMA,
  common: 0,
  crossings: 0,
};

/** Observations of bins, as columns. */
export class BiasNetwork {
  readonly #starts: number[] = [0];
  readonly #platforms: number[] = [];
  readonly #depths: number[] = [];
  readonly #weights: number[] = [];
  readonly #contributors: Contributors;
  /** Charted depth and its weight by bin; weight 0 without. */
  readonly #charted: number[] = [];
  readonly #chartWeights: number[] = [];
  readonly #surveys: number[] = [];
  /** Variance of a day's tide and number of days by platform. */
  readonly #days = new Map<number, { sum: number; days: Set<number> }>();

  constructor(contributors: Contributors) {
    this.#contributors = contributors;
  }

  get bins(): number {
    return this.#charted.length;
  }

  /** Platforms of an account share its weight. */
  addBin(observations: readonly Observation[], charted?: ChartedSounding): void {
    const { accounts } = this.#contributors;
    const ofAccount = new Map<number, number>();
    for (const { platform } of observations) {
      const account = accounts[platform]!;
      ofAccount.set(account, (ofAccount.get(account) ?? 0) + 1);
    }
    for (const { platform, depth, variance } of observations) {
      const sharing = ofAccount.get(accounts[platform]!)!;
      this.#platforms.push(platform);
      this.#depths.push(depth);
      this.#weights.push(1 / (variance * sharing));
    }
    this.#charted.push(charted?.depth ?? 0);
    this.#chartWeights.push(charted === undefined ? 0 : 1 / charted.sigma ** 2);
    this.#surveys.push(charted?.survey ?? 0);
    this.#starts.push(this.#platforms.length);
  }

  /** @param variance of the height of tide on that day */
  addDay(platform: number, day: number, variance: number): void {
    const known = this.#days.get(platform) ?? { sum: 0, days: new Set<number>() };
    this.#days.set(platform, known);
    if (known.days.has(day)) return;
    known.days.add(day);
    known.sum += variance;
  }

  /** The biases of the platforms with observations. */
  solve(): Map<number, PlatformBias> {
    const network = this.#compact();
    const bias = new Float64Array(network.platforms.length);
    // First without reweighting: until the offsets are known, their residuals are not errors.
    solveFor(network, bias);
    for (let i = 0; i < REWEIGHTINGS; i++) {
      reweight(network, bias);
      solveFor(network, bias);
    }
    return this.#present(network, bias);
  }

  #compact(): Network {
    const numbers = new Map<number, number>();
    const platform = Uint32Array.from(this.#platforms, (one) => {
      const known = numbers.get(one) ?? numbers.size;
      numbers.set(one, known);
      return known;
    });
    const platforms = [...numbers.keys()];
    const weights = Float64Array.from(this.#weights);
    return {
      platforms,
      contributors: this.#contributors,
      priors: priorsOf(platforms.map((one) => this.#contributors.accounts[one]!)),
      starts: Uint32Array.from(this.#starts),
      platform,
      depths: Float64Array.from(this.#depths),
      weights,
      robust: weights.slice(),
      charted: Float64Array.from(this.#charted),
      chartWeights: Float64Array.from(this.#chartWeights),
      chartRobust: Float64Array.from(this.#chartWeights),
      surveys: this.#surveys,
    };
  }

  #present(network: Network, bias: Float64Array): Map<number, PlatformBias> {
    const links = linksOf(network);
    const own = diagonalOf(network);
    const answers = new Map<number, PlatformBias>();
    for (const [root, members] of links.components) {
      const zero = zeroOf(network, bias, links, root, members);
      for (const i of members) {
        const platform = network.platforms[i]!;
        const { bins, others, charts } = links;
        if (zero === undefined) {
          answers.set(platform, { ...UNKNOWN_BIAS, crossings: bins[i]! });
          continue;
        }
        const found = bias[i]! - zero.shift;
        const isCharted = charts[i]! >= LEAST_CHARTED;
        const isSupported = isCharted || others[i]! >= LEAST_OTHERS;
        if ((found < 0 && !isSupported) || found < -MAX_DEEPENING) {
          answers.set(platform, { ...UNKNOWN_BIAS, crossings: bins[i]! });
          continue;
        }
        // Charted soundings of one other contributor must not make all depths deeper.
        const atLeast = bias[i]! - (zero.median ?? Number.NEGATIVE_INFINITY);
        const meters = isCharted ? found : Math.max(found, Math.min(0, atLeast));
        const { sum, days } = this.#days.get(platform) ?? { sum: 0, days: new Set() };
        const tide = days.size === 0 ? 0 : sum / days.size ** 2;
        answers.set(platform, {
          meters,
          sigma: Math.min(PRIOR_SIGMA, Math.sqrt(1 / own[i]! + tide)),
          crossing: Math.min(PRIOR_SIGMA, Math.sqrt(1 / own[i]!)),
          common: zero.sigma + (meters - found) / SIGMAS_95,
          crossings: bins[i]!,
        });
      }
    }
    return answers;
  }
}

/** Weights of the expectation that a bias is 0. Platforms of an account share one weight. */
function priorsOf(accounts: readonly number[]): Float64Array {
  const counts = new Map<number, number>();
  for (const account of accounts) counts.set(account, (counts.get(account) ?? 0) + 1);
  return Float64Array.from(accounts, (account) => 1 / (PRIOR_SIGMA ** 2 * counts.get(account)!));
}

/** Calls `work` for each bin with the weighted mean of its depths minus `bias`. */
function eachBin(
  network: Network,
  bias: Float64Array,
  work: (bin: number, from: number, end: number, depth: number, weight: number) => void,
): void {
  const { starts, platform, depths, robust, charted, chartRobust } = network;
  for (let bin = 0; bin < charted.length; bin++) {
    const [from, end] = [starts[bin]!, starts[bin + 1]!];
    let weight = chartRobust[bin]!;
    let sum = weight * charted[bin]!;
    for (let i = from; i < end; i++) {
      weight += robust[i]!;
      sum += robust[i]! * (depths[i]! - bias[platform[i]!]!);
    }
    if (weight > 0) work(bin, from, end, sum / weight, weight);
  }
}

/** Huber's weights for the residuals of the current biases. */
function reweight(network: Network, bias: Float64Array): void {
  const { platform, depths, weights, robust, charted, chartWeights, chartRobust } = network;
  const residuals = new Float64Array(depths.length);
  eachBin(network, bias, (bin, from, end, depth) => {
    for (let i = from; i < end; i++) {
      const away = depths[i]! - bias[platform[i]!]! - depth;
      residuals[i] = Math.abs(away) * Math.sqrt(weights[i]!);
    }
    const away = Math.abs(charted[bin]! - depth) * Math.sqrt(chartWeights[bin]!);
    chartRobust[bin] = chartWeights[bin]! * Math.min(1, HUBER / Math.max(away, 1e-9));
  });
  const sorted = residuals.filter((one) => one > 0).sort();
  const scale = SIGMA_PER_MAD * (sorted[sorted.length >> 1] ?? 1);
  for (let i = 0; i < depths.length; i++) {
    robust[i] = weights[i]! * Math.min(1, (HUBER * scale) / Math.max(residuals[i]!, 1e-9));
  }
}

/** The diagonal of the normal equations after the depths of the bins are eliminated. */
function diagonalOf(network: Network): Float64Array {
  const { platforms, priors, platform, robust } = network;
  const diagonal = priors.slice();
  eachBin(network, new Float64Array(platforms.length), (_bin, from, end, _depth, weight) => {
    for (let i = from; i < end; i++) {
      diagonal[platform[i]!]! += robust[i]! - robust[i]! ** 2 / weight;
    }
  });
  return diagonal;
}

/** The matrix of the normal equations times a vector. */
function multiply(network: Network, vector: Float64Array): Float64Array {
  const { priors, starts, platform, robust, chartRobust } = network;
  const product = vector.map((one, i) => one * priors[i]!);
  for (let bin = 0; bin < chartRobust.length; bin++) {
    const [from, end] = [starts[bin]!, starts[bin + 1]!];
    let weight = chartRobust[bin]!;
    let sum = 0;
    for (let i = from; i < end; i++) {
      weight += robust[i]!;
      sum += robust[i]! * vector[platform[i]!]!;
    }
    const mean = weight > 0 ? sum / weight : 0;
    for (let i = from; i < end; i++) {
      product[platform[i]!]! += robust[i]! * (vector[platform[i]!]! - mean);
    }
  }
  return product;
}

/** Conjugate gradients with the diagonal as preconditioner, from the current biases. */
function solveFor(network: Network, bias: Float64Array): void {
  const { platforms, platform, depths, robust } = network;
  const size = platforms.length;
  const right = new Float64Array(size);
  eachBin(network, new Float64Array(size), (_bin, from, end, depth) => {
    for (let i = from; i < end; i++) right[platform[i]!]! += robust[i]! * (depths[i]! - depth);
  });
  const diagonal = diagonalOf(network);
  conjugate(network, bias, right, diagonal);
}

function conjugate(
  network: Network,
  bias: Float64Array,
  right: Float64Array,
  diagonal: Float64Array,
): void {
  const start = multiply(network, bias);
  const rest = right.map((one, i) => one - start[i]!);
  const ready = rest.map((one, i) => one / diagonal[i]!);
  const direction = ready.slice();
  let energy = dot(rest, ready);
  const enough = TOLERANCE ** 2 * Math.max(dot(right, right), 1e-12);
  for (let step = 0; step < MAX_STEPS && dot(rest, rest) > enough; step++) {
    const product = multiply(network, direction);
    const length = energy / dot(direction, product);
    for (let i = 0; i < bias.length; i++) {
      bias[i]! += length * direction[i]!;
      rest[i]! -= length * product[i]!;
      ready[i] = rest[i]! / diagonal[i]!;
    }
    const next = dot(rest, ready);
    for (let i = 0; i < bias.length; i++) {
      direction[i] = ready[i]! + (next / energy) * direction[i]!;
    }
    energy = next;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
