// Beacons, simplified and as on paper charts. They are upright, because beacons are fixed to the
// ground. The pivot is the middle of the base.

import {
  BEACON_COLOR_SUFFIXES,
  FILLED_BEACON_SYMBOLS,
  type FilledBeaconName,
  type PAPER_BEACON_SYMBOLS,
  type SIMPLIFIED_MARK_SYMBOLS,
} from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { body, colored } from './body.ts';
import { CARDINAL_CONES, coneOutline } from './cones.ts';
import { lettering } from './lettering.ts';
import {
  boxPoints,
  corners,
  disc,
  line,
  moved,
  type Paint,
  type Point,
  polygon,
  polyline,
  regularPoints,
  type Shape,
  type SymbolShapes,
} from './shape.ts';

type SimplifiedBeaconName = Extract<(typeof SIMPLIFIED_MARK_SYMBOLS)[number], `BCN${string}`>;

const EDGE = 'OUTLW';
const INK: Paint = { stroke: 'CHBLK', width: 1.5 };
const THIN: Paint = { stroke: 'CHBLK', width: 1 };

const BLOCK = boxPoints(-5, -16, 10, 16);
const BAR = boxPoints(-2, -16, 4, 16);

export const SIMPLIFIED_BEACONS: Readonly<Record<SimplifiedBeaconName, SymbolShapes>> = {
  BCNLAT15: grounded(BLOCK, ['CHRED']),
  BCNLAT16: grounded(BLOCK, ['CHGRN']),
  BCNLAT21: grounded(BAR, ['CHRED']),
  BCNLAT22: grounded(BAR, ['CHGRN']),
  BCNCAR01: cardinal('north'),
  BCNCAR02: cardinal('east'),
  BCNCAR03: cardinal('south'),
  BCNCAR04: cardinal('west'),
  BCNISD21: [
    ...ground(),
    line(0, 0, 0, -6, INK),
    ...isolatedDangerBall(-9),
    ...isolatedDangerBall(-19),
  ],
  BCNSAW13: grounded(BLOCK, ['CHRED', 'CHWHT', 'CHRED'], 'stripes'),
  BCNSAW21: grounded(BAR, ['CHRED', 'CHWHT'], 'stripes'),
  BCNSPP13: grounded(BLOCK, ['CHYLW']),
  BCNSPP21: grounded(BAR, ['CHYLW']),
  BCNDEF13: [
    polygon(boxPoints(-6, -16, 12, 16), { stroke: 'CHMGD', width: 1.5 }),
    ...lettering('?', 0, -8, 9, { stroke: 'CHMGD', width: 1.5 }),
  ],
};

const POLE = boxPoints(-1.5, -17, 3, 15.2);
const TOWER = corners('-5 -2, -3 -16, 3 -16, 5 -2');
const BRACED = corners('-5 -2, -2.5 -16, 2.5 -16, 5 -2');
const LEGS = polyline(corners('-4 -2, 0 -9, 4 -2'), THIN);

const PLAIN: Readonly<Record<(typeof PAPER_BEACON_SYMBOLS)[number], SymbolShapes>> = {
  BCNSTK02: [...footed(), line(0, -1.8, 0, -17, { stroke: 'CHBLK', width: 2 })],
  BCNGEN01: [...footed(), line(0, -1.8, 0, -16, INK), LEGS],
  BCNGEN03: [
    disc(0, 0, 1.8, { stroke: 'CHMGD', width: 1.2 }),
    line(0, -1.8, 0, -9, { stroke: 'CHMGD', width: 1.5 }),
    ...lettering('?', 0, -14, 7, { stroke: 'CHMGD', width: 1.4 }),
  ],
  BCNTOW01: [...footed(), polygon(TOWER, { ...INK, width: 1.25 })],
  BCNLTC01: [...footed(), ...lattice()],
  PRICKE03: withy('up'),
  PRICKE04: withy('down'),
};

const edge = (outline: readonly Point[]): Shape => polygon(outline, THIN);

/** The body that has the colours, and what is drawn on it. */
const BODIES: Readonly<Record<(typeof FILLED_BEACON_SYMBOLS)[number], [Point[], SymbolShapes]>> = {
  BCNSTK02: [POLE, [edge(POLE)]],
  BCNGEN01: [POLE, [edge(POLE), LEGS]],
  BCNTOW01: [TOWER, [edge(TOWER)]],
  BCNLTC01: [BRACED, lattice()],
};

/** Every paper-chart beacon, open and filled. */
export function paperBeacons(): Record<keyof typeof PLAIN | FilledBeaconName, SymbolShapes> {
  const filled = FILLED_BEACON_SYMBOLS.flatMap((name) =>
    BEACON_COLOR_SUFFIXES.map((suffix): [FilledBeaconName, SymbolShapes] => {
      const [outline, above] = BODIES[name];
      return [`${name}-${suffix}`, [...footed(), ...colored(outline, suffix), ...above]];
    }),
  );
  // All combinations of names and suffixes.
  return { ...PLAIN, ...(Object.fromEntries(filled) as Record<FilledBeaconName, SymbolShapes>) };
}

/** A stake with twigs that point up, or are bound so that they point down. */
function withy(twigs: 'up' | 'down'): Shape[] {
  const [middle, ends] = twigs === 'up' ? [-9, -15] : [-15, -9];
  return [
    ...footed(),
    line(0, -1.8, 0, -17, INK),
    polyline(
      [
        [-4, ends],
        [0, middle],
        [4, ends],
      ],
      INK,
    ),
  ];
}

function grounded(
  outline: ReturnType<typeof boxPoints>,
  colors: readonly ColorToken[],
  direction: 'bands' | 'stripes' = 'bands',
): Shape[] {
  return [...ground(), ...body(outline, colors, EDGE, direction)];
}

function ground(): Shape[] {
  return [line(-7, 0, 7, 0, INK)];
}

/** The position circle with ground on both sides. */
function footed(): Shape[] {
  return [line(-6, 0, -2, 0, THIN), line(2, 0, 6, 0, THIN), disc(0, 0, 1.8, THIN)];
}

function cardinal(quadrant: keyof typeof CARDINAL_CONES): Shape[] {
  const cones = CARDINAL_CONES[quadrant].flatMap(({ points, colors }, index) =>
    moved(body(coneOutline(5.5, 10, points), colors, EDGE), 0, index === 0 ? -15 : -4),
  );
  return [...ground(), line(0, 0, 0, -4, INK), ...cones];
}

function isolatedDangerBall(y: number): Shape[] {
  return body(regularPoints(0, y, 5, 32), ['CHBLK', 'CHRED', 'CHBLK'], EDGE);
}

/** Two legs braced by crosses. */
function lattice(): Shape[] {
  const half = (y: number) => 5 + ((y + 2) / 14) * 2.5;
  const levels = [-2, -7, -12, -16];
  const braces = levels.slice(0, -1).flatMap((low, index) => {
    const high = levels[index + 1] ?? low;
    return [
      line(-half(low), low, half(high), high, THIN),
      line(half(low), low, -half(high), high, THIN),
    ];
  });
  const legs = [-1, 1].map((side) => line(side * half(-2), -2, side * half(-16), -16, THIN));
  return [...legs, line(-half(-16), -16, half(-16), -16, THIN), ...braces];
}
