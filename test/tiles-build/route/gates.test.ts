// Channels between lateral marks of approximate position: they are open, a path stays between the marks,
// and messages near a mark name it.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NoPlan, Plan, Position } from '../../../shared/route/trip.ts';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { chartedSea } from '../../support/route/charted-sea.ts';
import { landFolder } from '../../support/route/land-folder.ts';
import { planWarm, type TripChanges, tripOf } from '../../support/route/trips.ts';
import type { SeaFile } from '../../support/sea-file.ts';
import { ChartBuilder } from '../portray/chart-builder.ts';

const [WEST, SOUTH] = [-70.0, 42.0];
const DEGREE_METERS = 111_195;
const EAST_METERS = DEGREE_METERS * Math.cos((SOUTH * Math.PI) / 180);

/** Metres east and north of the corner of the chart. */
const at = (east: number, north: number): Position => [
  WEST + east / EAST_METERS,
  SOUTH + north / DEGREE_METERS,
];
const metersOf = ([x, y]: Position): [number, number] => [
  (x - WEST) * EAST_METERS,
  (y - SOUTH) * DEGREE_METERS,
];

const folder = landFolder([
  [10, 10],
  [11, 10],
  [11, 11],
]);
afterAll(() => rmSync(folder, { recursive: true }));

const clipper = await loadClipper();
const APPROXIMATE = { QUAPOS: 4 };

/** Water of 5 m, 4 km wide, with the objects that `draw` adds. */
function seaWith(draw: (chart: ChartBuilder) => void, band = 5): Promise<SeaFile> {
  const chart = new ChartBuilder();
  chart.box('M_COVR', at(0, 0), at(4000, 4000), { CATCOV: 1 });
  chart.box('DEPARE', at(0, 0), at(4000, 4000), { DRVAL1: 5 });
  draw(chart);
  const cell = chart.cell();
  const header = { ...cell.header, usageBand: band, scaleDenominator: 12_000 * 3 ** (5 - band) };
  return chartedSea([{ ...cell, header }], folder, clipper);
}

/** A gate across a channel that leads north, or turned to the right by some degrees. */
function gate(
  chart: ChartBuilder,
  [east, north]: readonly [number, number],
  width: number,
  degrees = 0,
): void {
  const [dx, dy] = [Math.cos((degrees * Math.PI) / 180), -Math.sin((degrees * Math.PI) / 180)];
  for (const [side, CATLAM] of [
    [-1, 1],
    [1, 2],
  ] as const) {
    const mark = at(east + (side * dx * width) / 2, north + (side * dy * width) / 2);
    chart.point('BOYLAT', mark, { CATLAM }, APPROXIMATE);
  }
}

const plan = (sea: SeaFile, waypoints: readonly Position[], changes: TripChanges = {}) =>
  planWarm(
    tripOf(waypoints, {
      vessel: { draft: 1 },
      safety: { lateralClearance: 10 },
      options: { preferFairways: true },
      ...changes,
    }),
    sea,
  );

function found(answer: Plan | NoPlan): Plan {
  if (!answer.success) throw new Error(answer.failures.map(({ message }) => message).join('\n'));
  return answer;
}

/** The positions where a path crosses a parallel of the chart, in metres east. */
function crossings({ path }: Plan, north: number): number[] {
  return path.slice(1).flatMap((to, i) => {
    const [ax, ay] = metersOf(path[i]!);
    const [bx, by] = metersOf(to);
    if ((ay - north) * (by - north) >= 0) return [];
    return [ax + ((bx - ax) * (north - ay)) / (by - ay)];
  });
}

describe('a gate of two buoys of approximate position', () => {
  const GATES = [
    [[700, 700], 25, 0],
    [[2000, 700], 30, 45],
    [[3300, 700], 40, 20],
    [[700, 2400], 60, 0],
    [[2000, 2400], 110, 70],
  ] as const;
  let sea: SeaFile;
  beforeAll(async () => {
    sea = await seaWith((chart) => {
      for (const [middle, width, degrees] of GATES) gate(chart, middle, width, degrees);
    });
  });

  it.each(GATES)(
    'at %j of %d m, turned by %d°, is passed straight',
    ([east, north], width, degrees) => {
      const [dx, dy] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      const ends = [-1, 1].map((side) => at(east + side * dx * 300, north + side * dy * 300));
      const answer = found(plan(sea, ends));
      expect(answer.distance).toBeLessThan(606);
      const t = answer.path.slice(1).flatMap((to, i) => {
        const [[ax, ay], [bx, by]] = [metersOf(answer.path[i]!), metersOf(to)];
        const before = (ax - east) * dx + (ay - north) * dy;
        const after = (bx - east) * dx + (by - north) * dy;
        if (before > 0 === after > 0) return [];
        const share = before / (before - after);
        return [Math.hypot(ax + share * (bx - ax) - east, ay + share * (by - ay) - north)];
      });
      expect(t).toHaveLength(1);
      expect(t[0]).toBeLessThan(width / 2);
    },
  );

  it('is passed on an approach chart, whose cells are wider than the gap', async () => {
    const sea = await seaWith((chart) => gate(chart, [2000, 2000], 30, 30), 4);
    const answer = found(plan(sea, [at(1850, 1740), at(2150, 2260)]));
    expect(answer.path.length).toBeLessThanOrEqual(4);
    for (const east of crossings(answer, 2000)) expect(Math.abs(east - 2000)).toBeLessThan(15);
  });

  it('keeps a path away from each buoy by the lateral clearance', () => {
    const answer = found(plan(sea, [at(600, 2100), at(675, 2700)]));
    for (const [i, to] of answer.path.slice(1).entries()) {
      const from = answer.path[i]!;
      for (const buoy of [at(670, 2400), at(730, 2400)]) {
        expect(distanceTo(metersOf(from), metersOf(to), metersOf(buoy))).toBeGreaterThan(10);
      }
    }
  });
});

