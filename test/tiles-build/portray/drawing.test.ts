// Drawing of objects of any class: lines without hidden edges, one symbol per area, scale and dates, doubtful
// positions, unknown classes.

import { describe, expect, it } from 'vitest';
import { scaminZoom, zoomOfScale } from '../../../shared/chart/scale-zoom.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { periodOf } from '../../../shared/s57/vocabulary/periods.ts';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
import { ChartBuilder } from './chart-builder.ts';

describe('lines', () => {
  /** A line of four edges; the second is doubtful, the last one masked. */
  function coast(acronym: string, primitive: 'line' | 'area') {
    const chart = new ChartBuilder();
    const nodes = [0, 1, 2, 3].map((x) => chart.node([x, 50 + (x % 2)]));
    const qualities: Attributes[] = [{}, { QUAPOS: 4 }, { QUAPOS: 10 }, {}];
    const edges = qualities.map((attributes, i) =>
      chart.edge(nodes[i]!, nodes[(i + 1) % 4]!, { attributes }),
    );
    const made = chart.along(acronym, primitive, edges);
    const spatial = made.spatial.map((use, i) => (i === 3 ? { ...use, masked: true } : use));
    const cell = chart.cell();
    const drawn = portrayCell({ ...cell, features: [{ ...made, spatial }] });
    const lines = drawn.filter((drawable) => drawable.geometry.type === 'line');
    const chainEdges = lines.map(({ properties, geometry }) => ({
      q: properties['q'],
      edges:
        geometry.type === 'line' ? geometry.chains.map((c) => c.map((use) => use.edge.id)) : [],
    }));
    return { chainEdges, edges };
  }

  it.each([
    ['of lines', 'COALNE', 'line'],
    ['around areas', 'RESARE', 'area'],
  ] as const)(
    '%s are split where the accuracy changes, without masked edges',
    (_, acronym, kind) => {
      const { chainEdges, edges } = coast(acronym, kind);
      expect(chainEdges).toEqual([
        { q: undefined, edges: [[edges[0]], [edges[2]]] },
        { q: 1, edges: [[edges[1]]] },
      ]);
    },
  );

  it('around areas are one closed chain if nothing splits them', () => {
    const chart = new ChartBuilder();
    const nodes = [0, 1, 2].map((x) => chart.node([x, 50 + (x % 2)]));
    const edges = [0, 1, 2].map((i) => chart.edge(nodes[i]!, nodes[(i + 1) % 3]!));
    chart.along('ACHARE', 'area', edges);
    const [line] = chart.drawn();
    expect(line?.geometry.type === 'line' && line.geometry.chains.map((c) => c.length)).toEqual([
      3,
    ]);
  });

  it('along the limit of the data are not drawn', () => {
    const chart = new ChartBuilder();
    const [a, b] = [chart.node([0, 50]), chart.node([1, 51])];
    const edges = [chart.edge(a, b), chart.edge(b, a, { through: [[1, 50]] })];
    chart.along('RESARE', 'area', edges, {}, { usage: 'truncated' });
    expect(chart.drawn().map((drawable) => drawable.layer)).toEqual(['AREASYM']);
  });
});

it('the symbol of an area lies inside it, whatever its shape', () => {
  const chart = new ChartBuilder();
  // A horseshoe, whose centroid lies in the gap.
  chart.polygon('ACHARE', [
    [0, 60],
    [3, 60],
    [3, 60.2],
    [0.3, 60.2],
    [0.3, 61.8],
    [3, 61.8],
    [3, 62],
    [0, 62],
  ]);
  const symbol = chart.drawn('AREASYM')[0];
  const point = symbol?.geometry;
  if (point?.type !== 'point') throw new Error('no symbol');
  const isInside = point.longitude < 0.3 || point.latitude < 60.2 || point.latitude > 61.8;
  expect(isInside).toBe(true);
  expect(symbol?.properties).toMatchObject({ cls: 'ACHARE', sy: 'ACHARE51', bd: 'anchor' });
});

