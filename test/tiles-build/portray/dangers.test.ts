// Rocks, wrecks and obstructions: the symbol without a depth limit, the depth at which each matters, and the
// depth of the water around it.

import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { chartContext } from '../../../tiles-build/portray/features/chart-context.ts';
import { ChartBuilder } from './chart-builder.ts';

/** A danger in a pool of 20 m of water. */
function inDeepWater(acronym: string, attributes: Attributes) {
  const chart = new ChartBuilder();
  chart.box('DEPARE', [0, 50], [1, 51], { DRVAL1: 20, DRVAL2: 30 });
  chart.point(acronym, [0.5, 50.5], attributes);
  return chart.drawn(acronym)[0]!;
}

describe('a point danger', () => {
  // class, attributes, symbol, depth at which it matters
  const rows: [string, Attributes, string, number][] = [
    ['UWTROC', { WATLEV: 3 }, 'UWTROC03', 0.01],
    ['UWTROC', { WATLEV: 4 }, 'UWTROC04', -15],
    ['UWTROC', { WATLEV: 5 }, 'UWTROC04', 0],
    ['UWTROC', {}, 'UWTROC04', -15],
    ['UWTROC', { WATLEV: 3, VALSOU: 4.2 }, 'DANGER01', 4.2],
    ['UWTROC', { WATLEV: 4, VALSOU: -1.1 }, 'UWTROC04', -1.1],
    ['UWTROC', { WATLEV: 3, EXPSOU: 1 }, 'UWTROC03', 20],
    ['UWTROC', { WATLEV: 3, EXPSOU: 2 }, 'UWTROC03', 0.01],
    ['OBSTRN', {}, 'OBSTRN01', -15],
    ['OBSTRN', { WATLEV: 3 }, 'OBSTRN01', 0.01],
    ['OBSTRN', { WATLEV: 4 }, 'OBSTRN03', -15],
    ['OBSTRN', { WATLEV: 2 }, 'OBSTRN11', -15],
    ['OBSTRN', { WATLEV: 7 }, 'FLTHAZ02', -15],
    ['OBSTRN', { CATOBS: 5, WATLEV: 3 }, 'FSHHAV01', 0.01],
    ['OBSTRN', { CATOBS: 6, WATLEV: 4 }, 'OBSTRN01', 0.01],
    ['OBSTRN', { CATOBS: 6, WATLEV: 1 }, 'OBSTRN01', 0.01],
    ['OBSTRN', { CATOBS: 6, WATLEV: 4, VALSOU: -0.5 }, 'DANGER01', -0.5],
    ['OBSTRN', { CATOBS: 7, WATLEV: 3 }, 'FOULGND1', 20.1],
    ['OBSTRN', { CATOBS: 7 }, 'FOULGND1', 20.1],
    ['OBSTRN', { CATOBS: 7, WATLEV: 4 }, 'OBSTRN03', -15],
    ['OBSTRN', { CATOBS: 7, WATLEV: 3, EXPSOU: 2 }, 'OBSTRN01', 0.01],
    ['OBSTRN', { CATOBS: 9, WATLEV: 3 }, 'ACHARE02', 20.1],
    ['OBSTRN', { CATOBS: 9, WATLEV: 4 }, 'OBSTRN03', -15],
    ['OBSTRN', { CATOBS: 9, WATLEV: 3, VALSOU: 2 }, 'DANGER01', 2],
    ['OBSTRN', { CATOBS: 8, WATLEV: 7 }, 'FLTHAZ02', -15],
    ['OBSTRN', { CATOBS: 10 }, 'FLTHAZ02', -15],
    ['OBSTRN', { CATOBS: 7, WATLEV: 3, VALSOU: 8.2 }, 'DANGER01', 8.2],
    ['OBSTRN', { WATLEV: 7, VALSOU: 3 }, 'DANGER01', 3],
    ['OBSTRN', { VALSOU: 7, WATLEV: 3 }, 'DANGER01', 7],
    ['OBSTRN', { VALSOU: -0.5, WATLEV: 4 }, 'DANGER03', -0.5],
    ['OBSTRN', { VALSOU: 0, WATLEV: 5 }, 'DANGER03', 0],
    ['WRECKS', { CATWRK: 1, WATLEV: 3 }, 'WRECKS04', 20.1],
    ['WRECKS', { CATWRK: 1, WATLEV: 4 }, 'WRECKS01', -15],
    ['WRECKS', { CATWRK: 1, WATLEV: 5 }, 'WRECKS01', 0],
    ['WRECKS', { CATWRK: 1, WATLEV: 3, EXPSOU: 2 }, 'WRECKS05', 0.01],
    ['WRECKS', { CATWRK: 1 }, 'WRECKS05', 20.1],
    ['WRECKS', { CATWRK: 2, WATLEV: 3 }, 'WRECKS05', -15],
    ['WRECKS', { CATWRK: 2, WATLEV: 4 }, 'WRECKS01', -15],
    ['WRECKS', { CATWRK: 2 }, 'WRECKS05', -15],
    ['WRECKS', { CATWRK: 3, WATLEV: 3 }, 'FOULGND1', 20.1],
    ['WRECKS', { CATWRK: 3 }, 'FOULGND1', 20.1],
    ['WRECKS', { CATWRK: 3, WATLEV: 4 }, 'WRECKS01', -15],
    ['WRECKS', { CATWRK: 3, WATLEV: 3, EXPSOU: 2 }, 'WRECKS05', 0.01],
    ['WRECKS', { CATWRK: 3, VALSOU: 4, WATLEV: 3 }, 'DANGER01', 4],
    ['WRECKS', { CATWRK: 5, WATLEV: 2 }, 'WRECKS01', -15],
    ['WRECKS', { WATLEV: 3 }, 'WRECKS05', 0.01],
    ['WRECKS', { VALSOU: 12.8, CATWRK: 2, WATLEV: 3 }, 'DANGER01', 12.8],
  ];
  it.each(rows)('%s %j is drawn as %s and matters at %d m', (acronym, attributes, sy, dd) => {
    expect(inDeepWater(acronym, attributes).properties).toMatchObject({ sy, dd });
  });

  it('never becomes an isolated danger above water', () => {
    const standing = inDeepWater('OBSTRN', { WATLEV: 2, SCAMIN: 20_000 });
    expect(standing.properties['ud']).toBe(-100);
    expect(standing.minZoom).toBeGreaterThan(0);
  });

  it('never becomes an isolated danger on foul ground without a depth', () => {
    const foul = (attributes: Attributes) =>
      inDeepWater('OBSTRN', { CATOBS: 7, WATLEV: 3, SCAMIN: 20_000, ...attributes });
    expect(foul({})).toMatchObject({ minZoom: 13, properties: { ud: -100 } });
    expect(foul({ VALSOU: 2 })).toMatchObject({ minZoom: 0, properties: { ud: 20 } });
    expect(inDeepWater('OBSTRN', { WATLEV: 7, SCAMIN: 20_000 })).toMatchObject({
      minZoom: 0,
      properties: { ud: 20 },
    });
  });

  it('is in every tile if it may be isolated, and keeps its SCAMIN zoom', () => {
    const hidden = inDeepWater('UWTROC', { WATLEV: 3, SCAMIN: 20_000 });
    expect(hidden).toMatchObject({ minZoom: 0, properties: { ud: 20, mz: 13.1 } });
  });

  it('prints its depth only in a symbol with space for it', () => {
    expect(inDeepWater('UWTROC', { WATLEV: 3, VALSOU: 4.2 }).properties).toMatchObject({
      sd: 1,
      d: 4.2,
      dm: 42,
      ft: 13,
    });
    expect(inDeepWater('UWTROC', { WATLEV: 4, VALSOU: -1 }).properties).not.toHaveProperty('sd');
  });
});

