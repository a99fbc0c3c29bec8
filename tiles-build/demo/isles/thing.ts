// Objects on the charts of the Lantern Isles other than the ground, as plain data: each object
// once, with the usage bands that show it.

import type { AttributeValues } from '../../../shared/s57/write/cell-builder.ts';
import { noise } from '../terrain/noise.ts';
import { splineThrough } from '../terrain/spline.ts';

/** Kilometres east and north of the isles' origin. */
export type Place = readonly [east: number, north: number];

/** Places from text: kilometres east and north, a comma between places. */
export const places = (text: string): Place[] =>
  text.split(',').map((place) => {
    const [east, north] = place.trim().split(' ').map(Number);
    return [east!, north!];
  });

export type Shape =
  | { readonly kind: 'point'; readonly at: Place }
  | { readonly kind: 'line'; readonly path: readonly Place[] }
  | { readonly kind: 'area'; readonly ring: readonly Place[] };

export interface Thing {
  /** Unique; the feature identification number is derived from it. */
  readonly name: string;
  readonly acronym: string;
  readonly shape: Shape;
  readonly attributes: AttributeValues;
  /** Coarsest and finest usage band that show it. */
  readonly bands: readonly [from: number, to: number];
  /** Name of the master object, such as the buoy that carries a light. */
  readonly master?: string;
}

/** A point object. */
export function point(
  name: string,
  acronym: string,
  at: Place,
  attributes: AttributeValues = {},
  bands: Thing['bands'] = [5, 5],
): Thing {
  return { name, acronym, shape: { kind: 'point', at }, attributes, bands };
}

/** A line object. */
export function line(
  name: string,
  acronym: string,
  path: readonly Place[],
  attributes: AttributeValues = {},
  bands: Thing['bands'] = [5, 5],
): Thing {
  return { name, acronym, shape: { kind: 'line', path }, attributes, bands };
}

/** An area object; the ring does not repeat its first position at the end. */
export function area(
  name: string,
  acronym: string,
  ring: readonly Place[],
  attributes: AttributeValues = {},
  bands: Thing['bands'] = [5, 5],
): Thing {
  return { name, acronym, shape: { kind: 'area', ring }, attributes, bands };
}

/** Objects on the same structure: the first is the master of the others. */
export function together(master: Thing, ...slaves: readonly Thing[]): Thing[] {
  return [master, ...slaves.map((slave) => ({ ...slave, master: master.name }))];
}

/** The corners of a box from its south-western and north-eastern ones. */
export function box(west: number, south: number, east: number, north: number): Place[] {
  return [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
  ];
}

/** A rounded ring. */
export function round([east, north]: Place, width: number, length = width, corners = 24): Place[] {
  return Array.from({ length: corners }, (_, i): Place => {
    const angle = (-2 * Math.PI * i) / corners;
    return [east + width * Math.cos(angle), north + length * Math.sin(angle)];
  });
}

/** A rounded ring with an irregular, natural outline: woods, kelp, foul ground. */
export function uneven(middle: Place, width: number, length = width): Place[] {
  return round([0, 0], 1, 1, 28).map(([x, y]): Place => {
    const reach = 1 + 0.34 * noise(1.3 * x + 9 * middle[0], 1.3 * y + 9 * middle[1]);
    return [middle[0] + width * reach * x, middle[1] + length * reach * y];
  });
}

/** A smooth path through places. */
export const curve = (...path: readonly Place[]): readonly Place[] => splineThrough(path, 5);
