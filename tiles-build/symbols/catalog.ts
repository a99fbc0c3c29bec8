// All images of the sprites by name. The compiler compares this list with
// shared/chart/symbol-names.ts: a name without a drawing does not compile.

import type { SectorImage, SymbolName } from '../../shared/chart/symbol-names.ts';
import { AREA_MARKS } from './areas.ts';
import { LINE_MARKS } from './arrows.ts';
import { paperBeacons, SIMPLIFIED_BEACONS } from './beacons.ts';
import { paperBuoys } from './buoys-paper.ts';
import { SIMPLIFIED_BUOYS } from './buoys-simplified.ts';
import { DANGERS } from './dangers.ts';
import { HARBOURS } from './harbours.ts';
import { LAND } from './landmarks.ts';
import { LIGHTS } from './lights.ts';
import { REPORTS } from './reports.ts';
import { sectorImages } from './sectors.ts';
import type { SymbolShapes } from './shape.ts';
import { TOPMARKS } from './topmarks.ts';
import { VIRTUAL_AIDS } from './virtual-aids.ts';

/** Families in the order of the symbol overview, with their headings there. */
export const SYMBOL_FAMILIES: readonly (readonly [
  string,
  Readonly<Record<string, SymbolShapes>>,
])[] = [
  ['Dangers and doubt', DANGERS],
  ['Lights and fog signals', LIGHTS],
  ['Buoys, simplified', SIMPLIFIED_BUOYS],
  ['Beacons', { ...SIMPLIFIED_BEACONS, ...paperBeacons() }],
  ['Topmarks and daymarks', TOPMARKS],
  ['Landmarks', LAND],
  ['Harbours and services', HARBOURS],
  ['Areas, routes and streams', AREA_MARKS],
  ['Virtual aids to navigation', VIRTUAL_AIDS],
  ['Along lines', LINE_MARKS],
  ['Reports', REPORTS],
  ['Buoys, paper chart', paperBuoys()],
  ['Light sectors', sectorImages()],
];

const DRAWN: Readonly<Record<SymbolName | SectorImage, SymbolShapes>> = {
  ...DANGERS,
  ...LIGHTS,
  ...SIMPLIFIED_BUOYS,
  ...SIMPLIFIED_BEACONS,
  ...paperBeacons(),
  ...TOPMARKS,
  ...LAND,
  ...HARBOURS,
  ...AREA_MARKS,
  ...VIRTUAL_AIDS,
  ...LINE_MARKS,
  ...REPORTS,
  ...paperBuoys(),
  ...sectorImages(),
};

/** Shapes of every symbol that is not a pattern. */
export function drawnSymbols(): ReadonlyMap<string, SymbolShapes> {
  return new Map(Object.entries(DRAWN));
}
