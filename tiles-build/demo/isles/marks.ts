// Buoys, beacons and lights. West of the harbour the marks are of IALA region A, around Snuffer of
// region B, to show both systems. Codes: S-57 Appendix A, chapter 2.

import { type Place, point, type Thing, together } from './thing.ts';

const CHANNEL = [4, 5] as const;
const SEEN_FAR = [2, 5] as const;

const SHAPE = { cone: 1, can: 2, sphere: 3, pillar: 4, spar: 5, barrel: 6, superBuoy: 7 } as const;
const PORT = 1;
const STARBOARD = 2;
const RED = '3';
const GREEN = '4';

interface Light {
  readonly character: number;
  readonly group?: string;
  readonly period?: number;
  readonly colour: string;
  readonly range?: number;
  readonly height?: number;
}

/** Attributes of LIGHTS. */
const lightAttributes = ({ character, group, period, colour, range = 4, height }: Light) => ({
  LITCHR: character,
  COLOUR: colour,
  VALNMR: range,
  ...(group === undefined ? {} : { SIGGRP: group }),
  ...(period === undefined ? {} : { SIGPER: period }),
  ...(height === undefined ? {} : { HEIGHT: height }),
});

export function lateral(
  name: string,
  at: Place,
  side: 1 | 2,
  region: 'A' | 'B',
  bands: Thing['bands'] = CHANNEL,
): Thing[] {
  const isRed = (side === PORT) === (region === 'A');
  const shape = side === PORT ? SHAPE.can : SHAPE.cone;
  const colour = isRed ? RED : GREEN;
  return together(
    point(name, 'BOYLAT', at, { BOYSHP: shape, CATLAM: side, COLOUR: colour, OBJNAM: name }, bands),
    point(
      `${name} topmark`,
      'TOPMAR',
      at,
      { TOPSHP: side === PORT ? 5 : 1, COLOUR: colour },
      bands,
    ),
    point(
      `${name} light`,
      'LIGHTS',
      at,
      lightAttributes({ character: 2, group: '(1)', period: 4, colour }),
      bands,
    ),
  );
}

/** The marks north, east, south and west of a danger: colours, topmark and rhythm of the light. */
const CARDINALS = [
  { colours: '2,6', top: 13, group: '', character: 4, period: 1 },
  { colours: '2,6,2', top: 11, group: '(3)', character: 4, period: 10 },
  { colours: '6,2', top: 14, group: '(6)', character: 4, period: 15 },
  { colours: '6,2,6', top: 10, group: '(9)', character: 4, period: 15 },
] as const;

function cardinal(name: string, at: Place, category: 1 | 2 | 3 | 4): Thing[] {
  const { colours, top, group, character, period } = CARDINALS[category - 1]!;
  const buoy = {
    BOYSHP: SHAPE.pillar,
    CATCAM: category,
    COLOUR: colours,
    COLPAT: 1,
    OBJNAM: name,
  };
  const light = { character, period, colour: '1', range: 6, ...(group ? { group } : {}) };
  return together(
    point(name, 'BOYCAR', at, buoy, [3, 5]),
    point(`${name} topmark`, 'TOPMAR', at, { TOPSHP: top, COLOUR: '2' }, [3, 5]),
    point(`${name} light`, 'LIGHTS', at, lightAttributes(light), [3, 5]),
  );
}

/** A sectored harbour light: red, white, green as seen from the sea. */
function wickSectors(at: Place): Thing[] {
  const sector = (name: string, colour: string, from: number, to: number, range: number) =>
    point(
      `Wick Pier Head ${name} sector`,
      'LIGHTS',
      at,
      {
        ...lightAttributes({ character: 8, group: '(1)', period: 6, colour, range, height: 14 }),
        SECTR1: from,
        SECTR2: to,
        CATLIT: 1,
      },
      CHANNEL,
    );
  const tower = { CATLMK: 17, FUNCTN: 33, CONVIS: 1, COLOUR: '1', OBJNAM: 'Wick Pier Head' };
  return together(
    point('Wick Pier Head', 'LNDMRK', at, tower, CHANNEL),
    sector('green', GREEN, 322, 352, 9),
    sector('white', '1', 352, 2, 12),
    sector('red', RED, 2, 38, 9),
    point('Wick Pier Head horn', 'FOGSIG', at, { CATFOG: 10, SIGPER: 30, SIGGRP: '(2)' }, CHANNEL),
  );
}

function lighthouse(name: string, at: Place, light: Light, height: number): Thing[] {
  const tower = { CATLMK: 17, FUNCTN: 33, CONVIS: 1, COLOUR: '1,3', COLPAT: 1, HEIGHT: height };
  return together(
    point(name, 'LNDMRK', at, { ...tower, OBJNAM: name }, SEEN_FAR),
    point(`${name} light`, 'LIGHTS', at, { ...lightAttributes(light), HEIGHT: height }, [1, 5]),
  );
}

const beacon = (
  name: string,
  acronym: string,
  at: Place,
  attributes: Thing['attributes'],
  top?: readonly [shape: number, colour: string],
): Thing[] =>
  together(
    point(name, acronym, at, { OBJNAM: name, ...attributes }, CHANNEL),
    ...(top === undefined
      ? []
      : [point(`${name} topmark`, 'TOPMAR', at, { TOPSHP: top[0], COLOUR: top[1] }, CHANNEL)]),
  );