it('the symbol of an area is omitted if there is nothing to show or to name', () => {
  const chart = new ChartBuilder();
  chart.box('LAKARE', [0, 50], [1, 51]);
  chart.box('LAKARE', [2, 50], [3, 51], { OBJNAM: 'Blue Lake' });
  const symbols = chart.drawn('AREASYM');
  expect(symbols.map(({ properties }) => properties['nm'])).toEqual(['Blue Lake']);
});

it('an area that has only a national name is named by it', () => {
  const chart = new ChartBuilder();
  chart.box('LAKARE', [0, 50], [1, 51], { NOBJNM: 'Blauer See' });
  chart.point('BOYLAT', [2, 50], { OBJNAM: 'Point Buoy', NOBJNM: 'Spitzentonne' });
  const named = chart.drawn().filter(({ properties }) => properties['nm'] !== undefined);
  expect(named.map(({ layer, properties: { nm, nn } }) => [layer, nm, nn])).toEqual([
    ['AREASYM', 'Blauer See', 'Blauer See'],
    ['BOYLAT', 'Point Buoy', 'Spitzentonne'],
  ]);
});

it.each(['LNDMRK', 'SILTNK', 'FORSTC'])(
  'an area of %s shows its name, or its height if it has no name',
  (acronym) => {
    const chart = new ChartBuilder();
    chart.box(acronym, [0, 50], [1, 51], { OBJNAM: 'Old Tower', HEIGHT: 30 });
    chart.box(acronym, [2, 50], [3, 51], { HEIGHT: 30 });
    const texts = chart.drawn('AREASYM').map(({ properties: { nm, tx, tf } }) => [nm, tx, tf]);
    expect(texts).toEqual([
      ['Old Tower', undefined, undefined],
      [undefined, '30m', '98ft'],
    ]);
  },
);

it.each([
  ['nm', 'OBJNAM'],
  ['nn', 'NOBJNM'],
  ['tx', 'CALSGN'],
])('the text %s has at most 300 characters, none of them split', (key, acronym) => {
  // A character of two units.
  const letter = '\u{10300}';
  const drawn = (length: number) => {
    const chart = new ChartBuilder();
    chart.point('RDOSTA', [0, 50], { [acronym]: letter.repeat(length) });
    return chart.drawn('RDOSTA')[0]?.properties[key];
  };
  expect(drawn(300)).toBe(letter.repeat(300));
  expect(drawn(301)).toBe(`${letter.repeat(299)}…`);
});

it.each<[string, Attributes, string | undefined, number | undefined]>([
  ['DWRTPT', { ORIENT: 45, TRAFIC: 1 }, 'DWRTPT51', 45],
  ['DWRTPT', { ORIENT: 45, TRAFIC: 4 }, 'DWRUTE51', 45],
  ['DWRTPT', { ORIENT: 45 }, 'DWRTPT-none', undefined],
  ['DWRTPT', { TRAFIC: 4 }, 'DWRTPT-none', undefined],
  ['TWRTPT', { ORIENT: 45, TRAFIC: 4 }, 'TWRTPT52', 45],
  ['TWRTPT', { ORIENT: 45 }, undefined, undefined],
  ['FAIRWY', { ORIENT: 45, TRAFIC: 3 }, 'FAIRWY51', 45],
  ['FAIRWY', { ORIENT: 45, TRAFIC: 4 }, 'FAIRWY52', 45],
  ['FAIRWY', { TRAFIC: 4 }, undefined, undefined],
])('a part of a route, %s %j, has the symbol %s along %s', (acronym, attributes, sy, or) => {
  const chart = new ChartBuilder();
  chart.box(acronym, [0, 50], [1, 51], attributes);
  const found = chart.drawn('AREASYM')[0]?.properties;
  expect([found?.['sy'], found?.['or']]).toEqual([sy, or]);
});

it('the sea bed of an area has the same text and layer as that of a point', () => {
  const chart = new ChartBuilder();
  chart.box('SBDARE', [0, 50], [1, 51], { NATSUR: ['9'], OBJNAM: 'Rocky Flats' });
  const [found, ...others] = chart.drawn().filter(({ geometry }) => geometry.type === 'point');
  expect(others).toEqual([]);
  expect(found).toMatchObject({ layer: 'SBDARE', properties: { tx: 'R', ar: 1 } });
});

