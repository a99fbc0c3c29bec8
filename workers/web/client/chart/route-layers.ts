// A route on the chart: its legs by how near they come to the least depth, and the places of its
// warnings. Colours follow the theme, as the layers are added anew with every style.

import type { Map as ChartMap, StyleSpecification } from 'maplibre-gl';
import type { RouteAnswer } from '../wire.ts';
import { type Collection, keepDrawn } from './keep-drawn.ts';

type RouteFound = Extract<RouteAnswer, { success: true }>;
/** Latitude, longitude: as on the wire. */
type LatLon = readonly [number, number];

/** Water less than this deeper than the vessel needs is worth a second look, metres. */
const TIGHT_METERS = 1;
const SHALLOW_CODES = new Set(['SHALLOWEST', 'UNKNOWN_DEPTH', 'UNDER_BRIDGE']);

const COLORS: Readonly<Record<string, readonly [route: string, tight: string, casing: string]>> = {
  day: ['#b3123f', '#e87500', '#ffffff'],
  dusk: ['#c23a5c', '#c9762a', '#10181d'],
  night: ['#5f1d2e', '#6b3f17', '#050709'],
};

/** Longitude first, and counted on across 180°, as the map draws lines straight. */
export function unrolled(route: readonly LatLon[]): [number, number][] {
  let last: number | undefined;
  return route.map(([latitude, longitude]) => {
    const turns = last === undefined ? 0 : Math.round((last - longitude) / 360);
    last = longitude + turns * 360;
    return [last, latitude];
  });
}

/**
 * Draws a route on the map and keeps it there through changes of style.
 *
 * @param name of its source, and the beginning of its layers' names: another route of the map has another
 * @param lightOf `day`, `dusk` or `night`, for the colours
 */
export function openRouteLayers(
  map: ChartMap,
  name: string,
  lightOf: () => string,
): (route: RouteFound | undefined) => void {
  const show = keepDrawn(map, name, () => layers(name, lightOf()));
  return (route) => show(route === undefined ? undefined : featuresOf(route));
}

/** Name of the layer with the legs of a route. @param name its source */
export const lineOf = (name: string): string => `${name}-line`;

function featuresOf(answer: RouteFound): Collection {
  const { requiredDepth } = answer.constraints;
  const places = unrolled(answer.route);
  const legs = answer.legs.map(({ minDepth, background }, i) => ({
    type: 'Feature' as const,
    properties: {
      kind: background
        ? 'background'
        : minDepth !== null && minDepth < requiredDepth + TIGHT_METERS
          ? 'tight'
          : 'leg',
    },
    geometry: { type: 'LineString' as const, coordinates: [places[i]!, places[i + 1]!] },
  }));
  const spots = answer.warnings.flatMap(({ code, message, position }) =>
    position === null
      ? []
      : [
          {
            type: 'Feature' as const,
            properties: { kind: SHALLOW_CODES.has(code) ? 'tight-spot' : 'spot', code, message },
            geometry: { type: 'Point' as const, coordinates: [position[1], position[0]] },
          },
        ],
  );
  return { type: 'FeatureCollection', features: [...legs, ...spots] };
}

function layers(source: string, light: string): StyleSpecification['layers'] {
  const [route, tight, casing] = COLORS[light] ?? COLORS['day']!;
  const isLine = ['==', ['geometry-type'], 'LineString'] as const;
  const isKind = (kind: string) => ['==', ['get', 'kind'], kind] as const;
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const color = ['case', isKind('tight'), tight, route] as const;
  return [
    {
      id: `${source}-casing`,
      source,
      type: 'line',
      filter: isLine as never,
      layout: round,
      paint: { 'line-color': casing, 'line-width': 7, 'line-opacity': 0.6 },
    },
    {
      id: lineOf(source),
      source,
      type: 'line',
      filter: isLine as never,
      layout: round,
      paint: { 'line-color': color as never, 'line-width': 3 },
    },
    {
      id: `${source}-background`,
      source,
      type: 'line',
      filter: isKind('background') as never,
      paint: { 'line-color': casing, 'line-width': 1.5, 'line-dasharray': [3, 3] },
    },
    {
      id: `${source}-spots`,
      source,
      type: 'circle',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 6,
        'circle-color': casing,
        'circle-stroke-color': ['case', isKind('tight-spot'), tight, route] as never,
        'circle-stroke-width': 3,
      },
    },
  ];
}