describe('a channel between gates', () => {
  // It turns right in the middle. The inner marks of the bend allow a short cut.
  let sea: SeaFile;
  beforeAll(async () => {
    sea = await seaWith((chart) => {
      gate(chart, [2000, 1600], 60);
      gate(chart, [2000, 2000], 60, 45);
      gate(chart, [2400, 2000], 60, 90);
    });
  });

  it('is not left to pass outside its marks in a bend', async () => {
    const answer = found(plan(sea, [at(2000, 1700), at(2300, 2000)]));
    const codes = answer.warnings.map(({ code }) => code);
    expect(codes).not.toContain('OUTSIDE_MARKS');
    // The middle gate lies on the line from (1979, 2021) to (2021, 1979).
    const isBetween = answer.path.slice(1).some((to, i) => {
      const [[ax, ay], [bx, by]] = [metersOf(answer.path[i]!), metersOf(to)];
      const along = ([x, y]: readonly [number, number]) => x - 2000 + (y - 2000);
      const t = -along([ax, ay]) / (along([bx, by]) - along([ax, ay]));
      if (!(t >= 0 && t <= 1)) return false;
      return Math.abs(ax + t * (bx - ax) - 2000) < 21.3;
    });
    expect(isBetween, JSON.stringify(answer.path.map((one) => metersOf(one).map(Math.round)))).toBe(
      true,
    );
  });

  it('may be left for a position next to it', async () => {
    const answer = found(plan(sea, [at(2000, 1500), at(2250, 1650)]));
    expect(answer.warnings.map(({ code }) => code)).not.toContain('OUTSIDE_MARKS');
  });

  it('may be left for a position in line with a pair of marks', async () => {
    found(plan(sea, [at(2000, 1500), at(2110, 1600)]));
  });
});

describe('a gate in water that is too shallow', () => {
  it('is passed outside, with a warning, if there is no other way', async () => {
    const sea = await seaWith((chart) => {
      chart.box('DEPARE', at(1970, 1800), at(2030, 2200), { DRVAL1: 0.2 });
      chart.box('LNDARE', at(0, 1990), at(1850, 2010));
      chart.box('LNDARE', at(2150, 1990), at(4000, 2010));
      gate(chart, [2000, 2000], 60);
    });
    const answer = found(plan(sea, [at(2000, 1500), at(2000, 2500)]));
    const warning = answer.warnings.find(({ code }) => code === 'OUTSIDE_MARKS');
    expect(warning?.message).toMatch(/outside a pair of lateral marks/);
    expect(warning?.position).toBeDefined();
  });
});

describe('marks of two parallel channels', () => {
  it('close neither channel', async () => {
    const sea = await seaWith((chart) => {
      chart.box('LNDARE', at(0, 1990), at(1880, 2010));
      chart.box('LNDARE', at(2120, 1990), at(4000, 2010));
      gate(chart, [1950, 2000], 60);
      gate(chart, [2050, 2000], 60);
    });
    for (const east of [1950, 2050]) {
      const answer = found(plan(sea, [at(east, 1500), at(east, 2500)]));
      expect(answer.warnings.map(({ code }) => code)).not.toContain('OUTSIDE_MARKS');
      expect(Math.abs(crossings(answer, 2000)[0]! - east)).toBeLessThan(30);
    }
  });
});

describe('a waypoint', () => {
  const NORTH = 2000;
  const MARKS = [
    [600, 'BOYLAT', 'a buoy (BOYLAT Two)'],
    [1400, 'BCNLAT', 'a beacon (BCNLAT Two)'],
  ] as const;
  const ROCKS = [
    [2200, {}],
    [3000, { VALSOU: 0.5 }],
  ] as const;
  let sea: SeaFile;
  beforeAll(async () => {
    sea = await seaWith((chart) => {
      for (const [east, acronym] of MARKS) {
        chart.point(acronym, at(east, NORTH), { CATLAM: 1, OBJNAM: 'Two' }, APPROXIMATE);
      }
      for (const [east, words] of ROCKS) {
        chart.point('UWTROC', at(east, NORTH), words, APPROXIMATE);
      }
    });
  });
  const planFrom = (east: number) => plan(sea, [at(east, NORTH), at(2500, 2500)]);

  it.each(MARKS)(
    '%d m east, within the clearance of a %s, names it and the distance',
    (east, _, text) => {
      const near = planFrom(east + 5);
      expect(near).toMatchObject({
        success: false,
        failures: [{ code: 'WAYPOINT_NEAR_DANGER', message: expect.stringContaining(text) }],
      });
      expect((near as NoPlan).failures[0]!.message).toMatch(/lies 5 m from .* 12 m are kept clear/);
      for (const meters of [25, 35, 48]) found(planFrom(east + meters));
    },
  );

  it.each(ROCKS)(
    '%d m east, near a rock of doubtful position (%j), names the distance to it',
    (east) => {
      const near = planFrom(east + 40) as NoPlan;
      expect(near.success).toBe(false);
      expect(near.failures[0]!.code).toBe('WAYPOINT_NEAR_DANGER');
      expect(near.failures[0]!.message).toMatch(
        /lies 40 m from a danger \(UWTROC\), and at least 60 m are kept clear/,
      );
    },
  );
});

/** The distance of a point to a segment. */
function distanceTo(
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
  [x, y]: readonly [number, number],
): number {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(ax + t * dx - x, ay + t * dy - y);
}
