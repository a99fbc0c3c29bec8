// A route as GPX 1.1 (topografix.com/GPX/1/1): one `rte`, which plotters take and follow.

import type { Position, Trip } from './trip.ts';

/** xsd:decimal knows no exponents; this is a tenth of a millimetre. */
const DIGITS = 9;

/**
 * @param path longitudes from −180 to 180
 * @param notice what every reader of the file has to be told
 */
export function routeGpx(
  path: readonly Position[],
  trip: Pick<Trip, 'waypoints'>,
  notice: string,
): string {
  const named = namesAlong(path, trip.waypoints);
  const points = path.map(
    ([longitude, latitude], i) =>
      `<rtept lat="${decimal(latitude)}" lon="${decimal(longitude === 180 ? -180 : longitude)}"><name>${text(named[i]!)}</name></rtept>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Leadline" xmlns="http://www.topografix.com/GPX/1/1">',
    `<metadata><name>Leadline route</name><desc>${text(notice)}</desc></metadata>`,
    `<rte><name>Leadline route</name><desc>${text(notice)}</desc>`,
    ...points,
    '</rte>',
    '</gpx>',
    '',
  ].join('\n');
}

/** Points that are waypoints of the trip are named so, in order; those between are numbered. */
function namesAlong(path: readonly Position[], waypoints: readonly Position[]): string[] {
  let next = 0;
  let between = 0;
  return path.map(([longitude, latitude]) => {
    const wanted = waypoints[next];
    const isWaypoint =
      wanted !== undefined &&
      latitude === wanted[1] &&
      (longitude === wanted[0] || Math.abs(longitude - wanted[0]) === 360);
    if (isWaypoint) {
      next++;
      between = 0;
      return `WP${next}`;
    }
    between++;
    return next === 0 ? `WP0.${between}` : `WP${next}.${between}`;
  });
}

function decimal(degrees: number): string {
  const fixed = degrees.toFixed(DIGITS).replace(/\.?0+$/, '');
  return fixed === '-0' ? '0' : fixed;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const text = (words: string): string => words.replace(/[&<>]/g, (sign) => ENTITIES[sign]!);
