// A route as GPX 1.1 (topografix.com/GPX/1/1): one `rte`, which plotters can import and follow.

import { wrapped } from './longitudes.ts';
import type { Position } from './trip.ts';

/** xsd:decimal does not allow exponents. Nine digits are a tenth of a millimetre. */
const DIGITS = 9;

interface RoutePoint {
  readonly position: Position;
  /** Index of the trip's waypoint, from 0. */
  readonly waypoint: number | undefined;
}

/** @param notice a notice for every reader of the file */
export function routeGpx(path: readonly RoutePoint[], notice: string): string {
  const names = namesAlong(path);
  const points = path.map(({ position }, i) => {
    const [longitude, latitude] = wrapped(position);
    // The schema requires longitudes below 180.
    const east = longitude === 180 ? -180 : longitude;
    return `<rtept lat="${decimal(latitude)}" lon="${decimal(east)}"><name>${names[i]}</name></rtept>`;
  });
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

/** Names waypoints, and the points after each, by number: WP1, WP1.1, WP1.2, WP2. */
function namesAlong(path: readonly RoutePoint[]): string[] {
  let last = 0;
  let behind = 0;
  return path.map(({ waypoint }) => {
    if (waypoint === undefined) return `WP${last}.${++behind}`;
    last = waypoint + 1;
    behind = 0;
    return `WP${last}`;
  });
}

function decimal(degrees: number): string {
  const fixed = degrees.toFixed(DIGITS).replace(/\.?0+$/, '');
  return fixed === '-0' ? '0' : fixed;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const text = (words: string): string => words.replace(/[&<>]/g, (sign) => ENTITIES[sign]!);
