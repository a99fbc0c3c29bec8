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
  /** Least depth of the water, for the draft and the clearance under the keel. */
  readonly depth?: number;
  readonly airDraft?: number;
  /** Charted height of a bridge, for the air draft and the clearance above it. */
  readonly clearance?: number;
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

/** A strait with a line that is as far from the shores of Natural Earth 1:10 million as possible. */
const strait = (
  name: string,
  line: string,
  limits: PassageLimits = {},
  source = 'Natural Earth 1:10 million',
): Passage => ({ name, canal: undefined, line: lineOf(line), limits, hasLocks: false, source });

const SEAWAY = {
  canal: 'stLawrenceSeaway',
  limits: { draft: 8.08, airDraft: 35.5, beam: 23.77, length: 225.5 },
  hasLocks: true,
  source: 'The Seaway Handbook, section 3 (vessel requirements)',
} as const;

/**
 * Shoals that close water which the background shows open: chains of sandbanks and islets.
 * Adam's Bridge is at most about 1.5 m deep (Great Soviet Encyclopedia, Adamov Most).
 */
export const SHOALS: readonly (readonly Position[])[] = [
  lineOf('79.44 9.16, 79.58 9.11, 79.72 9.1'),
  lineOf('79.9 8.985, 79.925 8.935'),
];

