// Names that several objects share, and equal texts of lights, in the vector tiles of written cells.

import { describe, expect, it } from 'vitest';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

const WEST = 5.01;
const SOUTH = 43.01;
const SIDE = 0.1;
const MIDDLE = [WEST + SIDE / 2, SOUTH + SIDE / 2] as const;

type Areas = WrittenPlan['areas'];
type Words = Readonly<Record<string, string>>;

const harbour = (areas: Areas): WrittenPlan => ({
  name: 'ZZ5HARBR',
  usageBand: 5,
  scaleDenominator: 12_000,
  areas: [
    ['M_COVR', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { CATCOV: 1 }],
    ['DEPARE', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { DRVAL1: 5, DRVAL2: 20 }],
    ...areas,
  ],
});

/** A square around a place; `side` in degrees. */
const square = (x: number, y: number, side: number) =>
  [x - side / 2, y - side / 2, x + side / 2, y + side / 2] as const;

async function namesOf(areas: Areas, zoom: number, at: readonly [number, number] = MIDDLE) {
  const chart = await WrittenChart.of([writtenCell(harbour(areas))], { floors: false });
  return chart
    .features('AREASYM', zoom, at)
    .map(({ properties }) => [properties['cls'], properties['nm'], properties['sy']]);
}

const sections = (apart: number, words: Words = {}): Areas => [
  ['FAIRWY', square(MIDDLE[0] - apart / 2, MIDDLE[1], 0.002), { OBJNAM: 'Long Reach', ...words }],
  ['FAIRWY', square(MIDDLE[0] + apart / 2, MIDDLE[1], 0.002), { OBJNAM: 'Long Reach' }],
];

describe('RepeatedTexts', () => {
  it('writes the name of an anchorage and its sea area once, next to the anchor', async () => {
    const ground = square(MIDDLE[0], MIDDLE[1], 0.01);
    const areas: Areas = [
      ['SEAARE', ground, { OBJNAM: 'Old Anchorage' }],
      ['ACHARE', ground, { OBJNAM: 'Old Anchorage' }],
    ];
    for (const zoom of [11, 14, 15]) {
      expect(await namesOf(areas, zoom)).toEqual([['ACHARE', 'Old Anchorage', 'ACHARE51']]);
    }
  });

  it('writes the name of a channel once for close sections and for each distant section', async () => {
    // 0.01° = 233 pixels at zoom 14, and 29 at zoom 11.
    expect(await namesOf(sections(0.01), 11)).toHaveLength(1);
    const apart = await namesOf(sections(0.01), 14, [MIDDLE[0] - 0.005, MIDDLE[1]]);
    const other = await namesOf(sections(0.01), 14, [MIDDLE[0] + 0.005, MIDDLE[1]]);
    expect(new Set([...apart, ...other].map(([, name]) => name))).toEqual(new Set(['Long Reach']));
    expect(apart.length + other.length).toBeGreaterThanOrEqual(2);
  });

  it('does not remove a name because of an object that is charted on some days only', async () => {
    const dated = sections(0.0021, { DATSTA: '20260101', DATEND: '20260301' });
    expect(await namesOf(dated, 11)).toHaveLength(2);
    expect(await namesOf(sections(0.0021), 11)).toHaveLength(1);
  });

  it('keeps a symbol whose name is already written nearby', async () => {
    const areas: Areas = [
      ['ACHARE', square(MIDDLE[0], MIDDLE[1], 0.002), { OBJNAM: 'Old Anchorage' }],
      ['ACHARE', square(MIDDLE[0] + 0.002, MIDDLE[1], 0.001), { OBJNAM: 'Old Anchorage' }],
    ];
    // Near the scale; further below it equal symbols are thinned too.
    const found = await namesOf(areas, 14);
    expect(found.map(([, , symbol]) => symbol)).toEqual(['ACHARE51', 'ACHARE51']);
    expect(found.filter(([, name]) => name !== undefined)).toHaveLength(1);
  });

  it('keeps the names of an island and of a water, which are shown and hidden separately', async () => {
    const ground = square(MIDDLE[0], MIDDLE[1], 0.01);
    const areas: Areas = [
      ['LNDRGN', ground, { OBJNAM: 'Holm' }],
      ['SEAARE', ground, { OBJNAM: 'Holm' }],
    ];
    expect((await namesOf(areas, 12)).map(([, name]) => name)).toEqual(['Holm', 'Holm']);
  });

  it('writes the name of islets next to one that is shown, if another is hidden', async () => {
    // 0.001° is 6 pixels at zoom 12, and 0.02° is 58 pixels at zoom 11.
    const islet = (east: number, OBJNAM: string) =>
      ['LNDARE', [MIDDLE[0] + east, MIDDLE[1]], { OBJNAM }] as const;
    const points = [
      islet(0, 'Other Rock'),
      islet(0.001, 'The Brothers'),
      islet(0.02, 'The Brothers'),
    ];
    const chart = await WrittenChart.of([writtenCell({ ...harbour([]), points })], {
      floors: false,
    });
    for (const zoom of [11, 12]) {
      const found = chart.features('LNDARE', zoom, MIDDLE);
      expect(found.map(({ properties }) => properties['nm'])).toEqual([
        'Other Rock',
        'The Brothers',
      ]);
    }
  });

  it.each([
    [{}, ['Bright Cape'], []],
    // The region is shown earlier.
    [{ SCAMIN: 21_999 }, [undefined], ['Bright Cape']],
  ])('writes the name of a cape with its landmark once: %o', async (words, landmark, cape) => {
    const ground = square(MIDDLE[0], MIDDLE[1], 0.004);
    const tower = { CATLMK: 17, HEIGHT: 25, OBJNAM: 'Bright Cape', ...words };
    const points = [['LNDMRK', MIDDLE, tower]] as const;
    const plan = { ...harbour([['LNDRGN', ground, { OBJNAM: 'Bright Cape' }]]), points };
    const chart = await WrittenChart.of([writtenCell(plan)], { floors: false });
    for (const zoom of [14, 15]) {
      const namesIn = (layer: string) =>
        chart.features(layer, zoom, MIDDLE).map(({ properties }) => properties['nm']);
      expect([namesIn('LNDMRK'), namesIn('AREASYM')]).toEqual([landmark, cape]);
    }
  });

  it('writes the text of two equal lights once as long as their flares touch', async () => {
    const light = (east: number, words = {}) =>
      ['LIGHTS', [MIDDLE[0] + east, MIDDLE[1]], { LITCHR: 1, COLOUR: 3, ...words }] as const;
    // 0.0008° is 19 pixels at zoom 14 and 37 at zoom 15.
    const points = [light(0), light(0.0008), light(0.0004, { COLOUR: 4 })];
    const plan = { ...harbour([]), scaleDenominator: 25_000, points };
    const chart = await WrittenChart.of([writtenCell(plan)], { floors: false });
    const shown = (zoom: number) =>
      chart.features('LIGHTS', zoom, MIDDLE).map(({ properties }) => properties);
    expect(shown(14).map(({ sy }) => sy)).toEqual(['LIGHTS11', 'LIGHTS11', 'LIGHTS12']);
    expect(
      shown(14)
        .flatMap(({ tx }) => tx ?? [])
        .sort(),
    ).toEqual(['F G', 'F R']);
    expect(shown(14).filter(({ tf }) => tf !== undefined)).toHaveLength(2);
    expect(
      shown(15)
        .flatMap(({ tx }) => tx ?? [])
        .sort(),
    ).toEqual(['F G', 'F R', 'F R']);
  });
});

