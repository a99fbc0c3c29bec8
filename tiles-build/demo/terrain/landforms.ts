// The Lantern Isles before noise is added: hills, banks, rivers and rocks, as tables. Kilometres
// east and north of the isles' origin, metres above chart datum.

/** A rounded rise; a hollow if negative. */
export interface Mound {
  readonly east: number;
  readonly north: number;
  /** Metres. */
  readonly height: number;
  /** Kilometres from the centre to where 1/e of the height remains. */
  readonly width: number;
  readonly length: number;
}

const mound = (
  east: number,
  north: number,
  height: number,
  width: number,
  length = width,
): Mound => ({ east, north, height, width, length });

export const MOUNDS: readonly Mound[] = [
  // Great Lantern: a long hill with two arms around Wick Bay.
  mound(0, 10.5, 330, 9.5, 4.2),
  mound(-9, 7.5, 150, 4.5, 4),
  mound(8.5, 8, 140, 5, 4.2),
  mound(-8.3, 0.6, 118, 1.9, 4.4),
  mound(8.7, 1.7, 122, 2, 4.4),
  mound(-2.8, 3.4, 56, 2.4, 1.7),
  mound(4.9, 3.2, 66, 2.2, 1.8),
  mound(1, 3.9, 40, 2.6, 1.6),
  // Points within the bay.
  mound(5.5, 0.3, 44, 0.55, 1),
  mound(-2.9, 1.2, 22, 0.6, 0.8),
  mound(6.9, -1.3, 40, 0.8, 0.6),
  mound(-6.6, -2.2, 46, 0.9, 0.6),
  // Bays of the other coasts.
  mound(-5.5, 15.5, -170, 1.7, 2.6),
  mound(1.5, 16, -120, 1.1, 2.2),
  mound(7, 15.2, -190, 1.4, 3.2),
  mound(13.5, 10.5, -150, 2.6, 1.1),
  mound(12, 4.6, -110, 2.2, 0.8),
  mound(-13.5, 4.2, -130, 2.6, 1),
  mound(-13, 10.6, -120, 1.6, 1),
  mound(-46, 13, -260, 3.4, 1.5),
  mound(-59, 15, -240, 3, 1.2),
  mound(-58, 7, -200, 2.4, 1.4),
  mound(-50, 20.5, -230, 1.2, 2.6),
  mound(45, -30.5, -230, 1.5, 2.6),
  mound(51.5, -37, -220, 2.4, 1.4),
  mound(43, -35, -170, 2.2, 0.9),
  // The floor of the bay, and the approach.
  mound(0.2, -0.4, 30, 5.5, 3),
  // The bar of Candlewater.
  mound(-5.1, -0.5, 15, 1.2, 1.1),
  // Islets and shoals.
  mound(-1.9, -3.2, 50, 0.46, 0.7),
  mound(-2.35, -4.5, 42, 0.4, 0.4),
  mound(2.6, -4.1, 38, 0.9, 0.5),
  mound(5.6, -4.9, 32, 1.1, 0.6),
  mound(-4.9, -4.9, 60, 0.5, 1),
  mound(12.5, -7.5, 92, 1.5, 2.2),
  mound(14.4, -9.8, 58, 0.9, 1.1),
  mound(-15, -5, 74, 3, 1.5),
  mound(-18.6, -3.6, 84, 0.9, 0.7),
  mound(2, -14.5, 36, 5, 1.8),
  // Northern isles, in the lee of Great Lantern.
  mound(-14, 21, 120, 3.5, 2),
  mound(-6, 24, 95, 2.2, 1.3),
  mound(17, 22, 150, 4, 2.6),
  mound(25, 17, 90, 1.8, 2.4),
  // Little Lantern and Taper to the west, Snuffer to the south-east, and the banks beyond.
  mound(-52, 14, 330, 6, 9),
  mound(-57, 25, 210, 4, 5),
  mound(-49, 2, 230, 2.5, 3.5),
  mound(-44, 24, 190, 3, 2),
  mound(-36, 18, 130, 1.6, 1.2),
  mound(48, -34, 300, 7, 4.5),
  mound(57, -30, 220, 3, 3),
  mound(39, -40, 170, 3, 2),
  mound(-30, -52, 170, 9, 6),
  mound(40, 40, 110, 12, 7),
  mound(140, 90, 2100, 22, 14),
  mound(165, 104, 1900, 12, 16),
  mound(-260, -120, 3650, 40, 30),
  mound(-310, 60, 2600, 60, 40),
  mound(420, -300, 3300, 70, 50),
];

