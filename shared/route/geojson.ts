// A plan as GeoJSON (RFC 7946): the route as a line, cut at 180°, and its warnings as points.

import { latitudeAt, mercatorY } from '../geo/mercator.ts';
import { wrapped } from './longitudes.ts';
import type { Plan, Position } from './trip.ts';

type Place = [longitude: number, latitude: number];

type RouteGeojson = {
  readonly type: 'FeatureCollection';
  readonly features: readonly {
    readonly type: 'Feature';
    readonly properties: Readonly<Record<string, unknown>>;
    readonly geometry:
      | { readonly type: 'LineString'; readonly coordinates: readonly Place[] }
      | { readonly type: 'MultiLineString'; readonly coordinates: readonly (readonly Place[])[] }
      | { readonly type: 'Point'; readonly coordinates: Place };
  }[];
};

/**
 * @param path with continuous longitudes
 * @param isContinuous do not cut the line at 180°; its longitudes may exceed 180°
 */
export function routeGeojson(
  path: readonly Position[],
  plan: Plan,
  isContinuous: boolean,
): RouteGeojson {
  const lines = isContinuous ? [path.map(toPlace)] : cutAtAntimeridian(path);
  const [line] = lines;
  const warnings = plan.warnings.flatMap(({ code, message, position, feature }) =>
    position === undefined
      ? []
      : [
          {
            type: 'Feature' as const,
            properties: { kind: 'warning', code, message, featureId: feature?.id || null },
            geometry: { type: 'Point' as const, coordinates: toPlace(wrapped(position)) },
          },
        ],
  );
  return {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { kind: 'route', distance: plan.distance, notForNavigation: true },
        geometry:
          lines.length === 1 && line !== undefined
            ? { type: 'LineString', coordinates: line }
            : { type: 'MultiLineString', coordinates: lines },
      },
      ...warnings,
    ],
  };
}

const toPlace = ([longitude, latitude]: Position): Place => [longitude, latitude];

/** RFC 7946, 3.1.9. Pieces are straight on the Mercator plane, so the cut is computed there. */
export function cutAtAntimeridian(path: readonly Position[]): Place[][] {
  const lines: Place[][] = [];
  let line: Place[] = [];
  path.forEach((to, i) => {
    const from = path[i - 1];
    if (from !== undefined) {
      const near = from[0] < to[0] ? -180 : 180;
      // A point on 180° can end one side and begin the other.
      if (isOnEdge(from) && from[0] !== to[0] && line.at(-1)![0] !== near) {
        lines.push(line);
        line = [[near, from[1]]];
      }
      for (const edge of edgesBetween(from[0], to[0])) {
        const share = (edge - from[0]) / (to[0] - from[0]);
        const y = mercatorY(from[1]) + share * (mercatorY(to[1]) - mercatorY(from[1]));
        const latitude = latitudeAt(y);
        line.push([-near, latitude]);
        lines.push(line);
        line = [[near, latitude]];
      }
    }
    line.push(
      from?.[0] === to[0]
        ? [line.at(-1)![0], to[1]]
        : placeBeside(to, from ?? path.find(([longitude]) => longitude !== to[0])),
    );
  });
  lines.push(line);
  return lines.filter(({ length }) => length > 1 || path.length === 1);
}

/** Odd multiples of 180° strictly between two longitudes, in the order of travel. */
function edgesBetween(from: number, to: number): number[] {
  const edges: number[] = [];
  const [west, east] = from < to ? [from, to] : [to, from];
  for (let edge = Math.floor((west + 180) / 360) * 360 + 180; edge < east; edge += 360) {
    if (edge > west) edges.push(edge);
  }
  return from < to ? edges : edges.reverse();
}

const isOnEdge = (at: Position): boolean => Math.abs(wrapped(at)[0]) === 180;

/** A place exactly at 180° gets the sign of its neighbour's side. */
function placeBeside(at: Position, neighbour: Position | undefined): Place {
  const [longitude, latitude] = wrapped(at);
  if (Math.abs(longitude) !== 180 || neighbour === undefined) return [longitude, latitude];
  return [neighbour[0] < at[0] ? 180 : neighbour[0] > at[0] ? -180 : longitude, latitude];
}
