// Lateral gates of charts, from features that GDAL reads: pairs of a port and a starboard mark that are
// nearest to each other.

import type { Position } from '../../../shared/route/trip.ts';
import type { GdalFeature } from '../gdal.ts';
import { metersBetween } from '../route-oracle.ts';
import { shapeOf } from '../wkb.ts';

export interface ChartedGate {
  readonly port: Position;
  readonly starboard: Position;
  readonly meters: number;
}

const CLASSES: ReadonlySet<string> = new Set(['BOYLAT', 'BCNLAT']);

/**
 * The gates of one cell. CATLAM 1 is port and 2 is starboard; other marks are left out.
 * @param widths least and largest width of a gate, in metres
 */
export function chartedGates(
  features: readonly GdalFeature[],
  [least, largest]: readonly [number, number],
): ChartedGate[] {
  const marksOf = (category: string): Position[] =>
    features
      .filter(
        ({ acronym, attributes }) => CLASSES.has(acronym) && attributes['CATLAM'] === category,
      )
      .flatMap(({ wkb }) => (shapeOf(wkb)?.parts.flat() ?? []) as unknown as Position[]);
  const [ports, starboards] = [marksOf('1'), marksOf('2')];
  return ports.flatMap((port) => {
    const starboard = nearest(port, starboards);
    if (starboard === undefined || nearest(starboard, ports) !== port) return [];
    const meters = metersBetween(port, starboard);
    return meters >= least && meters <= largest ? [{ port, starboard, meters }] : [];
  });
}

/** The place that lies `along` metres beyond the middle of a gate, at a right angle to it. */
export function placeBeyond({ port, starboard }: ChartedGate, along: number): Position {
  const narrow = Math.cos((port[1] * Math.PI) / 180);
  const [dx, dy] = [(starboard[0] - port[0]) * narrow, starboard[1] - port[1]];
  const scale = along / metersBetween(port, starboard);
  return [
    (port[0] + starboard[0]) / 2 - (dy * scale) / narrow,
    (port[1] + starboard[1]) / 2 + dx * scale,
  ];
}

/**
 * Where a path crosses the line through both marks of a gate: 0 at the port mark, 1 at the starboard
 * mark. Other values lie outside the marks.
 */
export function crossingsOf({ port, starboard }: ChartedGate, path: readonly Position[]): number[] {
  const narrow = Math.cos((port[1] * Math.PI) / 180);
  const [dx, dy] = [(starboard[0] - port[0]) * narrow, starboard[1] - port[1]];
  const local = path.map(([x, y]): [number, number] => {
    const [px, py] = [(x - port[0]) * narrow, y - port[1]];
    const square = dx * dx + dy * dy;
    return [(px * dx + py * dy) / square, (py * dx - px * dy) / square];
  });
  return local.slice(1).flatMap(([bx, by], i) => {
    const [ax, ay] = local[i]!;
    if (ay > 0 === by > 0) return [];
    return [ax + ((bx - ax) * ay) / (ay - by)];
  });
}

function nearest(from: Position, places: readonly Position[]): Position | undefined {
  let [found, least]: [Position | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const place of places) {
    const meters = metersBetween(from, place);
    if (meters < least) [found, least] = [place, meters];
  }
  return found;
}
