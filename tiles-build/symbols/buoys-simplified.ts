// Buoys of the simplified set: filled figures that show the purpose. They lean, because buoys
// float. The pivot is the middle of the waterline.

import type { SIMPLIFIED_MARK_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { body } from './body.ts';
import { CARDINAL_CONES, coneOutline } from './cones.ts';
import { lettering } from './lettering.ts';
import {
  boxPoints,
  corners,
  disc,
  line,
  moved,
  type Point,
  polyline,
  regularPoints,
  type Shape,
  type SymbolShapes,
  turned,
} from './shape.ts';

type SimplifiedBuoyName = Extract<(typeof SIMPLIFIED_MARK_SYMBOLS)[number], `BOY${string}`>;

/** Lean of all floating marks, degrees. */
export const LEAN_DEGREES = 15;

const EDGE = 'OUTLW';
const CONE: readonly Point[] = coneOutline(6.5, 13, 'up');
const CAN = boxPoints(-5, -12, 10, 12);
const SPAR = boxPoints(-1.75, -18, 3.5, 18);
const BALL = regularPoints(0, 0, 6.5, 32);

export const SIMPLIFIED_BUOYS: Readonly<Record<SimplifiedBuoyName, SymbolShapes>> = {
  BOYLAT13: afloat(CONE, ['CHGRN']),
  BOYLAT14: afloat(CONE, ['CHRED']),
  BOYLAT23: afloat(CAN, ['CHGRN']),
  BOYLAT24: afloat(CAN, ['CHRED']),
  BOYCAR01: cardinal('north'),
  BOYCAR02: cardinal('east'),
  BOYCAR03: cardinal('south'),
  BOYCAR04: cardinal('west'),
  BOYISD12: turned(
    [
      ...moved(ball(['CHBLK', 'CHRED', 'CHBLK']), 0, -6.5),
      ...moved(ball(['CHBLK', 'CHRED', 'CHBLK']), 0, -19.5),
    ],
    LEAN_DEGREES,
  ),
  BOYSAW12: [...body(BALL, ['CHRED', 'CHWHT', 'CHRED'], EDGE, 'stripes')],
  BOYSPP11: ball(['CHYLW']),
  BOYSPP15: afloat(CONE, ['CHYLW']),
  BOYSPP25: afloat(CAN, ['CHYLW']),
  BOYSPP35: afloat(SPAR, ['CHYLW']),
  BOYMOR11: mooring(),
  BOYSUP02: superBuoy(),
  BOYDEF03: [
    disc(0, 0, 7, { stroke: 'CHMGD', width: 1.5 }),
    ...lettering('?', 0, 0, 8, { stroke: 'CHMGD', width: 1.5 }),
  ],
};

function afloat(outline: readonly Point[], colors: readonly ColorToken[]): Shape[] {
  return [...turned(body(outline, colors, EDGE), LEAN_DEGREES)];
}

function ball(colors: readonly ColorToken[]): Shape[] {
  return body(BALL, colors, EDGE);
}

function cardinal(quadrant: keyof typeof CARDINAL_CONES): Shape[] {
  return turned(
    CARDINAL_CONES[quadrant].flatMap(({ points, colors }, index) =>
      moved(body(coneOutline(6, 11, points), colors, EDGE), 0, index === 0 ? -12.5 : 0),
    ),
    LEAN_DEGREES,
  );
}

/** A low black drum with a mooring eye on top. */
function mooring(): Shape[] {
  const drum: readonly Point[] = corners('-8 0, -7 -6, -3 -8, 3 -8, 7 -6, 8 0');
  return [disc(0, -10, 2, { stroke: 'CHBLK', width: 1.5 }), ...body(drum, ['CHBLK'], EDGE)];
}

function superBuoy(): Shape[] {
  const hull: readonly Point[] = corners('-11 -6, 11 -6, 7 0, -7 0');
  return [
    polyline(corners('-4 -6, 0 -14, 4 -6'), { stroke: 'CHBLK', width: 1.25 }),
    line(0, -14, 0, -18, { stroke: 'CHBLK', width: 1.5 }),
    ...body(hull, ['CHYLW'], EDGE),
  ];
}
