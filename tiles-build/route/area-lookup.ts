// What the areas of one cell are at a position: water, land or a structure.

import { EARTH_RADIUS_METERS } from '../../shared/geo/earth.ts';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import { indexSkin } from '../portray/features/point-in-skin.ts';
import { skinOf } from '../portray/features/skin.ts';

export interface AreaLookup {
  /**
   * Whether a sounding is shallower than a depth area at its position. Most are not. Where the depth of an
   * area is unknown, every sounding is the only known depth.
   */
  isShallowerThanArea(longitude: number, latitude: number, depth: number): boolean;
  /** Whether all areas at a position are water. On a border, these are the areas on both sides. */
  isInWater(longitude: number, latitude: number): boolean;
  /** Water if all areas at a position are water, land if any is land; undefined outside the areas of the cell. */
  groundAt(longitude: number, latitude: number): 'water' | 'land' | 'structure' | undefined;
  /** Whether a part of a segment (degrees) has water on both sides. The shore does not. */
  crossesWater(ax: number, ay: number, bx: number, by: number): boolean;
}

/** Distance of the two sides of a segment, degrees: two steps of the usual grid of cells (COMF 10⁷). */
const SIDE_DEGREES = 2e-7;

const WATER_CLASSES: ReadonlySet<string> = new Set(['DEPARE', 'DRGARE', 'UNSARE']);

/** Finds the ground of a cell at positions. */
export function areaLookup(cell: Cell): AreaLookup {
  const skin = skinOf(cell, (feature) => feature.acronym.toUpperCase());
  const { findAreas: find, partsAlong } = indexSkin(cell, skin);
  const groundAt: AreaLookup['groundAt'] = (longitude, latitude) => {
    const acronyms = find(longitude, latitude).map((index) => skin.areas[index]!.acronym);
    if (acronyms.length === 0) return undefined;
    if (acronyms.every((acronym) => WATER_CLASSES.has(acronym))) return 'water';
    return acronyms.includes('LNDARE') ? 'land' : 'structure';
  };
  const isInWater: AreaLookup['isInWater'] = (longitude, latitude) =>
    groundAt(longitude, latitude) === 'water';
  return {
    isShallowerThanArea(longitude, latitude, depth) {
      const areas = find(longitude, latitude);
      if (areas.length === 0) return true;
      return areas.some((index) => {
        const { acronym, leastMeters } = skin.areas[index]!;
        return leastMeters === undefined ? WATER_CLASSES.has(acronym) : depth < leastMeters;
      });
    },
    isInWater,
    groundAt,
    crossesWater(ax, ay, bx, by) {
      const [dx, dy] = [bx - ax, by - ay];
      const length = Math.hypot(dx, dy);
      const toSide = SIDE_DEGREES / (length || 1);
      const [sideX, sideY] = [-dy * toSide, dx * toSide];
      return partsAlong(ax, ay, bx, by).some((part, i, parts) => {
        const before = parts[i - 1] ?? part;
        // Rounding leaves tiny parts at corners of the shore, where both sides can be water.
        if ((part - before) * length <= SIDE_DEGREES) return false;
        const [x, y] = [ax + (dx * (before + part)) / 2, ay + (dy * (before + part)) / 2];
        return isInWater(x + sideX, y + sideY) && isInWater(x - sideX, y - sideY);
      });
    },
  };
}

const DIRECTIONS = 16;
const STEP_METERS = 12;

/** Whether a point is on a shore or inland, and the water near it has no opposite shore within the reach. */
export function isOnOpenShore(
  { groundAt }: AreaLookup,
  longitude: number,
  latitude: number,
  reachMeters: number,
): boolean {
  const degrees = (STEP_METERS / EARTH_RADIUS_METERS) * (180 / Math.PI);
  const shrink = Math.cos((latitude * Math.PI) / 180);
  let touchesLand = false;
  for (let direction = 0.5; direction < DIRECTIONS; direction++) {
    const angle = (2 * Math.PI * direction) / DIRECTIONS;
    const [east, north] = [(degrees * Math.sin(angle)) / shrink, degrees * Math.cos(angle)];
    let wetSteps = 0;
    for (let step = 1; step <= reachMeters / STEP_METERS + 1; step++) {
      const ground = groundAt(longitude + step * east, latitude + step * north);
      // Outside the chart, the opposite shore is not known.
      if (ground === undefined) return false;
      if (ground === 'water') wetSteps++;
      else if (ground === 'land') {
        touchesLand ||= step === 1;
        if (wetSteps > 1) return false;
      }
    }
  }
  return touchesLand;
}
