// Random basins: a route exists if and only if the raster that GDAL makes of the chart has a wide enough
// way. A refusal because of width names the narrowest position and its width.

import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { hasGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { BasinJudge, type WidestWay } from '../../support/route/basin-judge.ts';
import { chartedSea } from '../../support/route/charted-sea.ts';
import { landFolder } from '../../support/route/land-folder.ts';
import {
  BASIN_METERS,
  BASIN_NAME,
  type Place,
  placeOf,
  positionOf,
  randomBasin,
} from '../../support/route/random-basins.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import type { SeaFile } from '../../support/sea-file.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const BASINS = isLong ? 300 : 2;
/**
 * For clearances this close to the widest way, a route and a refusal are both correct: two pixels of
 * the raster.
 */
const DOUBT_METERS = 2;
/** The minimum clearance of a trip: more than a cell of the search. */
const LEAST_CLEARANCE = 10;
/**
 * A cell of the search is 7.1 m wide here. A passage of less than two cells may contain no free cell,
 * so the message need not name it.
 */
const LEAST_NAMED_RADIUS = 7.1;
/** The minimum angle between the two sides of the named position, in degrees. */
const LEAST_ANGLE = 120;
const WIDTH_TEXT = /at ([\d.]+)°N ([\d.]+)°W, is about (\d+) m wide/;

/** Land around the basin, so that nothing is safe outside the chart. */
const folder = landFolder(
  (
    [
      [-30_000, -30_000],
      [30_000, -30_000],
      [30_000, 30_000],
      [-30_000, 30_000],
    ] as const
  ).map(positionOf),
);
afterAll(() => rmSync(folder, { recursive: true }));

describe.runIf(hasGdal)('routes over random basins', () => {
  it(`exist if the basin is wide enough, and refusals name the narrowest position: ${BASINS} basins`, async () => {
    const clipper = await loadClipper();
    const counts = { answered: 0, tooNarrow: 0, closed: 0, doubtful: 0, skipped: 0 };
    const wrong: string[] = [];
    for (let i = 0; i < BASINS; i++) {
      const random = seededRandom(33_004 + i);
      const bytes = randomBasin(random);
      const judge = new BasinJudge(bytes);
      const sea = await seaOf(bytes, clipper);
      const ends = [roomyPlace(random, judge, 0), roomyPlace(random, judge, 600)] as const;
      const widest = judge.widest(...ends);
      for (const factor of [0.6 + random() * 0.5, 1 + random() * 0.5]) {
        const clearance = Math.max(LEAST_CLEARANCE, Math.round(widest.radius * factor));
        if (ends.some((end) => judge.distanceAt(end) < clearance + 2 * DOUBT_METERS)) {
          counts.skipped++;
          continue;
        }
        const trip = tripOf(ends.map(positionOf), { safety: { lateralClearance: clearance } });
        const answer = planWarm(trip, sea);
        const text = `basin ${i}, ${clearance} m of ${widest.radius.toFixed(1)} m at ${widest.at.map(Math.round)}`;
        if (Math.abs(clearance - widest.radius) <= DOUBT_METERS) counts.doubtful++;
        else if (answer.success !== clearance < widest.radius) {
          wrong.push(`${text}: ${answer.success ? 'answered' : answer.failures[0]!.message}`);
        }
        if (answer.success) {
          counts.answered++;
          continue;
        }
        const { message } = answer.failures[0]!;
        if (widest.radius === 0) counts.closed++;
        else counts.tooNarrow++;
        wrong.push(...faultsOf(message, judge, ends, widest).map((fault) => `${text}: ${fault}`));
      }
    }
    const report = JSON.stringify(counts);
    expect(wrong).toEqual([]);
    expect(counts.answered, report).toBeGreaterThan(BASINS / 5);
    expect(counts.tooNarrow, report).toBeGreaterThan(BASINS / 5);
    expect(counts.skipped, report).toBeLessThan(BASINS / 2);
  }, 10_800_000);
});

/** The errors in the message of a refusal. */
function faultsOf(
  message: string,
  judge: BasinJudge,
  ends: readonly [Place, Place],
  widest: WidestWay,
): string[] {
  const named = WIDTH_TEXT.exec(message);
  if (widest.radius === 0) return named === null ? [] : [`names a width: ${message}`];
  if (named === null && widest.radius < LEAST_NAMED_RADIUS) return [];
  if (named === null) return [`names no place: ${message}`];
  const faults: string[] = [];
  const place = placeOf([-Number(named[2]), Number(named[1])]);
  const width = Number(named[3]);
  // The message rounds down to metres.
  if (Math.abs(width + 0.5 - 2 * widest.radius) > 2 * DOUBT_METERS + 0.5) {
    faults.push(`is ${(2 * widest.radius).toFixed(1)} m wide: ${message}`);
  }
  const through = Math.min(...ends.map((end) => judge.widest(end, place).radius));
  if (Math.abs(through - widest.radius) > DOUBT_METERS) {
    faults.push(`the widest way through ${place.map(Math.round)} has ${through.toFixed(1)} m`);
  }
  const angle = judge.angleBetweenSides(place, widest.radius + 2 * DOUBT_METERS);
  if (angle < LEAST_ANGLE) faults.push(`${place.map(Math.round)} is next to one shore only`);
  return faults;
}

/** A position in 300 m from an eastern distance on, the one with the most space of several. */
function roomyPlace(random: () => number, judge: BasinJudge, east: number): Place {
  const places = Array.from(
    { length: 40 },
    (): Place => [east + random() * 300, random() * BASIN_METERS],
  );
  return places.reduce((a, b) => (judge.distanceAt(b) > judge.distanceAt(a) ? b : a));
}

function seaOf(bytes: Uint8Array, clipper: Clipper): Promise<SeaFile> {
  const base = { name: `${BASIN_NAME}.000`, bytes };
  const { cell, problems } = readCell({ name: BASIN_NAME, base, updates: [] });
  if (cell === undefined) throw new Error(JSON.stringify(problems));
  return chartedSea([cell], folder, clipper);
}
