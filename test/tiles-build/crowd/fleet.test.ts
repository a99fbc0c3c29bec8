import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type CrowdUpdate, updateCrowd } from '../../../tiles-build/crowd/build-crowd.ts';
import { CrowdStore } from '../../../tiles-build/crowd/store.ts';
import { centreOf, type Fleet, type FleetOptions, simulateFleet } from '../../support/fleet.ts';
import { compareFleet, publicBins } from '../../support/fleet-results.ts';
import { largestCrowdTile } from '../../support/largest-tiles.ts';
import { isLong } from '../../support/long-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'crowd-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

async function build(fleet: Fleet): Promise<{ store: CrowdStore; update: CrowdUpdate }> {
  const store = new CrowdStore(join(folder, String(count++)));
  const { source, tides, chart } = fleet;
  return { store, update: await updateCrowd({ store, source, tides, chart, now: 0 }) };
}

/** The full size has five million soundings and takes minutes. */
const SIZE: FleetOptions = isLong
  ? { seed: 40, boats: 200, trips: 12, soundingsPerTrip: 2084 }
  : { seed: 40, boats: 100, trips: 12, soundingsPerTrip: 400 };

describe('a simulated fleet', async () => {
  const fleet = simulateFleet(SIZE);
  const { store, update } = await build(fleet);
  const results = compareFleet(fleet, store, update);

  it('connects the boats and finds their biases within 0.15 m for 95 %', () => {
    expect(results.connected).toBe(SIZE.boats);
    expect(results.biasesWithin).toBeGreaterThanOrEqual(0.95);
  });

  it('states intervals that contain the bed for 93 to 97 %', () => {
    expect(results.bins).toBeGreaterThan(10_000);
    expect(results.intervals).toBeGreaterThanOrEqual(0.93);
    expect(results.intervals).toBeLessThanOrEqual(0.97);
  });

  it('shows no depth below the bed by more than the uncertainty in 99.9 %', () => {
    expect(results.safe).toBeGreaterThanOrEqual(0.999);
  });

  it('shows no depth below the least of a whole bin, sounded or not, in 98 %', () => {
    expect(results.safeInWholeBin).toBeGreaterThanOrEqual(0.98);
  });

  it('finds the planted shoals, and marks no other bin', () => {
    expect(results.shoalsSounded).toBeGreaterThan(2);
    expect(results.shoalsFound).toBe(results.shoalsSounded);
    expect(results.falseShoals).toBeLessThanOrEqual(1);
  });

  it('makes tiles of at most 200 KB', () => {
    expect(largestCrowdTile(store)).toBeLessThan(200_000);
  });

  it('counts the reasons of rejected soundings', () => {
    const rejected = [...update.contributions.values()].map((one) => one.rejected.outlier ?? 0);
    const outliers = rejected.reduce((sum, one) => sum + one, 0);
    const all = SIZE.boats * SIZE.trips * SIZE.soundingsPerTrip;
    // One in a hundred soundings is wrong.
    expect(outliers / all).toBeGreaterThan(0.006);
    expect(outliers / all).toBeLessThan(0.015);
    for (const { points, used, rejected: reasons } of update.contributions.values()) {
      expect(used + Object.values(reasons).reduce((sum, one) => sum + one, 0)).toBe(points);
    }
  });
});

/** Other seas, so that the intervals do not fit one of them only. */
const OTHERS: readonly (readonly [string, Partial<FleetOptions>])[] = [
  ['other boats and weather', { seed: 7 }],
  ['tides of 8 m', { seed: 5, tidalRange: 8 }],
  ['positions with errors of 8 m', { seed: 9, positionError: 8 }],
  ['few boats', { seed: 11, boats: 30 }],
];

/** Their intervals are narrow only with many boats. */
const LARGE: typeof OTHERS = [
  ['echoes with noise of 0.3 m', { seed: 3, noise: 0.3 }],
  ['tides of 0.6 m', { seed: 13, tidalRange: 0.6 }],
];

const OTHER_SIZE = isLong ? { boats: 100, trips: 12 } : { boats: 50, trips: 6 };

describe.each([...OTHERS, ...(isLong ? LARGE : [])])('a fleet with %s', async (_name, options) => {
  const fleet = simulateFleet({ ...OTHER_SIZE, soundingsPerTrip: 400, ...{ seed: 1, ...options } });
  const { store, update } = await build(fleet);
  const { intervals, safe, falseShoals } = compareFleet(fleet, store, update);

  it('has intervals that contain the bed for 93 to 97 %, and safe depths', () => {
    expect(intervals).toBeGreaterThanOrEqual(0.93);
    expect(intervals).toBeLessThanOrEqual(0.97);
    expect(safe).toBeGreaterThanOrEqual(0.999);
    expect(falseShoals).toBeLessThanOrEqual(1);
  });
});

describe.each([['too much depth everywhere', { platforms: 50, meters: 4 }]])(
  'a hostile account with 50 platforms that reports %s',
  async (_name, hostile) => {
    const size = { seed: 8, boats: 20, trips: 4, soundingsPerTrip: 600 };
    const honest = simulateFleet(size);
    const attacked = simulateFleet({ ...size, hostile });
    const before = publicBins((await build(honest)).store);
    const after = publicBins((await build(attacked)).store);
    const known = new Map(before.map((bin) => [`${bin.x}/${bin.y}`, bin]));

    it('makes no public bin deeper by more than its uncertainty', () => {
      const compared = after.filter(({ x, y }) => known.has(`${x}/${y}`));
      expect(compared.length).toBeGreaterThan(1000);
      for (const bin of compared)
        expect(bin.depth).toBeLessThanOrEqual(known.get(`${bin.x}/${bin.y}`)!.depth + bin.unc);
    });

    it('publishes no depth below the bed by more than the uncertainty', () => {
      const unsafe = after.filter(
        (bin) => bin.depth > attacked.depthAt(...centreOf(bin.x, bin.y)) + bin.unc,
      );
      expect(unsafe.length / after.length).toBeLessThanOrEqual(0.001);
    });

    it('counts as one contributor', () => {
      expect(Math.max(...after.map(({ platforms }) => platforms))).toBeLessThanOrEqual(21);
    });
  },
);
