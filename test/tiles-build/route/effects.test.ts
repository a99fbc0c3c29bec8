// The effect of each kind of object on navigability, row by row: a box of 20 m water with the object is
// built into squares, and checked at the object and next to it.

import { beforeAll, describe, expect, test } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { clearanceOfCode, depthOfCode, OPEN_SKY } from '../../../shared/route/depth-code.ts';
import { HAZARD_KINDS, LANE_CODES, SEA_FLAGS } from '../../../shared/route/sea.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { fullSquare } from '../../support/full-square.ts';
import { ChartBuilder } from '../portray/chart-builder.ts';
import { BARRIER_ROWS } from './barrier-rows.ts';
import { area, BESIDE, HERE, NEVER, SOUTH, STANDING, WEST } from './draw-objects.ts';
import { ROWS } from './effect-rows.ts';
import { seaOf } from './sea-of-cell.ts';

describe('in 20 m of water', () => {
  let clipper: Clipper;
  beforeAll(async () => {
    clipper = await loadClipper();
  });

  type Span = readonly [string, string, number, number | undefined, number];
  // Units of 6.5 cm: a shore at 0, and at most one opposite.
  test.each<Span>([
    ['DAMCON', 'in open water', -5000, undefined, 100],
    ['DAMCON', 'on a quay', 0, undefined, 10],
    ['DAMCON', 'inland of a quay', 300, undefined, 10],
    ['DAMCON', 'on the shore of a channel of 60 m', 0, 920, 100],
    ['DAMCON', 'on the shore of a channel of 150 m', 0, 2300, 10],
    ['DAMCON', 'inland of a channel of 60 m', 80, 920, 100],
    ['DAMCON', 'at the limit of the chart', -9999, undefined, 100],
    ['DAMCON', 'on a quay at the limit of the chart', 0, undefined, 100],
    ...['GATCON', 'BRIDGE'].flatMap((acronym): Span[] => [
      [acronym, 'on a quay', 0, undefined, 10],
      [acronym, 'inland of a quay', 300, undefined, 10],
      [acronym, 'on the shore of a channel of 60 m', 0, 920, 100],
      [acronym, 'on the shore of a channel of 150 m', 0, 2300, 100],
      [acronym, 'in open water', -5000, undefined, 100],
    ]),
  ])('a point of %s %s', (acronym, where, east, width, radius) => {
    const shore = WEST + 0.01;
    const north = where.endsWith('limit of the chart') ? 0.00005 : 0.01;
    const chart = new ChartBuilder();
    const land = (west: number, east: number) =>
      chart.box('LNDARE', [west, SOUTH], [east, SOUTH + 0.02]);
    const bank = width === undefined ? WEST : shore - width * 1e-6;
    chart.box('M_COVR', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { CATCOV: 1 });
    chart.box('DEPARE', [bank, SOUTH], [shore, SOUTH + 0.02], { DRVAL1: 20, DRVAL2: 30 });
    land(shore, WEST + 0.02);
    if (bank > WEST) land(WEST, bank);
    chart.point(acronym, [shore + east * 1e-6, SOUTH + north], { VERCLR: 3 });
    const edges = seaOf([chart.cell()], clipper).hazards();
    const spans = ['structure', 'overhead'];
    const span = edges.find(({ kind }) => spans.includes(HAZARD_KINDS[kind]!));
    expect(span?.radius).toBeCloseTo(radius, 4);
  });

  test.each([...ROWS, ...BARRIER_ROWS])(
    '$what',
    ({ draw, depth = 20, flags = [], clearance, bearing, edge }) => {
      const chart = new ChartBuilder();
      chart.box('M_COVR', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { CATCOV: 1 });
      chart.box('DEPARE', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { DRVAL1: 20, DRVAL2: 30 });
      draw(chart);
      const sea = seaOf([chart.cell()], clipper);

      const at = sea.cellAt(mercatorX(HERE[0]), mercatorY(HERE[1]));
      const promised = depthOfCode(at.square.leastDepth[at.index]!);
      expect(promised).toBeCloseTo(depth, 6);
      const sum = flags.reduce((all, flag) => all | SEA_FLAGS[flag], 0);
      // Cells that are never deep have no flags.
      expect(at.square.flags?.[at.index] ?? 0).toBe(depth === NEVER ? 0 : sum);
      const height = clearanceOfCode(at.square.clearance?.[at.index] ?? OPEN_SKY);
      expect(height).toBeCloseTo(clearance ?? Infinity, 6);
      if (bearing !== undefined) expect(at.square.laneBearing?.[at.index]).toBe(bearing);

      const beside = sea.cellAt(mercatorX(BESIDE[0]), mercatorY(BESIDE[1]));
      expect(depthOfCode(beside.square.leastDepth[beside.index]!)).toBeCloseTo(20, 5);
      expect(beside.square.flags?.[beside.index] ?? 0).toBe(0);

      const edges = sea
        .hazards()
        .filter(({ depth: d, isFrame }) => !(isFrame && d === 20))
        .map(({ kind, depth: d, radius }) => [HAZARD_KINDS[kind]!, d, radius] as const);
      if (edge === undefined) expect(edges).toEqual([]);
      else {
        expect(edges.length).toBeGreaterThan(0);
        for (const [kind, d, radius] of edges) {
          expect(kind).toBe(edge[0]);
          expect(Math.fround(d)).toBe(Math.fround(edge[1]));
          expect(radius).toBeCloseTo(edge[2] ?? 0, 4);
        }
      }
    },
  );

  test.each([...STANDING, 'NEWOBJ'])('a %s on the quay closes no water next to it', (acronym) => {
    const chart = new ChartBuilder();
    chart.box('M_COVR', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { CATCOV: 1 });
    chart.box('DEPARE', [WEST, SOUTH], [HERE[0], SOUTH + 0.02], { DRVAL1: 20 });
    chart.box('LNDARE', HERE, [WEST + 0.02, SOUTH + 0.02]);
    chart.box('LNDARE', [HERE[0], SOUTH], [WEST + 0.02, HERE[1]]);
    const words = { CLSNAM: 'Crane tower' };
    chart.point(acronym, [HERE[0] + 1e-5, HERE[1] + 1e-3], words, { QUAPOS: 4 });
    const kinds = seaOf([chart.cell()], clipper)
      .hazards()
      .map(({ kind }) => HAZARD_KINDS[kind]);
    expect(kinds).not.toContain('structure');
  });

  test.each([
    ['across a channel', 0.001, 0.019, true],
    ['along its shore', 0.001, 0.005, false],
  ])('a fence and a building %s with corners on land', (_, from, to, isInWater) => {
    for (const acronym of ['FNCLNE', 'BUISGL'] as const) {
      const chart = new ChartBuilder();
      const at = (x: number, y: number) => [WEST + x, SOUTH + y] as const;
      chart.box('M_COVR', at(0, 0), at(0.02, 0.02), { CATCOV: 1 });
      chart.box('LNDARE', at(0, 0), at(0.005, 0.02));
      chart.box('DEPARE', at(0.005, 0), at(0.015, 0.02), { DRVAL1: 20 });
      chart.box('LNDARE', at(0.015, 0), at(0.02, 0.02));
      if (acronym === 'BUISGL') chart.box(acronym, at(from, 0.01), at(to, 0.011));
      else {
        const [begin, end] = [chart.node(at(from, 0.01)), chart.node(at(to, 0.011))];
        chart.along(acronym, 'line', [chart.edge(begin, end, { through: [at(to, 0.01)] })]);
      }
      const kinds = seaOf([chart.cell()], clipper)
        .hazards()
        .map(({ kind }) => HAZARD_KINDS[kind]);
      expect([acronym, kinds.includes('structure')]).toEqual([acronym, isInWater]);
    }
  });

  test.each<[string, Record<string, number>]>([
    ['UNSARE', {}],
    ['DEPARE', { DRVAL2: 10 }],
    ['DRGARE', {}],
  ])('a sounding is the known depth of a %s %j', (acronym, attributes) => {
    const chart = new ChartBuilder();
    chart.box('M_COVR', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { CATCOV: 1 });
    chart.box(acronym, [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], attributes);
    chart.soundings([[HERE[0], HERE[1], 0.3]]);
    const sea = seaOf([chart.cell()], clipper);
    const at = sea.cellAt(mercatorX(HERE[0]), mercatorY(HERE[1]));
    expect(depthOfCode(at.square.leastDepth[at.index]!)).toBeCloseTo(0.3, 6);
    expect(sea.hazards().map(({ kind, depth }) => [HAZARD_KINDS[kind], depth])).toContainEqual([
      'danger',
      Math.fround(0.3),
    ]);
  });

  test.each([
    ['20260102', 'TSSLPT', 62, ['lane', 'caution']],
    ['20251231', 'TSSLPT', LANE_CODES.meet, ['lane']],
    ['20260102', 'TSEZNE', 62, ['lane', 'caution']],
  ] as const)(
    'from %s, a %s in the same place leaves the bearing %i',
    (day, acronym, bearing, flags) => {
      const chart = new ChartBuilder();
      const corners = [[WEST, SOUTH] as const, [WEST + 0.02, SOUTH + 0.02] as const] as const;
      chart.box('M_COVR', ...corners, { CATCOV: 1 });
      chart.box('DEPARE', ...corners, { DRVAL1: 20 });
      chart.box('TSSLPT', ...corners, { ORIENT: 93 });
      chart.box(acronym, ...corners, { ORIENT: 270, DATSTA: day });
      const { square, index } = seaOf([chart.cell()], clipper).cellAt(
        mercatorX(HERE[0]),
        mercatorY(HERE[1]),
      );
      expect(square.laneBearing?.[index]).toBe(bearing);
      const sum = flags.reduce((all: number, flag) => all | SEA_FLAGS[flag], 0);
      expect(square.flags?.[index]).toBe(sum);
    },
  );

  test('coarser cells have the direction of the lane in a part of them', () => {
    const chart = new ChartBuilder();
    const at = (x: number, y: number) => [WEST + x, SOUTH + y] as const;
    chart.box('M_COVR', at(0, 0), at(0.02, 0.02), { CATCOV: 1 });
    chart.box('DEPARE', at(0, 0), at(0.02, 0.02), { DRVAL1: 20 });
    chart.box('TSSLPT', at(0.0033, 0.0033), at(0.008, 0.0167), { ORIENT: 93 });
    chart.box('TSSLPT', at(0.008, 0.0033), at(0.0133, 0.0167), { ORIENT: 270 });
    const { squares } = seaOf([chart.cell()], clipper);
    const codesOf = (wanted: number) =>
      squares
        .filter(({ zoom }) => zoom === wanted)
        .map(fullSquare)
        .flatMap(({ flags, laneBearing }) =>
          [...(laneBearing ?? [])].filter((_, i) => (flags![i]! & SEA_FLAGS.lane) !== 0),
        );
    const codes = [62, 180, LANE_CODES.meet];
    expect(new Set(codesOf(14))).toEqual(new Set(codes));
    expect(new Set(codesOf(11))).toEqual(new Set(codes));
  });

  test.each([
    ['the same depth area twice', 'DEPARE', 'DEPARE', 0, ['depth']],
    ['a depth area and a dredged area on it', 'DEPARE', 'DRGARE', 0, ['depth']],
    ['the same unsurveyed area twice', 'UNSARE', 'UNSARE', 0, ['unknown-depth']],
    ['two areas that share a border', 'DEPARE', 'DEPARE', 0.004, []],
  ] as const)('%s', (_, first, second, east, kinds) => {
    const chart = new ChartBuilder();
    const at = (x: number, y: number) => [WEST + x, SOUTH + y] as const;
    chart.box('M_COVR', at(0, 0), at(0.02, 0.02), { CATCOV: 1 });
    chart.box('DEPARE', at(0, 0), at(0.02, 0.02), { DRVAL1: 20 });
    const words = first === 'UNSARE' ? {} : { DRVAL1: 1 };
    chart.box(first, at(0.006, 0.008), at(0.01, 0.012), words);
    chart.box(second, at(0.006 + east, 0.008), at(0.01 + east, 0.012), words);
    const eastern = mercatorX(WEST + 0.01);
    const found = seaOf([chart.cell()], clipper)
      .hazards()
      .filter(({ ends: [ax, , bx] }) => [ax!, bx!].every((x) => Math.abs(x - eastern) < 1e-8))
      .map(({ kind }) => HAZARD_KINDS[kind]);
    expect([...new Set(found)]).toEqual(kinds);
  });

  test.each([
    ['notmrk', 'BRIDGE', HERE, {}, false],
    ['DAYMAR', 'BRIDGE', HERE, {}, false],
    ['NOTMRK', 'GATCON', HERE, {}, false],
    ['NOTMRK', 'BRIDGE', BESIDE, {}, true],
    ['LNDMRK', 'BRIDGE', HERE, {}, true],
    ['DAYMAR', 'BRIDGE', HERE, { DATEND: '20000101' }, true],
    ['DAYMAR', 'BRIDGE', HERE, { DATSTA: '20900101' }, true],
  ] as const)(
    'a %s at a %s at %j with %j closes its water: %s',
    (sign, span, at, dates, isClosed) => {
      const chart = new ChartBuilder();
      const corners = [[WEST, SOUTH] as const, [WEST + 0.02, SOUTH + 0.02] as const] as const;
      chart.box('M_COVR', ...corners, { CATCOV: 1 });
      chart.box('DEPARE', ...corners, { DRVAL1: 20 });
      area(span, { CATGAT: 4, VERCLR: 9, ...dates })(chart);
      chart.point(sign, at);
      const kinds = seaOf([chart.cell()], clipper)
        .hazards()
        .map(({ kind }) => HAZARD_KINDS[kind]);
      expect(kinds.includes('structure')).toBe(isClosed);
    },
  );

  test('an area without charted data is not water', () => {
    const chart = new ChartBuilder();
    chart.box('M_COVR', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { CATCOV: 1 });
    chart.box('DEPARE', [WEST, SOUTH], [WEST + 0.008, SOUTH + 0.02], { DRVAL1: 20 });
    chart.box('DEPARE', [WEST + 0.012, SOUTH], [WEST + 0.02, SOUTH + 0.02], { DRVAL1: 20 });
    const sea = seaOf([chart.cell()], clipper);
    const at = sea.cellAt(mercatorX(HERE[0]), mercatorY(HERE[1]));
    expect(at.square.leastDepth[at.index]).toBe(0);
    const kinds = new Set(sea.hazards().map(({ kind }) => HAZARD_KINDS[kind]));
    expect(kinds).toContain('no-data');
  });

  test.each([
    ['with areas next to it', true],
    ['without any area', false],
  ])(
    'a gap in a fine chart %s, over a coarse one, keeps its dangers and prohibitions',
    (_, hasAreas) => {
      const coarse = new ChartBuilder();
      const fine = new ChartBuilder();
      const at = (x: number, y: number) => [WEST + x, SOUTH + y] as const;
      for (const chart of [coarse, fine])
        chart.box('M_COVR', at(0, 0), at(0.02, 0.02), { CATCOV: 1 });
      coarse.box('DEPARE', at(0, 0), at(0.02, 0.02), { DRVAL1: 20 });
      if (hasAreas) fine.box('DEPARE', at(0, 0), at(0.005, 0.02), { DRVAL1: 15 });
      fine.point('OBSTRN', HERE, { WATLEV: 3 });
      fine.box('RESARE', at(0.012, 0.012), at(0.018, 0.018), { RESTRN: '7' });
      const { header, ...data } = coarse.cell();
      const below = { ...data, header: { ...header, name: 'ZZ4TEST1', usageBand: 4 as const } };
      const sea = seaOf([below, fine.cell()], clipper);
      const stateAt = ([x, y]: readonly [number, number]) => {
        const { square, index } = sea.cellAt(mercatorX(x), mercatorY(y));
        const isProhibited = ((square.flags?.[index] ?? 0) & SEA_FLAGS.prohibited) !== 0;
        return [depthOfCode(square.leastDepth[index]!), isProhibited];
      };
      expect(stateAt(HERE)).toEqual([NEVER, false]);
      expect(stateAt(BESIDE)).toEqual([20, true]);
      expect(stateAt(at(0.01, 0.004))).toEqual([20, false]);
      const kinds = sea.hazards().map(({ kind }) => HAZARD_KINDS[kind]);
      expect(kinds).toEqual(expect.arrayContaining(['danger', 'prohibited']));
    },
  );

  test('a gap narrower than a cell closes the cells that contain it', () => {
    const chart = new ChartBuilder();
    chart.box('M_COVR', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { CATCOV: 1 });
    chart.box('DEPARE', [WEST, SOUTH], [WEST + 0.01, SOUTH + 0.02], { DRVAL1: 20 });
    chart.box('DEPARE', [WEST + 0.010_01, SOUTH], [WEST + 0.02, SOUTH + 0.02], { DRVAL1: 20 });
    const sea = seaOf([chart.cell()], clipper);
    const at = sea.cellAt(mercatorX(WEST + 0.010_005), mercatorY(HERE[1]));
    expect(at.square.leastDepth[at.index]).toBe(0);
  });
});