export const PASSAGES: readonly Passage[] = [
  strait(
    'Dardanelles',
    '26.02 39.99, 26.17 40.025, 26.28 40.05, 26.335 40.085, 26.385 40.13, 26.39 40.165, 26.372 40.185, 26.385 40.2, 26.46 40.228, 26.52 40.262, 26.62 40.33, 26.67 40.395, 26.73 40.437, 26.85 40.47, 27.1 40.5, 27.544 40.697, 28.85 40.88',
    { clearance: 70 },
    'Wikipedia, 1915 Çanakkale Bridge: clearance 70 m',
  ),
  strait('Strait of Messina', '15.72 38.42, 15.658 38.259, 15.605 38.22, 15.55 37.751'),
  strait(
    'Strait of Rion',
    '20.949 38.22, 21.682 38.302, 21.776 38.318, 21.857 38.358, 22.076 38.334, 22.3 38.28, 22.7 38.1',
    { clearance: 52 },
    'Wikipedia, Rio–Antirrio Bridge: clearance 52 m',
  ),
  strait('Øresund', '12.45 56.318, 12.439 56.178, 12.659 56.04, 12.75 55.2'),
  strait(
    'Kalmar Strait',
    '16.599 57.3, 16.601 56.955, 16.226 56.28, 16.15 56.1',
    { clearance: 36 },
    'kalmar.com, Öland bridge: clearance 36 m',
  ),
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
    { clearance: 61 },
    'Wikipedia, Kanmon Bridge: clearance 61 m',
  ),
  strait(
    'Inland Sea of Japan',
    '131.25 33.9, 132.265 33.726, 132.707 33.991, 132.935 34.169, 133.084 34.214, 133.787 34.355, 133.996 34.47, 134.086 34.539, 134.852 34.616, 135.017 34.62, 135.055 34.58, 135.001 34.449',
    { clearance: 65 },
    'Wikipedia, Kurushima Kaikyō Bridge, Great Seto Bridge, Akashi Kaikyō Bridge: clearance 65 m',
  ),
  strait('Verde Island Passage', '120.2 13.851, 121.75 13.249'),
  strait(
    'Surabaya Strait',
    '112.75 -6.75, 112.674 -7.077, 112.721 -7.181, 112.822 -7.194, 113 -7.351',
    { clearance: 35 },
    'Wikipedia, Suramadu Bridge: clearance 35 m',
  ),
  strait(
    'Bali Strait',
    '114.55 -8.95, 114.659 -8.683, 114.43 -8.16, 114.44 -8.088, 114.471 -7.963, 114.5 -7.95',
  ),
  strait('Alas Strait', '116.7 -9.251, 116.743 -8.544, 116.8 -8.15'),
  strait(
    'Gulf of Venezuela to Lake Maracaibo',
    '-71.3 11.7, -71.608 10.784, -71.558 10.714, -71.6 10.3',
    { clearance: 45 },
    'joya.life, The bridge over the lake: General Rafael Urdaneta Bridge, height 45 m',
  ),
  strait(
    'Discovery Passage and Johnstone Strait',
    '-124.75 49.75, -125.14 49.96, -125.2 49.999, -125.215 50.033, -125.262 50.088, -125.336 50.143, -125.375 50.2, -125.41 50.3, -125.449 50.341, -125.519 50.358, -125.581 50.38, -125.699 50.372, -125.7 50.372, -125.768 50.374, -125.832 50.399, -125.959 50.413, -126.115 50.473, -126.643 50.526, -126.985 50.743, -127.75 51',
  ),
  strait(
    'Strait of Magellan',
    '-68.1 -52.451, -69.487 -52.44, -69.627 -52.514, -69.753 -52.604, -70.468 -52.752, -70.992 -53.837, -71.376 -53.918, -72.254 -53.659, -72.468 -53.556, -72.556 -53.554, -72.984 -53.374, -73.276 -53.217, -73.685 -52.979, -75.098 -52.55',
  ),
  strait(
    'Beagle Channel',
    '-66.3 -55.2, -67.032 -54.95, -67.342 -54.909, -68.301 -54.88, -69.075 -54.968, -69.249 -54.92, -69.623 -54.848, -69.874 -54.853, -69.9 -54.88, -69.995 -54.902, -70.35 -55.211, -70.9 -55.3',
  ),
  strait(
    'Chacao Channel',
    '-74.15 -41.82, -74.009 -41.743, -73.57 -41.79, -73.491 -41.824, -73.146 -41.79, -73.1 -41.75, -73.06 -41.7, -73.015 -41.722',
  ),
  strait(
    'Bosporus',
    '28.95 40.95, 28.998 40.995, 29.003 41.03, 29.02 41.041, 29.035 41.052, 29.052 41.072, 29.066 41.1, 29.0705 41.12, 29.078 41.136, 29.055 41.16, 29.082 41.178, 29.105 41.2, 29.14 41.23, 29.17 41.3',
    { airDraft: 58 },
    'Turkish Straits maritime traffic regulations: air draft below 58 m',
  ),
  strait(
    'Kerch Strait',
    '36.48 44.95, 36.48 45.1, 36.53 45.2, 36.54 45.28, 36.63 45.31, 36.66 45.38, 36.68 45.44, 36.75 45.55',
    { clearance: 35 },
    'Clearance of the Crimean Bridge: 35 m',
  ),
  strait(
    'Little Belt',
    '10.3 55.85, 9.701 55.525, 9.652 55.506, 9.668 55.487, 9.684 55.469, 9.86 55.14, 10.117 54.91, 10.113 54.8',
    { clearance: 33 },
    'bestbridge.net, Little Belt Bridge: clearance 33 m',
  ),
  strait(
    'Euripus Strait',
    '23.6 39.05, 23.199 39.059, 22.828 38.858, 22.829 38.813, 23.25 38.72, 23.604 38.498, 23.603 38.472, 23.59 38.463, 23.591 38.452, 23.613 38.439, 23.648 38.399, 23.75 38.35, 23.872 38.356, 24.093 38.222, 24.246 38, 24.5 37.8',
    { draft: 6.4, clearance: 34.5 },
    'slideum.com, Chalkis: largest draft 6.4 m; allovergreece.com, high bridge of Euripus: clearance 34.5 m',
  ),
  strait(
    'Tjeldsund',
    '15.3 68.15, 16.034 68.391, 16.155 68.513, 16.238 68.537, 16.363 68.547, 16.481 68.539, 16.537 68.557, 16.537 68.61, 17.2 69',
    { clearance: 41 },
    'The Free Dictionary, Tjeldsund Bridge: clearance 41 m',
  ),
  strait('Ofotfjord', '15.3 68.15, 16.3 68.389, 16.648 68.421, 17.117 68.407'),
  strait(
    'Matochkin Strait',
    '53.4 73.3, 54.031 73.324, 54.278 73.316, 54.542 73.391, 54.686 73.401, 54.777 73.422, 54.89 73.436, 54.993 73.431, 55.432 73.329, 55.797 73.331, 55.925 73.296, 56.764 73.218, 57.5 73.536, 57.5 73.55',
    { depth: 12 },
    'Great Soviet Encyclopedia, Matochkin Shar: depth about 12 m',
  ),
  strait(
    'Shokalsky Strait',
    '99 77.9, 100.053 78.67, 100.263 78.709, 100.754 79.209, 101.501 79.351, 102.002 79.464, 102.941 79.423, 103.5 79.3',
  ),
  strait('Bellot Strait', '-96.3 71.95, -95.121 71.963, -94.52 72.009, -93.896 71.952, -93 72'),
  strait(
    'Simpson Strait',
    '-98.6 68.45, -97.901 68.578, -96.598 68.414, -95.2 68.5',
    { depth: 6.4 },
    'thenorthwestpassage.info, route 4: depth 6.4 m',
  ),
  strait('Prince of Wales Strait', '-113.5 73.6, -117.602 72.906, -118.933 72.365, -120.5 71.2'),
  {
    ...strait(
      'Strait of Canso',
      '-61.7 45.9, -61.392 45.629, -61.333 45.558, -61.086 45.441, -60.9 45.3',
      { draft: 8.5, beam: 23.8, length: 225.6 },
      'Strait Area Museum, Canso Canal lock: draft 8.5 m; wikimili.com, Canso Canal: beam and length',
    ),
    hasLocks: true,
  },
  strait(
    'Haro Strait and Boundary Pass',
    '-123.1 48.25, -123.211 48.613, -123.2 48.62, -123.099 48.72, -123.012 48.786, -123.116 48.872, -123.6 49.1',
  ),
  strait(
    'Isanotski Strait',
    '-163 54.5, -163.038 54.748, -163.199 54.807, -163.354 54.801, -163.377 54.822, -163.402 54.862, -163.439 55.087, -163.7 55.3',
    { depth: 3.6 },
    'alaskaendeavour.org, Into the Bering Sea: 12 feet at low tide',
  ),
  strait(
    'Naruto Strait',
    '134.9 34, 134.525 34.383, 134.5 34.45',
    { clearance: 41 },
    'Wikipedia, Ōnaruto Bridge: clearance 41 m',
  ),
  strait('Icy Strait', '-137.2 58.1, -136.251 58.252, -136.054 58.24, -135.751 58.304, -135 58.15'),
  strait('Nemuro Strait', '145.1 44.4, 145.381 44.356, 145.424 44.175, 145.379 43.724, 146.1 43.2'),
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
