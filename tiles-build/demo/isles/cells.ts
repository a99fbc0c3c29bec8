// The cells of the Lantern Isles: one each of bands 1 to 4, and two adjacent ones of band 5 in the
// port.

import { ORIGIN } from '../terrain/sea-bed.ts';
import { APPROACH_STRUCTURES, PORT_STRUCTURES, type Structure } from './ground.ts';

export interface DemoCell {
  readonly name: string;
  readonly title: string;
  readonly usageBand: 1 | 2 | 3 | 4 | 5;
  readonly scaleDenominator: number;
  /** Degrees from the origin. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** Degrees between the lines of the grid. */
  readonly step: number;
  /** Depth contours, metres, deepest first; the last may be 0, the line of chart datum. */
  readonly contours: readonly number[];
  /** Elevations of the land contours, metres. */
  readonly relief: readonly number[];
  /**
   * Factor for the distance of soundings on paper, relative to the usual distance at a harbour's
   * scale.
   */
  readonly soundingSpace: number;
  readonly structures: readonly Structure[];
  /** Number of updates of the cell. */
  readonly updates: number;
}

/** Agency codes from 65 000 on are unassigned: S-57 Appendix A, producing agencies. */
export const AGENCY = 65_534;

const HARBOUR_CONTOURS = [50, 30, 20, 15, 10, 5, 2, 0] as const;

export const DEMO_CELLS: readonly DemoCell[] = [
  {
    name: 'ZL1LAMPS',
    title: 'Sea of Lamps',
    usageBand: 1,
    scaleDenominator: 3_000_000,
    west: -10,
    south: -8,
    east: 10,
    north: 8,
    step: 0.08,
    contours: [3000, 2000, 1000, 200, 50],
    relief: [],
    soundingSpace: 1.9,
    structures: [],
    updates: 0,
  },
  {
    name: 'ZL2LAMPS',
    title: 'Approaches to the Lantern Isles',
    usageBand: 2,
    scaleDenominator: 1_000_000,
    west: -3,
    south: -2,
    east: 3,
    north: 2,
    step: 0.02,
    contours: [2000, 1000, 500, 200, 100, 50, 20],
    relief: [],
    soundingSpace: 0.8,
    structures: [],
    updates: 0,
  },
  {
    name: 'ZL3ISLES',
    title: 'Lantern Isles',
    usageBand: 3,
    scaleDenominator: 250_000,
    west: -1,
    south: -0.8,
    east: 1,
    north: 0.6,
    step: 0.005,
    contours: [1000, 500, 200, 100, 50, 20, 10, 5, 0],
    relief: [100, 200, 300],
    soundingSpace: 0.8,
    structures: [],
    updates: 1,
  },
  {
    name: 'ZL4WICKB',
    title: 'Wick Bay and Spill Bank',
    usageBand: 4,
    scaleDenominator: 80_000,
    west: -0.25,
    south: -0.2,
    east: 0.25,
    north: 0.15,
    step: 0.00125,
    contours: [100, ...HARBOUR_CONTOURS],
    relief: [50, 100, 150, 200, 250, 300],
    soundingSpace: 0.9,
    structures: APPROACH_STRUCTURES,
    updates: 0,
  },
  {
    name: 'ZL5WICKW',
    title: 'Port of Wick, western part',
    usageBand: 5,
    scaleDenominator: 12_000,
    west: -0.1,
    south: -0.06,
    east: 0,
    north: 0.03,
    step: 0.00025,
    contours: HARBOUR_CONTOURS,
    relief: [20, 40, 60, 80, 100, 120, 140],
    soundingSpace: 1,
    structures: PORT_STRUCTURES,
    updates: 0,
  },
  {
    name: 'ZL5WICKE',
    title: 'Port of Wick, eastern part',
    usageBand: 5,
    scaleDenominator: 12_000,
    west: 0,
    south: -0.06,
    east: 0.1,
    north: 0.03,
    step: 0.00025,
    contours: HARBOUR_CONTOURS,
    relief: [20, 40, 60, 80, 100, 120, 140],
    soundingSpace: 1,
    structures: PORT_STRUCTURES,
    updates: 2,
  },
];

/** Units of 1e-7 degrees per metre, approximately; for longitude and latitude alike. */
const UNITS_PER_METER = 95;

/** 1e-7 degrees per millimetre on paper at the scale of a cell. */
export const paperMillimeter = ({ scaleDenominator }: DemoCell): number =>
  (scaleDenominator / 1000) * UNITS_PER_METER;

/** Width and height of a cell in degrees. */
export function boxOf(cell: DemoCell): {
  south: number;
  west: number;
  north: number;
  east: number;
} {
  return {
    south: ORIGIN.latitude + cell.south,
    west: ORIGIN.longitude + cell.west,
    north: ORIGIN.latitude + cell.north,
    east: ORIGIN.longitude + cell.east,
  };
}