it.each([
  [{ QUASOU: [4] }, 1],
  [{ STATUS: [18] }, 1],
  [{ QUASOU: [6] }, undefined],
])('the depth of a danger with %j has the mark of a doubtful depth: %s', (quality, qs) => {
  for (const acronym of ['UWTROC', 'OBSTRN', 'WRECKS']) {
    const danger = inDeepWater(acronym, { VALSOU: 4.2, WATLEV: 3, ...quality });
    expect(danger.properties['qs'], acronym).toBe(qs);
  }
});

it('a danger that is a line has its depth at one point in its middle', () => {
  const chart = new ChartBuilder();
  chart.box('DEPARE', [0, 50], [3, 51], { DRVAL1: 20, DRVAL2: 30 });
  const edge = chart.edge(chart.node([1, 50.5]), chart.node([2, 50.5]));
  chart.along('OBSTRN', 'line', [edge], { VALSOU: 1.2, QUASOU: [4], WATLEV: 3 });
  const [line, center, ...others] = chart.drawn('OBSTRN');
  expect(others).toEqual([]);
  expect(line).toMatchObject({ geometry: { type: 'line' }, properties: { ln: 0, d: 1.2 } });
  expect(line?.properties).not.toHaveProperty('qs');
  expect(center).toMatchObject({
    geometry: { type: 'point', longitude: 1.5, latitude: 50.5 },
    properties: { ar: 1, sd: 1, qs: 1, dm: 12, dd: 1.2, ud: 20 },
  });
});

