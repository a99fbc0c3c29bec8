// Random trips in busy harbours, by real charts with little around them but the background: every
// leg is judged by JSTS on what GDAL reads, its distance from land by geodesics, and every failure
// by a flood over all cells.

import { describe, expect, it } from 'vitest';
import type { Failure, Position, Trip } from '../../../shared/route/trip.ts';
import { findCells } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { locationOf, readLocation } from '../../../tiles-build/pipeline/cell-location.ts';
import { COAST_METERS } from '../../../tiles-build/route/coast-zone.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { hasGdal, readWithGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { realCharts } from '../../support/real-charts.ts';
import { CellBasins } from '../../support/route/cell-basins.ts';
import { floodCells } from '../../support/route/cell-flood.ts';
import { ChartJudge } from '../../support/route/chart-judge.ts';
import { CoastJudge } from '../../support/route/coast-judge.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import { openSeaFile, type SeaFile } from '../../support/sea-file.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const DRAFTS = [1, 2.5, 6];
const TRIPS = isLong ? 300 : 5;
const SEED = 20_261_122;
/** Of a leg on the plane: some centimetres. */
const ROUNDING = 1e-9;

type Box = readonly [west: number, south: number, east: number, north: number];

const WATERS: readonly { name: string; cells: readonly string[]; box: Box }[] = [
  {
    name: 'Boston',
    cells: ['US5MA11M', 'US5MA12M'],
    box: [-71.12, 42.21, -70.72, 42.43],
  },
  {
    name: 'Chesapeake',
    cells: ['US4MD81M', 'US5MD1MC'],
    box: [-76.63, 38.34, -75.99, 39.06],
  },
];

describe.runIf(hasEncData && hasGdal)('random trips in', () => {
  it.each(WATERS)(
    `$name: ${TRIPS}, every leg in charted water, every failure explained`,
    async ({ name, cells, box }) => {
      const folders = cells.map((cell) => encData('ENC_BUSY', cell));
      const sea = await openSeaFile(await realCharts());
      const judge = await ChartJudge.of(folders);
      const coast = await coastOf(folders, box);
      const random = seededRandom(SEED);
      const basins = new Map<string, CellBasins>();
      const codes = new Map<string, number>();
      const wrong: string[] = [];
      let [legs, meters, mostMs] = [0, 0, 0];
      for (let i = 0; i < TRIPS; i++) {
        const trip = randomTrip(random, box, i, sea);
        const before = process.cpuUsage();
        const answer = planWarm(trip, sea);
        const { user, system } = process.cpuUsage(before);
        mostMs = Math.max(mostMs, (user + system) / 1000);
        const code = answer.success ? 'success' : answer.failures[0]!.code;
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (!answer.success) {
          for (const failure of answer.failures) {
            if (failure.waypoint === undefined || failure.code === 'SEARCH_LIMIT') {
              wrong.push(`${i}: ${failure.message}`);
            } else if (failure.code === 'NO_PATH' || failure.code === 'WAYPOINT_ENCLOSED') {
              const key = JSON.stringify([trip.vessel, trip.safety]);
              const known = basins.get(key) ?? new CellBasins(sea, trip, box);
              basins.set(key, known);
              if (known.joins(...(trip.waypoints as [Position, Position]))) {
                wrong.push(`${i}: there is a way: ${failure.message}`);
              }
            } else if (isSafeAt(sea, trip, failure)) {
              wrong.push(`${i}: nothing is wrong there: ${failure.message}`);
            }
          }
          continue;
        }
        for (const { from, to, distance } of answer.legs) {
          legs++;
          meters += distance;
          const verdict = judge.judge(from, to, trip);
          wrong.push(...verdict.wrong.map((what) => `${i}: ${from} ${to}: ${what}`));
          if (verdict.uncharted <= ROUNDING) continue;
          for (const place of along(from, to)) {
            if (judge.covers(place)) continue;
            const away = coast.metersFromLand(place);
            if (away < COAST_METERS) wrong.push(`${i}: ${place}: uncharted, ${away} m from land`);
          }
        }
      }
      const report = `${name}: ${JSON.stringify([...codes])}, ${legs} legs, ${Math.round(meters / 1000)} km, slowest ${Math.round(mostMs)} ms of CPU (seed ${SEED})`;
      expect(wrong).toEqual([]);
      expect(codes.get('success'), report).toBeGreaterThan(TRIPS / 2);
      expect(legs).toBeGreaterThan(TRIPS);
    },
    3_600_000,
  );
});

/** Mostly between safe positions; sometimes between any positions. */
function randomTrip(
  random: () => number,
  [west, south, east, north]: Box,
  i: number,
  sea: SeaFile,
): Trip {
  const changes = {
    vessel: { draft: DRAFTS[i % 3]!, airDraft: i % 2 === 0 ? undefined : 15 },
    safety: { lateralClearance: 10 },
  };
  const place = (): Position => {
    for (let tries = 0; ; tries++) {
      const at: Position = [west + random() * (east - west), south + random() * (north - south)];
      if (random() < 0.01 || tries > 300) return at;
      if (planWarm(tripOf([at, at], changes), sea).success) return at;
    }
  };
  return tripOf([place(), place()], changes);
}

async function coastOf(folders: readonly string[], box: Box): Promise<CoastJudge> {
  const coast = new CoastJudge();
  const { cells } = await findCells(folders);
  for (const source of cells) {
    coast.addCharted(readWithGdal(await readLocation(locationOf(source))));
  }
  coast.addBackground(box);
  return coast;
}

function isSafeAt(sea: SeaFile, trip: Trip, { waypoint }: Failure): boolean {
  const at = trip.waypoints[waypoint!]!;
  return floodCells(sea, trip, at, at, 1) === 'arrived';
}

/** Places of a leg, about a hundred metres apart. */
function along([ax, ay]: Position, [bx, by]: Position): Position[] {
  const count = Math.ceil(Math.hypot(bx - ax, by - ay) / 0.001) + 1;
  return Array.from(
    { length: count + 1 },
    (_, k): Position => [ax + ((bx - ax) * k) / count, ay + ((by - ay) * k) / count],
  );
}
