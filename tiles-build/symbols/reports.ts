// Pins of user reports, of our own design: a drop with its point at the place, and a figure of the
// subject.

import type { REPORT_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { fish } from './dangers.ts';
import { lettering } from './lettering.ts';
import {
  moved,
  type Paint,
  painted,
  path,
  rays,
  type Shape,
  type SymbolShapes,
  scaled,
  turned,
} from './shape.ts';

type ReportName = (typeof REPORT_SYMBOLS)[number];

const FIGURE: Paint = { stroke: 'OUTLW', width: 1.8 };

/** The figure is in the round part of the pin. */
const HEART = -17;

export const REPORTS: Readonly<Record<ReportName, SymbolShapes>> = {
  'UR-hazard': pin('UREPH', lettering('!', 0, 0, 10, { ...FIGURE, width: 2.2 })),
  'UR-accident': pin('UREPA', turned(rays(0, 0, 5.5, 4, { ...FIGURE, width: 2.2 }), 45)),
  'UR-weather': pin('UREPW', [
    path('M-5 -1 C-7 -1 -7 -4.5 -4.2 -4.5 C-4 -7 1.5 -7.4 2 -4.5 C6 -5 6.4 -1 4 -1 Z', {
      fill: 'OUTLW',
    }),
    path('M-3 1.4 L-4 4.6 M0.2 1.4 L-0.8 4.6 M3.4 1.4 L2.4 4.6', { ...FIGURE, width: 1.5 }),
  ]),
  'UR-wildlife': pin('UREPL', scaled(painted(fish(FIGURE), { fill: 'OUTLW', width: 0.8 }), 0.75)),
};

function pin(fill: ColorToken, figure: SymbolShapes): Shape[] {
  return [
    path('M0 0 C-2 -6 -9.5 -10 -9.5 -17.5 C-9.5 -29.5 9.5 -29.5 9.5 -17.5 C9.5 -10 2 -6 0 0 Z', {
      fill,
      stroke: 'OUTLW',
      width: 1.2,
    }),
    ...moved(figure, 0, HEART),
  ];
}
