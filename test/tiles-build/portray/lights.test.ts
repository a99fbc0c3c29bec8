// Lights: descriptions, flares, and sectors composed of fixed images.

import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { lightText } from '../../../shared/s57/vocabulary/light-text.ts';
import { spansOf } from '../../../tiles-build/portray/marks/light-sectors.ts';
import { ChartBuilder } from './chart-builder.ts';

/** Lights of one place. */
function lightsAt(...lights: readonly Attributes[]) {
  const chart = new ChartBuilder();
  for (const attributes of lights) chart.point('LIGHTS', [10, 54], attributes);
  const propertiesOf = (layer: string) => chart.drawn(layer).map(({ properties }) => properties);
  return { points: propertiesOf('LIGHTS'), figures: propertiesOf('LIGHTS_SECTOR') };
}

describe('the description of a light', () => {
  const rows: [string, Attributes][] = [
    [
      'Fl(2)R 10s 12m 9M',
      { LITCHR: 2, SIGGRP: '(2)', COLOUR: [3], SIGPER: 10, HEIGHT: 12, VALNMR: 9 },
    ],
    ['Fl 4s', { LITCHR: 2, SIGGRP: '(1)', COLOUR: [1], SIGPER: 4 }],
    ['Q 1.25s', { LITCHR: 4, COLOUR: [1], SIGPER: 1.25 }],
    ['VQ 0.55s', { LITCHR: 5, COLOUR: [1], SIGPER: 0.55 }],
    ['Fl 3.33s', { LITCHR: 2, COLOUR: [1], SIGPER: 10 / 3 }],
    ['Fl G 2.5s', { LITCHR: 2, SIGGRP: '(1)', COLOUR: [4], SIGPER: 2.5 }],
    ['Iso WRG 6s', { LITCHR: 7, COLOUR: [4, 1, 3], SIGPER: 6 }],
    ['Q(6)+LFl 15s', { LITCHR: 25, SIGGRP: '(6)(1)', COLOUR: [1], SIGPER: 15 }],
    ['Fl(2+1)G 6s', { LITCHR: 2, SIGGRP: '(2+1)', COLOUR: [4], SIGPER: 6 }],
    ['Mo(A) 8s 5M', { LITCHR: 12, SIGGRP: '(A)', COLOUR: [1], SIGPER: 8, VALNMR: 5 }],
    ['2F R (vert) 6m', { LITCHR: 1, COLOUR: [3], MLTYLT: 2, CATLIT: [20], HEIGHT: 6 }],
    ['Aero Al.Fl WG', { LITCHR: 19, COLOUR: [1, 4], CATLIT: [5] }],
    ['Al.WR 10s', { LITCHR: 28, COLOUR: [1, 3], SIGPER: 10 }],
    ['Al(2)WR 10s', { LITCHR: 20, SIGGRP: '(2)', COLOUR: [1, 3], SIGPER: 10 }],
    ['Fog Det Lt Fl 5s', { LITCHR: 2, COLOUR: [1], CATLIT: [7], SIGPER: 5 }],
    ['Dir F 14M', { LITCHR: 1, COLOUR: [1], CATLIT: [1], VALNMR: 14 }],
    ['Dir F 14M 285.5°', { LITCHR: 1, COLOUR: [1], CATLIT: [1], VALNMR: 14, ORIENT: 285.5 }],
    ['Dir F 005°', { LITCHR: 1, COLOUR: [1], CATLIT: [16], ORIENT: 5 }],
    ['F', { LITCHR: 1, COLOUR: [1], ORIENT: 5 }],
    ['12m 9M', { HEIGHT: 12, VALNMR: 9 }],
    ['4s', { SIGPER: 4, COLOUR: [1] }],
    ['F R', { LITCHR: 1, COLOUR: [3], VALNMR: 0 }],
    ['F R (disused)', { LITCHR: 1, COLOUR: [3], STATUS: [4] }],
    ['F R (U)', { LITCHR: 1, COLOUR: [3], STATUS: [17] }],
    ['F 9M (day)', { LITCHR: 1, COLOUR: [1], VALNMR: 9, EXCLIT: 2 }],
    ['Fl 5s (in fog) (priv)', { LITCHR: 2, SIGPER: 5, EXCLIT: 3, STATUS: [8] }],
    ['Fl 5s (night)', { LITCHR: 2, SIGPER: 5, EXCLIT: 4 }],
    ['Fl 5s', { LITCHR: 2, SIGPER: 5, EXCLIT: 1 }],
    ['Fl Y 5s (priv)', { LITCHR: 2, COLOUR: [6], SIGPER: 5, STATUS: [8] }],
  ];
  it.each(rows)('reads %s', (text, attributes) => {
    expect(lightText([attributes])?.tx).toBe(text);
  });

  it('gives heights in whole feet too', () => {
    expect(lightText([{ LITCHR: 2, SIGPER: 4, HEIGHT: 9.1 }])?.tf).toBe('Fl 4s 30ft');
  });

  it('is empty for a light without attributes', () => {
    expect(lightText([{}])).toBeUndefined();
  });

  it('contains neither colour nor range of sectors in which the light is obscured', () => {
    const white = { LITCHR: 2, SIGPER: 4, COLOUR: [1], VALNMR: 12 };
    expect(lightText([white, { ...white, COLOUR: [3], VALNMR: 3, LITVIS: [7] }])?.tx).toBe(
      'Fl 4s 12M',
    );
  });

  it('is printed once for all sectors of a light, with all colours and both ranges', () => {
    const common = { LITCHR: 7, SIGPER: 4, HEIGHT: 21 };
    const { points } = lightsAt(
      { ...common, COLOUR: [3], SECTR1: 10, SECTR2: 40, VALNMR: 12 },
      { ...common, COLOUR: [1], SECTR1: 40, SECTR2: 50, VALNMR: 18 },
      { ...common, COLOUR: [4], SECTR1: 50, SECTR2: 90, VALNMR: 12 },
    );
    expect(points.map((properties) => properties['tx'])).toEqual([
      undefined,
      'Iso WRG 4s 21m 18-12M',
      undefined,
    ]);
    expect(points.map((properties) => properties['sc'])).toEqual([1, 1, 1]);
  });
});

