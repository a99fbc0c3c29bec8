// Charts with restrictions and unknown objects, built as in a deployment, and the messages of a route
// through them.

import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRouteRequest } from '../../../shared/contract/route.ts';
import { latitudeAt, mercatorY } from '../../../shared/geo/mercator.ts';
import type { Plan, Position } from '../../../shared/route/trip.ts';
import type { CellHeader } from '../../../shared/s57/cell/cell.ts';
import { chartedSea } from '../../support/route/charted-sea.ts';
import { landFolder } from '../../support/route/land-folder.ts';
import { planCold, tripOf } from '../../support/route/trips.ts';
import type { SeaFile } from '../../support/sea-file.ts';
import { ChartBuilder } from '../portray/chart-builder.ts';

/** The whole chart is 0.2° wide. A passage along 40.05° N crosses all its objects. */
const WEST: Position = [10.01, 40.05];
const EAST: Position = [10.19, 40.05];
const INFORM = 'Vessels report to the harbour control on VHF 12 before they enter.';

let sea: SeaFile;
beforeAll(async () => {
  const chart = new ChartBuilder();
  chart.box('M_COVR', [10, 40], [10.2, 40.1], { CATCOV: 1 });
  chart.box('DEPARE', [10, 40], [10.2, 40.1], { DRVAL1: 20 });
  const words = { RESTRN: [8, 27], OBJNAM: 'Regulated area', INFORM };
  chart.box('RESARE', [10, 40], [10.2, 40.1], words);
  // From shore to shore, so that no way leads around it.
  chart.box('RESARE', [10.05, 40], [10.06, 40.1], { RESTRN: [13], OBJNAM: 'Slow water' });
  chart.box('RESARE', [10.07, 40.03], [10.08, 40.1], { RESTRN: [14], OBJNAM: 'Keep off' });
  chart.box('RESARE', [10.09, 40], [10.095, 40.02], { RESTRN: [27], OBJNAM: 'Not on the way' });
  chart.box('RESARE', [10.09, 40.045], [10.095, 40.055], { RESTRN: [1], OBJNAM: 'No anchors' });
  const wreck = { CLSNAM: 'Virtual AtoN, Wreck Marking', OBJNAM: 'WM1' };
  chart.point('NEWOBJ', [10.1, 40.05], wreck);
  chart.box('$20001', [10.12, 40.04], [10.13, 40.06], { INFORM: 'A class of tomorrow' });
  chart.box('$20001', [10.14, 40.01], [10.15, 40.02]);
  sea = await seaOf(chart);
});

async function seaOf(chart: ChartBuilder, header: Partial<CellHeader> = {}): Promise<SeaFile> {
  const land = landFolder([
    [20, 10],
    [21, 10],
    [21, 11],
  ]);
  const cell = chart.cell();
  const built = await chartedSea([{ ...cell, header: { ...cell.header, ...header } }], land);
  rmSync(land, { recursive: true });
  return built;
}

/** Plans a trip from a request of the API. */
function planned(options: object = {}, from = WEST, to = EAST): Plan {
  const waypoints = [from, to].map(([longitude, latitude]) => [latitude, longitude]);
  const read = readRouteRequest({ waypoints, draft: 2, options }, 25);
  if (!('request' in read)) throw new Error(JSON.stringify(read));
  const answer = planCold(read.request.trip, sea);
  if (!answer.success) throw new Error(JSON.stringify(answer.failures));
  return answer;
}

const messagesOf = ({ warnings }: Plan, code: string) =>
  warnings.filter((one) => one.code === code).map(({ message }) => message);