describe('a danger in the depth range of its area', () => {
  it('is at least as deep as the shallowest area that it touches', () => {
    const chart = new ChartBuilder();
    chart.box('DEPARE', [0, 50], [1, 51], { DRVAL1: 2, DRVAL2: 5 });
    chart.box('DEPARE', [1, 50], [2, 51], { DRVAL1: 20, DRVAL2: 30 });
    chart.box('OBSTRN', [0.8, 50.4], [1.2, 50.6], { CATOBS: 6, WATLEV: 3, EXPSOU: 1 });
    expect(chart.drawn('OBSTRN')[0]!.properties).toMatchObject({ dd: 2, ud: 20 });
  });
});

describe('a dangerous area', () => {
  function area(attributes: Attributes, acronym = 'OBSTRN') {
    const chart = new ChartBuilder();
    chart.box('DEPARE', [0, 50], [1, 51], { DRVAL1: 10, DRVAL2: 30 });
    chart.box(acronym, [0.4, 50.4], [0.6, 50.6], attributes);
    return chart.drawn(acronym);
  }

  it('is never hidden by SCAMIN, even on drying ground', () => {
    for (const DRVAL1 of [-3, 10]) {
      const chart = new ChartBuilder();
      chart.box('DEPARE', [0, 50], [1, 51], { DRVAL1, DRVAL2: 30 });
      chart.box('OBSTRN', [0.4, 50.4], [0.6, 50.6], { VALSOU: -2, WATLEV: 4, SCAMIN: 20_000 });
      const drawn = chart.drawn('OBSTRN');
      expect(drawn.map(({ minZoom }) => minZoom)).toEqual([0, 0, 0]);
      expect(drawn.filter(({ properties }) => 'mz' in properties)).toEqual([]);
    }
  });

  it('is a polygon, a boundary and one point inside it', () => {
    const [fill, outline, center] = area({ VALSOU: 3, WATLEV: 3 });
    expect(fill).toMatchObject({ geometry: { type: 'area' }, properties: { dd: 3, ud: 10 } });
    expect(outline).toMatchObject({ geometry: { type: 'line' }, properties: { ln: 0 } });
    expect(center?.properties).toMatchObject({ ar: 1, sd: 1, dm: 30, dd: 3, ud: 10 });
    expect(center?.properties).not.toHaveProperty('sy');
    const point = center?.geometry;
    expect(point?.type === 'point' && Math.abs(point.longitude - 0.5)).toBeLessThan(0.1);
  });

  it('has a line style by how often it is visible', () => {
    const lineOf = (attributes: Attributes) => area(attributes)[1]?.properties['ln'];
    expect(
      [{ WATLEV: 3 }, { WATLEV: 4 }, { WATLEV: 2 }, { CATOBS: 6, WATLEV: 4 }].map(lineOf),
    ).toEqual([0, 1, 2, 0]);
    expect(area({ VALSOU: 12, WATLEV: 3 })[1]?.properties).toMatchObject({ ln: 0, d: 12 });
  });

  it('records in its polygon how often it is visible, for its tint', () => {
    expect(area({ WATLEV: 4 })[0]?.properties).toMatchObject({ ln: 1 });
    expect(area({ WATLEV: 2 })[0]?.properties).toMatchObject({ ln: 2 });
  });

  it('has a symbol at its centre if it is foul ground or floats', () => {
    const [fill, outline, center] = area({ CATOBS: 7, WATLEV: 3 });
    expect(fill?.properties).not.toHaveProperty('pt');
    expect(outline?.properties).toMatchObject({ ln: 1 });
    expect(center?.properties).toMatchObject({ sy: 'FOULGND1', ud: -100, ar: 1 });
    const signOf = (attributes: Attributes) => area(attributes)[2]?.properties['sy'];
    expect(
      [{ CATOBS: 9 }, { CATOBS: 10 }, { WATLEV: 7 }, { CATOBS: 7, VALSOU: 2 }].map(signOf),
    ).toEqual(['ACHARE02', 'FLTHAZ02', 'FLTHAZ02', undefined]);
  });

  it('has a dashed line and the sign of foul ground if it is remains of a wreck', () => {
    const signOf = (attributes: Attributes) => {
      const [, outline, center] = area({ WATLEV: 3, ...attributes }, 'WRECKS');
      return [outline?.properties['ln'], center?.properties['sy'], center?.properties['ud']];
    };
    expect(signOf({ CATWRK: 3 })).toEqual([1, 'FOULGND1', -100]);
    expect(signOf({ CATWRK: 3, VALSOU: 2 })).toEqual([0, undefined, 10]);
    expect(signOf({ CATWRK: 1 })).toEqual([0, undefined, 10]);
  });

  it('is filled with the foul pattern in foul areas', () => {
    expect(area({ CATOBS: 6 })[0]?.properties).toMatchObject({ fo: 1, pt: 'FOULAR01' });
  });
});

