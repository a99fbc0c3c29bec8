// Route planning: CPU time, leaves (search nodes) and squares read for trips of five lengths over real
// charts, the storage reads of a trip with empty caches, and ocean passages compared with searoute-js.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { distanceMeters } from '../../shared/geo/earth.ts';
import { geodesicMeters } from '../../shared/geo/geodesic.ts';
import type { Position } from '../../shared/route/trip.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { NO_EDGE_CACHE, planColdTrip } from '../support/route/cold-trips.ts';
import { planWarm, tripOf } from '../support/route/trips.ts';
import { openSeaFile, type SeaFile } from '../support/sea-file.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Goal, goalLines } from './goals.ts';
import { byLanes, crossesLand } from './sea-lanes.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const DATA = process.env['LEADLINE_ENC_DIR'] ?? resolve(REPOSITORY, '../shared/data');
const SEED = 20_261_125;
const ROUNDS = 3;
/** With the defaults of the endpoint. */
const TRIP_OPTIONS = {
  vessel: { draft: 2, airDraft: 15 },
  safety: { lateralClearance: 10 },
  options: { preferFairways: true, followTss: true },
};

type Box = readonly [west: number, south: number, east: number, north: number];

const KINDS: readonly {
  readonly name: string;
  readonly kilometers: readonly [number, number];
  readonly boxes: readonly Box[];
  readonly trips: number;
}[] = [
  {
    name: '5 km, harbour',
    kilometers: [2, 8],
    boxes: [
      [-122.54, 47.24, -122.36, 47.32],
      [-151.5, 59.55, -151.2, 59.63],
      [-152.1, 59.32, -151.65, 59.48],
    ],
    trips: 150,
  },
  { name: '50 km, coast', kilometers: [40, 60], boxes: [[-152.4, 59.1, -151.2, 59.7]], trips: 150 },
  {
    name: '100 km, coast',
    kilometers: [80, 120],
    boxes: [[-154.3, 58.85, -150.9, 60.2]],
    trips: 80,
  },
  { name: '300 km, coast', kilometers: [250, 350], boxes: [[-126, 36, -120, 49]], trips: 60 },
  { name: '1,000 km, coast', kilometers: [900, 1100], boxes: [[-131, 33, -117.5, 54]], trips: 60 },
];

const OCEANS: readonly (readonly [name: string, from: Position, to: Position])[] = [
  ['North Atlantic', [-5.5, 49.5], [-73.5, 40.2]],
  ['South Atlantic', [18, -34], [-43, -23.5]],
  ['Los Angeles to Tokyo', [-118.5, 33.5], [140.2, 34.8]],
  ['Auckland to Honolulu', [175.2, -36.2], [-157.9, 21.1]],
  ['Bergen to Tromsø', [4.5, 60.4], [18.3, 70.1]],
  ['Malacca', [95, 6], [104.5, 1.3]],
  ['Cape Horn', [-80, -50], [-60, -50]],
  ['Baltic', [19, 58], [22.5, 59.3]],
  ['English Channel', [-1.5, 50.4], [-1.6, 49.9]],
  // Around a continent, because canals are not part of the sea.
  ['Colón to Balboa', [-79.95, 9.5], [-79.5, 8.7]],
  ['Los Angeles to Suez', [-118.2, 33.6], [32.6, 29.7]],
];

/** Runs the bench and prints the result; undefined if the cells are missing. */
export async function run(): Promise<unknown> {
  const enc = join(DATA, 'ENC_ROOT');
  if (!existsSync(enc)) {
    console.log(`skipped: no cells in ${DATA} (set LEADLINE_ENC_DIR)`);
    return undefined;
  }
  const charts = join(REPOSITORY, 'node_modules', '.cache', 'leadline-test', 'all-cells');
  await buildCharts({ enc: [enc], out: charts, jobs: 2 });
  const sea = await openSeaFile(charts);
  const checksum = createHash('sha256');
  console.log(
    `draft 2 m, 10 m to each side, preferring fairways (seed ${SEED}); CPU milliseconds, least of ${ROUNDS} runs`,
  );
  Object.assign(globalThis, { caches: NO_EDGE_CACHE });
  const figures = [];
  for (const kind of KINDS) figures.push(await figuresOf(charts, sea, kind, checksum));
  console.table(figures);
  console.log('cold: storage reads by the Worker with empty caches, and waits for parallel reads');
  const oceans = OCEANS.map(([name, from, to]) => ocean(sea, name, from, to, checksum));
  console.table(oceans);
  for (const line of goalLines([...coastGoals(figures), ...oceanGoals(oceans)])) console.log(line);
  console.log(`checksum ${checksum.digest('hex').slice(0, 16)}`);
  return { figures, oceans };
}

type Figures = Awaited<ReturnType<typeof figuresOf>>;

