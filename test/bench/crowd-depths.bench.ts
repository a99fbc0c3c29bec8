// Computes depths from five million soundings of a simulated fleet of 200 boats. Measures memory and processor time
// without the simulation, and compares the depths with the true bed.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateCrowd } from '../../tiles-build/crowd/build-crowd.ts';
import { CrowdStore } from '../../tiles-build/crowd/store.ts';
import { writeCrowd } from '../../tiles-build/crowd/write-crowd.ts';
import { simulateFleet } from '../support/fleet.ts';
import { compareFleet } from '../support/fleet-results.ts';
import { largestCrowdTile } from '../support/largest-tiles.ts';
import { goalLines } from './goals.ts';

const SIZE = { seed: 40, boats: 200, trips: 12, soundingsPerTrip: 2084 } as const;
const GOAL_SECONDS = 600;
const GOAL_MEGABYTES = 500;
const GOAL_TILE_KILOBYTES = 200;

const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-bench-crowd-'));
  try {
    const fleet = simulateFleet(SIZE);
    const store = new CrowdStore(folder);
    let simulating = 0;
    let largest = 0;
    const read: typeof fleet.source.read = async (track) => {
      const before = processorSeconds();
      const soundings = await fleet.source.read(track);
      simulating += processorSeconds() - before;
      largest = Math.max(largest, process.memoryUsage().rss);
      return soundings;
    };
    const start = processorSeconds();
    const update = await updateCrowd({
      store,
      source: { ...fleet.source, read },
      tides: fleet.tides,
      chart: fleet.chart,
      now: 0,
      progress: () => {
        largest = Math.max(largest, process.memoryUsage().rss);
      },
    });
    await writeCrowd(store, join(folder, 'archive'), { attributions: [], now: 0 });
    const seconds = processorSeconds() - start - simulating;
    const soundings = SIZE.boats * SIZE.trips * SIZE.soundingsPerTrip;
    console.log(`${soundings} soundings, ${update.bins} public bins`);
    console.log(JSON.stringify(compareFleet(fleet, store, update)));
    const goals = [
      { name: 'processor time', reached: seconds, most: GOAL_SECONDS, unit: 's' },
      { name: 'memory', reached: largest / 1e6, most: GOAL_MEGABYTES, unit: 'MB' },
      {
        name: 'largest tile',
        reached: largestCrowdTile(store) / 1000,
        most: GOAL_TILE_KILOBYTES,
        unit: 'KB',
      },
    ].map((goal) => ({ ...goal, cause: 'see the figures above' }));
    for (const line of goalLines(goals)) console.log(line);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
