// Symbols of areas: anchorages, restrictions, cautions, fisheries and magnetic notes. The number of
// a restriction shows what else applies: nothing (51), a caution (61) or information (71).

import type { AREA_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import { ARROWS } from './arrows.ts';
import { fish } from './dangers.ts';
import { lettering } from './lettering.ts';
import { anchor, strikeThrough } from './marks.ts';
import {
  box,
  corners,
  disc,
  line,
  moved,
  type Paint,
  path,
  polygon,
  type Shape,
  type SymbolShapes,
  scaled,
} from './shape.ts';

type AreaName = (typeof AREA_SYMBOLS)[number];

const MAGENTA: Paint = { stroke: 'CHMGD', width: 1.5 };
const FAINT: Paint = { stroke: 'CHMGF', width: 1.6 };
const GREY: Paint = { stroke: 'CHGRD', width: 1.3 };

const NO_ENTRY: SymbolShapes = [
  disc(0, 0, 9, { stroke: 'CHMGD', width: 2 }),
  line(-5, 0, 5, 0, { stroke: 'CHMGD', width: 3.4, butt: true }),
];
const NO_ANCHORING: SymbolShapes = [...anchor(0.9, MAGENTA), strikeThrough(9, 'CHMGD')];
const NO_FISHING: SymbolShapes = [...scaled(fish(MAGENTA), 1.1), strikeThrough(8, 'CHMGD')];

const AREAS: Readonly<Record<Exclude<AreaName, keyof typeof ARROWS>, SymbolShapes>> = {
  ACHARE02: anchor(0.85, MAGENTA),
  ACHARE51: anchor(1, MAGENTA),
  ACHRES51: NO_ANCHORING,
  ACHRES61: withCaution(NO_ANCHORING),
  ACHRES71: withInformation(NO_ANCHORING),
  ENTRES51: NO_ENTRY,
  ENTRES61: withCaution(NO_ENTRY),
  ENTRES71: withInformation(NO_ENTRY),
  FSHRES51: NO_FISHING,
  FSHRES61: withCaution(NO_FISHING),
  FSHRES71: withInformation(NO_FISHING),
  CTYARE51: caution(),
  CTYARE71: withInformation(caution()),
  INFARE51: information(),
  RSRDEF51: [box(-7, -7, 14, 14, MAGENTA), ...lettering('R', 0, 0, 9, { ...MAGENTA, width: 1.8 })],
  CTNARE51: caution(),
  CHINFO06: [disc(0, 0, 7.5, MAGENTA), ...lettering('!', 0, 0, 9, { ...MAGENTA, width: 2 })],
  CHINFO07: information(),
  PRCARE12: [
    disc(0, 0, 11, { ...MAGENTA, stroke: 'TRFCD' }),
    polygon(corners('0 -7.5, 7 5, -7 5'), { ...MAGENTA, stroke: 'TRFCD' }),
    ...lettering('!', 0, 1, 6, { ...MAGENTA, stroke: 'TRFCD' }),
  ],
  FSHFAC03: [...[-8, -4, 0, 4, 8].map((x) => line(x, -4, x, 4, GREY)), line(-9, 0, 9, 0, GREY)],
  FSHFAC02: [path('M-8 -6 L-8 6 L8 6 L8 -6', GREY), ...scaled(fish(GREY), 0.6)],
  MARCUL02: [box(-9, -6, 18, 12, { ...GREY, dash: [2, 2] }), ...scaled(fish(GREY), 0.75)],
  MAGVAR01: [compassNeedle(9), disc(0, 0, 1.5, { fill: 'CHMGD' })].flat(),
  MAGVAR51: [disc(0, 0, 9.5, FAINT), ...compassNeedle(7.5)],
  LOCMAG01: [...compassNeedle(9), ...moved(lettering('!', 0, 0, 7, MAGENTA), 6, 0)],
  LOCMAG51: [
    disc(0, 0, 10, { ...MAGENTA, dash: [3, 2] }),
    ...moved(compassNeedle(7), -2, 0),
    ...moved(lettering('!', 0, 0, 7, MAGENTA), 4.5, 0),
  ],
};

export const AREA_MARKS: Readonly<Record<AreaName, SymbolShapes>> = { ...AREAS, ...ARROWS };

function caution(): Shape[] {
  return [
    polygon(corners('0 -9, 9.5 7, -9.5 7'), MAGENTA),
    ...lettering('!', 0, 1.8, 7.5, { ...MAGENTA, width: 1.8 }),
  ];
}

function information(): Shape[] {
  return [box(-6.5, -7.5, 13, 15, MAGENTA), ...lettering('i', 0, 0, 9, { ...MAGENTA, width: 2 })];
}

function withCaution(shapes: SymbolShapes): Shape[] {
  return [...shapes, ...lettering('!', 14, 0, 11, { ...MAGENTA, width: 2.2 })];
}

function withInformation(shapes: SymbolShapes): Shape[] {
  return [...shapes, ...lettering('i', 14, 0, 11, { ...MAGENTA, width: 2.2 })];
}

/** A slim arrow to magnetic north. */
function compassNeedle(reach: number): Shape[] {
  return [
    line(0, reach, 0, -reach + 2, { ...MAGENTA, width: 1.2 }),
    polygon(
      [
        [0, -reach - 0.5],
        [2.4, -reach + 5],
        [0, -reach + 4],
        [-2.4, -reach + 5],
      ],
      { fill: 'CHMGD' },
    ),
  ];
}
