// Estimates the bias of each platform (measured minus true depth) from bins that several platforms have
// sounded and from charted depths in well-surveyed water, by robust least squares over the network.
//
// B. R. Calder, S. Dijkstra, S. Hoy, K. Himschoot, A. Schofield, "A Design for a Trusted Community
// Bathymetry System", Marine Geodesy 43 (2020), 327-358: crossings calibrate vessels that do not measure
// their offsets. P. J. Huber, "Robust Estimation of a Location Parameter", Annals of Mathematical
// Statistics 35 (1964), 73-101: the weights. The depth of each bin is eliminated, and conjugate
// gradients solve for the biases.

/** Standard deviation of the offset of an unknown platform, metres. */
export const PRIOR_SIGMA = 0.8;
/** Huber's constant: 95 % efficiency for normal errors. */
const HUBER = 1.345;
const SIGMA_PER_MAD = 1.4826;
const REWEIGHTINGS = 8;
const MAX_STEPS = 200;
const TOLERANCE = 1e-7;
/** Bins that two platforms must share before the crossing counts. */
const LEAST_BINS = 3;
/** Charted depths on the track of a platform before they alone support its bias. */
const LEAST_CHARTED = 10;
/** Independent other contributors that support a correction which makes depths deeper. */
const LEAST_OTHERS = 2;
/** Contributors before their median may replace charted depths as the zero of a component. */
const LEAST_CONTRIBUTORS = 3;
/** Larger corrections towards greater depths are refused, metres. */
const MAX_DEEPENING = 2.5;
/** Charted soundings are rounded and shoal-biased: least uncertainty of their mean, metres. */
const CHART_SIGMA = 0.08;
/** Loss of the median against the mean. */
const MEDIAN_LOSS = Math.PI / 2;

/** What a platform measured in one bin. */
export interface Observation {
  readonly platform: number;
  /** Contributor: platforms of one contributor share its weight. */
  readonly contributor: number;
  /** Mean depth of its passes, metres, and its variance without the bias. */
  readonly depth: number;
  readonly variance: number;
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
  readonly #contributors: number[] = [];
  /** Charted depth and its weight by bin; weight 0 without. */
  readonly #charted: number[] = [];
  readonly #chartWeights: number[] = [];
  /** Variance of a day's tide and number of days by platform. */
  readonly #days = new Map<number, { sum: number; days: Set<number> }>();

  get bins(): number {
    return this.#charted.length;
  }

