// Areas extended on all sides by the maximum error of their borders.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import { gridUnits } from './item.ts';

/** Sides of the polygons that replace circles. The polygons are circumscribed. */
const SIDES = 16;
/** Ratio of the distances of a polygon's sides and corners from its centre. */
const INRADIUS_RATIO = Math.cos(Math.PI / SIDES);
/** The Mercator scale is larger at a circle's poleward side than at its centre. */
const POLEWARD_STRETCH = 1.01;

/**
 * Returns overlapping rings that cover the areas, and everything within `meters` of their borders, by
 * the non-zero rule. The caller must unite them; other shapes may be part of the same union.
 *
 * @param rings on the hazard grid; outer rings wound one way, holes the other
 */
export function buffered(rings: readonly Flat[], meters: number): Flat[] {
  const out: Flat[] = [...rings];
  for (const ring of rings) {
    let [ax, ay] = [ring.at(-2)!, ring.at(-1)!];
    for (let i = 0; i < ring.length; i += 2) {
      const [bx, by] = [ring[i]!, ring[i + 1]!];
      const radius =
        (POLEWARD_STRETCH * Math.max(gridUnits(meters, ay), gridUnits(meters, by))) /
        INRADIUS_RATIO;
      out.push(circle(bx, by, radius), band(ax, ay, bx, by, radius));
      [ax, ay] = [bx, by];
    }
  }
  return out.filter((ring) => ring.length >= 6 && doubleArea(ring) !== 0);
}

function circle(x: number, y: number, radius: number): Flat {
  const ring: Flat = [];
  for (let k = 0; k < SIDES; k++) {
    const angle = (2 * Math.PI * k) / SIDES;
    ring.push(Math.round(x + radius * Math.cos(angle)), Math.round(y + radius * Math.sin(angle)));
  }
  return ring;
}

/** The rectangle within the radius on both sides of a segment, wound like the circles. */
function band(ax: number, ay: number, bx: number, by: number, radius: number): Flat {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return [];
  const [nx, ny] = [(-(by - ay) / length) * radius, ((bx - ax) / length) * radius];
  return [ax - nx, ay - ny, bx - nx, by - ny, bx + nx, by + ny, ax + nx, ay + ny].map(Math.round);
}