function coastGoals(figures: readonly Figures[]): Goal[] {
  const coast = figures.find(({ trip }) => trip.startsWith('50 km'))!;
  const far = figures.find(({ trip }) => trip.startsWith('100 km'))!;
  const longest = figures.find(({ trip }) => trip.startsWith('1,000 km'))!;
  const each = (ms: number, leaves: number) =>
    `${leaves} leaves are examined, ${((1000 * ms) / leaves).toFixed(0)} µs each, all work of the trip included`;
  const cold = { cause: 'some sheets on the way were not read ahead' };
  return [
    {
      name: `${coast.trip}, median`,
      reached: coast['ms p50'],
      most: 5,
      unit: 'ms',
      cause: each(coast['ms p50'], coast['leaves p50']),
    },
    {
      name: `${coast.trip}, 95th percentile`,
      reached: coast['ms p95'],
      most: 40,
      unit: 'ms',
      cause: each(coast['ms p95'], coast['leaves p95']),
    },
    {
      name: `${far.trip}, cold`,
      reached: far['cold reads p95'],
      most: 12,
      unit: 'reads',
      ...cold,
    },
    { name: `${far.trip}, cold`, reached: far['cold waits p95'], most: 4, unit: 'waits', ...cold },
    {
      name: `${longest.trip}, cold`,
      reached: longest['cold reads p95'],
      most: 4,
      unit: 'reads',
      ...cold,
    },
  ];
}

function oceanGoals(oceans: readonly ReturnType<typeof ocean>[]): Goal[] {
  return oceans.map(({ passage, ms, leaves }) => ({
    name: passage,
    reached: ms,
    most: 100,
    unit: 'ms',
    cause: `${leaves} leaves are examined, ${((1000 * ms) / Math.max(leaves, 1)).toFixed(0)} µs each`,
  }));
}

async function figuresOf(
  charts: string,
  sea: SeaFile,
  { name, kilometers, boxes, trips }: (typeof KINDS)[number],
  checksum: ReturnType<typeof createHash>,
) {
  const random = seededRandom(SEED);
  const [ms, leaves, squares, reads, waits]: number[][] = [[], [], [], [], []];
  let refused = 0;
  while (ms!.length < trips) {
    const [west, south, east, north] = boxes[ms!.length % boxes.length]!;
    const place = (): Position => [
      west + random() * (east - west),
      south + random() * (north - south),
    ];
    const [from, to] = [place(), place()];
    const length = distanceMeters(...from, ...to) / 1000;
    if (length < kilometers[0] || length > kilometers[1]) continue;
    const trip = tripOf([from, to], TRIP_OPTIONS);
    const { answer, ...cold } = await planColdTrip(charts, trip);
    const codes = answer.success ? [] : answer.failures.map(({ code }) => code);
    if (codes.some((code) => code !== 'NO_PATH' && code !== 'WAYPOINT_ENCLOSED')) continue;
    if (!answer.success) refused++;
    ms!.push(leastMs(() => planWarm(trip, sea)));
    leaves!.push(answer.effort.expanded);
    squares!.push(answer.effort.squares);
    reads!.push(cold.reads);
    waits!.push(cold.rounds);
    checksum.update(JSON.stringify(answer));
  }
  return {
    trip: name,
    trips,
    refused,
    'ms p50': quantile(ms!, 0.5),
    'ms p95': quantile(ms!, 0.95),
    'leaves p50': quantile(leaves!, 0.5),
    'leaves p95': quantile(leaves!, 0.95),
    'squares p95': quantile(squares!, 0.95),
    'cold reads p50': quantile(reads!, 0.5),
    'cold reads p95': quantile(reads!, 0.95),
    'cold waits p95': quantile(waits!, 0.95),
  };
}

function ocean(
  sea: SeaFile,
  name: string,
  from: Position,
  to: Position,
  checksum: ReturnType<typeof createHash>,
) {
  const trip = tripOf([from, to], {
    ...TRIP_OPTIONS,
    safety: { ...TRIP_OPTIONS.safety, allowUnknownDepth: true },
    options: { ...TRIP_OPTIONS.options, maxSnapDistance: 20_000 },
  });
  const ms = leastMs(() => planWarm(trip, sea));
  const answer = planWarm(trip, sea);
  checksum.update(JSON.stringify(answer));
  const lane = byLanes(from, to);
  const laneMs = leastMs(() => byLanes(from, to));
  const miles = (meters: number | undefined) =>
    meters === undefined ? '–' : Math.round(meters / 1852);
  return {
    passage: name,
    'great circle nm': miles(geodesicMeters(...from, ...to)),
    nm: miles(answer.success ? answer.distance : undefined),
    ms: Number(ms.toFixed(1)),
    leaves: answer.effort.expanded,
    'over land': answer.success && crossesLand(answer.path),
    'searoute-js nm': miles(lane?.meters),
    'searoute-js ms': Number(laneMs.toFixed(1)),
    'searoute-js over land': lane !== undefined && crossesLand(lane.path),
  };
}

function leastMs(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number(sorted[Math.floor(sorted.length * part)]!.toFixed(1));
}
