// Light sectors as rotated images of constant screen size: an arc is composed of arcs that span
// powers of two degrees, with a leg at each limit (S-52 LIGHTS06 in our own words).

import {
  SECTOR_SPANS,
  type SectorColor,
  type SectorImage,
  type SectorSpan,
} from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { hasAny, listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/** One image of the figure of a light. */
export interface SectorFigure {
  readonly k: 'arc' | 'leg' | 'ring';
  readonly i: SectorImage;
  /** True bearing of the image's upright, in degrees. */
  readonly r: number;
  readonly ring: 0 | 1;
}

/** A sector as seen from the light, clockwise from `start`, in degrees. */
export interface Sector {
  readonly start: number;
  readonly span: number;
}

/** Lights with a shorter range have no ring (S-52: 10 nautical miles). */
export const MAJOR_RANGE_MILES = 10;

/** LITVIS: obscured. */
const OBSCURED: ReadonlySet<number> = new Set([7]);
/** LITVIS: faint; partially obscured. */
const HARDLY_VISIBLE: ReadonlySet<number> = new Set([3, 8]);

/** COLOUR. */
const RED = 3;
const GREEN = 4;
/** White, yellow, amber, orange: as for flares. */
const WHITE_OR_YELLOW: ReadonlySet<number> = new Set([1, 6, 9, 11]);

/** The colour of an arc; magenta if it is unknown or of another kind. */
function sectorColor(attributes: Attributes): SectorColor {
  const colors = listOf(attributes, 'COLOUR');
  if (colors.includes(RED)) return 'R';
  if (colors.includes(GREEN)) return 'G';
  return hasAny(colors, WHITE_OR_YELLOW) ? 'W' : 'M';
}

/**
 * The sector of a light, or `undefined` if it is visible all round. S-57 states limits from
 * seaward, so they are turned by 180°.
 */
export function sectorOf(attributes: Attributes): Sector | undefined {
  const first = numberOf(attributes, 'SECTR1');
  const second = numberOf(attributes, 'SECTR2');
  if (first === undefined || second === undefined) return undefined;
  const span = turn(second - first);
  return span === 0 ? undefined : { start: turn(first + 180), span };
}

export function sectorsOverlap(a: Sector, b: Sector): boolean {
  return turn(b.start - a.start) < a.span || turn(a.start - b.start) < b.span;
}

/** Arc of a sector; empty if the light is obscured in it, dashed if it is hardly visible. */
export function arcFigures(attributes: Attributes, sector: Sector, ring: 0 | 1): SectorFigure[] {
  const visibility = listOf(attributes, 'LITVIS');
  if (hasAny(visibility, OBSCURED)) return [];
  const color = hasAny(visibility, HARDLY_VISIBLE) ? 'B' : sectorColor(attributes);
  return arcsOf(sector, color, ring, 'arc');
}

/** The full ring of a major light that is visible all round. */
export function ringFigures(attributes: Attributes): SectorFigure[] {
  return arcsOf({ start: 0, span: 360 }, sectorColor(attributes), 0, 'ring');
}

export function legFigure(bearing: number): SectorFigure {
  return { k: 'leg', i: 'leg', r: turn(bearing), ring: 0 };
}

/** Bearings of both limits of a sector, seen from the light. */
export function legsOf({ start, span }: Sector): readonly [number, number] {
  return [start, turn(start + span)];
}

function arcsOf(sector: Sector, color: SectorColor, ring: 0 | 1, k: 'arc' | 'ring') {
  const figures: SectorFigure[] = [];
  let at = 0;
  for (const span of spansOf(sector.span)) {
    // The last arc ends exactly at the limit and may overlap the arc before it by less than a
    // degree.
    const start = Math.min(at, Math.max(0, sector.span - span));
    const name: SectorImage = ring === 1 ? `arc-${color}-${span}-outer` : `arc-${color}-${span}`;
    figures.push({ k, i: name, r: turn(sector.start + start), ring });
    at += span;
  }
  return figures;
}

/** Powers of two that cover a span, the largest first; fractions of a degree are rounded up. */
export function spansOf(spanDegrees: number): SectorSpan[] {
  const spans: SectorSpan[] = [];
  let left = Math.ceil(spanDegrees - 1e-9);
  for (const span of [...SECTOR_SPANS].reverse()) {
    while (left >= span) {
      spans.push(span);
      left -= span;
    }
  }
  return spans;
}

/** An angle from 0 to 360, rounded to a hundredth of a degree. */
function turn(degrees: number): number {
  const turned = Math.round((((degrees % 360) + 360) % 360) * 100) / 100;
  return turned === 360 ? 0 : turned;
}