it('keeps the texts of lights and the names of landmarks in tiles that are enlarged', async () => {
  const words = { LIGHTS: { LITCHR: 1, COLOUR: 3 }, LNDMRK: { CATLMK: 17, OBJNAM: 'Tower' } };
  // 0.0004° is 19 pixels at zoom 15, the last of the cell.
  const points = [0, 0.0004].flatMap((east) =>
    (['LIGHTS', 'LNDMRK'] as const).map(
      (layer) => [layer, [MIDDLE[0] + east, MIDDLE[1]], words[layer]] as const,
    ),
  );
  const plan = { ...harbour([]), points };
  const chart = await WrittenChart.of([writtenCell(plan)], { floors: false });
  const textsOf = (layer: string) =>
    chart.features(layer, 15, MIDDLE).map(({ properties: { tx, nm } }) => tx ?? nm);
  expect([textsOf('LIGHTS'), textsOf('LNDMRK')]).toEqual([
    ['F R', 'F R'],
    ['Tower', 'Tower'],
  ]);
});

describe('withoutRepeatedNames', () => {
  /** Two harbours side by side, each with half of an island. */
  async function chartAcross(words: Words, points: WrittenPlan['points'] = []) {
    const halves = [-1, 1].map((side, i) => {
      const [west, east] = side < 0 ? [WEST, MIDDLE[0]] : [MIDDLE[0], WEST + SIDE];
      const ground = [west, SOUTH, east, SOUTH + SIDE] as const;
      const half = square(MIDDLE[0] + side * 0.001, MIDDLE[1], 0.002);
      return writtenCell({
        ...harbour([]),
        name: `ZZ5HALF${i}`,
        points: i === 1 ? points : [],
        areas: [
          ['M_COVR', ground, { CATCOV: 1 }],
          ['DEPARE', ground, { DRVAL1: 5, DRVAL2: 20 }],
          ['LNDRGN', half, { OBJNAM: 'Split Island', ...(i === 0 ? words : {}) }],
        ],
      });
    });
    return await WrittenChart.of(halves, { floors: false });
  }

  async function namesAcross(words: Words) {
    const chart = await chartAcross(words);
    // 0.002° is 47 pixels.
    return chart.features('AREASYM', 14, MIDDLE).map(({ properties }) => properties['nm']);
  }

  it('writes the name of an object in two cells once', async () => {
    expect(await namesAcross({})).toEqual(['Split Island']);
  });

  it('writes the name of a region once if the landmark on it is shown later', async () => {
    const tower = { CATLMK: 17, OBJNAM: 'Split Island', SCAMIN: 21_999 };
    const chart = await chartAcross({}, [['LNDMRK', [MIDDLE[0] + 0.001, MIDDLE[1]], tower]]);
    for (const zoom of [13, 14, 15]) {
      const named = ['AREASYM', 'LNDMRK'].flatMap((layer) => chart.features(layer, zoom, MIDDLE));
      expect(named.flatMap(({ properties: { nm } }) => nm ?? [])).toEqual(['Split Island']);
    }
  });

  it('keeps the names of two landmarks in a tile of two cells', async () => {
    const tower = { CATLMK: 17, OBJNAM: 'Tower' };
    const landmarkAt = (east: number) => ['LNDMRK', [MIDDLE[0] + east, MIDDLE[1]], tower] as const;
    const chart = await chartAcross({}, [landmarkAt(0.0005), landmarkAt(0.001)]);
    const names = chart.features('LNDMRK', 15, MIDDLE).map(({ properties: { nm } }) => nm);
    expect(names).toEqual(['Tower', 'Tower']);
  });

  it('keeps a name next to an object that is charted on some days only', async () => {
    expect(await namesAcross({ DATSTA: '20260101', DATEND: '20260301' })).toHaveLength(2);
  });
});
