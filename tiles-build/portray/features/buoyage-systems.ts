// The buoyage system (MARSYS) at a position, from the areas of M_NSYS.

import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { prepareFindAreas } from './point-in-skin.ts';

/** Returns MARSYS at a position (degrees), or `undefined` if no area of the cell gives it. */
export function prepareBuoyageSystems(
  cell: Cell,
): (longitude: number, latitude: number) => number | undefined {
  const systems: number[] = [];
  const areasOfEdge = new Map<number, number[]>();
  for (const { acronym, primitive, attributes, spatial } of cell.features) {
    const system = numberOf(attributes, 'MARSYS');
    if (acronym.toUpperCase() !== 'M_NSYS' || primitive !== 'area' || system === undefined)
      continue;
    for (const { target, id } of spatial) {
      if (target !== 'edge') continue;
      const areas = areasOfEdge.get(id);
      if (areas === undefined) areasOfEdge.set(id, [systems.length]);
      else areas.push(systems.length);
    }
    systems.push(system);
  }
  const findAreas = prepareFindAreas(cell, { areas: systems, areasOfEdge });
  return (longitude, latitude) => systems[findAreas(longitude, latitude)[0] ?? -1];
}
