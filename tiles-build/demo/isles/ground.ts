// Built and dredged ground at Wick, as outlines over the terrain. Kilometres east and north of the
// isles' origin.

import { splineThrough } from '../terrain/spline.ts';
import { box, type Place, places } from './thing.ts';

/** The kind of ground: `land`, `depth:<lower>:<upper>`, or a kind of structure. */
type GroundLabel = string;

/** Built or dredged ground; later ones lie over earlier ones. */
export interface Structure {
  readonly label: GroundLabel;
  /** The first position is not repeated at the end. */
  readonly ring: readonly Place[];
  /** Leaves existing land unchanged. */
  readonly onlyInWater?: boolean;
}

/** Drying heights up to this value are foreshore; higher ground is land. */
export const HIGH_WATER = 1.8;

const quay = (ring: readonly Place[]): Structure => ({ label: 'quay', ring });

/**
 * Angle in radians from the axis of a mole to either end of its round head, which is wider than the
 * mole.
 */
const HEAD_TURN = 2.3;

/** A mole of constant width along a smooth path, with a round head at its end. */
function mole(path: readonly Place[], width: number): Structure {
  const middle = splineThrough(path, 6);
  const side = (sign: number) =>
    middle.map((place, i): Place => {
      const [dx, dy] = directionAt(middle, i);
      return [place[0] - sign * dy * (width / 2), place[1] + sign * dx * (width / 2)];
    });
  const [[x, y], [dx, dy]] = [middle.at(-1)!, directionAt(middle, middle.length - 1)];
  const head = Array.from({ length: 11 }, (_, i): Place => {
    const angle = HEAD_TURN * (1 - i / 5);
    const [ahead, left] = [0.72 * width * Math.cos(angle), 0.72 * width * Math.sin(angle)];
    return [x + dx * ahead - dy * left, y + dy * ahead + dx * left];
  });
  return quay([...side(1), ...head, ...side(-1).toReversed()]);
}

function directionAt(path: readonly Place[], i: number): Place {
  const [from, to] = [path[Math.max(0, i - 1)]!, path[Math.min(path.length - 1, i + 1)]!];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  return [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
}

/** A walkway with fingers on both sides and berths for yachts between them. */
function pontoon(from: Place, to: Place): Structure {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const on = (along: number, left: number): Place => [
    from[0] + dx * along - dy * left,
    from[1] + dy * along + dx * left,
  ];
  const fingers = Math.floor((length - 0.01) / 0.024);
  const side = (sign: number): Place[] =>
    Array.from({ length: fingers }, (_, i) => 0.016 + i * 0.024).flatMap((along) => [
      on(along, sign * 0.002),
      on(along, sign * 0.013),
      on(along + 0.0016, sign * 0.013),
      on(along + 0.0016, sign * 0.002),
    ]);
  const ring = [
    on(0, 0.002),
    ...side(1),
    on(length, 0.002),
    on(length, -0.002),
    ...side(-1).toReversed(),
    on(0, -0.002),
  ];
  return { label: 'pontoon', ring };
}

/** A box rotated about its centre, degrees counterclockwise. */
function turnedBox([x, y]: Place, width: number, length: number, degrees: number): Place[] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return box(-width / 2, -length / 2, width / 2, length / 2).map(
    ([u, v]): Place => [x + u * cos - v * sin, y + u * sin + v * cos],
  );
}

const CHANNEL: Structure = {
  label: 'dredged:8',
  ring: places('0.82 -0.62, 1.34 -0.62, 1.25 0.6, 1.27 1.16, 0.93 1.2, 0.92 0.6'),
  onlyInWater: true,
};

const BASIN: Structure = {
  label: 'dredged:6',
  ring: places(`
    0.93 1.2, 1.27 1.16, 1.38 1.25, 1.6 1.24, 1.8 1.36, 1.92 1.6, 1.95 1.95, 0.02 1.97,
    -0.02 1.62, 0.14 1.32, 0.46 1.19, 0.72 1.21, 0.9 1.32`),
};

/** With its two fish quays, the slip and the marina wall. */
const TOWN_QUAY = quay(
  places(`
  -0.16 2.36, -0.12 2.02, 0.04 1.9, 0.34 1.86, 0.55 1.885, 0.565 1.66, 0.62 1.664, 0.61 1.89,
  0.93 1.925, 0.955 1.6, 1.015 1.606, 0.995 1.93, 1.34 1.915, 1.37 1.79, 1.62 1.8, 1.66 1.68,
  1.72 1.69, 1.73 1.84, 1.9 1.86, 2.04 1.87, 2.46 1.83, 2.56 1.9, 2.52 2.1, 2.2 2.24, 1.4 2.3,
  0.7 2.32`),
);

const WEST_MOLE: readonly Place[] = places(
  '0.02 1.95, -0.02 1.62, 0.14 1.32, 0.46 1.19, 0.72 1.21, 0.9 1.32',
);
const EAST_MOLE: readonly Place[] = places('1.95 1.88, 1.92 1.6, 1.8 1.36, 1.6 1.24, 1.38 1.25');
const MARINA_MOLE: readonly Place[] = places(
  '2.52 1.92, 2.55 1.62, 2.46 1.38, 2.3 1.26, 2.15 1.21',
);

/** The port of Wick at harbour scale. */
export const PORT_STRUCTURES: readonly Structure[] = [
  CHANNEL,
  BASIN,
  {
    label: 'dredged:3',
    ring: places(`
      1.74 1.18, 1.9 1.06, 2.04 1.1, 2.15 1.21, 2.3 1.26, 2.46 1.38, 2.55 1.62, 2.52 1.92,
      1.95 1.92, 1.92 1.6, 1.84 1.4`),
  },
  // The ends are covered by the quay.
  pontoon([2.03, 1.895], [2.045, 1.56]),
  pontoon([2.13, 1.89], [2.145, 1.5]),
  pontoon([2.23, 1.88], [2.245, 1.47]),
  pontoon([2.33, 1.87], [2.34, 1.49]),
  pontoon([2.43, 1.86], [2.425, 1.56]),
  TOWN_QUAY,
  mole(WEST_MOLE, 0.034),
  mole(EAST_MOLE, 0.03),
  mole(MARINA_MOLE, 0.024),
  mole(places('-0.78 1.75, -0.74 1.5, -0.58 1.36'), 0.018),
  { label: 'floating dock', ring: turnedBox([1.66, 1.5], 0.09, 0.17, 24) },
  { label: 'hulk', ring: turnedBox([0.22, 1.62], 0.02, 0.085, -12) },
];

/** The port at the scale of its approaches: moles are drawn wider than in reality. */
export const APPROACH_STRUCTURES: readonly Structure[] = [
  CHANNEL,
  BASIN,
  TOWN_QUAY,
  mole(WEST_MOLE, 0.06),
  mole(EAST_MOLE, 0.06),
  mole(MARINA_MOLE, 0.05),
  {
    label: 'unsurveyed',
    ring: places('-20.2 -13.8, -19.4 -10.6, -16.8 -9.7, -14.6 -10.9, -14.9 -13.2, -17.4 -14.6'),
  },
];
