// Passages between ports of all oceans over the background alone, where water without depths is
// allowed: all are found, in so many steps, and JSTS finds none of them on land.

import { expect, inject, test } from 'vitest';
import { type Canal, PASSAGES } from '../../../shared/route/passages.ts';
import { pointOf } from '../../../shared/route/plan/geometry/plane.ts';
import { searchContext } from '../../../shared/route/plan/search/find-path.ts';
import { areOnTwoOceans } from '../../../shared/route/plan/search/land-bridges.ts';
import type { Sea, SeaSquare } from '../../../shared/route/sea.ts';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import { fullSquare } from '../../support/full-square.ts';
import { isLong } from '../../support/long-run.ts';
import { LandJudge } from '../../support/route/land-judge.ts';
import { PORTS } from '../../support/route/ports.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import { openSeaFile, type SeaFile } from '../../support/sea-file.ts';

/**
 * Ports on two sides of a continent, and the steps it took while the search tried the land between, or
 * at which it gave up.
 */
const AROUND_CONTINENTS = [
  { from: 'Colon', to: 'Balboa', before: 400_000 },
  { from: 'Rotterdam', to: 'Singapore', before: 214_748 },
  ...(isLong
    ? [
        { from: 'Balboa', to: 'Colon', before: 400_000 },
        { from: 'Port Said', to: 'Suez', before: 164_280 },
        { from: 'New York', to: 'Shanghai', before: 244_873 },
      ]
    : []),
];
const passage = (from: Position, to: Position, canals: readonly Canal[] = []): Trip =>
  tripOf([from, to], {
    vessel: { draft: 2, airDraft: 15 },
    safety: { lateralClearance: 10, allowUnknownDepth: true },
    options: { maxSnapDistance: 50_000, canals: new Set(canals) },
  });

/** Places in publications that are not in `PORTS`. */
const PLACES: Readonly<Record<string, Position>> = {
  ...PORTS,
  Brito: [-86, 11.3],
  Calcutta: [88.1, 21.5],
  Galle: [80.2, 6],
  Labuan: [115.2, 5.2],
  Levuka: [178.9, -17.7],
  Liverpool: [-3.3, 53.45],
  London: [0.95, 51.52],
  Malacca: [102.2, 2.15],
};

const JOHNSON =
  'E. R. Johnson, report on Panama Canal traffic and tolls, in: Bishop, Panama Past and Present, 1913, page 237';
const HYDROGRAPHIC = 'U.S. Hydrographic Office, in: Merry, The Nicaragua Canal, distances';
const HANSARD = 'House of Commons, 3 June 1907, volume 175, columns 279-80';
const NORWOOD = 'C. M. Norwood, Great Britain and the Suez Canal, page 12';
const WISE = 'H. Wise, 1843, in: Davidson, Trade and Travel in the Far East, appendix I';
const SEAPACE = 'Seapace, Influences of the Suez Canal on world trade';
const STUDYBOARD = 'Studyboard, What is the Suez Canal, March 2021';

/**
 * Nautical miles between ports, from publications that can be read. The places lie in the water
 * before the ports. NGA Pub. 151 has more, but no text of its tables was available. Published
 * figures that differ by more than 3 %, and the cause:
 *
 * - New Orleans to Colon, 1,395 (Johnson): from the city, 100 miles up the river.
 * - London to Bombay and Madras around Africa, 10,595 and 10,830 (Norwood): 3 and 6 % shorter than
 *   the shortest path at sea, while his figures for Calcutta and Singapore agree.
 * - Northern Sea Route, Murmansk to Yokohama 5,770 (Valdai Club), Shanghai to Rotterdam 8,046
 *   (crewing.odessa.ua): along the coast; the shortest path without ice is 7 to 9 % shorter.
 * - Port Colborne to Port Huron, 307 statute miles, and on to Old Mackinac Point, 247 (Green's Great
 *   Lakes and Seaway Directory): along the courses for each direction, 3 to 4 % longer.
 * - Brisbane to Sydney, 471 (Hawke's Bay Tribune, 1929): from the river of Brisbane.
 * - Malacca to Penang, 222 (Wise): by a channel of 1843 that is closer to the shore.
 */
