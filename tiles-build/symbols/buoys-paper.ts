// Buoys as on paper charts: a leaning body on a small circle that marks the position. Shape and
// colours are independent, so every coloured buoy is generated.

import {
  BUOY_COLOR_SUFFIXES,
  type BuoyColorSuffix,
  PAPER_BUOY_SYMBOLS,
  type PaperBuoySymbol,
} from '../../shared/chart/symbol-names.ts';
import { colored } from './body.ts';
import { LEAN_DEGREES } from './buoys-simplified.ts';
import {
  boxPoints,
  corners,
  disc,
  line,
  onCircle,
  type Point,
  polygon,
  type Shape,
  type SymbolShapes,
  turned,
} from './shape.ts';

const INK = 'CHBLK';

interface Buoy {
  /** Based on the waterline at y = -2. */
  readonly outline: readonly Point[];
  /** Parts on top of the body: rings, masts. */
  readonly fittings?: SymbolShapes;
}

const EYE: SymbolShapes = [disc(0, -11.5, 2, { stroke: INK, width: 1.2 })];

const BUOYS: Readonly<Record<PaperBuoySymbol, Buoy>> = {
  BOYPIL01: {
    outline: corners('-5.5 -2, -3.5 -6, -1.8 -6, -1 -16, 1 -16, 1.8 -6, 3.5 -6, 5.5 -2'),
  },
  BOYCAN01: { outline: boxPoints(-5, -12, 10, 10) },
  BOYCON01: {
    outline: corners('-6 -2, 0 -15, 6 -2'),
  },
  BOYSPH01: { outline: dome(6.5, -2, 1.6) },
  BOYSPR01: { outline: boxPoints(-1.4, -17, 2.8, 15) },
  BOYBAR01: { outline: barrel(8, -2, 6.5) },
  BOYSUP01: {
    outline: corners('-8 -2, -11 -8, 11 -8, 8 -2'),
    fittings: [
      line(-4, -8, 0, -15, { stroke: INK, width: 1.2 }),
      line(4, -8, 0, -15, { stroke: INK, width: 1.2 }),
      line(-2, -11.5, 2, -11.5, { stroke: INK }),
    ],
  },
  BOYINB01: {
    outline: corners('-8 -2, -8 -6, -4 -6, -4 -10, 4 -10, 4 -6, 8 -6, 8 -2'),
    fittings: [
      line(0, -10, 0, -15, { stroke: INK, width: 1.2 }),
      line(0, -15, 5, -15, { stroke: INK, width: 1.2 }),
    ],
  },
  BOYMOR01: { outline: barrel(7.5, -2, 7), fittings: EYE },
  BOYMOR03: { outline: boxPoints(-5.5, -9.5, 11, 7.5), fittings: EYE },
  BOYGEN03: {
    outline: corners('-5 -2, -3.5 -9, -1.5 -12, 1.5 -12, 3.5 -9, 5 -2'),
  },
};

type PaperBuoyName = PaperBuoySymbol | `${PaperBuoySymbol}-${BuoyColorSuffix}`;

/** Every paper-chart buoy, open and filled. */
export function paperBuoys(): Record<PaperBuoyName, SymbolShapes> {
  const all: Record<string, SymbolShapes> = {};
  for (const name of PAPER_BUOY_SYMBOLS) {
    all[name] = open(BUOYS[name]);
    for (const suffix of BUOY_COLOR_SUFFIXES)
      all[`${name}-${suffix}`] = filled(BUOYS[name], suffix);
  }
  // The loops above generate exactly the type's combinations of names and suffixes.
  return all as Record<PaperBuoyName, SymbolShapes>;
}

function open({ outline, fittings = [] }: Buoy): Shape[] {
  return afloat([...fittings, polygon(outline, { stroke: INK, width: 1 })]);
}

function filled({ outline, fittings = [] }: Buoy, suffix: BuoyColorSuffix): Shape[] {
  return afloat([
    ...fittings,
    ...colored(outline, suffix),
    polygon(outline, { stroke: INK, width: 1 }),
  ]);
}

/** Leans the body and sets it on the waterline with its position circle. */
function afloat(upright: SymbolShapes): Shape[] {
  return [
    line(-7, 0, -2, 0, { stroke: INK, width: 1 }),
    line(2, 0, 7, 0, { stroke: INK, width: 1 }),
    ...turned(upright, LEAN_DEGREES),
    disc(0, 0, 1.8, { stroke: INK, width: 1 }),
  ];
}

/** A ball partly under water: `sink` is the height of its centre above the base. */
function dome(radius: number, base: number, sink: number): Point[] {
  const middle = base - sink;
  const limit = 180 - (Math.acos(sink / radius) * 180) / Math.PI;
  return Array.from({ length: 33 }, (_, index) =>
    onCircle(0, middle, radius, -limit + (index * 2 * limit) / 32),
  );
}

/** A drum on its side, with bulging ends. */
function barrel(halfWidth: number, base: number, height: number): Point[] {
  const bulge = Array.from({ length: 9 }, (_, index): Point => {
    const angle = (index * Math.PI) / 8;
    return [2.5 * Math.sin(angle), base - (height / 2) * (1 - Math.cos(angle))];
  });
  const right = bulge.map(([x, y]): Point => [halfWidth - 2.5 + x, y]);
  const left = bulge.map(([x, y]): Point => [-halfWidth + 2.5 - x, y]).reverse();
  return [...right, ...left];
}
