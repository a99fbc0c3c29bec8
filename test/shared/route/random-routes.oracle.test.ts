// Random trips over built charts, for three drafts: every leg of every path is judged by JSTS on the
// features that GDAL reads from the same cells, and every failure by a flood over the cells.

import { describe, expect, inject, it } from 'vitest';
import type { Failure, Position, Trip } from '../../../shared/route/trip.ts';
import { hasEncData } from '../../support/enc-data.ts';
import { hasGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { realCells, realCharts } from '../../support/real-charts.ts';
import { floodCells } from '../../support/route/cell-flood.ts';
import { ChartJudge } from '../../support/route/chart-judge.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import { openSeaFile, type SeaFile } from '../../support/sea-file.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const DRAFTS = [0.8, 2.5, 7];
const MOST_FLOODED = isLong ? 400_000 : 60_000;

type Box = readonly [west: number, south: number, east: number, north: number];

interface Charts {
  readonly name: string;
  readonly cells: () => readonly string[];
  readonly charts: () => Promise<string>;
  readonly boxes: readonly Box[];
  readonly trips: number;
}

const SETS: readonly Charts[] = [
  {
    name: 'the demo',
    cells: () => [inject('demoCells')],
    charts: async () => inject('demoCharts'),
    boxes: [
      [-20.1, -30.06, -19.9, -29.97],
      [-20.25, -30.2, -19.75, -29.85],
      [-21, -30.8, -19, -29.4],
    ],
    trips: isLong ? 300 : 18,
  },
  ...(hasEncData && isLong
    ? [
        {
          name: 'real cells',
          cells: () => realCells('withCoarse'),
          charts: realCharts,
          boxes: [
            [-122.54, 47.24, -122.36, 47.32],
            [-151.5, 59.55, -151.2, 59.63],
            [-152.1, 59.32, -151.65, 59.48],
            [-152.4, 59.1, -151.2, 59.7],
            [-154.3, 58.85, -150.9, 60.2],
            [-128, 40, -123, 50],
          ] as readonly Box[],
          trips: 1000,
        },
      ]
    : []),
];

describe.runIf(hasGdal)('random routes over', () => {
  it.each(SETS)(
    '$name: $trips trips',
    async ({ cells, charts, boxes, trips }) => {
      const judge = await ChartJudge.of(cells());
      const sea = await openSeaFile(await charts());
      const random = seededRandom(20_261_121);
      const seen = new Set<string>();
      const codes = new Map<string, number>();
      const wrong: string[] = [];
      let legs = 0;
      for (let i = 0; i < trips; i++) {
        const trip = randomTrip(random, boxes[i % boxes.length]!, DRAFTS[i % 3]!, sea);
        seen.add(JSON.stringify(trip.waypoints));
        const answer = planWarm(trip, sea);
        const code = answer.success ? 'success' : answer.failures[0]!.code;
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (!answer.success) {
          wrong.push(...answer.failures.flatMap((failure) => doubts(sea, trip, failure)));
          continue;
        }
        for (const { from, to, background } of answer.legs) {
          legs++;
          const verdict = judge.judge(from, to, trip);
          if (verdict.uncharted > 1e-9 && !background)
            wrong.push(`${i}: ${from} ${to} is uncharted`);
          wrong.push(...verdict.wrong.map((what) => `${i}: ${from} ${to}: ${what}`));
        }
      }
      expect(wrong).toEqual([]);
      expect(seen.size).toBe(trips);
      const report = JSON.stringify([...codes]);
      expect(codes.get('success'), report).toBeGreaterThan(trips / 2);
      expect(codes.get('SEARCH_LIMIT'), report).toBeUndefined();
      expect(legs).toBeGreaterThan(trips);
    },
    3_600_000,
  );
});

/** Mostly between safe positions; sometimes between any positions. */
function randomTrip(random: () => number, box: Box, draft: number, sea: SeaFile): Trip {
  const [west, south, east, north] = box;
  const changes = {
    vessel: { draft, airDraft: random() < 0.5 ? undefined : 5 + random() * 30 },
    safety: {
      lateralClearance: random() < 0.3 ? 0 : 5 + Math.round(random() * 30),
      shoreDistance: random() < 0.2 ? Math.round(random() * 2000) : 0,
    },
    options: {
      preferFairways: random() < 0.5,
      followTss: random() < 0.5,
      optimize: random() < 0.2 ? 'safety' : 'distance',
    },
  } as const;
  const place = (): Position => {
    for (let tries = 0; ; tries++) {
      const at: Position = [west + random() * (east - west), south + random() * (north - south)];
      if (random() < 0.03 || tries > 300) return at;
      if (planWarm(tripOf([at, at], changes), sea).success) return at;
    }
  };
  return tripOf([place(), place()], changes);
}

/** What speaks against a failure. */
function doubts(sea: SeaFile, trip: Trip, { code, message, waypoint }: Failure): string[] {
  const said = `${message} ${JSON.stringify(trip.waypoints)} ${JSON.stringify(trip.vessel)}`;
  if (code === 'NO_PATH' || code === 'WAYPOINT_ENCLOSED') {
    const [from, to] = trip.waypoints as [Position, Position];
    const ends = waypoint === 1 ? ([to, from] as const) : ([from, to] as const);
    return floodCells(sea, trip, ...ends, MOST_FLOODED) === 'arrived'
      ? [`there is a way: ${said}`]
      : [];
  }
  if (waypoint === undefined) return [said];
  // A bad waypoint has no room in the cells either.
  const at = trip.waypoints[waypoint]!;
  if (floodCells(sea, trip, at, at, 1) === 'arrived') return [`nothing is wrong there: ${said}`];
  return [];
}
