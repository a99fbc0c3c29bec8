// Lateral gates of real charts: a route through each gate passes between its marks. The gates are those
// through which a straight line is safe, as JSTS judges the features that GDAL reads.

import { describe, expect, it } from 'vitest';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import { findCells } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { locationOf, readLocation } from '../../../tiles-build/pipeline/cell-location.ts';
import { encData, hasBusyCells } from '../../support/enc-data.ts';
import { type GdalFeature, hasGdal, readWithGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { realCells, realCharts } from '../../support/real-charts.ts';
import { ChartJudge } from '../../support/route/chart-judge.ts';
import {
  type ChartedGate,
  chartedGates,
  crossingsOf,
  placeBeyond,
} from '../../support/route/charted-gates.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import { metersBetween } from '../../support/route-oracle.ts';
import { openSeaFile } from '../../support/sea-file.ts';
import { shapeOf } from '../../support/wkb.ts';

const WIDTHS = [25, 130] as const;
/** Half lengths of the straight lines through a gate, in metres. */
const REACHES = [50, 100, 200, 400];
const SETS = isLong
  ? [realCells('busy'), realCells('withCoarse'), realCells('antimeridian')]
  : [[encData('ENC_BUSY', 'US5MA11M'), encData('ENC_BUSY', 'US5MA12M')]];
const CHANGES = { vessel: { draft: 1 }, safety: { lateralClearance: 10 } };
/** Lateral clearance and the radius of a buoy or a beacon, in metres. */
const MARK_METERS = 12;
/** How far beyond a mark a crossing counts as outside the gate, in metres. */
const BESIDE_METERS = 400;

describe.runIf(hasBusyCells && hasGdal)('routes through charted lateral gates', () => {
  it('pass between the marks, and are refused only near another mark', async () => {
    const sea = await openSeaFile(await realCharts());
    const wrong: string[] = [];
    const refusals: string[] = [];
    let [gates, safe, passed] = [0, 0, 0];
    for (const folders of SETS) {
      const judge = await ChartJudge.of(folders);
      for (const { name, features } of await featuresOf(folders)) {
        for (const gate of chartedGates(features, WIDTHS)) {
          gates++;
          for (const reach of REACHES) {
            const ends = [placeBeyond(gate, -reach), placeBeyond(gate, reach)] as const;
            const trip = tripOf(ends, CHANGES);
            if (!isStraightSafe(judge, name, gate, trip)) continue;
            safe++;
            const answer = planWarm(trip, sea);
            const text = `${name} ${gate.port} ${Math.round(gate.meters)} m, ${reach} m`;
            if (!answer.success) {
              refusals.push(`${text}: ${answer.failures[0]!.message}`);
              if (!isNearMark(features, ends)) wrong.push(refusals.at(-1)!);
              continue;
            }
            passed++;
            wrong.push(...faultsOf(gate, answer.path).map((fault) => `${text}: ${fault}`));
            for (const { from, to } of answer.legs) {
              wrong.push(...judge.judge(from, to, trip).wrong.map((fault) => `${text}: ${fault}`));
            }
          }
        }
      }
    }
    const report = `${gates} gates, ${safe} safe lines, ${passed} passed; refused: ${refusals.join('; ')}`;
    expect(wrong).toEqual([]);
    expect(gates, report).toBeGreaterThanOrEqual(15);
    expect(passed, report).toBeGreaterThanOrEqual(18);
    expect(refusals.length, report).toBeLessThan(safe / 10);
  }, 10_800_000);
});

async function featuresOf(folders: readonly string[]) {
  const { cells } = await findCells(folders);
  return Promise.all(
    cells.map(async (source) => {
      const files = await readLocation(locationOf(source));
      return { name: files.name, features: readWithGdal(files) };
    }),
  );
}

/** Whether the straight line lies on the cell's own ground, with its gate, in safe water. */
function isStraightSafe(
  judge: ChartJudge,
  cell: string,
  { port, starboard }: ChartedGate,
  trip: Trip,
): boolean {
  const [from, to] = trip.waypoints as [Position, Position];
  if ([port, starboard, from, to].some((place) => judge.ownerAt(place) !== cell)) return false;
  const { wrong, uncharted } = judge.judge(from, to, trip);
  return wrong.length === 0 && uncharted < 1e-9;
}

/** Whether a buoy or a beacon of any class leaves no room at an end of a trip. */
function isNearMark(features: readonly GdalFeature[], ends: readonly Position[]): boolean {
  return features
    .filter(({ acronym }) => acronym.startsWith('BOY') || acronym.startsWith('BCN'))
    .flatMap(({ wkb }) => (shapeOf(wkb)?.parts.flat() ?? []) as unknown as Position[])
    .some((mark) => ends.some((end) => metersBetween(mark, end) < MARK_METERS));
}

function faultsOf(gate: ChartedGate, path: readonly Position[]): string[] {
  const crossings = crossingsOf(gate, path);
  const isBetween = (at: number) => at > 0 && at < 1;
  const beside = BESIDE_METERS / gate.meters;
  const isOutside = (at: number) => !isBetween(at) && at > -beside && at < 1 + beside;
  const faults = crossings.filter(isOutside).map((at) => `passes outside, at ${at.toFixed(2)}`);
  return crossings.some(isBetween) ? faults : [...faults, 'does not pass between the marks'];
}
