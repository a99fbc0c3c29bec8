// Industrial sites, woods and places on land that have only one form.

import type { LAND_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import {
  box,
  disc,
  line,
  type Paint,
  path,
  polygon,
  rays,
  type Shape,
  type SymbolShapes,
} from './shape.ts';

const BROWN: Paint = { stroke: 'LANDF', width: 1.3 };
const BROWN_FILL: Paint = { fill: 'LANDF' };
const HEAVY: Paint = { stroke: 'LANDF', width: 2 };

export const LANDSCAPE = {
  FLGSTF01: [
    disc(0, 0, 1.6, { ...BROWN, width: 1 }),
    line(0, -1.6, 0, -18, BROWN),
    path('M0 -18 C3 -20 5 -16 8 -18 L8 -12 C5 -10 3 -14 0 -12 Z', BROWN_FILL),
  ],
  BUAARE02: [box(-5, -5, 10, 10, { fill: 'CHBRN', stroke: 'LANDF', width: 1.2 })],
  LNDARE01: [disc(0, 0, 3, { fill: 'LANDA', stroke: 'CSTLN', width: 1.4 })],
  AIRARE02: [
    path(
      'M0 -9 C1.4 -9 1.6 -6 1.6 -3.5 L9 2 L9 4 L1.6 1.8 L1.2 6 L3.6 8 L3.6 9.4 L0 8.4 L-3.6 9.4 L-3.6 8 L-1.2 6 L-1.6 1.8 L-9 4 L-9 2 L-1.6 -3.5 C-1.6 -6 -1.4 -9 0 -9 Z',
      BROWN_FILL,
    ),
  ],
  TREPNT04: [
    line(0, 7, 0, 1, HEAVY),
    path(
      'M-1.5 1.5 C-5 3 -8 -1 -5 -3.5 C-6 -7.5 -1.5 -9.5 0 -7.5 C1.5 -9.5 6 -7.5 5 -3.5 C8 -1 5 3 1.5 1.5 Z',
      BROWN,
    ),
  ],
  PRDINS02: [...hammer(1), ...hammer(-1)],
  QUARRY01: [...pick(1), ...pick(-1)],
  TMBYRD01: [
    ...[-3.2, 0, 3.2].map((y) => line(-7, y, 7, y, HEAVY)),
    ...[-5, 5].map((x) => line(x, -6, x, 6, BROWN)),
  ],
  WNDFRM51: [
    box(-10, -10, 20, 20, { stroke: 'CHMGD', width: 1, dash: [3, 2] }),
    line(0, -1, 0, 8, { stroke: 'CHMGD', width: 1.5 }),
    ...rays(0, -2, 6, 3, { stroke: 'CHMGD', width: 1.8 }),
  ],
  RFNERY01: [
    path('M-8 7 L-8 0 L-3 -3 L-3 0 L2 -3 L2 0 L4 0 L4 -8 L7 -8 L7 7 Z', BROWN_FILL),
    line(5.5, -10, 5.5, -11, BROWN),
  ],
} satisfies Partial<Record<(typeof LAND_SYMBOLS)[number], SymbolShapes>>;

/** One of two crossed hammers: industry. */
function hammer(side: 1 | -1): Shape[] {
  const at = (x: number, y: number) => [x * side, y] as const;
  return [
    line(-6 * side, 7, 5 * side, -5, HEAVY),
    polygon([at(1.2, -6), at(4.2, -9), at(9, -4.4), at(6, -1.4)], BROWN_FILL),
  ];
}

/** One of two crossed picks: a quarry or a mine. */
function pick(side: 1 | -1): Shape[] {
  return [
    line(-6 * side, 7, 5 * side, -5, HEAVY),
    path(
      `M${-1 * side} -8 C${4 * side} -8.5 ${8.5 * side} -4.5 ${8 * side} 1 C${6.5 * side} -3 ${3.5 * side} -6.5 ${-1 * side} -8 Z`,
      { ...BROWN_FILL, stroke: 'LANDF', width: 0.8 },
    ),
  ];
}