/** A point on the axis of a river, with half the width at high water, kilometres. */
export type RiverPoint = readonly [east: number, north: number, halfWidth: number];

/** A river or an estuary, from the sea inland. */
export interface River {
  readonly path: readonly RiverPoint[];
  /** Depth of the channel below chart datum at the mouth and at the head, metres. */
  readonly depths: readonly [mouth: number, head: number];
  /** Number of times the channel swings from one bank to the other and back. */
  readonly swings: number;
}

/** Candlewater: the estuary west of Wick. Its buoys and its power line follow this path. */
export const CANDLEWATER: River = {
  path: [
    [-4.1, -1.6, 0.5],
    [-4.6, -0.8, 0.62],
    [-5.05, 0, 0.66],
    [-5.25, 0.75, 0.5],
    [-5.05, 1.35, 0.42],
    [-4.95, 1.95, 0.66],
    [-5.2, 2.55, 0.78],
    [-5.7, 3.1, 0.55],
    [-5.7, 3.7, 0.34],
    [-5.1, 4.2, 0.24],
    [-4.9, 4.9, 0.13],
    [-4.2, 5.6, 0.06],
  ],
  depths: [4.8, 0.2],
  swings: 2.6,
};

/** The Gut: a creek east of the marina, under Mouth Bridge. */
const GUT: River = {
  path: [
    [2.98, 0.75, 0.16],
    [2.96, 1.4, 0.13],
    [3.12, 1.9, 0.12],
    [2.95, 2.4, 0.1],
    [3.3, 2.9, 0.07],
    [3.2, 3.6, 0.03],
  ],
  depths: [1.8, -0.6],
  swings: 1.5,
};

export const RIVERS: readonly River[] = [CANDLEWATER, GUT];

/** Low ground that rivers deposit at the sea, and sand that storms deposit. */
export const FLATS: readonly Mound[] = [
  mound(-5.6, 0.35, 9.5, 0.85, 1.15),
  mound(-4.5, 0.45, 9, 0.75, 0.95),
  mound(3.1, 0.95, 4, 0.9, 0.5),
  mound(-3.6, 1.2, 4, 1.4, 0.5),
];

/** Areas in which rocks rise from the sea bed. */
export interface Skerries {
  readonly east: number;
  readonly north: number;
  readonly width: number;
  readonly length: number;
  /** Height of the highest rock above the surrounding ground, metres. */
  readonly height: number;
}

export const SKERRIES: readonly Skerries[] = [
  // The Sparks, off West Arm.
  { east: -8.6, north: -4.6, width: 1.5, length: 1.2, height: 26 },
  // The Snuffs, off Lantern Head.
  { east: 8.9, north: -3.6, width: 1.1, length: 1.5, height: 26 },
  // Tinder and its rocks.
  { east: -2.1, north: -3.9, width: 0.9, length: 1.3, height: 24 },
  { east: -4.9, north: -5.2, width: 0.9, length: 1.2, height: 20 },
  // West Ledge, near the port.
  { east: -1, north: 1.1, width: 0.7, length: 0.45, height: 7 },
  { east: 13.2, north: -8.6, width: 2.6, length: 3, height: 40 },
  { east: -17, north: -4.4, width: 3.6, length: 2, height: 40 },
  { east: -10, north: 23, width: 7, length: 4, height: 60 },
  { east: 21, north: 20, width: 7, length: 5, height: 60 },
  { east: -42, north: 16, width: 9, length: 9, height: 90 },
  { east: 50, north: -36, width: 13, length: 8, height: 90 },
];