it('the symbol of a bridge lies in its middle, with its clearance in metres and feet', () => {
  const chart = new ChartBuilder();
  const [a, b] = [chart.node([0, 50]), chart.node([2, 50])];
  chart.along('BRIDGE', 'line', [chart.edge(a, b)], { CATBRG: [5], VERCCL: 6.4, VERCOP: 42.3 });
  const symbol = chart.drawn('AREASYM')[0];
  expect(symbol?.geometry).toEqual({ type: 'point', longitude: 1, latitude: 50 });
  expect(symbol?.properties).toEqual({
    cls: 'BRIDGE',
    sy: 'BRIDGE01',
    vc: 6.4,
    tx: 'clr cl 6.4 clr op 42.3',
    tf: 'clr cl 20 clr op 138',
    bn: 5,
  });
});

it('the lower clearance of a bridge that opens is printed whichever attribute has it', () => {
  const chart = new ChartBuilder();
  chart.point('BRIDGE', [1, 50], { CATBRG: [5], VERCLR: 3, VERCOP: 30 });
  chart.point('BRIDGE', [2, 50], { CATBRG: [1], VERCLR: 4 });
  expect(chart.drawn('BRIDGE').map(({ properties: { sy, vc, tx } }) => [sy, vc, tx])).toEqual([
    ['BRIDGE01', 3, 'clr 3 clr op 30'],
    ['POSGEN04', 4, 'clr 4'],
  ]);
});

it.each<[string, Attributes, string]>([
  ['BRIDGE', { VERCLR: 3.3528000000000002 }, 'clr 3.3'],
  ['BRIDGE', { VERCLR: 3.19 }, 'clr 3.1'],
  ['BRIDGE', { VERCLR: 3, VERCCL: 3.5, VERCOP: 30 }, 'clr 3 clr op 30'],
  ['BRIDGE', { VERCLR: 30, VERCCL: 3.5, VERCOP: 30 }, 'clr cl 3.5 clr op 30'],
  ['RDOCAL', { COMCHA: '[VHF0016];[VHF0012]' }, 'VHF 16, 12'],
  ['RDOCAL', { COMCHA: '[06A]' }, 'VHF 6A'],
  ['RDOCAL', { COMCHA: 'VHF Ch 12' }, 'VHF 12'],
  ['RDOCAL', { COMCHA: 'VHF-16; VHF: 8' }, 'VHF 16, 8'],
  ['MAGVAR', { VALMAG: -3, RYRMGV: '2020', VALACM: 8 }, '3°W 2020 (8′E)'],
  ['MAGVAR', { VALMAG: 3.25 }, '3°15′E'],
  ['LNDMRK', { HEIGHT: 12.192000000000002 }, '12.2m'],
])('%s %j has the text %s; clearances are rounded down', (acronym, attributes, tx) => {
  const chart = new ChartBuilder();
  chart.point(acronym, [1, 50], attributes);
  expect(chart.drawn(acronym)[0]?.properties['tx']).toBe(tx);
});

it.each<[Attributes, string]>([
  [{ ORIENT: 45, TRAFIC: 1 }, 'RDOCAL02'],
  [{ ORIENT: 45, TRAFIC: 4 }, 'RDOCAL03'],
  [{ ORIENT: 45 }, 'RCLDEF01'],
  [{ TRAFIC: 4 }, 'RCLDEF01'],
])('a calling-in point with %j is drawn as %s', (attributes, sy) => {
  const chart = new ChartBuilder();
  chart.point('RDOCAL', [1, 50], attributes);
  const { properties } = chart.drawn('RDOCAL')[0]!;
  expect(properties['sy']).toBe(sy);
  // A sign without an arrow is upright.
  expect(properties['or']).toBe(sy === 'RCLDEF01' ? undefined : attributes.ORIENT);
});

it('the depth of a swept area is rounded down', () => {
  const chart = new ChartBuilder();
  chart.box('SWPARE', [0, 50], [1, 51], { DRVAL1: 10.97 });
  const found = chart.drawn('AREASYM')[0]?.properties;
  expect(found).toMatchObject({ tx: 'swept to 10.9', tf: 'swept to 35 ft', dm: 109, ft: 35 });
});

