// Draws a route: legs coloured by their margin above the required depth, and the positions of warnings.

import type { Map as ChartMap, StyleSpecification } from 'maplibre-gl';
import type { RouteAnswer } from '../wire.ts';
import { type Collection, keepDrawn } from './keep-drawn.ts';

type RouteFound = Extract<RouteAnswer, { success: true }>;
/** Latitude and longitude in degrees, in the order of the API. */
type LatLon = readonly [number, number];

/** Legs with less depth than this above the required depth are highlighted, metres. */
const TIGHT_METERS = 1;
const SHALLOW_CODES = new Set(['SHALLOWEST', 'UNKNOWN_DEPTH', 'UNDER_BRIDGE']);

const COLORS: Readonly<Record<string, readonly [route: string, tight: string, casing: string]>> = {
  day: ['#b3123f', '#e87500', '#ffffff'],
  dusk: ['#c23a5c', '#c9762a', '#10181d'],
  night: ['#5f1d2e', '#6b3f17', '#050709'],
};

/** Converts to longitude first, continuous across 180°, because the map draws straight lines. */
export function unrolled(route: readonly LatLon[]): [number, number][] {
  let last: number | undefined;
  return route.map(([latitude, longitude]) => {
    const turns = last === undefined ? 0 : Math.round((last - longitude) / 360);
    last = longitude + turns * 360;
    return [last, latitude];
  });
}

/**
 * Returns a function that draws a route on the map and keeps it when the style changes.
 *
 * @param name id of the source and prefix of the layer ids; must be unique on the map
 * @param lightOf returns `day`, `dusk` or `night`, for the colours
 */
export function openRouteLayers(
  map: ChartMap,
  name: string,
  lightOf: () => string,
): (route: RouteFound | undefined) => void {
  const show = keepDrawn(map, name, () => layers(name, lightOf()));
  return (route) => show(route === undefined ? undefined : featuresOf(route));
}

/** Id of the layer with the legs of a route. @param name id of the source */
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
