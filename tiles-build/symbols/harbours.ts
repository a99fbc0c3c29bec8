// Harbours, structures in the water and services: piles and dolphins in black, facilities in
// magenta.

import type { HARBOUR_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import { HARBOUR_KINDS } from './harbour-kinds.ts';
import { lettering } from './lettering.ts';
import { anchor, signalBox } from './marks.ts';
import {
  arc,
  box,
  corners,
  disc,
  line,
  type Paint,
  path,
  polygon,
  regularPoints,
  type Shape,
  type SymbolShapes,
  turned,
} from './shape.ts';

type HarbourName = (typeof HARBOUR_SYMBOLS)[number];

const INK: Paint = { stroke: 'CHBLK', width: 1.4 };
const MAGENTA: Paint = { stroke: 'CHMGD', width: 1.4 };
const MAGENTA_FILL: Paint = { fill: 'CHMGD' };

const WORKS: Readonly<Record<Exclude<HarbourName, keyof typeof HARBOUR_KINDS>, SymbolShapes>> = {
  PILPNT02: [disc(0, 0, 2, { fill: 'CHBLK' })],
  MORFAC03: [box(-3.5, -3.5, 7, 7, { fill: 'CHBRN', ...INK })],
  MORFAC04: [
    polygon(regularPoints(0, 1, 5.5, 3), { fill: 'CHBRN', ...INK }),
    line(0, 1, 0, -8.5, INK),
  ],
  ACHBRT07: [disc(0, 0, 9.5, MAGENTA), ...anchor(0.62, MAGENTA)],
  BRTHNO01: [disc(0, 0, 6.5, MAGENTA), ...lettering('B', 0, 0, 7, MAGENTA)],
  SMCFAC02: [
    polygon(corners('-0.8 -9, -0.8 3, -7 3'), MAGENTA_FILL),
    polygon(corners('0.8 -7, 0.8 3, 5.5 3'), MAGENTA_FILL),
    path('M-8 4.5 L8 4.5 L5 8 L-5 8 Z', MAGENTA_FILL),
  ],
  GATCON03: [chevron(-3), chevron(3)],
  GATCON04: [
    line(-6, -5, -6, 5, INK),
    line(6, -5, 6, 5, INK),
    line(-6, 0, 6, 0, { ...INK, width: 3 }),
  ],
  BRIDGE01: [
    disc(0, 0, 7, { ...INK, stroke: 'CHBLK' }),
    path('M-7 0 L-2.5 0 M2.5 0 L7 0 M-2.5 0 L-1.6 -4.6 M2.5 0 L1.6 -4.6', INK),
  ],
  CRANES01: [
    path('M-6 9 L-6 -3 M3 9 L3 -3 M-9 -3 L10 -3', INK),
    path('M-6 -3 L-2 -9 L10 -3 M-2 -9 L-2 -3 M8 -3 L8 3', INK),
  ],
  OFSPLF01: [box(-5, -5, 10, 10, { ...INK, width: 1.6 }), disc(0, 0, 1.7, { fill: 'CHBLK' })],
  HULKES01: [path('M-10 0 C-7 -5 5 -5 10 0 C5 5 -7 5 -10 0 Z', { fill: 'CHBRN', ...INK })],
  NOTBRD11: [
    line(0, 0, 0, -8, INK),
    box(-6, -16, 12, 8, INK),
    line(-3.5, -13.4, 3.5, -13.4, { ...INK, width: 1 }),
    line(-3.5, -10.8, 3.5, -10.8, { ...INK, width: 1 }),
  ],
  DISMAR03: [
    disc(0, 0, 5, MAGENTA),
    disc(0, 0, 1.3, MAGENTA_FILL),
    ...[0, 90, 180, 270].map((bearing) => spoke(bearing)),
  ],
  CGUSTA02: [
    disc(0, 0, 1.6, MAGENTA),
    line(0, -1.6, 0, -18, MAGENTA),
    box(0, -18, 15, 9, MAGENTA),
    ...lettering('CG', 7.5, -13.5, 5.4, { ...MAGENTA, width: 1.2 }),
  ],
  RSCSTA02: [
    ...[0, 90, 180, 270].map((bearing) =>
      arc(0, 0, 6, bearing + 8, bearing + 82, { stroke: 'CHMGD', width: 4, butt: true }),
    ),
    disc(0, 0, 8, { ...MAGENTA, width: 1 }),
    disc(0, 0, 4, { ...MAGENTA, width: 1 }),
  ],
  PILBOP02: [disc(0, 0, 9.5, MAGENTA), polygon(regularPoints(0, 0, 7, 4), { ...MAGENTA_FILL })],
  SISTAT02: signalBox('SS', 'CHMGD'),
  SISTAW02: [
    ...signalBox('SS', 'CHMGD'),
    path('M-6 8.5 C-4.5 6 -1.5 6 0 8.5 C1.5 6 4.5 6 6 8.5', { ...MAGENTA, width: 1.2 }),
  ],
  RDOSTA02: [disc(0, 0, 2, MAGENTA_FILL), disc(0, 0, 9, MAGENTA)],
  RADRFL03: [
    disc(0, 0, 2, { ...MAGENTA, width: 1 }),
    ...[-50, 0, 50].map((bearing) => spike(bearing)),
  ],
  RTPBCN02: [disc(0, 0, 9, MAGENTA), disc(0, 0, 5, MAGENTA), disc(0, 0, 1.6, MAGENTA_FILL)],
  RACNSP01: [
    disc(0, 0, 1.6, MAGENTA_FILL),
    ...[5, 8.5, 12].map((radius) => arc(0, 0, radius, -40, 40, MAGENTA)),
  ],
  RDOCAL02: [disc(0, 0, 6, MAGENTA), ...arrowUp(-6, -16)],
  RDOCAL03: [disc(0, 0, 6, MAGENTA), ...arrowUp(-6, -16), ...turned(arrowUp(-6, -16), 180)],
  RCLDEF01: [disc(0, 0, 6, MAGENTA), ...lettering('?', 0, 0, 7, MAGENTA)],
};

export const HARBOURS: Readonly<Record<HarbourName, SymbolShapes>> = { ...WORKS, ...HARBOUR_KINDS };

/** A pair of lock gates, which point towards the higher water. */
function chevron(y: number): Shape {
  return path(`M-6 ${y + 3} L0 ${y - 3} L6 ${y + 3}`, { ...INK, width: 1.8 });
}

function spoke(bearing: number): Shape {
  const [shape] = turned([line(0, -5, 0, -8.5, MAGENTA)], bearing);
  return shape as Shape;
}

function spike(bearing: number): Shape {
  const [shape] = turned([polygon(corners('-1.6 -4, 0 -11, 1.6 -4'), MAGENTA_FILL)], bearing);
  return shape as Shape;
}

function arrowUp(from: number, to: number): Shape[] {
  return [line(0, from, 0, to, MAGENTA), path(`M-3 ${to + 4.5} L0 ${to} L3 ${to + 4.5}`, MAGENTA)];
}