it('the water around a danger includes every area whose boundary the danger touches', () => {
  const chart = new ChartBuilder();
  const nodes = [0, 1, 2, 3].map((x) => chart.node([x, 50]));
  const tops = [0, 1, 2, 3].map((x) => chart.node([x, 51]));
  const walls = [0, 1, 2, 3].map((i) => chart.edge(nodes[i]!, tops[i]!));
  [5, 12, 30].forEach((DRVAL1, i) => {
    const south = chart.edge(nodes[i]!, nodes[i + 1]!);
    const north = chart.edge(tops[i]!, tops[i + 1]!);
    chart.along('DEPARE', 'area', [south, walls[i + 1]!, -north, -walls[i]!], { DRVAL1 });
  });
  const danger = chart.along('OBSTRN', 'line', [walls[1]!]);
  expect(chartContext(chart.cell()).surroundings(danger).deepestMeters).toBe(12);
});

it('the water around a danger equals a test of each polygon for any point (seed 20260101)', () => {
  let seed = 20_260_101;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const chart = new ChartBuilder();
  const stars = Array.from({ length: 40 }, (_, index) => {
    const [x, y] = [random() * 10, 40 + random() * 10];
    const ring = Array.from({ length: 3 + Math.floor(random() * 20) }, (__, corner, n = 22) => {
      const angle = (corner / n) * 2 * Math.PI;
      const radius = 0.2 + random() * 2;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
    });
    chart.polygon('DEPARE', ring, { DRVAL1: index });
    return ring;
  });
  const points = Array.from({ length: 400 }, () => [random() * 10, 40 + random() * 10] as const);
  const rocks = points.map((point) => chart.point('UWTROC', point, {}));
  const context = chartContext(chart.cell());
  const found = rocks.map((rock) => context.surroundings(rock).deepestMeters);
  const expected = points.map((point) =>
    stars.reduce((deepest, ring, index) => (holds(ring, point) ? index : deepest), -100),
  );
  expect(found).toEqual(expected);
  expect(new Set(expected).size).toBeGreaterThan(20);
});

/** Point in polygon by winding number, unlike the tested code. */
function holds(ring: readonly (readonly [number, number])[], [px, py]: readonly [number, number]) {
  let turns = 0;
  ring.forEach(([x1, y1], i) => {
    const [x2, y2] = ring[(i + 1) % ring.length]!;
    const side = (x2 - x1) * (py - y1) - (px - x1) * (y2 - y1);
    if (y1 <= py && y2 > py && side > 0) turns += 1;
    if (y1 > py && y2 <= py && side < 0) turns -= 1;
  });
  // Equal to the even-odd rule if rings do not overlap themselves more than once.
  return Math.abs(turns) % 2 === 1;
}