export const MARKS: readonly Thing[] = [
  ...lighthouse(
    'Lantern Head',
    [6.25, -2.2],
    { character: 2, group: '(2)', period: 15, colour: '1', range: 21 },
    58,
  ),
  ...lighthouse(
    'Taper Point',
    [-49.8, -1.6],
    { character: 2, group: '(4)', period: 20, colour: '1', range: 18 },
    44,
  ),
  ...wickSectors([0.9, 1.32]),
  // The approach to Wick, region A: red to port, green to starboard.
  ...together(
    point(
      'Wick Fairway',
      'BOYSAW',
      [1.2, -6.1],
      { BOYSHP: SHAPE.sphere, COLOUR: '3,1', COLPAT: 2, OBJNAM: 'Wick Fairway' },
      [3, 5],
    ),
    point('Wick Fairway topmark', 'TOPMAR', [1.2, -6.1], { TOPSHP: 3, COLOUR: RED }, [3, 5]),
    point(
      'Wick Fairway light',
      'LIGHTS',
      [1.2, -6.1],
      lightAttributes({ character: 12, group: '(A)', period: 8, colour: '1', range: 6 }),
      [3, 5],
    ),
    point('Wick Fairway racon', 'RTPBCN', [1.2, -6.1], { CATRTB: 2, SIGGRP: '(W)' }, [3, 5]),
  ),
  ...lateral('Wick 1', [1.5, -2.6], STARBOARD, 'A'),
  ...lateral('Wick 2', [0.7, -2.6], PORT, 'A'),
  ...lateral('Wick 3', [1.45, -1.2], STARBOARD, 'A'),
  ...lateral('Wick 4', [0.75, -1.2], PORT, 'A'),
  ...lateral('Wick 5', [1.4, 0.2], STARBOARD, 'A'),
  ...lateral('Wick 6', [0.8, 0.2], PORT, 'A'),
  point('Wick Junction', 'BOYLAT', [-0.6, -1.4], {
    BOYSHP: SHAPE.can,
    CATLAM: 3,
    COLOUR: '3,4,3',
    COLPAT: 1,
    OBJNAM: 'Wick Junction',
  }),
  // Snuffer, region B: the colours are reversed.
  ...lateral('Snuffer 1', [46.75, -33.6], PORT, 'B', [3, 3]),
  ...lateral('Snuffer 2', [47.25, -33.6], STARBOARD, 'B', [3, 3]),
  ...lateral('Chandler 1', [5.5, -1.95], STARBOARD, 'A'),
  ...lateral('Chandler 2', [5.42, -1.62], PORT, 'A'),
  // Around the shoals.
  ...cardinal('Tinder North', [-2.2, -2.35], 1),
  ...cardinal('Tallow East', [5.4, -4.6], 2),
  ...cardinal('Tallow South', [2.2, -4.75], 3),
  ...cardinal('Spill South', [2, -16.9], 3),
  ...cardinal('Tinder West', [-4.25, -4.6], 4),
  ...together(
    point('Cinder', 'BOYISD', [-6.05, -5.3], {
      BOYSHP: SHAPE.pillar,
      COLOUR: '2,3,2',
      COLPAT: 1,
      OBJNAM: 'Cinder',
    }),
    point('Cinder topmark', 'TOPMAR', [-6.05, -5.3], { TOPSHP: 4, COLOUR: '2' }),
    point(
      'Cinder light',
      'LIGHTS',
      [-6.05, -5.3],
      lightAttributes({ character: 2, group: '(2)', period: 5, colour: '1' }),
    ),
  ),
  ...together(
    point('Wreck Candle', 'BOYSPP', [3.9, -1.8], {
      BOYSHP: SHAPE.pillar,
      CATSPM: 27,
      COLOUR: '6',
      OBJNAM: 'Candle special mark',
    }),
    point('Wreck Candle topmark', 'TOPMAR', [3.9, -1.8], { TOPSHP: 7, COLOUR: '6' }),
  ),
  point(
    'Lantern weather buoy',
    'BOYSPP',
    [18, -12],
    { BOYSHP: SHAPE.superBuoy, CATSPM: 9, COLOUR: '6', OBJNAM: 'Lantern weather buoy' },
    [3, 5],
  ),
  point('Wick mooring', 'MORFAC', [1.7, 0.2], { CATMOR: 7, BOYSHP: SHAPE.barrel, COLOUR: '1' }),
  ...beacon('Tinder Beacon', 'BCNISD', [-3.06, -4.7], { BCNSHP: 3, COLOUR: '2,3,2', COLPAT: 1 }, [
    4,
    '2',
  ]),
  ...beacon('Wick East Beacon', 'BCNLAT', [2.15, 1.18], { BCNSHP: 1, CATLAM: 2, COLOUR: GREEN }, [
    1,
    GREEN,
  ]),
  ...beacon('Wick West Beacon', 'BCNLAT', [-0.7, 1.2], { BCNSHP: 1, CATLAM: 1, COLOUR: RED }, [
    5,
    RED,
  ]),
  ...beacon(
    'Arm Beacon',
    'BCNCAR',
    [-7.38, -1.02],
    { BCNSHP: 3, CATCAM: 2, COLOUR: '2,6,2', COLPAT: 1 },
    [11, '2'],
  ),
  ...beacon('Speed Board', 'BCNSPP', [3.1, 0.95], { BCNSHP: 1, CATSPM: 14, COLOUR: '6' }),
  point('Lantern Radar', 'RADSTA', [8.2, 0.4], { CATRAS: 2, OBJNAM: 'Lantern Radar' }, [4, 5]),
  point('Daymark Hill', 'DAYMAR', [-0.9, 3.4], { TOPSHP: 24, COLOUR: '1,3', CATSPM: 16 }),
  point('Wick signal station', 'SISTAW', [1.0, 2.35], { CATSIW: 6, OBJNAM: 'Wick signal station' }),
];