it('flares point to the right, and to the left for a second rhythm at one place', () => {
  const { points } = lightsAt(
    { LITCHR: 2, COLOUR: [4], VALNMR: 3 },
    { LITCHR: 1, COLOUR: [3], VALNMR: 8 },
  );
  expect(points.map(({ sy, rt }) => [sy, rt])).toEqual([
    ['LIGHTS12', 45],
    ['LIGHTS11', 135],
  ]);
});

it('a light of other days does not replace the flare, the text or the legs of a light', () => {
  const sector = { LITCHR: 2, SIGPER: 5, SECTR1: 0, SECTR2: 90 };
  const { points, figures } = lightsAt(
    { ...sector, COLOUR: [1], VALNMR: 12, DATEND: '20251231' },
    { ...sector, COLOUR: [3], VALNMR: 9, DATSTA: '20260101' },
  );
  expect(points.map(({ sy, tx }) => [sy, tx])).toEqual([
    ['LIGHTS13', 'Fl 5s 12M'],
    ['LIGHTS11', 'Fl R 5s 9M'],
  ]);
  const legs = figures.filter(({ k }) => k === 'leg');
  expect(legs.map(({ r, de, ds }) => [r, de ?? ds])).toEqual([
    [180, 20251231],
    [270, 20251231],
    [180, 20260101],
    [270, 20260101],
  ]);
});

it('a light in fog has a text of its own next to a light of the same rhythm', () => {
  const light = { LITCHR: 2, SIGPER: 5, COLOUR: [1] };
  const { points } = lightsAt({ ...light, VALNMR: 9 }, { ...light, VALNMR: 5, EXCLIT: 3 });
  expect(points.map(({ tx }) => tx)).toEqual(['Fl 5s 9M', 'Fl 5s 5M (in fog)']);
});

it.each([{}, { VALNMR: '' }])(
  'an emergency light shares flare and text of its main light',
  (own) => {
    const light = { LITCHR: 2, SIGPER: 15, COLOUR: [1], HEIGHT: 76, VALNMR: 14 };
    const { points } = lightsAt(light, { ...light, CATLIT: [17], LITVIS: [5], ...own });
    expect(points.map(({ sy, tx }) => [sy, tx])).toEqual([
      ['LIGHTS13', 'Fl 15s 76m 14M'],
      [undefined, undefined],
    ]);
  },
);

