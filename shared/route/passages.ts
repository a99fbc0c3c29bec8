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
  readonly line: readonly Position[];
  readonly limits: PassageLimits;
  readonly hasLocks: boolean;
  /** The publication of the limits. */
  readonly source: string;
}

/** Half the width of a corridor, metres: more than that of any ship, less than that of a strait. */
export const PASSAGE_HALF_WIDTH_METERS = 400;

type Position = readonly [longitude: number, latitude: number];

/** Degrees: longitude and latitude of each point. */
const lineOf = (text: string): readonly Position[] =>
  text.split(', ').map((pair) => pair.split(' ').map(Number) as [number, number]);

/** A strait whose only known limit is its width, with a line that keeps clear of both shores. */
const strait = (name: string, line: string): Passage => ({
  name,
  canal: undefined,
  line: lineOf(line),
  limits: {},
  hasLocks: false,
  source: 'Natural Earth 1:10 million: the line is as far from both shores as possible',
});

const SEAWAY = {
  canal: 'stLawrenceSeaway',
  limits: { draft: 8.08, airDraft: 35.5, beam: 23.77, length: 225.5 },
  hasLocks: true,
  source: 'The Seaway Handbook, section 3 (vessel requirements)',
} as const;

export const PASSAGES: readonly Passage[] = [
  strait(
    'Dardanelles',
    '26.02 39.99, 26.17 40.025, 26.28 40.05, 26.335 40.085, 26.385 40.13, 26.39 40.165, 26.372 40.185, 26.385 40.2, 26.46 40.228, 26.52 40.262, 26.62 40.33, 26.67 40.395, 26.73 40.437, 26.85 40.47, 27.1 40.5, 27.544 40.697, 28.85 40.88',
  ),
  strait('Strait of Messina', '15.72 38.42, 15.658 38.259, 15.605 38.22, 15.55 37.751'),
  strait(
    'Strait of Rion',
    '20.949 38.22, 21.682 38.302, 21.776 38.318, 21.857 38.358, 22.076 38.334, 22.3 38.28, 22.7 38.1',
  ),
  strait('Øresund', '12.45 56.318, 12.439 56.178, 12.659 56.04, 12.75 55.2'),
  strait('Kalmar Strait', '16.599 57.3, 16.601 56.955, 16.226 56.28, 16.15 56.1'),
  strait(
    'Yugorsky Strait',
    '59.701 69.45, 60.187 69.671, 60.533 69.715, 60.742 69.884, 61.2 69.95',
  ),
  strait('Saronic Gulf', '23.25 37.85, 23.606 37.793, 23.75 37.5'),
  strait('Gulf of Suez', '32.56 29.74, 32.68 29.424, 33.196 28.543, 33.266 28.46, 34.1 27.55'),
  strait('Strait of Tiran', '34.35 27.699, 34.594 28.277, 34.62 28.3'),
  strait(
    'Kanmon Strait',
    '130.62 34.08, 130.875 33.928, 130.909 33.905, 130.924 33.911, 130.935 33.923, 130.945 33.946, 130.991 33.975, 131.048 33.979, 131.217 33.9, 131.25 33.9',
  ),
  strait(
    'Inland Sea of Japan',
    '131.25 33.9, 132.265 33.726, 132.707 33.991, 132.935 34.169, 133.084 34.214, 133.787 34.355, 133.996 34.47, 134.086 34.539, 134.852 34.616, 135.017 34.62, 135.055 34.58, 135.001 34.449',
  ),
  strait('Verde Island Passage', '120.2 13.851, 121.75 13.249'),
  strait(
    'Surabaya Strait',
    '112.75 -6.75, 112.674 -7.077, 112.721 -7.181, 112.822 -7.194, 113 -7.351',
  ),
  strait(
    'Bali Strait',
    '114.55 -8.95, 114.659 -8.683, 114.43 -8.16, 114.44 -8.088, 114.471 -7.963, 114.5 -7.95',
  ),
  strait('Alas Strait', '116.7 -9.251, 116.743 -8.544, 116.8 -8.15'),
  strait(
    'Gulf of Venezuela to Lake Maracaibo',
    '-71.3 11.7, -71.608 10.784, -71.558 10.714, -71.6 10.3',
  ),
  strait(
    'Discovery Passage and Johnstone Strait',
    '-124.75 49.75, -125.094 50.081, -125.069 50.148, -125.023 50.211, -125.08 50.303, -125.111 50.332, -125.161 50.406, -125.21 50.415, -125.368 50.476, -125.446 50.451, -125.615 50.447, -125.671 50.429, -125.71 50.424, -125.766 50.467, -125.805 50.487, -126.038 50.454, -126.196 50.483, -126.404 50.505, -126.615 50.517, -126.682 50.548, -126.981 50.743, -127.75 51',
  ),
  strait(
    'Strait of Magellan',
    '-68.1 -52.451, -69.487 -52.44, -69.627 -52.514, -69.753 -52.604, -70.468 -52.752, -70.992 -53.837, -71.376 -53.918, -72.254 -53.659, -72.468 -53.556, -72.556 -53.554, -72.984 -53.374, -73.276 -53.217, -73.685 -52.979, -75.098 -52.55',
  ),
  strait(
    'Chacao Channel',
    '-74.15 -41.82, -74.009 -41.743, -73.57 -41.79, -73.491 -41.824, -73.146 -41.79, -73.1 -41.75, -73.06 -41.7, -73.015 -41.722',
  ),
  {
    name: 'Bosporus',
    canal: undefined,
    line: lineOf(
      '28.95 40.95, 28.998 40.995, 29.003 41.03, 29.02 41.041, 29.035 41.052, 29.052 41.072, 29.066 41.1, 29.0705 41.12, 29.078 41.136, 29.055 41.16, 29.082 41.178, 29.105 41.2, 29.14 41.23, 29.17 41.3',
    ),
    limits: { airDraft: 58 },
    hasLocks: false,
    source: 'Turkish Straits maritime traffic regulations: air draft below 58 m',
  },
  {
    name: 'Kerch Strait',
    canal: undefined,
    line: lineOf(
      '36.48 44.95, 36.48 45.1, 36.53 45.2, 36.54 45.28, 36.63 45.31, 36.66 45.38, 36.68 45.44, 36.75 45.55',
    ),
    limits: { airDraft: 35 },
    hasLocks: false,
    source: 'Clearance of the Crimean Bridge: 35 m',
  },
  {
    name: 'Suez Canal',
    canal: 'suez',
    line: lineOf(
      '32.38 31.36, 32.31 31.24, 32.31 30.9, 32.34 30.7, 32.3 30.57, 32.35 30.43, 32.4 30.32, 32.53 30.2, 32.57 30.05, 32.557 29.94, 32.55 29.86, 32.542 29.8',
    ),
    limits: { draft: 20.12, airDraft: 68, beam: 77.5, length: 400 },
    hasLocks: false,
    source: 'Suez Canal Authority, Rules of Navigation 2020, articles 52 and 53',
  },
  {
    name: 'Panama Canal',
    canal: 'panama',
    line: lineOf(
      '-79.92 9.43, -79.92 9.3, -79.91 9.23, -79.83 9.17, -79.7 9.12, -79.63 9.04, -79.58 8.98, -79.55 8.92, -79.5 8.83',
    ),
    limits: { draft: 15.24, airDraft: 57.91, beam: 51.25, length: 370.33 },
    hasLocks: true,
    source: 'Panama Canal Authority, Notice to Shipping N-1: vessel requirements, Neopanamax locks',
  },
  {
    name: 'Kiel Canal',
    canal: 'kiel',
    line: lineOf(
      '8.4 54.0, 8.7 53.985, 8.95 53.93, 9.13 53.885, 9.3 54.06, 9.35 54.17, 9.6 54.28, 9.75 54.34, 9.95 54.37, 10.14 54.366, 10.17 54.38, 10.2 54.435, 10.24 54.5',
    ),
    limits: { draft: 9.5, airDraft: 40, beam: 32.5, length: 235 },
    hasLocks: true,
    source: 'German Waterways and Shipping Administration: Kiel Canal, maximum dimensions',
  },
  {
    name: 'Corinth Canal',
    canal: 'corinth',
    line: lineOf(
      '22.786 38.048, 22.88 37.97, 22.95 37.955, 23.005 37.917, 23.04 37.89, 23.181 37.875',
    ),
    limits: { draft: 7.3, airDraft: 52, beam: 17.6 },
    hasLocks: false,
    source: 'Corinth Canal Company: maximum dimensions',
  },
  {
    name: 'Saint Lawrence River and Seaway',
    ...SEAWAY,
    line: lineOf(
      '-70.7 47.02, -70.85 46.93, -71.12 46.85, -71.21 46.81, -71.3 46.75, -71.9 46.63, -72.55 46.33, -73.1 46.05, -73.5 45.6, -73.52 45.42, -73.9 45.33, -74.1 45.22, -74.9 44.98, -75.5 44.7, -76.0 44.32, -76.3 44.18, -76.5 44.1',
    ),
  },
  {
    name: 'Welland Canal',
    ...SEAWAY,
    line: lineOf('-79.2 43.35, -79.21 43.2, -79.2 43.05, -79.25 42.87, -79.25 42.8'),
  },
  {
    name: 'Detroit River',
    ...SEAWAY,
    line: lineOf('-83.1 41.95, -83.13 42.1, -83.12 42.25, -83.05 42.32, -82.92 42.36, -82.8 42.4'),
  },
  {
    name: 'Saint Clair River',
    ...SEAWAY,
    line: lineOf('-82.7 42.48, -82.55 42.57, -82.5 42.7, -82.47 42.85, -82.41 43.0, -82.38 43.1'),
  },
  {
    name: 'Saint Marys River and Soo Locks',
    ...SEAWAY,
    line: lineOf(
      '-83.9 45.9, -83.9 46.05, -84.1 46.2, -84.15 46.34, -84.25 46.48, -84.37 46.51, -84.5 46.46, -84.62 46.46, -84.8 46.53',
    ),
  },
];
