// Straits and canals that the background map closes: at its scale a shore is only known to a
// kilometre, and canals are not drawn at all. The build opens a corridor along each line, and flags
// it. The planner enters a flagged corridor only if the vessel fits the limits. Charts win: ground
// that a cell covers has no corridor. Lines are schematic, longitude first.

/** Canals that `options.canals` opens. */
export const CANALS = ['suez', 'panama', 'kiel', 'corinth', 'stLawrenceSeaway'] as const;
export type Canal = (typeof CANALS)[number];

/** Largest vessel, metres. A missing limit is unknown or does not exist. */
export interface PassageLimits {
  readonly draft?: number;
  readonly airDraft?: number;
  readonly beam?: number;
  readonly length?: number;
}

export interface Passage {
  readonly name: string;
  /** `undefined`: a natural strait, always open. Its corridor never includes land. */
  readonly canal: Canal | undefined;
  readonly line: readonly (readonly [longitude: number, latitude: number])[];
  readonly limits: PassageLimits;
  readonly hasLocks: boolean;
  /** The publication of the limits. */
  readonly source: string;
}

/** Half the width of a corridor, metres: more than that of any ship, less than that of a strait. */
export const PASSAGE_HALF_WIDTH_METERS = 400;

const SEAWAY = {
  canal: 'stLawrenceSeaway',
  limits: { draft: 8.08, airDraft: 35.5, beam: 23.77, length: 225.5 },
  hasLocks: true,
  source: 'The Seaway Handbook, section 3 (vessel requirements)',
} as const;

export const PASSAGES: readonly Passage[] = [
  {
    name: 'Dardanelles',
    canal: undefined,
    line: [
      [26.02, 39.99],
      [26.17, 40.025],
      [26.28, 40.05],
      [26.335, 40.085],
      [26.385, 40.13],
      [26.39, 40.165],
      [26.372, 40.185],
      [26.385, 40.2],
      [26.46, 40.228],
      [26.52, 40.262],
      [26.62, 40.33],
      [26.67, 40.395],
      [26.73, 40.437],
      [26.85, 40.47],
      [27.1, 40.5],
    ],
    limits: {},
    hasLocks: false,
    source: 'Natural Earth 1:10 million, whose shores the line does not cross',
  },
  {
    name: 'Bosporus',
    canal: undefined,
    line: [
      [28.95, 40.95],
      [28.998, 40.995],
      [29.003, 41.03],
      [29.02, 41.041],
      [29.035, 41.052],
      [29.052, 41.072],
      [29.066, 41.1],
      [29.0705, 41.12],
      [29.078, 41.136],
      [29.055, 41.16],
      [29.082, 41.178],
      [29.105, 41.2],
      [29.14, 41.23],
      [29.17, 41.3],
    ],
    limits: { airDraft: 58 },
    hasLocks: false,
    source: 'Turkish Straits maritime traffic regulations: air draft below 58 m',
  },
  {
    name: 'Kerch Strait',
    canal: undefined,
    line: [
      [36.48, 44.95],
      [36.48, 45.1],
      [36.53, 45.2],
      [36.54, 45.28],
      [36.63, 45.31],
      [36.66, 45.38],
      [36.68, 45.44],
      [36.75, 45.55],
    ],
    limits: { airDraft: 35 },
    hasLocks: false,
    source: 'Clearance of the Crimean Bridge: 35 m',
  },
  {
    name: 'Suez Canal',
    canal: 'suez',
    line: [
      [32.38, 31.36],
      [32.31, 31.24],
      [32.31, 30.9],
      [32.34, 30.7],
      [32.3, 30.57],
      [32.35, 30.43],
      [32.4, 30.32],
      [32.53, 30.2],
      [32.57, 30.05],
      [32.557, 29.94],
      [32.55, 29.86],
    ],
    limits: { draft: 20.12, airDraft: 68, beam: 77.5 },
    hasLocks: false,
    source: 'Suez Canal Authority, Rules of Navigation: draft 66 ft, air draft 68 m, beam 254 ft',
  },
  {
    name: 'Panama Canal',
    canal: 'panama',
    line: [
      [-79.92, 9.43],
      [-79.92, 9.3],
      [-79.91, 9.23],
      [-79.83, 9.17],
      [-79.7, 9.12],
      [-79.63, 9.04],
      [-79.58, 8.98],
      [-79.55, 8.92],
      [-79.5, 8.83],
    ],
    limits: { draft: 15.24, airDraft: 57.91, beam: 51.25, length: 370.33 },
    hasLocks: true,
    source: 'Panama Canal Authority, Notice to Shipping N-1: vessel requirements, Neopanamax locks',
  },
  {
    name: 'Kiel Canal',
    canal: 'kiel',
    line: [
      [8.4, 54.0],
      [8.7, 53.985],
      [8.95, 53.93],
      [9.13, 53.885],
      [9.3, 54.06],
      [9.35, 54.17],
      [9.6, 54.28],
      [9.75, 54.34],
      [9.95, 54.37],
      [10.14, 54.366],
      [10.17, 54.38],
      [10.2, 54.435],
      [10.24, 54.5],
    ],
    limits: { draft: 9.5, airDraft: 40, beam: 32.5, length: 235 },
    hasLocks: true,
    source: 'German Waterways and Shipping Administration: Kiel Canal, maximum dimensions',
  },
  {
    name: 'Corinth Canal',
    canal: 'corinth',
    line: [
      [22.88, 37.97],
      [22.95, 37.955],
      [23.005, 37.917],
      [23.04, 37.89],
    ],
    limits: { draft: 7.3, airDraft: 52, beam: 17.6 },
    hasLocks: false,
    source: 'Corinth Canal Company: maximum dimensions',
  },
  {
    name: 'Saint Lawrence River and Seaway',
    ...SEAWAY,
    line: [
      [-70.7, 47.02],
      [-70.85, 46.93],
      [-71.12, 46.85],
      [-71.21, 46.81],
      [-71.3, 46.75],
      [-71.9, 46.63],
      [-72.55, 46.33],
      [-73.1, 46.05],
      [-73.5, 45.6],
      [-73.52, 45.42],
      [-73.9, 45.33],
      [-74.1, 45.22],
      [-74.9, 44.98],
      [-75.5, 44.7],
      [-76.0, 44.32],
      [-76.3, 44.18],
      [-76.5, 44.1],
    ],
  },
  {
    name: 'Welland Canal',
    ...SEAWAY,
    line: [
      [-79.2, 43.35],
      [-79.21, 43.2],
      [-79.2, 43.05],
      [-79.25, 42.87],
      [-79.25, 42.8],
    ],
  },
  {
    name: 'Detroit River',
    ...SEAWAY,
    line: [
      [-83.1, 41.95],
      [-83.13, 42.1],
      [-83.12, 42.25],
      [-83.05, 42.32],
      [-82.92, 42.36],
      [-82.8, 42.4],
    ],
  },
  {
    name: 'Saint Clair River',
    ...SEAWAY,
    line: [
      [-82.7, 42.48],
      [-82.55, 42.57],
      [-82.5, 42.7],
      [-82.47, 42.85],
      [-82.41, 43.0],
      [-82.38, 43.1],
    ],
  },
  {
    name: 'Saint Marys River and Soo Locks',
    ...SEAWAY,
    line: [
      [-83.9, 45.9],
      [-83.9, 46.05],
      [-84.1, 46.2],
      [-84.15, 46.34],
      [-84.25, 46.48],
      [-84.37, 46.51],
      [-84.5, 46.46],
      [-84.62, 46.46],
      [-84.8, 46.53],
    ],
  },
];