describe('lines above the water', () => {
  it.each(['BRIDGE', 'CBLOHD', 'PIPOHD', 'CONVYR'])(
    '%s has its clearance along the line, to be repeated, and its name once',
    (acronym) => {
      const chart = new ChartBuilder();
      const [a, b] = [chart.node([0, 50]), chart.node([2, 50])];
      chart.along(acronym, 'line', [chart.edge(a, b)], { OBJNAM: 'High Span', VERCLR: 30 });
      const drawn = chart.drawn();
      const line = drawn.find(({ layer }) => layer === acronym);
      expect(line?.properties).toMatchObject({ tx: 'clr 30', tf: 'clr 98' });
      expect(line?.properties['nm']).toBeUndefined();
      const named = drawn.filter(({ properties }) => properties['nm'] === 'High Span');
      expect(named.map(({ layer }) => layer)).toEqual(['AREASYM']);
    },
  );
});

describe('scale', () => {
  it('depends on the latitude: at 60° a zoom shows twice the scale', () => {
    expect(zoomOfScale(50_000, 0) - zoomOfScale(50_000, 60)).toBeCloseTo(1, 9);
    expect(zoomOfScale(279_541_132, 0)).toBeCloseTo(0, 6);
  });

  it('rounds SCAMIN zooms down to a tenth, so that the first tile zoom matches', () => {
    expect(scaminZoom(17_471, 0)).toBe(13.9);
    expect(scaminZoom(undefined, 0)).toBeUndefined();
    expect(scaminZoom(0, 0)).toBeUndefined();
    expect(scaminZoom(3e9, 0)).toBeUndefined();
    expect(scaminZoom(20_000, 90)).toBeUndefined();
  });

  it('hides objects below their SCAMIN zoom, except display base', () => {
    const chart = new ChartBuilder();
    chart.point('BOYLAT', [0, 60], { SCAMIN: 90_000 });
    chart.point('HULKES', [0, 60], { SCAMIN: 90_000 });
    expect(chart.drawn().map(({ minZoom, properties }) => [minZoom, properties['mz']])).toEqual([
      [10, 10.6],
      [0, undefined],
    ]);
  });
});

describe('dates', () => {
  it('cover the whole year or month of incomplete dates', () => {
    expect(periodOf({ DATSTA: '2024', DATEND: '202503' })).toEqual({ ds: 20240101, de: 20250331 });
    expect(periodOf({ PERSTA: '--0401', PEREND: '--10' })).toEqual({ ps: 401, pe: 1031 });
    expect(periodOf({ DATSTA: 'soon', PEREND: '1031' })).toEqual({});
  });

  it('remove no object from the tiles, which contain the dates', () => {
    const chart = new ChartBuilder();
    chart.point('BOYLAT', [0, 50], { DATEND: '19990630', PERSTA: '--0401' });
    expect(chart.drawn()[0]?.properties).toMatchObject({ de: 19_990_630, ps: 401 });
  });
});

it('doubtful positions are marked on the point and by a symbol', () => {
  const chart = new ChartBuilder();
  chart.point('WRECKS', [0, 50], { CATWRK: 2 }, { QUAPOS: 5 });
  const [wreck, doubt] = chart.drawn();
  expect(wreck?.properties).toMatchObject({ q: 1 });
  expect(doubt).toMatchObject({
    layer: 'LOWACC',
    properties: { cls: 'WRECKS', sy: 'LOWACC01', qt: 'PD' },
  });
});

it('doubtful positions are not marked on buoys, whose position is always approximate', () => {
  const chart = new ChartBuilder();
  chart.point('BOYLAT', [0, 50], {}, { QUAPOS: 4 });
  const drawn = chart.drawn();
  expect(drawn.map(({ layer, properties }) => [layer, properties['q']])).toEqual([['BOYLAT', 1]]);
});

it('positions that are surveyed, precisely known or calculated are not doubtful', () => {
  for (const QUAPOS of [1, 10, 11]) {
    const chart = new ChartBuilder();
    chart.point('WRECKS', [0, 50], {}, { QUAPOS });
    expect(chart.drawn().map((drawable) => drawable.layer)).toEqual(['WRECKS']);
  }
});