it.each([{ STATUS: [1] }, { SIGGRP: '(1)' }, { EXCLIT: 1 }, { MLTYLT: 1 }])(
  'sectors share flare and text if they differ in what is not printed: %o',
  (own) => {
    const light = { LITCHR: 7, SIGPER: 4 };
    const { points } = lightsAt(
      { ...light, COLOUR: [3], SECTR1: 10, SECTR2: 40, VALNMR: 8, ...own },
      { ...light, COLOUR: [1], SECTR1: 40, SECTR2: 50, VALNMR: 11 },
    );
    expect(points.map(({ tx }) => tx)).toEqual([undefined, 'Iso WR 4s 11-8M']);
  },
);

it.each([
  ['that look equal', { CATLIT: [14], VALNMR: 3 }, { CATLIT: [15], VALNMR: 3 }],
  ['of one rhythm', { VALNMR: 5 }, { VALNMR: 3 }],
])('of lights %s, the one that is shown first has flare, text and legs', (_, late, early) => {
  const light = { LITCHR: 1, COLOUR: [3], SECTR1: 0, SECTR2: 90 };
  for (const scamin of [{ SCAMIN: 89_999 }, {}]) {
    const { points, figures } = lightsAt(
      { ...light, ...late, SCAMIN: 8000 },
      { ...light, ...early, ...scamin },
    );
    expect(points.map(({ sy }) => sy)).toEqual([undefined, 'LIGHTS11']);
    const legs = figures.filter(({ k, mz }) => k === 'leg' && mz === points[1]?.['mz']);
    expect(legs).toHaveLength(2);
  }
});

it.each<[string, readonly Attributes[], readonly (readonly unknown[])[]]>([
  [
    'an upper and a lower light',
    [
      { LITCHR: 1, COLOUR: [3], CATLIT: [15], VALNMR: 3 },
      { LITCHR: 1, COLOUR: [4], CATLIT: [14], VALNMR: 3 },
    ],
    [
      ['LIGHTS11', 'F R 3M'],
      ['LIGHTS12', 'F G 3M'],
    ],
  ],
  [
    'a main light and a weaker emergency light',
    [
      { LITCHR: 2, SIGPER: 10, COLOUR: [1], VALNMR: 17 },
      { LITCHR: 2, SIGPER: 10, COLOUR: [1], VALNMR: 5, CATLIT: [17] },
    ],
    [
      ['LIGHTS13', 'Fl 10s 17M'],
      ['LIGHTS13', 'Fl 10s 5M'],
    ],
  ],
  [
    'the sectors of a directional light, each with its bearing',
    [3, 1, 4].map((colour, i) => ({
      ...{ LITCHR: 7, SIGPER: 4, CATLIT: [1], COLOUR: [colour], VALNMR: colour === 1 ? 11 : 8 },
      ...{ ORIENT: 82 + 5 * i, SECTR1: 80 + 5 * i, SECTR2: 85 + 5 * i },
    })),
    [
      [undefined, undefined],
      ['LIGHTS13', expect.stringMatching(/^Dir Iso WRG 4s 11-8M /)],
      [undefined, undefined],
    ],
  ],
])('%s have their own flares and texts', (_, lights, shown) => {
  const { points } = lightsAt(...lights);
  expect(points.map(({ sy, tx }) => [sy, tx])).toEqual(shown);
});

it('flares are upright for flood and strip lights', () => {
  for (const [kind, sy] of [
    [8, 'LIGHTS82'],
    [9, 'LIGHTS81'],
  ] as const) {
    const { points } = lightsAt({ CATLIT: [kind], LITCHR: 1, COLOUR: [1] });
    expect(points[0]).toMatchObject({ sy });
    expect(points[0]).not.toHaveProperty('rt');
  }
});

