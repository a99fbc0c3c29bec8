// Every image that the sprites must contain, from the names that charts and styles may use.

import {
  AREA_SYMBOLS,
  BEACON_COLOR_SUFFIXES,
  BUOY_COLOR_SUFFIXES,
  DANGER_SYMBOLS,
  FILLED_BEACON_SYMBOLS,
  HARBOUR_SYMBOLS,
  LAND_SYMBOLS,
  LIGHT_SYMBOLS,
  LINE_SYMBOLS,
  PAPER_BEACON_SYMBOLS,
  PAPER_BUOY_SYMBOLS,
  PATTERN_SYMBOLS,
  REPORT_SYMBOLS,
  SECTOR_COLORS,
  SECTOR_SPANS,
  SIMPLIFIED_MARK_SYMBOLS,
  SOUNDING_SYMBOLS,
  TOPMARK_SYMBOLS,
  VIRTUAL_AID_SYMBOLS,
} from '../../shared/chart/symbol-names.ts';

/** Names of the light sector images: both rings and the leg. */
export function sectorImageNames(): string[] {
  const arcs = SECTOR_COLORS.flatMap((color) =>
    SECTOR_SPANS.flatMap((span) => [`arc-${color}-${span}`, `arc-${color}-${span}-outer`]),
  );
  return [...arcs, 'leg'];
}

/** Every image name of a sprite, sorted, without duplicates. */
export function allSymbolNames(): string[] {
  const names = new Set<string>([
    ...DANGER_SYMBOLS,
    ...LIGHT_SYMBOLS,
    ...SIMPLIFIED_MARK_SYMBOLS,
    ...PAPER_BUOY_SYMBOLS,
    ...PAPER_BUOY_SYMBOLS.flatMap((buoy) =>
      BUOY_COLOR_SUFFIXES.map((suffix) => `${buoy}-${suffix}`),
    ),
    ...PAPER_BEACON_SYMBOLS,
    ...FILLED_BEACON_SYMBOLS.flatMap((beacon) =>
      BEACON_COLOR_SUFFIXES.map((suffix) => `${beacon}-${suffix}`),
    ),
    ...TOPMARK_SYMBOLS,
    ...LAND_SYMBOLS,
    ...HARBOUR_SYMBOLS,
    ...AREA_SYMBOLS,
    ...PATTERN_SYMBOLS,
    ...SOUNDING_SYMBOLS,
    ...VIRTUAL_AID_SYMBOLS,
    ...LINE_SYMBOLS,
    ...REPORT_SYMBOLS,
    ...sectorImageNames(),
  ]);
  return [...names].sort();
}