describe('a route through restricted areas', () => {
  it('crosses them by default, and quotes each restriction with the name of its area', () => {
    const messages = messagesOf(planned(), 'RESTRICTED_AREA');
    expect(messages).toHaveLength(2);
    const whole = `RESARE Regulated area: entry restricted, speed restricted: “${INFORM}”`;
    expect(messages).toContainEqual(expect.stringContaining(whole));
    expect(messages).toContainEqual(expect.stringContaining('RESARE Slow water: no wake'));
  });

  it('warns at the start of the area', () => {
    const { warnings } = planned();
    const slow = warnings.find(({ message }) => message.includes('Slow water'))!;
    expect(slow.position![0]).toBeCloseTo(10.05, 4);
    expect(slow.feature!.objectClass).toBe('RESARE');
  });

  it('warns of an area that both waypoints lie in', () => {
    const messages = messagesOf(planned({}, [10.051, 40.05], [10.059, 40.051]), 'RESTRICTED_AREA');
    expect(messages).toContainEqual(expect.stringContaining('no wake'));
  });

  it('avoids areas to be avoided by default, and none with an empty list', () => {
    const isThrough = ({ path }: Plan) =>
      path.every(([, latitude]) => Math.abs(latitude - 40.05) < 0.01);
    expect(isThrough(planned())).toBe(false);
    const through = planned({ avoid: [] });
    const met = messagesOf(through, 'RESTRICTED_AREA');
    expect(met).toContainEqual(expect.stringContaining('RESARE Keep off: area to be avoided'));
  });

  it('quotes the restriction of an avoided area at a waypoint in it', () => {
    const trip = tripOf([WEST, EAST], { options: { avoid: new Set(['restricted']) } });
    const answer = planCold(trip, sea);
    expect(answer.success).toBe(false);
    if (answer.success) return;
    expect(answer.failures[0]!.message).toContain('RESARE Regulated area: entry restricted');
  });
});

