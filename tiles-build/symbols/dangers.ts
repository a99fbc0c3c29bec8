// Rocks, wrecks, obstructions and other objects under water, and marks of doubt. Dangers have a
// dotted ring, as on paper charts; the pivot is its centre.

import type { DANGER_SYMBOLS, SOUNDING_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import { BELOW_DIGITS_PIXELS } from '../../shared/style/depth-text.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { lettering } from './lettering.ts';
import {
  arc,
  box,
  corners,
  disc,
  line,
  moved,
  oval,
  type Paint,
  path,
  polygon,
  rays,
  type Shape,
  type SymbolShapes,
  turned,
} from './shape.ts';

type DangerName = (typeof DANGER_SYMBOLS)[number] | (typeof SOUNDING_SYMBOLS)[number];

const INK: Paint = { stroke: 'CHBLK', width: 1.4 };
const GREY: Paint = { stroke: 'CHGRD', width: 1.3 };
const DOTS = [0.1, 3] as const;

export const DANGERS: Readonly<Record<DangerName, SymbolShapes>> = {
  ISODGR01: [
    disc(0, 0, 8, { fill: 'ISDNG' }),
    ...turned(rays(0, 0, 5, 4, { stroke: 'DEPDW', width: 2.4 }), 45),
  ],
  DANGER01: dottedOval(11, 9, 'CHBLK', 'DEPVS'),
  DANGER02: dottedOval(11, 9, 'CHGRD'),
  DANGER03: dottedOval(11, 9, 'CHBLK', 'DEPIT'),
  UWTROC03: [...dottedOval(7.5, 7.5, 'CHBLK', 'DEPVS'), ...rays(0, 0, 4.5, 4, INK)],
  UWTROC04: rays(0, 0, 6, 6, INK),
  OBSTRN01: dottedOval(8, 8, 'CHBLK', 'DEPVS'),
  OBSTRN02: dottedOval(8, 8, 'CHGRD'),
  OBSTRN03: dottedOval(8, 8, 'CHBLK', 'DEPIT'),
  OBSTRN11: [disc(0, 0, 4.5, { fill: 'CHBRN', stroke: 'CSTLN', width: 1.4 })],
  WRECKS01: strandedHull(),
  WRECKS04: fishbone(),
  WRECKS05: [...dottedOval(13, 8, 'CHBLK', 'DEPVS'), ...fishbone()],
  FOULGND1: [
    ...[-2.2, 2.2].map((x) => line(x + 1.2, -6, x - 1.2, 6, GREY)),
    ...[-2.2, 2.2].map((y) => line(-6, y, 6, y, GREY)),
  ],
  FLTHAZ02: [
    disc(0, -1, 5.5, { fill: 'DEPVS', ...INK }),
    path(
      'M-11 2 C-9 -0.5 -7.5 -0.5 -5.5 2 C-3.5 4.5 -2 4.5 0 2 C2 -0.5 3.5 -0.5 5.5 2 C7.5 4.5 9 4.5 11 2',
      INK,
    ),
  ],
  FSHHAV01: [...dottedOval(13, 8, 'CHBLK', 'DEPVS'), ...fish(INK)],
  WATTUR02: [-5, 0, 5].flatMap((y) => wave(0, y, 8, GREY)),
  WEDKLP03: [
    path('M0 9 C-4 5 4 1 0 -3 C-2 -5 0 -8 1 -9', GREY),
    path('M0.4 5 C4 5 6 3 6 0', GREY),
    path('M0 1 C-4 1 -6 -1 -6 -4', GREY),
    path('M0 -3 C3 -3.5 4.5 -5 4.5 -8', GREY),
  ],
  SNDWAV02: [-3, 3].flatMap((y) => [
    path(`M-9 ${y + 2} C-6 ${y + 2} -5 ${y - 3} -3 ${y - 3} C-3 ${y} 0 ${y + 2} 0 ${y + 2}`, GREY),
    path(`M0 ${y + 2} C3 ${y + 2} 4 ${y - 3} 6 ${y - 3} C6 ${y} 9 ${y + 2} 9 ${y + 2}`, GREY),
  ]),
  SPRING02: [
    disc(0, 0, 2.5, GREY),
    path('M0 -2.5 L0 -9', GREY),
    path('M-1.5 -2.5 C-2 -6 -4 -8 -6 -7', GREY),
    path('M1.5 -2.5 C2 -6 4 -8 6 -7', GREY),
  ],
  LOWACC01: lettering('?', 0, 0, 10, { stroke: 'CHGRD', width: 1.6 }),
  QUESMRK1: lettering('?', 0, 0, 13, { stroke: 'CHMGD', width: 2 }),
  NEWOBJ01: [
    disc(0, 0, 7.5, { stroke: 'CHMGD', width: 1.5 }),
    ...lettering('!', 0, 0, 8.5, { stroke: 'CHMGD', width: 2 }),
  ],
  SNDDRY21: [underline(1, 'SNDG2')],
  SNDDRY22: [underline(2, 'SNDG2')],
  SNDDRY11: [underline(1, 'SNDG1')],
  SNDDRY12: [underline(2, 'SNDG1')],
  SNDLOW: [ring(0)],
  SNDLOW21: [underline(1, 'SNDG2'), ring(-BELOW_DIGITS_PIXELS)],
  SNDLOW22: [underline(2, 'SNDG2'), ring(-BELOW_DIGITS_PIXELS)],
  SNDLOW11: [underline(1, 'SNDG1'), ring(-BELOW_DIGITS_PIXELS)],
  SNDLOW12: [underline(2, 'SNDG1'), ring(-BELOW_DIGITS_PIXELS)],
};

/** A fish with its head to the left; also used for fishing grounds and restrictions. */
export function fish(paint: Paint): Shape[] {
  return [
    path('M-8 0 C-5 -4.5 1 -4.5 4 0 C1 4.5 -5 4.5 -8 0 Z', paint),
    path('M4 0 L8 -3 L8 3 Z', paint),
    disc(-5, -0.8, 0.3, paint),
  ];
}

function dottedOval(radiusX: number, radiusY: number, ink: ColorToken, fill?: ColorToken): Shape[] {
  return [
    oval(0, 0, radiusX, radiusY, {
      ...(fill === undefined ? {} : { fill }),
      stroke: ink,
      width: 1.7,
      dash: DOTS,
    }),
  ];
}

/** A submerged wreck from above: keel and three frames, the longest amidships. */
function fishbone(): Shape[] {
  return [
    line(-9, 0, 9, 0, INK),
    line(-5, -3, -5, 3, INK),
    line(0, -5, 0, 5, INK),
    line(5, -3, 5, 3, INK),
  ];
}

/** A sinking hull with its mast upright; the circle is the position. */
function strandedHull(): Shape[] {
  const hull = turned(
    [
      path('M-9 -1 L-7 -6 L10 -6 L6 1 Z', { fill: 'CHBRN', stroke: 'CHBLK', width: 1.2 }),
      line(1, -6, 1, -15, INK),
      polygon(corners('1 -14, 1 -9, 6 -9'), { fill: 'CHBLK' }),
    ],
    -18,
  );
  return [
    ...moved(hull, 0, -1),
    line(-12, 0, -2.2, 0, INK),
    line(2.2, 0, 12, 0, INK),
    disc(0, 0, 2, { fill: 'CHWHT', stroke: 'CHBLK', width: 1.2 }),
  ];
}

/** Two crests of water around a point. */
function wave(x: number, y: number, halfWidth: number, paint: Paint): Shape[] {
  const half = halfWidth / 2;
  return [-half, half]
    .map((middle) => arc(x + middle, y + 1.5, half * 1.02, -78, 78, paint))
    .flatMap((crest) => moved([crest], 0, half * 0.4));
}

/** The ring around a doubtful depth. */
function ring(y: number): Shape {
  return disc(0, y, 8, { stroke: 'SNDG1', width: 1 });
}

/** A row of pixels as wide as the digits of a sounding, above the pivot. */
function underline(digits: 1 | 2, fill: ColorToken): Shape {
  return box(-2.8 * digits, -1, 5.6 * digits, 1, { fill });
}
