// Patterns that tile a fill. Their sides divide 256, so that patterns also meet across the borders
// of map tiles.

import type { PatternName } from '../../shared/chart/symbol-names.ts';
import { lettering } from './lettering.ts';
import {
  disc,
  line,
  moved,
  type Paint,
  path,
  polygon,
  rays,
  regularPoints,
  type Shape,
  type SymbolShapes,
} from './shape.ts';

interface PatternDrawing {
  /** Side of the square tile in pixels at ratio 1. */
  readonly side: 8 | 16 | 32 | 64;
  /**
   * `wrap`: figures, repeated on every side of the tile. `bleed`: continuous lines that extend far
   * beyond the tile. If they were repeated, they would overlap and become darker.
   */
  readonly edges: 'wrap' | 'bleed';
  /** The origin is the top left corner of the tile. */
  readonly shapes: SymbolShapes;
}

const GREY: Paint = { stroke: 'CHGRF', width: 1 };
const DARK: Paint = { stroke: 'CHGRD', width: 1.1 };
const BROWN: Paint = { stroke: 'LANDF', width: 1.1 };

/**
 * For ground without data: CHGRF is the ground colour at night, so hatching with it would be
 * invisible.
 */
const ON_NO_DATA: Paint = { stroke: 'CHGRD', opacity: 0.55 };

/** Four dashes along the diagonal of a tile of 16, so that dashes meet across its corners. */
const DIAGONAL_DASH = (16 * Math.SQRT2) / 4;

export const PATTERNS: Readonly<Record<PatternName, PatternDrawing>> = {
  DRGARE01: scattered(16, [disc(0, 0, 0.9, { fill: 'CHGRF' })]),
  NODATA03: diagonals(16, { ...ON_NO_DATA, width: 1.5 }),
  // Cross-hatching: charted, but without a depth. Hatching in one direction means no data or no
  // survey.
  NODEPTH1: crossed(16, { ...ON_NO_DATA, width: 1 }),
  BGLAND01: falling(16, { stroke: 'LANDF', width: 1, opacity: 0.35 }),
  OVERSC01: verticals(16, [4, 12], { stroke: 'CHGRF', width: 1, opacity: 0.6 }),
  PRTSUR01: diagonals(16, {
    ...ON_NO_DATA,
    width: 1,
    dash: [0.55 * DIAGONAL_DASH, 0.45 * DIAGONAL_DASH],
  }),
  DIAMOND1: {
    side: 64,
    edges: 'wrap',
    shapes: [polygon(regularPoints(32, 32, 30, 4), { stroke: 'CHGRF', width: 1 })],
  },
  FOULAR01: scattered(32, [
    ...[-1.8, 1.8].map((x) => line(x + 1, -5, x - 1, 5, DARK)),
    ...[-1.8, 1.8].map((y) => line(-5, y, 5, y, DARK)),
  ]),
  RCKLDG01: scattered(32, [path('M-6 3 L-3 -3 L0 2 L3 -4 L6 3', DARK)]),
  MARSHES1: scattered(32, [
    line(-6, 3, 6, 3, BROWN),
    line(0, 3, 0, -3, BROWN),
    line(-2, 3, -4.5, -1.5, BROWN),
    line(2, 3, 4.5, -1.5, BROWN),
  ]),
  VEGATN03: scattered(32, [
    path('M-4 2 C-7 1 -5 -4 -2 -3 C-1 -6 4 -5 3 -2 C6 -1 5 3 2 2', BROWN),
    line(0, 2, 0, 5, BROWN),
  ]),
  VEGATN04: scattered(32, [
    line(0, 6, 0, -1, BROWN),
    path(
      'M0 -1 C-2 -4 -5 -4 -6 -2 M0 -1 C2 -4 5 -4 6 -2 M0 -1 C-1 -4 -1 -5 0 -6 M0 -1 C-3 0 -4 1 -4 3 M0 -1 C3 0 4 1 4 3',
      BROWN,
    ),
  ]),
  ICEARE04: scattered(32, rays(0, 0, 5, 6, { stroke: 'CHGRF', width: 1.1 })),
  SNDWAV01: scattered(32, [path('M-8 2 C-5 2 -4 -3 -2 -3 C-2 0 0 2 3 2', GREY)]),
  FSHFAC04: scattered(32, [path('M-6 0 C-4 -3 1 -3 3 0 C1 3 -4 3 -6 0 Z M3 0 L6 -2 L6 2 Z', GREY)]),
  DQUALA11: quality(6),
  DQUALA21: quality(5),
  DQUALB01: quality(4),
  DQUALC01: quality(3),
  DQUALD01: quality(2),
  DQUALU01: {
    side: 64,
    edges: 'wrap',
    shapes: [disc(32, 32, 11, GREY), ...lettering('U', 32, 32, 10, { ...GREY, width: 1.4 })],
  },
};

/** A figure twice per tile, arranged like the two dots on a die. */
function scattered(side: 16 | 32, figure: SymbolShapes): PatternDrawing {
  const at = (part: number) => moved(figure, side * part, side * part);
  return { side, edges: 'wrap', shapes: [...at(0.25), ...at(0.75)] };
}

/** The number of stars shows the confidence in the survey (S-57 CATZOC). */
function quality(stars: number): PatternDrawing {
  const rows = stars > 3 ? [Math.ceil(stars / 2), Math.floor(stars / 2)] : [stars];
  const shapes = rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, index): Shape[] => {
      const x = 32 + (index - (count - 1) / 2) * 11;
      const y = 32 + (row - (rows.length - 1) / 2) * 11;
      return rays(x, y, 3.2, 6, GREY);
    }).flat(),
  );
  const frame = path('M12 20 C12 14 52 14 52 20 L52 44 C52 50 12 50 12 44 Z', GREY);
  return { side: 64, edges: 'wrap', shapes: [frame, ...shapes] };
}

/** Rising lines, one of them through the corners of each tile. */
function diagonals(side: 16, paint: Paint): PatternDrawing {
  return { side, edges: 'bleed', shapes: slanted(side, -1, paint) };
}

/** Falling lines, one of them through the corners of each tile. */
function falling(side: 16, paint: Paint): PatternDrawing {
  return { side, edges: 'bleed', shapes: slanted(side, 1, paint) };
}

/** Rising and falling lines. */
function crossed(side: 16, paint: Paint): PatternDrawing {
  const shapes = [...slanted(side, -1, paint), ...slanted(side, 1, paint)];
  return { side, edges: 'bleed', shapes };
}

/** Lines that extend far beyond the tile, at 45 degrees. @param slope positive for falling lines */
function slanted(side: 16, slope: 1 | -1, paint: Paint): SymbolShapes {
  const [from, to] = [-2 * side, 3 * side];
  return [-3, -2, -1, 0, 1, 2, 3].map((index) =>
    line(from, index * side + slope * from, to, index * side + slope * to, {
      ...paint,
      butt: true,
    }),
  );
}

function verticals(side: 16, xs: readonly number[], paint: Paint): PatternDrawing {
  const shapes = [-side, 0, side].flatMap((left) =>
    xs.map((x) => line(left + x, -2 * side, left + x, 3 * side, { ...paint, butt: true })),
  );
  return { side, edges: 'bleed', shapes };
}