describe('a route past objects without a class of their own', () => {
  it('avoids a wreck that a virtual aid marks', () => {
    const { path } = planned({ avoid: [] });
    const metersAway = (a: Position, b: Position): number => {
      const [x, y] = [
        (p: Position) => (p[0] - 10.1) * 85_300,
        (p: Position) => (p[1] - 40.05) * 111_000,
      ];
      const [ax, ay, bx, by] = [x(a), y(a), x(b), y(b)];
      const t = -(ax * (bx - ax) + ay * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
      const clamped = Math.max(0, Math.min(1, t));
      return Math.hypot(ax + clamped * (bx - ax), ay + clamped * (by - ay));
    };
    const away = path.slice(1).map((to, i) => metersAway(path[i]!, to));
    expect(Math.min(...away)).toBeGreaterThan(50);
  });

  it('warns of a class that is not in the catalogue, only if it is on the way', () => {
    const messages = messagesOf(planned({ avoid: [] }), 'OBJECT_WITHOUT_RULE');
    const classMessages = messages.filter((message) => message.includes('$20001'));
    expect(classMessages).toHaveLength(1);
    expect(classMessages[0]).toContain('A class of tomorrow');
  });

  it('warns of one within the clearance in the next block of cells', async () => {
    // A border of the blocks of 256 cells in which the planner looks for objects.
    const border = latitudeAt(Math.round(mercatorY(40.05) * 2 ** 14) / 2 ** 14);
    const chart = new ChartBuilder();
    chart.box('M_COVR', [10, 40], [10.2, 40.1], { CATCOV: 1 });
    chart.box('DEPARE', [10, 40], [10.2, 40.1], { DRVAL1: 20 });
    chart.point('$20001', [10.1, border + 0.0003]);
    const open = await seaOf(chart);
    const ends: Position[] = [
      [10.08, border - 0.0003],
      [10.12, border - 0.0003],
    ];
    for (const [lateralClearance, count] of [
      [100, 1],
      [40, 0],
    ] as const) {
      const answer = planCold(tripOf(ends, { safety: { lateralClearance } }), open);
      if (!answer.success) throw new Error(JSON.stringify(answer.failures));
      expect(messagesOf(answer, 'OBJECT_WITHOUT_RULE')).toHaveLength(count);
    }
  });
});

describe('a route through a lock', () => {
  /** A basin in the east. A canal connects it with the sea in the west; a gate is in it. */
  async function basinWith(widthDegrees: number, gate: object | undefined): Promise<SeaFile> {
    const [south, north] = [40.05 - widthDegrees / 2, 40.05 + widthDegrees / 2];
    const chart = new ChartBuilder();
    chart.box('M_COVR', [10, 40], [10.2, 40.1], { CATCOV: 1 });
    chart.box('DEPARE', [10, 40], [10.09, 40.1], { DRVAL1: 20 });
    chart.box('DEPARE', [10.09, south], [10.11, north], { DRVAL1: 20 });
    chart.box('DEPARE', [10.11, 40.04], [10.12, 40.06], { DRVAL1: 20 });
    chart.box('LNDARE', [10.09, 40], [10.11, south]);
    chart.box('LNDARE', [10.09, north], [10.11, 40.1]);
    chart.box('LNDARE', [10.11, 40], [10.12, 40.04]);
    chart.box('LNDARE', [10.11, 40.06], [10.12, 40.1]);
    chart.box('LNDARE', [10.12, 40], [10.2, 40.1]);
    if (gate !== undefined) {
      const ends = [chart.node([10.1, south]), chart.node([10.1, north])] as const;
      chart.along('GATCON', 'line', [chart.edge(...ends)], { ...gate });
    }
    return seaOf(chart);
  }
  const BASIN: Position = [10.115, 40.05];

  it.each([
    [{ CATGAT: 4 }, {}, true],
    [{ CATGAT: 4, DRVAL1: 3 }, {}, true],
    [{ CATGAT: 4, DRVAL1: 2.4 }, {}, false],
    [{ CATGAT: 4, VERCLR: 12.5 }, { vessel: { airDraft: 12 } }, true],
    [{ CATGAT: 4, VERCLR: 12.4 }, { vessel: { airDraft: 12 } }, false],
    [{ CATGAT: 4 }, { options: { avoid: new Set(['locks'] as const) } }, false],
    [{ CATGAT: 2 }, {}, false],
    [undefined, {}, false],
  ] as const)(
    'that is too narrow names the nearest gate that fits: %j, %j',
    async (gate, changes, isNamed) => {
      const answer = planCold(tripOf([WEST, BASIN], changes), await basinWith(0.00002, gate));
      if (answer.success) throw new Error('a path was found');
      const { code, message } = answer.failures[0]!;
      expect(code).toBe('WAYPOINT_ENCLOSED');
      const place = /lock gate in the chart is at 40\.0(4999|5001)°N 10\.1\d*°E, 0\.7 nautical/;
      expect(place.test(message), message).toBe(isNamed);
    },
  );

  it('of any depth has the warning of the lock only', async () => {
    const trip = tripOf([WEST, BASIN], { vessel: { draft: 18, airDraft: 60 } });
    const open = planCold(trip, await basinWith(0.002, { CATGAT: 4 }));
    const without = planCold(trip, await basinWith(0.002, undefined));
    if (!open.success || !without.success) throw new Error('no path was found');
    const codes = (plan: Plan) => plan.warnings.map(({ code }) => code);
    expect(codes(open).filter((code) => code !== 'LOCK')).toEqual(codes(without));
    expect(codes(open)).toContain('LOCK');
    expect(open.distance).toBeCloseTo(without.distance, 3);
  });
});

describe('a route under a bridge', () => {
  it.each([
    ['of the cell', {}, undefined, 26, 'Mean water level'],
    ['of an area before that of the cell', {}, 3, 26, 'Mean sea level'],
    ['of the bridge before that of an area', { VERDAT: 24 }, 3, 26, 'Local datum'],
    ['that is a level of high water', { VERDAT: 16 }, 3, 26, undefined],
    ['that is unknown', {}, undefined, 0, undefined],
  ])(
    'names the vertical datum only if a path may be too low at high water: %s',
    async (_, words, areaDatum, verticalDatum, name) => {
      const chart = new ChartBuilder();
      chart.box('M_COVR', [10, 40], [10.2, 40.1], { CATCOV: 1 });
      chart.box('DEPARE', [10, 40], [10.2, 40.1], { DRVAL1: 20 });
      if (areaDatum !== undefined)
        chart.box('M_VDAT', [10.05, 40], [10.2, 40.1], { VERDAT: areaDatum });
      const ends = [chart.node([10.1, 40]), chart.node([10.1, 40.1])] as const;
      chart.along('BRIDGE', 'line', [chart.edge(...ends)], { VERCLR: 30, ...words });
      sea = await seaOf(chart, { verticalDatum });
      const plan = planned();
      expect(messagesOf(plan, 'OBJECT_WITHOUT_RULE')).toEqual([]);
      const [message] = messagesOf(plan, 'UNDER_BRIDGE');
      expect(/above (.+), not above high water/.exec(message!)?.[1]).toBe(name);
    },
  );
});
