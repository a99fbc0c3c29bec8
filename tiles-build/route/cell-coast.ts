// The coastal zone of one cell's land and shoals. It can extend over water that no chart covers.

import { boundsOf, clipLine, type Flat, isInside } from '../../shared/geo/clip-box.ts';
import type { Cell, Feature } from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf } from '../../shared/s57/cell/geometry.ts';
import { gridX, gridY } from '../quilt/coverage.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { EdgeShapes } from '../slice/edge-shapes.ts';
import { degreeFrame } from '../slice/frame.ts';
import { CoastZone, type SheetCoast } from './coast-zone.ts';
import { effectsOf } from './effects.ts';
import { onHazardGrid } from './item.ts';

/** Any zoom works: in degrees, no vertices are omitted. */
const FRAME = degreeFrame(16);

/** Shallower shoals have a coastal zone. Deeper contours end at most limits of charts. */
const SHOAL_METERS = 10;

/**
 * Sheets within 12 nautical miles of land and shoals that the cell charts, even if a finer cell is
 * shown there. A shoal or barrier may continue outside the chart. What the cell charts outside its
 * coverage does not count.
 */
export function coastOfCell(cell: Cell, ownership: Ownership): Iterable<SheetCoast> {
  const zone = new CoastZone();
  if (ownership.coverage.length === 0) return [];
  const box = boundsOf(ownership.coverage);
  const edges = new EdgeShapes();
  edges.begin(FRAME, 0);
  const add = (path: Flat, isRing: boolean): void => {
    const line = isRing ? [...path, path[0]!, path[1]!] : path;
    if (isInside(boundsOf([line]), box)) zone.add(onHazardGrid(line, false), false);
    else for (const part of clipLine(line, box)) zone.add(onHazardGrid(part, false), false);
  };
  for (const feature of cell.features) {
    if (!isCoastal(feature)) continue;
    switch (feature.primitive) {
      case 'point':
        for (const { positions } of nodesOf(cell, feature)) {
          for (let i = 0; i < positions.length; i += 2) {
            add([gridX(positions[i]!), gridY(positions[i + 1]!)], false);
          }
        }
        break;
      case 'line':
        for (const line of edges.lines(chainsOf(cell, feature))) add(line, false);
        break;
      case 'area':
        for (const ring of edges.polygons(areaOf(cell, feature)).flat()) add(ring, true);
        break;
      case 'none':
    }
  }
  return zone.sheets();
}

/**
 * Whether an object is land, or can close water of less than SHOAL_METERS. Points other than land
 * do not continue outside the chart.
 */
function isCoastal({ acronym, attributes, primitive }: Feature): boolean {
  return effectsOf(acronym.toUpperCase(), attributes, primitive).some(
    ({ kind, depth }) =>
      kind === 'land' ||
      (primitive !== 'point' && (kind === 'unknown-depth' || !(depth >= SHOAL_METERS))),
  );
}
