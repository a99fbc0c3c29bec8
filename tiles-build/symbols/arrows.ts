// Arrows of traffic and streams, and marks along routes and cables. Arrows point up and are rotated
// to a bearing about their centre; marks along a line follow it from left to right.

import type { AREA_SYMBOLS, LINE_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { lettering } from './lettering.ts';
import { anchor } from './marks.ts';
import {
  arc,
  box,
  corners,
  disc,
  line,
  type Paint,
  type Point,
  path,
  polygon,
  type Shape,
  type SymbolShapes,
  turned,
} from './shape.ts';

const TRAFFIC: Paint = { stroke: 'TRFCD', width: 1.5 };
const FAIRWAY: Paint = { stroke: 'CHGRD', width: 1.2 };
const BUOYAGE: Paint = { stroke: 'CHMGD', width: 1.4 };
const STREAM: Paint = { stroke: 'CHGRD', width: 1.5 };

export const ARROWS = {
  DWRTPT51: [polygon(broadArrow(18, 7), TRAFFIC), ...deepWater(4)],
  'DWRTPT-none': deepWater(0),
  DWRUTE51: [polygon(doubleArrow(20, 7), TRAFFIC), ...deepWater(0)],
  FAIRWY51: [polygon(broadArrow(18, 4), FAIRWAY)],
  FAIRWY52: [polygon(doubleArrow(18, 4), FAIRWAY)],
  TSSLPT51: [polygon(broadArrow(20, 5), { ...TRAFFIC, fill: 'TRFCF' })],
  TSSCRS51: [0, 90, 180, 270].flatMap((way) =>
    turned([path('M0 0 L0 -14 M-4.5 -9.5 L0 -14 L4.5 -9.5', TRAFFIC)], way),
  ),
  TSSRON51: [arc(0, 0, 11, 20, 340, TRAFFIC), path('M5.9 -7 L3.8 -10.3 L7.6 -11.5', TRAFFIC)],
  TWRTPT52: [polygon(doubleArrow(20, 3), TRAFFIC)],
  TWRTPT53: [polygon(broadArrow(18, 3), TRAFFIC)],
  RCTLPT52: [polygon(broadArrow(18, 4), { ...TRAFFIC, dash: [4, 2.5] })],
  TIDSTR01: [polygon(corners('0 -9, 6.5 0, 0 9, -6.5 0'), BUOYAGE)],
  EBBSTR01: [...shaft(16), ...head(-16)],
  FLDSTR01: [...shaft(16), ...head(-16), ...feathers(13)],
  CURENT01: [...wavyShaft(), ...head(-16)],
  DIRBOY01: directionOfBuoyage([]),
  DIRBOYA1: directionOfBuoyage(lettering('A', 0, 6, 6, BUOYAGE)),
  DIRBOYB1: directionOfBuoyage(lettering('B', 0, 6, 6, BUOYAGE)),
} satisfies Partial<Record<(typeof AREA_SYMBOLS)[number], SymbolShapes>>;

const LIMIT: Paint = { stroke: 'CHMGD', width: 1.5 };

/** Letters on the line, which is hidden behind them. */
const DEEP_WATER: SymbolShapes = [
  box(-8.5, -5, 17, 10, { fill: 'DEPDW', opacity: 0.75 }),
  ...lettering('DW', 0, 0, 7, { stroke: 'TRFCD', width: 1.3 }),
];

type LineMarkName = (typeof LINE_SYMBOLS)[number];

export const LINE_MARKS: Readonly<Record<LineMarkName, SymbolShapes>> = {
  CBLSUB06: [path('M-8 0 C-6 -4.5 -2 -4.5 0 0 C2 4.5 6 4.5 8 0', { stroke: 'CHMGD', width: 1.3 })],
  PIPSOL05: [disc(0, 0, 2.4, { fill: 'CHMGD' })],
  PIPSOL06: [disc(0, 0, 2.4, { fill: 'CHBLK' })],
  FERYRT01: ferry(),
  // Guided by a cable.
  FERYRT02: [...ferry(), line(-12, 4.5, 12, 4.5, { ...LIMIT, width: 1.2 })],
  LOWACC41: lettering('?', 0, 0, 8, { stroke: 'CHBLK', width: 1.4 }),
  'RECTRC-one-way': lineArrow(0, 1, 'CHGRD'),
  'RECTRC-reverse': lineArrow(0, -1, 'CHGRD'),
  'RECTRC-two-way': bothWays('CHGRD'),
  'RCRTCL-one-way': lineArrow(0, 1, 'CHMGD'),
  'RCRTCL-reverse': lineArrow(0, -1, 'CHMGD'),
  'RCRTCL-two-way': bothWays('CHMGD'),
  'DWRTCL-one-way': [...DEEP_WATER, ...lineArrow(15, 1, 'TRFCD')],
  'DWRTCL-reverse': [...DEEP_WATER, ...lineArrow(-15, -1, 'TRFCD')],
  'DWRTCL-two-way': [...DEEP_WATER, ...lineArrow(-15, -1, 'TRFCD'), ...lineArrow(15, 1, 'TRFCD')],
  'DWRTCL-none': DEEP_WATER,
  // Ticks on both sides, because the tiles do not record on which side the area is.
  'LIMIT-entry': [line(-4, -5, 4, -5, LIMIT), line(-4, 5, 4, 5, LIMIT), line(0, -5, 0, 5, LIMIT)],
  'LIMIT-anchor': anchor(0.55, LIMIT),
  'LIMIT-fishing': [
    path('M-6 0 C-3 -4 2 -4 4 0 C2 4 -3 4 -6 0 Z', { ...LIMIT, fill: 'DEPMD' }),
    path('M4 0 L7 -3 L7 3 Z', LIMIT),
  ],
  'LIMIT-caution': [
    polygon(corners('0 -5.5, 5 3.5, -5 3.5'), { ...LIMIT, fill: 'DEPMD' }),
    line(0, -2.5, 0, 1.5, LIMIT),
  ],
  'LIMIT-info': [
    disc(0, 0, 4, { ...LIMIT, fill: 'DEPMD' }),
    line(0, -0.5, 0, 2, LIMIT),
    line(0, -2, 0, -1.9, LIMIT),
  ],
  'LIMIT-default': [line(0, -4.5, 0, 4.5, { ...LIMIT, width: 2 })],
};

/** Outline of an arrow with a broad shaft, its centre at the origin. */
function broadArrow(reach: number, shaftHalf: number): Point[] {
  const neck = -reach + shaftHalf + 5;
  return [
    [0, -reach],
    [shaftHalf + 5, neck],
    [shaftHalf, neck],
    [shaftHalf, reach],
    [-shaftHalf, reach],
    [-shaftHalf, neck],
    [-shaftHalf - 5, neck],
  ];
}

function doubleArrow(reach: number, shaftHalf: number): Point[] {
  const neck = -reach + shaftHalf + 5;
  const upper: Point[] = [
    [-shaftHalf, neck],
    [-shaftHalf - 5, neck],
    [0, -reach],
    [shaftHalf + 5, neck],
    [shaftHalf, neck],
  ];
  return [...upper, ...upper.map(([x, y]): Point => [-x, -y])];
}

function deepWater(y: number): Shape[] {
  return lettering('DW', 0, y, 5.2, { ...TRAFFIC, width: 1.2 });
}

function shaft(reach: number): Shape[] {
  return [line(0, reach, 0, -reach, STREAM)];
}

function wavyShaft(): Shape[] {
  return [
    path('M0 16 C-4 13 -4 11 0 8 C4 5 4 3 0 0 C-4 -3 -4 -5 0 -8 C1.5 -9.5 0 -13 0 -16', STREAM),
  ];
}

function head(tip: number): Shape[] {
  return [path(`M-4 ${tip + 7} L0 ${tip} L4 ${tip + 7}`, STREAM)];
}

/** Feathers mark the flood; the arrow of an ebb has no feathers. */
function feathers(tail: number): Shape[] {
  return [0, 4].map((step) => line(0, tail - step, -5, tail - step + 4, STREAM));
}

/** An arrowhead on a line, pointing right or, with -1, left. */
function lineArrow(x: number, way: 1 | -1, stroke: ColorToken): Shape[] {
  return [path(`M${x - 4 * way} -4 L${x + 3 * way} 0 L${x - 4 * way} 4`, { stroke, width: 1.4 })];
}

function bothWays(stroke: ColorToken): Shape[] {
  return [...lineArrow(-7, -1, stroke), ...lineArrow(7, 1, stroke)];
}

/** A ferry from the side. */
function ferry(): Shape[] {
  return [
    path('M-10 0 L10 0 L7 4.5 L-7 4.5 Z', { ...LIMIT, fill: 'DEPDW' }),
    box(-5, -3.5, 9, 3.5, { ...LIMIT, fill: 'DEPDW' }),
  ];
}

/** A broad arrow with the two marks of the channel behind it. */
function directionOfBuoyage(letter: SymbolShapes): Shape[] {
  return [
    polygon(broadArrow(20, 5), BUOYAGE),
    disc(-14, 8, 2.5, BUOYAGE),
    disc(14, 8, 2.5, BUOYAGE),
    ...letter,
  ];
}