describe('light sectors', () => {
  it('are arcs seen from the light, with a leg at each limit', () => {
    const { figures } = lightsAt({ COLOUR: [3], SECTR1: 350, SECTR2: 22 });
    expect(figures.map(({ k, i, r, ring }) => [k, i, r, ring])).toEqual([
      ['arc', 'arc-R-32', 170, 0],
      ['leg', 'leg', 170, 0],
      ['leg', 'leg', 202, 0],
    ]);
  });

  it('share the leg between two adjacent sectors', () => {
    const { figures } = lightsAt(
      { COLOUR: [3], SECTR1: 0, SECTR2: 16 },
      { COLOUR: [4], SECTR1: 16, SECTR2: 32 },
    );
    const legs = figures.filter(({ k }) => k === 'leg').map(({ r }) => r);
    expect(legs).toEqual([180, 196, 212]);
  });

  it('cover any span exactly', () => {
    for (const [first, second] of [
      [10, 40.6],
      [359.5, 0.4],
      [0, 359.9],
      [123.4, 123.5],
      [270, 90],
    ] as const) {
      const { figures } = lightsAt({ COLOUR: [1], SECTR1: first, SECTR2: second });
      const arcs = figures.filter(({ k }) => k === 'arc');
      const span = (((second - first) % 360) + 360) % 360;
      const start = (first + 180) % 360;
      const offsets = arcs.map(({ r }) => (((Number(r) - start) % 360) + 360.005) % 360);
      const ends = arcs.map(({ i }, n) => offsets[n]! + Number(String(i).split('-')[2]));
      expect(offsets[0], `${first}-${second}`).toBeCloseTo(0, 1);
      // For less than one degree the smallest image is used.
      expect(Math.max(...ends)).toBeCloseTo(Math.max(span, 1), 1);
      for (let n = 1; n < arcs.length; n += 1)
        expect(offsets[n]).toBeLessThanOrEqual(ends[n - 1]! + 0.01);
    }
  });

  it('are composed of powers of two, the widest first', () => {
    expect(spansOf(360)).toEqual([128, 128, 64, 32, 8]);
    expect(spansOf(0.2)).toEqual([1]);
    expect(spansOf(30.6)).toEqual([16, 8, 4, 2, 1]);
  });

  it('are drawn outside of a narrower sector that they overlap', () => {
    const { figures } = lightsAt(
      { COLOUR: [1], SECTR1: 0, SECTR2: 128 },
      { COLOUR: [3], SECTR1: 30, SECTR2: 38 },
    );
    const arcs = figures.filter(({ k }) => k === 'arc').map(({ i, ring }) => [i, ring]);
    expect(arcs).toEqual([
      ['arc-W-128-outer', 1],
      ['arc-R-8', 0],
    ]);
  });

  it('have limits but no arc if the light is obscured', () => {
    const { figures } = lightsAt({ COLOUR: [1], SECTR1: 0, SECTR2: 90, LITVIS: [7] });
    expect(figures.map(({ k }) => k)).toEqual(['leg', 'leg']);
  });

  it.each([
    [[1], 'arc-W-32'],
    [[6], 'arc-W-32'],
    [[9], 'arc-W-32'],
    [[11], 'arc-W-32'],
    [[1, 3], 'arc-R-32'],
    [[5], 'arc-M-32'],
    [[], 'arc-M-32'],
  ])('of the colours %j have the arc %s', (COLOUR, image) => {
    const { figures } = lightsAt({ COLOUR, SECTR1: 0, SECTR2: 32 });
    expect(figures[0]?.['i']).toBe(image);
  });

  it.each([3, 8])('have a dashed black arc if the visibility is %d', (LITVIS) => {
    const { figures } = lightsAt({ COLOUR: [3], SECTR1: 0, SECTR2: 32, LITVIS: [LITVIS] });
    expect(figures.map(({ i }) => i)).toEqual(['arc-B-32', 'leg', 'leg']);
  });

  it('become a ring for an all-round light of 10 miles or more', () => {
    const { figures, points } = lightsAt({ COLOUR: [1], VALNMR: 10, LITCHR: 2 });
    expect(figures.map(({ k, i }) => [k, i])).toEqual(
      [128, 128, 64, 32, 8].map((span) => ['ring', `arc-W-${span}`]),
    );
    expect(points[0]).toMatchObject({ mj: 1 });
    expect(lightsAt({ COLOUR: [1], VALNMR: 9.9 }).figures).toEqual([]);
    expect(lightsAt({ COLOUR: [1], VALNMR: 20, CATLIT: [5] }).figures).toEqual([]);
    expect(lightsAt({ COLOUR: [1], VALNMR: 20, LITCHR: 12 }).figures).toEqual([]);
  });

  it('become a leg for a directional light', () => {
    const { figures } = lightsAt({ COLOUR: [1], CATLIT: [1], ORIENT: 200, VALNMR: 15 });
    expect(figures).toMatchObject([{ k: 'leg', i: 'leg', r: 20 }]);
  });
});
