// Figures of light sectors, with the light as pivot: arcs that start upright and run clockwise, and
// the leg at a limit, pointing up. Rotated to bearings, they compose any sector.

import {
  SECTOR_COLORS,
  SECTOR_SPANS,
  type SectorColor,
  type SectorImage,
} from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { arc, line, type Shape, type SymbolShapes } from './shape.ts';

/** 20 mm and, around a nested sector, 25 mm on a screen of 0.27 mm pixels (S-52 LIGHTS06). */
const RING_RADIUS = 75;
const OUTER_RADIUS = 94;
const LEG_LENGTH = 95;

const COLORS: Readonly<Record<SectorColor, ColorToken>> = {
  R: 'LITRD',
  G: 'LITGN',
  W: 'LITYW',
  M: 'CHMGD',
  B: 'CHBLK',
};
/** A dash and a gap of a dashed arc. Their sum is a span, so that the dashes of adjacent arcs continue. */
const DASH_DEGREES = [5, 3];

/** Overlap of neighbouring arcs, so that no seam is visible between them. */
const OVERLAP_DEGREES = 0.2;

export function sectorImages(): Record<SectorImage, SymbolShapes> {
  const arcs = SECTOR_COLORS.flatMap((color) =>
    SECTOR_SPANS.flatMap((span) => [
      [`arc-${color}-${span}`, arcFigure(color, span, RING_RADIUS)] as const,
      [`arc-${color}-${span}-outer`, arcFigure(color, span, OUTER_RADIUS)] as const,
    ]),
  );
  return Object.fromEntries([...arcs, ['leg', LEG]]) as Record<SectorImage, SymbolShapes>;
}

const LEG: SymbolShapes = [
  line(0, 0, 0, -LEG_LENGTH, { stroke: 'CHBLK', width: 1, dash: [6, 3], butt: true }),
];

function arcFigure(color: SectorColor, span: number, radius: number): Shape[] {
  const [from, to] = [-OVERLAP_DEGREES, span + OVERLAP_DEGREES];
  if (color === 'B') {
    const dash = DASH_DEGREES.map((degrees) => (radius * degrees * Math.PI) / 180);
    return [arc(0, 0, radius, from, to, { stroke: COLORS.B, width: 2, dash, butt: true })];
  }
  return [
    arc(0, 0, radius, from, to, { stroke: 'OUTLW', width: 4.5, butt: true }),
    arc(0, 0, radius, from, to, { stroke: COLORS[color], width: 2.5, butt: true }),
  ];
}
