import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { trackKey } from '../../../tiles-build/crowd/build-crowd.ts';
import { linksOf } from '../../../tiles-build/crowd/components.ts';
import { Contributors } from '../../../tiles-build/crowd/contributors.ts';
import { flatChart, type LaneTrack, lane, sail } from '../../support/lanes.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const root = mkdtempSync(join(tmpdir(), 'crowd-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const state = () => join(root, `state${count++}`);
const binsOf = async (...tracks: LaneTrack[]) => [...(await sail(state(), tracks)).bins.values()];

const anna = lane('anna', { externalUser: '1' });
const bert = lane('bert', { externalUser: '2' });
const hostile = (depth: number) =>
  Array.from({ length: 20 }, (_, i) =>
    lane('hostile', { externalUser: String(i), platform: `p${i}`, depth }),
  );

it('a bin with thousands of contributors is compared in bounded memory', () => {
  const size = 6000;
  const numbers = Array.from({ length: size }, (_, i) => i);
  const own = Uint32Array.from(numbers);
  const bins = 12;
  const perBin = (value: number) => new Float64Array(bins).fill(value);
  const all = new Float64Array(bins * size).fill(1);
  const links = linksOf({
    ...{ platforms: numbers, contributors: new Contributors(own, own, own), priors: all },
    starts: Uint32Array.from({ length: bins + 1 }, (_, i) => i * size),
    platform: Uint32Array.from({ length: bins * size }, (_, i) => i % size),
    ...{ depths: all, weights: all, robust: all, charted: perBin(0), chartWeights: perBin(0) },
    ...{ chartRobust: perBin(0), surveys: Array(bins).fill(0) },
  });
  expect(links.components.size).toBe(1);
  expect(links.bins.every((count) => count === bins)).toBe(true);
  expect(Math.min(...links.others)).toBeGreaterThan(10);
});

describe('an account that uses the names of all others', () => {
  it('leaves two others independent', async () => {
    const bins = await binsOf(anna, bert, ...hostile(9));
    expect(bins.map(({ platforms }) => platforms)).toEqual(Array(20).fill(3));
  });

  it('neither makes nor hides possible shoals', async () => {
    const made = await binsOf(anna, bert, ...hostile(4));
    expect(made).toHaveLength(20);
    expect(made.filter(({ diff }) => diff !== undefined)).toEqual([]);
    const shoal = [anna, bert].map((track) => ({ ...track, depth: 4 }));
    const found = await binsOf(...shoal, ...hostile(9));
    expect(found.filter(({ diff }) => diff !== undefined)).toHaveLength(20);
  });

  it('weighs as one contributor in the median', async () => {
    const others = ['cleo', 'dirk'].map((name) => lane(name));
    const bins = await binsOf(anna, bert, ...others, ...hostile(10));
    expect(bins).toHaveLength(20);
    expect(bins.every(({ median }) => Math.abs(median - 9) < 0.2)).toBe(true);
  });
});

it('an account that is right only where charts are good makes no depth deeper than the bed', async () => {
  const chart = flatChart('good', undefined, (column) => (column < 100 ? undefined : 9));
  const good = ['hostile', 'tourist'].map((name) => lane(name, { from: 100, end: 112 }));
  // Without noise, every difference is an outlier.
  const tracks = ['anna', 'bert', 'cleo', 'dirk', 'emil', 'hostile'].flatMap((name, boat) =>
    [0, 1, 2].map((row) => {
      const depth = (name === 'hostile' ? 11.2 : 9) + 0.1 * (-1) ** (row + boat);
      return lane(name, { rows: [row], depth });
    }),
  );
  const { bins } = await sail(state(), [...tracks, ...good], { chart });
  expect(bins.size).toBe(72);
  for (const { depth, median, unc } of bins.values()) {
    expect(depth).toBeLessThan(9);
    expect(Math.abs(median - 9)).toBeLessThan(unc);
  }
});

describe('bins are not public', () => {
  it.each([
    ['one account with several persons', [anna, lane('anna', { externalUser: '3' })]],
    ['one person with several accounts', [anna, lane('cleo', { externalUser: '1' })]],
    ['one person and an account of the person', [anna, lane('anna', { subject: 'other' })]],
  ])('with soundings of %s', async (_name, tracks) => {
    expect(await binsOf(...tracks)).toEqual([]);
  });
});

describe('a vessel whose depths have several zeros', () => {
  it('has a bias for each of them', async () => {
    const tracks = ['anna', 'bert', 'cleo', 'dirk'].flatMap((name, boat) =>
      [0, 1, 2, 3].map((row) => {
        const isLow = name === 'anna' && row < 2;
        // Without noise, every difference is an outlier.
        const depth = (isLow ? 7.5 : 9) + 0.1 * (-1) ** (row + boat);
        return lane(name, { rows: [row], depth, zero: isLow ? 'low' : '' });
      }),
    );
    const { update } = await sail(state(), tracks);
    const [low, , high] = tracks.map((track) => update.contributions.get(trackKey(track))!.bias);
    expect(low!.meters).toBeCloseTo(-1.5, 0);
    expect(high!.meters).toBeCloseTo(0, 0);
  });

  it('has the same depths and uncertainties as with one zero if no bias is known', async () => {
    const withZeros = (zeros: readonly string[]) =>
      binsOf(...zeros.map((zero) => lane('anna', { platform: '', zero })), bert);
    const bins = await withZeros(['track 1', 'track 2', 'track 3', 'track 4']);
    expect(bins).toHaveLength(20);
    expect(bins).toEqual(await withZeros(['', '', '', '']));
  });
});

it('users of a trusted account are independent if they are named', async () => {
  const users = ['1', '2'].map((externalUser) => lane('app', { externalUser }));
  const trusted = new Set(['app']);
  expect((await sail(state(), users, { trusted })).bins.size).toBe(20);
  // Without a user, a track can be of any of them.
  expect((await sail(state(), [users[0]!, lane('app')], { trusted })).bins.size).toBe(0);
});

describe('Contributors', () => {
  const random = seededRandom(5);
  const cases = Array.from({ length: 300 }, () => {
    const pick = () => Uint32Array.from({ length: 6 }, () => Math.floor(random() * 4));
    return new Contributors(pick(), pick(), pick());
  });
  const all = [0, 1, 2, 3, 4, 5];
  /** Tries all sets of platforms. */
  const most = (one: Contributors, from = 0, chosen: readonly number[] = []): number =>
    all.slice(from).reduce((best, platform) => {
      if (chosen.some((other) => !one.areIndependent(platform, other))) return best;
      return Math.max(best, most(one, platform + 1, [...chosen, platform]));
    }, chosen.length);

  it('counts the most platforms with different accounts and persons', () => {
    for (const one of cases) expect(one.count(all)).toBe(most(one));
  });

  it('divides platforms into as many contributors, and never an account', () => {
    for (const one of cases) {
      const contributorOf = one.among(all);
      expect(new Set(all.map(contributorOf)).size).toBe(most(one));
      for (const [i, j] of all.flatMap((i) => all.map((j) => [i, j] as const)))
        if (one.accounts[i] === one.accounts[j]) expect(contributorOf(i)).toBe(contributorOf(j));
    }
  });

  it('finds the first platform that is independent of an earlier one', () => {
    for (const one of cases) {
      const first = all.findIndex((i) => all.slice(0, i).some((j) => one.areIndependent(i, j)));
      expect(one.secondOf(all)).toBe(first);
    }
  });
});