const PUBLISHED: readonly (readonly [
  from: string,
  to: string,
  miles: number,
  canals: readonly Canal[],
  source: string,
])[] = [
  ['New York', 'Colon', 1974, [], JOHNSON],
  ['New York', 'San Francisco', 5262, ['panama'], JOHNSON],
  ['New York', 'San Francisco', 13_135, [], `${JOHNSON}: via Magellan`],
  ['San Francisco', 'Yokohama', 4536, [], HYDROGRAPHIC],
  ['San Francisco', 'Hong Kong', 6060, [], HYDROGRAPHIC],
  ['Honolulu', 'Yokohama', 3400, [], HYDROGRAPHIC],
  ['Honolulu', 'Hong Kong', 4917, [], HYDROGRAPHIC],
  ['Brito', 'San Francisco', 2700, [], HYDROGRAPHIC],
  ['Brito', 'Honolulu', 4210, [], HYDROGRAPHIC],
  ['Brito', 'Yokohama', 7145, [], HYDROGRAPHIC],
  ['Brito', 'Hong Kong', 8740, [], HYDROGRAPHIC],
  ['Liverpool', 'Halifax', 2438, [], HANSARD],
  ['Liverpool', 'New York', 2978, [], HANSARD],
  ['Liverpool', 'Montreal', 2765, ['stLawrenceSeaway'], `${HANSARD}: via Belle Isle`],
  ['Vancouver', 'Auckland', 6177, [], HANSARD],
  ['San Francisco', 'Auckland', 5675, [], HANSARD],
  [
    'San Francisco',
    'Honolulu',
    2083,
    [],
    'G. A. Woods, in: Appendix to the Journals of the House of Representatives, 1870, E. No. 4a',
  ],
  ['London', 'Mumbai', 6330, ['suez'], NORWOOD],
  ['London', 'Chennai', 7330, ['suez'], NORWOOD],
  ['London', 'Calcutta', 7950, ['suez'], NORWOOD],
  ['London', 'Singapore', 8345, ['suez'], NORWOOD],
  ['London', 'Calcutta', 11_450, [], `${NORWOOD}: via the Cape`],
  ['London', 'Singapore', 11_670, [], `${NORWOOD}: via the Cape`],
  ['Hong Kong', 'Labuan', 1009, [], WISE],
  ['Labuan', 'Singapore', 707, [], WISE],
  ['Singapore', 'Malacca', 122, [], WISE],
  ['Penang', 'Galle', 1219, [], WISE],
  ['Suez', 'Aden', 1310, [], 'J. Verne, Around the World in Eighty Days, chapter 9'],
  ['Sydney', 'Levuka', 1730, [], 'The Sydney Morning Herald, 3 March 1871'],
  ['Murmansk', 'Yokohama', 12_840, ['suez'], 'Valdai Club, The Northern Sea Route'],
  ['Shanghai', 'Rotterdam', 10_557, ['suez'], 'crewing.odessa.ua, The northern sea route'],
  ['Rotterdam', 'Yokohama', 11_393, ['suez'], 'Thomas G. Ernst & Co., news 72: to Tokyo'],
  [
    'Boston',
    'Anchorage',
    7312,
    ['panama'],
    'NOAA, Distances between United States Ports, in: Maritime Reporter, July 1978',
  ],
  [
    'New York',
    'Colombo',
    8604,
    ['suez'],
    'NGA Pub. 151, cited in the article Distances between ports of Grokipedia',
  ],
  ['Jeddah', 'Constanta', 1698, ['suez'], SEAPACE],
  ['Jeddah', 'Constanta', 11_771, [], SEAPACE],
  ['Hamburg', 'Singapore', 8377, ['suez'], STUDYBOARD],
  ['Hamburg', 'Singapore', 11_864, [], `${STUDYBOARD}: via the Cape of Good Hope`],
];

test('passages around a continent are found in less than a fifth of the steps that land between two oceans once cost, and none meets land', async () => {
  const sea = await openSeaFile(inject('demoCharts'));
  const land = new LandJudge();
  for (const { from, to, before } of AROUND_CONTINENTS) {
    const answer = planWarm(passage(PORTS[from]!, PORTS[to]!), sea);
    if (!answer.success) throw new Error(answer.failures[0]!.message);
    expect(land.crossings(answer.path)).toEqual([]);
    expect(answer.effort.expanded).toBeLessThan(before / 5);
  }
});

test.each(PUBLISHED)('%s to %s is %i miles long, within 3 %%', async (from, to, miles, canals) => {
  const sea = await openSeaFile(inject('demoCharts'));
  const answer = planWarm(passage(PLACES[from]!, PLACES[to]!, canals), sea);
  if (!answer.success) throw new Error(answer.failures[0]!.message);
  expect(Math.abs(answer.distance / 1852 / miles - 1)).toBeLessThan(0.03);
});

test('straits are drawn clear of the land of the background', () => {
  const land = new LandJudge();
  for (const { canal, line } of PASSAGES) {
    if (canal === undefined) expect(land.crossings(line)).toEqual([]);
  }
});

test('land between two oceans is closed by the background, and open if a chart has a canal in it', async () => {
  const sea = await openSeaFile(inject('demoCharts'));
  const trip = passage(PORTS['Colon']!, PORTS['Balboa']!);
  const areApart = (sea: Sea, from: Position, to: Position) =>
    areOnTwoOceans(searchContext(trip, sea, 1).water, pointOf(from), pointOf(to));
  expect(areApart(sea, PORTS['Colon']!, PORTS['Balboa']!)).toBe(true);
  expect(areApart(sea, PORTS['Port Said']!, PORTS['Suez']!)).toBe(true);
  expect(areApart(sea, PORTS['Colon']!, PORTS['New York']!)).toBe(false);
  const canal = withWaterAt(sea, [-79.6, 9.2]);
  expect(areApart(canal, PORTS['Colon']!, PORTS['Balboa']!)).toBe(false);
  expect(areApart(canal, PORTS['Port Said']!, PORTS['Suez']!)).toBe(true);
});

/** The same sea with a canal: deep water in the cells of a place. */
function withWaterAt(sea: SeaFile, place: Position): Sea {
  const { x, y } = pointOf(place);
  return {
    square(zoom, column, row): SeaSquare | undefined {
      const stored = sea.square(zoom, column, row);
      const width = 2 ** (22 - zoom);
      const [left, top] = [x / width - column, y / width - row];
      const isHere = left >= 0 && left < 1 && top >= 0 && top < 1;
      if (stored === undefined || !isHere) return stored;
      const square = fullSquare(stored);
      const [mostDepth, leastDepth] = [square.mostDepth.slice(), square.leastDepth.slice()];
      const at = Math.floor(top * 256) * 256 + Math.floor(left * 256);
      mostDepth[at] = 200;
      leastDepth[at] = 200;
      return { ...square, mostDepth, leastDepth };
    },
  };
}
