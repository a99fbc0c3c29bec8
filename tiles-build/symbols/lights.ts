// Lights, floats and fog signals. A flare's pivot is its sharp end and it points up. Rotated to a
// bearing, it stands clear of the mark that carries it.

import type { LIGHT_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { body } from './body.ts';
import {
  arc,
  corners,
  disc,
  line,
  onCircle,
  type Paint,
  type Point,
  path,
  polygon,
  type Shape,
  type SymbolShapes,
} from './shape.ts';

type LightName = (typeof LIGHT_SYMBOLS)[number];

const MAGENTA: Paint = { stroke: 'CHMGD', width: 1.5 };
const INK: Paint = { stroke: 'CHBLK', width: 1.3 };

export const LIGHTS: Readonly<Record<LightName, SymbolShapes>> = {
  LIGHTS11: flare('LITRD'),
  LIGHTS12: flare('LITGN'),
  LIGHTS13: flare('LITYW'),
  LITDEF11: flare('CHMGD'),
  LIGHTS82: [
    path('M-5 0 C-5 -7 5 -7 5 0 Z', { fill: 'CHMGD', ...MAGENTA }),
    ...[-60, -30, 0, 30, 60].map((bearing) => beam(bearing, 8, 13)),
  ],
  LIGHTS81: [
    line(-8, 0, 8, 0, { stroke: 'CHMGD', width: 3, butt: true }),
    ...[-6, -2, 2, 6].map((x) => line(x, -4, x, -9, MAGENTA)),
  ],
  LITFLT01: [...hull(), line(0, -6, 0, -13, INK), disc(0, -15, 2, INK), ...position()],
  LITFLT02: [
    ...body(hullOutline(), ['CHRED'], 'OUTLW'),
    line(0, -6, 0, -12, INK),
    disc(0, -14.5, 2.5, { fill: 'LITYW', stroke: 'OUTLW' }),
  ],
  LITVES02: [
    ...body(hullOutline(), ['CHRED'], 'OUTLW'),
    line(0, -6, 0, -12, INK),
    line(-6, -6, -6, -11, INK),
    line(6, -6, 6, -11, INK),
    disc(0, -15, 3, { fill: 'LITYW', stroke: 'OUTLW' }),
  ],
  FOGSIG01: [6, 10, 14].map((radius) => arc(0, 0, radius, 235, 305, MAGENTA)),
};

function flare(fill: ColorToken): Shape[] {
  return [
    path('M0 0 C-1 -6 -3.8 -11 -3.8 -16.2 C-3.8 -21.6 3.8 -21.6 3.8 -16.2 C3.8 -11 1 -6 0 0 Z', {
      fill,
      stroke: 'OUTLW',
      width: 0.75,
    }),
  ];
}

function beam(bearing: number, from: number, to: number): Shape {
  const [x1, y1] = onCircle(0, 0, from, bearing);
  const [x2, y2] = onCircle(0, 0, to, bearing);
  return line(x1, y1, x2, y2, MAGENTA);
}

function hullOutline(): Point[] {
  return corners('-11 -6, 11 -6, 7 0, -7 0');
}

function hull(): Shape[] {
  return [polygon(hullOutline(), INK)];
}

function position(): Shape[] {
  return [disc(0, 0, 1.8, { fill: 'CHWHT', stroke: 'CHBLK' })];
}
