// Depths: soundings, contours, and the edges in which a safety contour is found.

import { describe, expect, it } from 'vitest';
import type { Attributes, SpatialUse } from '../../../shared/s57/cell/cell.ts';
import { feetRoundedDown, surveyedFeet } from '../../../shared/s57/vocabulary/depth-units.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { ChartBuilder } from './chart-builder.ts';

/**
 * Two areas side by side, with one edge between them:
 *
 *     d ---- c ---- f
 *     | left |shared| right |
 *     a ---- b ---- e
 */
function neighbours(
  left: readonly [string, Attributes],
  right: readonly [string, Attributes],
  edge: Attributes = {},
) {
  const chart = new ChartBuilder();
  const [a, b, c, d, e, f] = [
    chart.node([0, 50]),
    chart.node([1, 50]),
    chart.node([1, 51]),
    chart.node([0, 51]),
    chart.node([2, 50]),
    chart.node([2, 51]),
  ];
  const shared = chart.edge(b, c, { attributes: edge });
  const west = [chart.edge(c, d), chart.edge(d, a), chart.edge(a, b)];
  const east = [chart.edge(b, e), chart.edge(e, f), chart.edge(f, c)];
  chart.along(left[0], 'area', [shared, ...west], left[1]);
  chart.along(right[0], 'area', [...east, -shared], right[1]);
  return { chart, shared };
}

const depth = (from: number, to: number): readonly [string, Attributes] => [
  'DEPARE',
  { DRVAL1: from, DRVAL2: to },
];

it('depth edges are at changes of the depth range, with the shallow and the deep side', () => {
  const { chart } = neighbours(depth(0, 5), depth(5, 10));
  const edges = chart.drawn('DEPEDGE');
  expect(edges.map((edge) => edge.properties)).toEqual([{ s: 0, d: 5, dm: 50, ft: 16, bn: 5 }]);
  expect(edges[0]).toMatchObject({ geometry: { type: 'line' }, minZoom: 0 });
});

it.each([
  [
    { DRVAL1: 10, DRVAL2: 5 },
    { d1: 5, d2: 10 },
  ],
  [
    { DRVAL1: 0, DRVAL2: -3.4 },
    { d1: -3.4, d2: 0 },
  ],
  [{ DRVAL2: -3.4 }, { d1: -3.4, d2: -3.4 }],
  [{ DRVAL2: 5 }, { d1: -1, d2: 5 }],
  [{ DRVAL1: 5 }, { d1: 5, d2: 5.01 }],
])('a depth area of %j is never shaded deeper than charted: %j', (words, range) => {
  for (const acronym of ['DEPARE', 'DRGARE']) {
    const { chart } = neighbours([acronym, words], depth(20, 30));
    expect(chart.drawn(acronym)[0]?.properties, acronym).toMatchObject(range);
    expect(chart.drawn('DEPEDGE')[0]?.properties, acronym).toMatchObject({ s: range.d1, d: 20 });
  }
});

it('depth edges do not lie between areas of equal depth or along the border of the cell', () => {
  const { chart } = neighbours(depth(5, 10), ['DRGARE', { DRVAL1: 5 }]);
  expect(chart.drawn('DEPEDGE')).toEqual([]);
});

it('depth edges treat ground without navigable water as 100 m high', () => {
  for (const acronym of ['UNSARE', 'PONTON', 'FLODOC', 'HULKES']) {
    const { chart } = neighbours([acronym, {}], depth(5, 10));
    const [edge] = chart.drawn('DEPEDGE');
    expect(edge?.properties, acronym).toMatchObject({ s: -100, d: 5 });
  }
});

it('depth edges are marked along coasts and quays, so that these are not drawn over', () => {
  const { chart, shared } = neighbours(['LNDARE', {}], depth(5, 10));
  chart.along('COALNE', 'line', [shared]);
  expect(chart.drawn('DEPEDGE').map((edge) => edge.properties)).toEqual([
    { s: -100, d: 5, dm: 50, ft: 16, c: 1, bn: 5 },
  ]);
});

// The safety contour and the outline of land must not vanish where nothing else is drawn.
it.each<[string, string, Attributes, Partial<SpatialUse>, boolean]>([
  ['a coast', 'COALNE', {}, {}, true],
  ['a coast with SCAMIN', 'COALNE', { SCAMIN: 20_000 }, {}, true],
  ['a pontoon with dates', 'PONTON', { DATEND: '20200101' }, {}, true],
  ['a seasonal coast', 'COALNE', { PERSTA: '--0401' }, {}, true],
  ['a river bank', 'RIVBNK', {}, {}, true],
  ['a river bank with SCAMIN', 'RIVBNK', { SCAMIN: 20_000 }, {}, false],
  ['a removed quay', 'SLCONS', { DATEND: '20200101' }, {}, false],
  ['a future quay', 'SLCONS', { DATSTA: '20990101' }, {}, false],
  ['an old quay', 'SLCONS', { DATSTA: '1890' }, {}, true],
  ['a masked coast', 'COALNE', {}, { masked: true }, false],
  ['a truncated coast', 'COALNE', {}, { usage: 'truncated' }, false],
  ['a mooring wall, which has a floor', 'MORFAC', {}, {}, false],
])(
  'the safety contour and the outline of land are drawn unless a shore always is: %s',
  (...row) => {
    const [, acronym, attributes, uses, isShore] = row;
    const quay = neighbours(['UNSARE', {}], depth(5, 10));
    quay.chart.along(acronym, 'line', [quay.shared], attributes, uses);
    expect(quay.chart.drawn('DEPEDGE')[0]?.properties['c']).toBe(isShore ? 1 : undefined);
    const land = neighbours(['LNDARE', {}], depth(5, 10));
    land.chart.along(acronym, 'line', [land.shared], attributes, uses);
    const lines = land.chart.drawn('LNDARE').filter(({ geometry }) => geometry.type === 'line');
    expect(lines).toHaveLength(isShore ? 0 : 1);
  },
);