  /** @param charted a surveyed depth in the bin, and its standard deviation */
  addBin(
    observations: readonly Observation[],
    charted?: { readonly depth: number; readonly sigma: number },
  ): void {
    for (const { platform, contributor, depth, variance } of observations) {
      const sharing = observations.filter((other) => other.contributor === contributor).length;
      this.#platforms.push(platform);
      this.#depths.push(depth);
      this.#weights.push(1 / (variance * sharing));
      this.#contributors.push(contributor);
    }
    this.#charted.push(charted?.depth ?? 0);
    this.#chartWeights.push(charted === undefined ? 0 : 1 / charted.sigma ** 2);
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
    const owners: number[] = [];
    const platform = Uint32Array.from(this.#platforms, (one, i) => {
      const known = numbers.get(one) ?? numbers.size;
      numbers.set(one, known);
      owners[known] = this.#contributors[i]!;
      return known;
    });
    const weights = Float64Array.from(this.#weights);
    return {
      platforms: [...numbers.keys()],
      owners,
      priors: priorsOf(owners),
      starts: Uint32Array.from(this.#starts),
      platform,
      depths: Float64Array.from(this.#depths),
      weights,
      robust: weights.slice(),
      charted: Float64Array.from(this.#charted),
      chartWeights: Float64Array.from(this.#chartWeights),
      chartRobust: Float64Array.from(this.#chartWeights),
    };
  }

  #present(network: Network, bias: Float64Array): Map<number, PlatformBias> {
    const links = linksOf(network);
    const own = diagonalOf(network);
    const answers = new Map<number, PlatformBias>();
    for (const members of links.components) {
      const zero = zeroOf(network, bias, links, members);
      for (const i of members) {
        const platform = network.platforms[i]!;
        const { bins, others, charts } = links;
        if (zero === undefined) {
          answers.set(platform, { ...UNKNOWN_BIAS, crossings: bins[i]! });
          continue;
        }
        const meters = bias[i]! - zero.shift;
        const isSupported = charts[i]! >= LEAST_CHARTED || others[i]!.size >= LEAST_OTHERS;
        if ((meters < 0 && !isSupported) || meters < -MAX_DEEPENING) {
          answers.set(platform, { ...UNKNOWN_BIAS, crossings: bins[i]! });
          continue;
        }
        const { sum, days } = this.#days.get(platform) ?? { sum: 0, days: new Set() };
        const tide = days.size === 0 ? 0 : sum / days.size ** 2;
        answers.set(platform, {
          meters,
          sigma: Math.min(PRIOR_SIGMA, Math.sqrt(1 / own[i]! + tide)),
          crossing: Math.min(PRIOR_SIGMA, Math.sqrt(1 / own[i]!)),
          common: zero.sigma,
          crossings: bins[i]!,
        });
      }
    }
    return answers;
  }
}

interface Network {
  /** Number of each platform in the state, and its contributor. */
  readonly platforms: readonly number[];
  readonly owners: readonly number[];
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
}

/** Weights of the expectation that a bias is 0. Platforms of one contributor share one weight. */
function priorsOf(owners: readonly number[]): Float64Array {
  const counts = new Map<number, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return Float64Array.from(owners, (owner) => 1 / (PRIOR_SIGMA ** 2 * counts.get(owner)!));
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

interface Links {
  /** Platforms that are connected by crossings. */
  readonly components: readonly (readonly number[])[];
  /** By platform: shared bins, other contributors in at least `LEAST_BINS`, charted depths. */
  readonly bins: Uint32Array;
  readonly others: readonly ReadonlySet<number>[];
  readonly charts: Uint32Array;
}

function linksOf({ platforms, owners, starts, platform, chartWeights }: Network): Links {
  const size = platforms.length;
  const [bins, charts] = [new Uint32Array(size), new Uint32Array(size)];
  const shared = new Map<number, number>();
  for (let bin = 0; bin < chartWeights.length; bin++) {
    const [from, end] = [starts[bin]!, starts[bin + 1]!];
    for (let i = from; i < end; i++) {
      const one = platform[i]!;
      if (chartWeights[bin]! > 0) charts[one]!++;
      let crosses = chartWeights[bin]! > 0;
      for (let j = from; j < end; j++) {
        if (owners[platform[j]!] === owners[one]) continue;
        crosses = true;
        const pair = one * size + platform[j]!;
        shared.set(pair, (shared.get(pair) ?? 0) + 1);
      }
      if (crosses) bins[one]!++;
    }
  }
  const others = platforms.map(() => new Set<number>());
  const parents = Uint32Array.from(platforms.keys());
  const rootOf = (one: number): number => {
    let root = one;
    while (parents[root] !== root) root = parents[root]!;
    parents[one] = root;
    return root;
  };
  for (const [pair, count] of shared) {
    if (count < LEAST_BINS) continue;
    const [one, other] = [Math.floor(pair / size), pair % size];
    others[one]!.add(owners[other]!);
    parents[rootOf(one)] = rootOf(other);
  }
  const roots = Array.from(platforms, (_, i) => rootOf(i));
  return { components: [...grouped(roots, roots.keys()).values()], bins, others, charts };
}

/**
 * What to subtract from the biases of a component, and the standard deviation that remains: nothing
 * where charted depths set the zero, otherwise the median over contributors, which one contributor with
 * any number of platforms cannot move. `undefined` if there are too few of both.
 */
function zeroOf(
  { owners }: Network,
  bias: Float64Array,
  { charts }: Links,
  members: readonly number[],
): { readonly shift: number; readonly sigma: number } | undefined {
  const charted = members.filter((i) => charts[i]! >= LEAST_CHARTED);
  if (charted.length > 0) return { shift: 0, sigma: CHART_SIGMA };
  const byOwner = grouped(owners, members);
  if (byOwner.size < LEAST_CONTRIBUTORS) return undefined;
  const medians = [...byOwner.values()].map((own) => medianOf(own.map((i) => bias[i]!)));
  return { shift: medianOf(medians), sigma: PRIOR_SIGMA * Math.sqrt(MEDIAN_LOSS / byOwner.size) };
}

/** Indices by their key. */
function grouped(keys: readonly number[], indices: Iterable<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const i of indices) {
    const own = groups.get(keys[i]!);
    if (own === undefined) groups.set(keys[i]!, [i]);
    else own.push(i);
  }
  return groups;
}

/** @param values at least one */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