it('classes that are in no table are shown as a question mark, for every primitive', () => {
  const chart = new ChartBuilder();
  chart.point('$18001', [0, 50]);
  chart.box('$18001', [1, 50], [2, 51]);
  const drawn = chart.drawn();
  expect(drawn.map(({ layer, geometry }) => [layer, geometry.type])).toEqual([
    ['OTHER', 'point'],
    ['OTHER', 'line'],
    ['OTHER', 'point'],
  ]);
  expect(drawn[2]?.properties).toMatchObject({ sy: 'QUESMRK1', cls: '$18001', ar: 1 });
});

it.each(['$18001', '$AREAS', '$CSYMB'])(
  'draws a point, a line and an area of %s as a question mark each',
  (name) => {
    const chart = new ChartBuilder();
    chart.point(name, [0, 50]);
    chart.along(name, 'line', [chart.edge(chart.node([3, 50]), chart.node([4, 50.5]))]);
    chart.box(name, [1, 50], [2, 51]);
    const drawn = chart.drawn();
    expect(new Set(drawn.map(({ layer }) => layer))).toEqual(new Set(['OTHER', 'AREASYM']));
    expect(drawn.filter(({ properties }) => properties['sy'] === 'QUESMRK1')).toHaveLength(3);
    expect(drawn.filter(({ geometry }) => geometry.type === 'line')).toHaveLength(2);
  },
);

it('classes of inland charts are drawn like the sea classes that they extend', () => {
  const chart = new ChartBuilder();
  chart.box('depare', [0, 50], [1, 51], { DRVAL1: 2, DRVAL2: 5 });
  chart.point('boywtw', [0.5, 50.5], { COLOUR: [3], BOYSHP: 2 });
  expect(chart.drawn().map((drawable) => drawable.layer)).toEqual(['DEPARE', 'BOYSPP']);
});

it('classes that only describe data are not drawn', () => {
  const chart = new ChartBuilder();
  chart.box('M_COVR', [0, 50], [1, 51], { CATCOV: 1 });
  chart.box('M_SDAT', [0, 50], [1, 51]);
  expect(chart.drawn()).toEqual([]);
});

it('classes of maritime zones share three layers and are distinguished by kind', () => {
  const chart = new ChartBuilder();
  chart.box('EXEZNE', [0, 50], [1, 51], { NATION: 'ZZ' });
  const drawn = chart.drawn();
  expect(drawn.map(({ layer, properties }) => [layer, properties['k'], properties['tx']])).toEqual([
    ['maritime_area', 'economic', undefined],
    ['maritime_line', 'economic', undefined],
    ['maritime_label', 'economic', 'Exclusive economic zone'],
  ]);
});

it('objects with dangling pointers are skipped', () => {
  const chart = new ChartBuilder();
  const point = chart.point('BOYLAT', [0, 50]);
  const area = chart.box('DEPARE', [0, 50], [1, 51], { DRVAL1: 1 });
  const rock = chart.point('UWTROC', [0, 50]);
  const cell = chart.cell();
  const features = [point, area, rock].map((feature) => ({
    ...feature,
    spatial: feature.spatial.map((use) => ({ ...use, id: 99_999 })),
  }));
  expect(portrayCell({ ...cell, features })).toEqual([]);
});

describe('across the antimeridian', () => {
  it('symbols lie inside their areas, and dangers in their water', () => {
    const chart = new ChartBuilder();
    // The reader returns a cell across 180° like this.
    const ring = [
      [179, 50],
      [181, 50],
      [181, 51],
      [179, 51],
    ] as const;
    chart.polygon('DEPARE', ring, { DRVAL1: 7, DRVAL2: 10 });
    chart.polygon('ACHARE', ring);
    chart.point('UWTROC', [180.5, 50.5], { WATLEV: 3 });
    const drawn = chart.drawn();
    const symbol = drawn.find(({ layer }) => layer === 'AREASYM')?.geometry;
    expect(symbol?.type === 'point' && Math.abs(symbol.longitude)).toBeGreaterThan(179);
    expect(drawn.find(({ layer }) => layer === 'UWTROC')?.properties).toMatchObject({ ud: 7 });
  });
});