it.each([
  ['SLCONS', undefined, 1],
  ['SLCONS', 2, 1],
  ['SLCONS', 3, undefined],
  ['SLCONS', 4, undefined],
  ['DAMCON', 5, undefined],
])(
  'the safety contour along %s with WATLEV %s is hidden by it only if it is dry: %s',
  (acronym, WATLEV, c) => {
    const water = neighbours(depth(0, 5), depth(5, 10));
    const attributes: Attributes = WATLEV === undefined ? {} : { WATLEV };
    water.chart.along(acronym, 'line', [water.shared], attributes);
    expect(water.chart.drawn('DEPEDGE')[0]?.properties['c']).toBe(c);
    // Land keeps the line of the structure as its outline.
    const land = neighbours(['LNDARE', {}], depth(5, 10));
    land.chart.along(acronym, 'line', [land.shared], attributes);
    expect(land.chart.drawn('LNDARE').map(({ geometry }) => geometry.type)).not.toContain('line');
    expect(land.chart.drawn('DEPEDGE')[0]?.properties['c']).toBe(1);
  },
);

it('depth edges are doubtful if their edge is doubtful', () => {
  const { chart } = neighbours(depth(0, 5), depth(5, 10), { QUAPOS: 4 });
  expect(chart.drawn('DEPEDGE')[0]?.properties).toMatchObject({ q: 1 });
});

it('depth edges join end to end into one chain', () => {
  const chart = new ChartBuilder();
  const nodes = [0, 1, 2, 3].map((y) => chart.node([1, 50 + y]));
  const middle = [0, 1, 2].map((i) => chart.edge(nodes[i]!, nodes[i + 1]!));
  const west = chart.edge(nodes[3]!, nodes[0]!, {
    through: [
      [0, 53],
      [0, 50],
    ],
  });
  const east = chart.edge(nodes[0]!, nodes[3]!, {
    through: [
      [2, 50],
      [2, 53],
    ],
  });
  chart.along('DEPARE', 'area', [...middle, west], { DRVAL1: 0, DRVAL2: 5 });
  chart.along('DEPARE', 'area', [east, ...middle.map((id) => -id).reverse()], {
    DRVAL1: 5,
    DRVAL2: 9,
  });
  const edges = chart.drawn('DEPEDGE');
  expect(edges).toHaveLength(1);
  const { geometry } = edges[0]!;
  expect(geometry.type === 'line' && geometry.chains.map((chain) => chain.length)).toEqual([3]);
});

it('land without a charted coastline is outlined against water, once', () => {
  const { chart } = neighbours(['LNDARE', {}], depth(0, 5));
  const lines = chart.drawn('LNDARE').filter((d) => d.geometry.type === 'line');
  expect(lines.map((line) => line.properties)).toEqual([{ bn: 5 }]);
});

it('land has no outline along a charted coastline or other land', () => {
  const { chart, shared } = neighbours(['LNDARE', {}], depth(0, 5));
  chart.along('SLCONS', 'line', [shared]);
  const inland = neighbours(['LNDARE', {}], ['LNDARE', {}]).chart;
  for (const made of [chart, inland]) {
    const drawn = made.drawn('LNDARE');
    expect(drawn.map((drawable) => drawable.geometry.type)).not.toContain('line');
  }
});

describe('depth areas', () => {
  it('always have both depths of their range', () => {
    const chart = new ChartBuilder();
    chart.box('DEPARE', [0, 0], [1, 1], { DRVAL1: -1.5, DRVAL2: 0 });
    chart.box('DEPARE', [1, 0], [2, 1], { DRVAL1: 30 });
    chart.box('DRGARE', [2, 0], [3, 1], {});
    const ranges = chart
      .drawn()
      .filter((drawable) => drawable.geometry.type === 'area')
      .map(({ properties }) => [properties['d1'], properties['d2']]);
    expect(ranges).toEqual([
      [-1.5, 0],
      [30, 30.01],
      [-1, -0.99],
    ]);
  });

  it('are never hidden by SCAMIN', () => {
    const chart = new ChartBuilder();
    chart.box('DEPARE', [0, 0], [1, 1], { DRVAL1: 5, DRVAL2: 10, SCAMIN: 21_999 });
    const [area] = chart.drawn();
    expect(area?.minZoom).toBe(0);
    expect(area?.properties).not.toHaveProperty('mz');
  });
});

