// The purpose of a harbour: a figure cut out of a magenta plate, generated for all kinds. The water
// is visible through it: light by day and dark at night, in contrast to magenta in every theme.

import type { HARBOUR_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import { fish } from './dangers.ts';
import {
  box,
  disc,
  line,
  moved,
  type Paint,
  painted,
  path,
  type Shape,
  type SymbolShapes,
  scaled,
} from './shape.ts';

const CUT: Paint = { stroke: 'DEPDW', width: 1.3 };
const CUT_FILL: Paint = { fill: 'DEPDW' };

export const HARBOUR_KINDS = {
  HRBFAC09: plate(scaled(painted(fish(CUT), { fill: 'DEPDW', width: 0.6 }), 0.85)),
  HRBFAC10: plate([
    ...ship(),
    box(-3.5, -3.5, 6, 3.5, CUT_FILL),
    path('M-6 7 C-4 5.5 -2 5.5 0 7 C2 5.5 4 5.5 6 7', { ...CUT, width: 1 }),
  ]),
  HRBFAC11: plate([
    ...ship(),
    line(-1, 0, -1, -6, CUT),
    line(-4, -1.5, 3, -1.5, CUT),
    line(-5.5, -3, -1, -3, CUT),
  ]),
  HRBFAC12: plate([
    ...ship(),
    path('M1 -7 C-2.5 -3.5 -2.5 -1 1 -1 C4.5 -1 4.5 -3.5 1 -7 Z', CUT_FILL),
  ]),
  HRBFAC13: plate([
    disc(0, -5, 1.9, CUT_FILL),
    path('M-3 -2 L3 -2 L3 2 L1.6 2 L1.6 7 L-1.6 7 L-1.6 2 L-3 2 Z', CUT_FILL),
  ]),
  HRBFAC14: plate([
    path('M-6 0 L6 0 L4 4 L-4 4 Z', CUT_FILL),
    path('M-5 7 L-5 4.5 M0 7 L0 4.5 M5 7 L5 4.5 M-3 -1 L-3 -6 L4 -6 L4 -4', CUT),
  ]),
  HRBFAC15: plate([
    ...ship(),
    box(-4.5, -3, 4, 2.5, CUT_FILL),
    box(0.5, -3, 4, 2.5, CUT_FILL),
    box(-4.5, -6.2, 4, 2.5, CUT_FILL),
  ]),
  HRBFAC16: plate([path('M-7 5 L0 -5 L7 5 Z', CUT_FILL)]),
  HRBFAC17: plate([
    ...moved(ship(), 0, -4),
    path('M0 7 L0 3 M-2.4 5 L0 2.6 L2.4 5', CUT),
    path('M-7.5 -5 L-7.5 7 M7.5 -5 L7.5 7', CUT),
  ]),
  HRBFAC18: plate([
    path('M-6 7 L-6 -6 L6 -6 L6 7', CUT),
    box(-3.5, 0, 7, 4, CUT_FILL),
    line(0, -6, 0, 0, CUT),
  ]),
  ROLROL01: plate([
    path('M-7.5 1 L-7.5 -4 L1 -4 L1 1 Z', CUT_FILL),
    path('M1.6 1 L1.6 -2.5 L4.5 -2.5 L6.5 -0.4 L6.5 1 Z', CUT_FILL),
    disc(-4.5, 2.2, 1.5, CUT_FILL),
    disc(4, 2.2, 1.5, CUT_FILL),
    line(-8, 6, 8, 4.4, { ...CUT, width: 1 }),
  ]),
} satisfies Partial<Record<(typeof HARBOUR_SYMBOLS)[number], SymbolShapes>>;

function plate(figure: SymbolShapes): Shape[] {
  return [disc(0, 0, 10, { fill: 'CHMGD' }), ...scaled(figure, 0.86)];
}

/** A hull from the side. */
function ship(): Shape[] {
  return [path('M-7.5 0.5 L7.5 0.5 L5 4.5 L-5.5 4.5 Z', CUT_FILL)];
}