it('depth contours have their depth in metres, and as integers for labels', () => {
  const chart = new ChartBuilder();
  const edge = chart.edge(chart.node([0, 50]), chart.node([1, 51]));
  chart.along('DEPCNT', 'line', [edge], { VALDCO: 5.4 });
  expect(chart.drawn().map(({ properties }) => properties)).toEqual([
    { v: 5.4, dm: 54, ft: 17, bn: 5 },
  ]);
});

it('soundings are single points with the depth in metres, decimetres and feet', () => {
  const chart = new ChartBuilder();
  chart.soundings([
    [1, 2, 36.999_999],
    [3, 4, -1.2],
  ]);
  expect(chart.drawn()).toMatchObject([
    {
      layer: 'SOUNDG',
      properties: { d: 36.999_999, dm: 370, ft: 121 },
      geometry: { type: 'point', longitude: 1, latitude: 2 },
      key: 'SOUNDG:10000000:20000000:370',
      thinBy: 36.999_999,
    },
    { properties: { d: -1.2, dm: -12, ft: -4 }, thinBy: -1.2 },
  ]);
});

it('soundings are marked as doubtful or swept', () => {
  const cases: [Attributes, unknown][] = [
    [{}, undefined],
    [{ QUASOU: [6] }, undefined],
    [{ QUASOU: [6, 4] }, 1],
    [{ STATUS: [18] }, 1],
    [{ TECSOU: [6] }, 2],
    [{ TECSOU: [6], QUASOU: [3] }, 1],
  ];
  for (const [attributes, q] of cases) {
    const chart = new ChartBuilder();
    chart.soundings([[0, 0, 5]], attributes);
    expect(chart.drawn()[0]?.properties['q'], JSON.stringify(attributes)).toBe(q);
  }
});

describe('depths in feet', () => {
  const longitudeOf = ({ geometry }: Drawable): number =>
    geometry.type === 'point' ? geometry.longitude : Number.NaN;
  /** Depths in feet of the soundings of one cell in the tiles. */
  const feetOf = (depths: readonly number[]): unknown[] => {
    const chart = new ChartBuilder();
    chart.soundings(depths.map((depth, i) => [i / 1000, 0, depth]));
    // The longitudes are in the order of the depths given.
    return chart
      .drawn()
      .toSorted((a, b) => longitudeOf(a) - longitudeOf(b))
      .map(({ properties }) => properties['ft']);
  };
  /** As stored: truncated to decimetres, towards zero. */
  const stored = (feet: number) =>
    (Math.sign(feet) * Math.floor(Math.abs(feet) * 3.048 + 1e-9)) / 10;

  it('are the surveyed feet if soundings were truncated to decimetres', () => {
    const feet = Array.from({ length: 3000 }, (_, i) => i - 50);
    expect(feetOf(feet.map(stored))).toEqual(feet);
    expect(feet.filter((one) => surveyedFeet(stored(one)) !== one)).toEqual([]);
  });

  it('are never more than the depth on a metric chart', () => {
    const depths = Array.from({ length: 3000 }, (_, i) => (i - 100) / 10);
    const exact = depths.map((depth) => Math.floor((depth * 10_000 + 0.5) / 3048) || 0);
    expect(feetOf(depths)).toEqual(exact);
  });

  it('are never more than a depth without whole feet on a chart in feet', () => {
    const feet = Array.from({ length: 100 }, (_, i) => stored(i));
    expect(feetOf([...feet, -0.8, 2.6, 3.7]).slice(-3)).toEqual([-3, 8, 12]);
  });

  it('are rounded down if a chart has too few soundings to decide', () => {
    expect(feetOf([3.6, 5.4, 10.9])).toEqual([11, 17, 35]);
  });

  it('of dangers are the surveyed feet if the soundings of the chart are', () => {
    const feet = Array.from({ length: 40 }, (_, i) => stored(i));
    const chart = new ChartBuilder();
    chart.soundings(feet.map((depth, i) => [i / 1000, 0, depth]));
    chart.point('WRECKS', [0.5, 0.5], { VALSOU: 3.6 });
    const wreck = chart.drawn('WRECKS')[0];
    expect(wreck?.properties['ft']).toBe(12);
  });

  it('include multiples of a foot that floating point represents slightly too small', () => {
    const wrong = Array.from({ length: 4000 }, (_, feet) => feet - 100).filter(
      (feet) => feetRoundedDown(feet * 0.3048) !== (feet || 0),
    );
    expect(wrong).toEqual([]);
  });
});

it('sorts the soundings of all objects, the shallowest last', () => {
  const chart = new ChartBuilder();
  chart.soundings([
    [1, 51, 5],
    [2, 51, -1],
  ]);
  chart.soundings([
    [3, 51, 20],
    [4, 51, 3],
  ]);
  const depths = chart.drawn('SOUNDG').map(({ properties }) => properties['d']);
  expect(depths).toEqual([20, 5, 3, -1]);
});
