// Passages between ports of all oceans over the background alone, where water without depths is
// allowed: all are found, in so many steps, and JSTS finds none of them on land.

import { expect, inject, test } from 'vitest';
import { type Canal, PASSAGES } from '../../../shared/route/passages.ts';
import { pointOf } from '../../../shared/route/plan/geometry/plane.ts';
import { searchContext } from '../../../shared/route/plan/search/find-path.ts';
import { closedBridges } from '../../../shared/route/plan/search/land-bridges.ts';
import type { Sea, SeaSquare } from '../../../shared/route/sea.ts';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import { fullSquare } from '../../support/full-square.ts';
import { isLong } from '../../support/long-run.ts';
import { LandJudge } from '../../support/route/land-judge.ts';
import { PORTS } from '../../support/route/ports.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import { openSeaFile } from '../../support/sea-file.ts';

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

/**
 * Nautical miles between ports, from publications that can be read. The places of `PORTS` lie in the
 * water before the ports. NGA Pub. 151 has more, but no text of its tables was available.
 */
const JOHNSON =
  'E. R. Johnson, report on Panama Canal traffic and tolls, in: Bishop, Panama Past and Present, 1913, page 237';
const HYDROGRAPHIC = 'U.S. Hydrographic Office, in: Merry, The Nicaragua Canal, distances';
const PUBLISHED: readonly {
  readonly from: string;
  readonly to: string;
  readonly miles: number;
  readonly canals?: readonly Canal[];
  readonly source: string;
}[] = [
  { from: 'New York', to: 'Colon', miles: 1974, source: JOHNSON },
  { from: 'New York', to: 'San Francisco', miles: 5262, canals: ['panama'], source: JOHNSON },
  { from: 'New York', to: 'San Francisco', miles: 13_135, source: `${JOHNSON}: via Magellan` },
  { from: 'San Francisco', to: 'Yokohama', miles: 4536, source: HYDROGRAPHIC },
  { from: 'San Francisco', to: 'Hong Kong', miles: 6060, source: HYDROGRAPHIC },
  { from: 'Honolulu', to: 'Yokohama', miles: 3400, source: HYDROGRAPHIC },
  { from: 'Honolulu', to: 'Hong Kong', miles: 4917, source: HYDROGRAPHIC },
  {
    from: 'Boston',
    to: 'Anchorage',
    miles: 7312,
    canals: ['panama'],
    source: 'NOAA, Distances between United States Ports, in: Maritime Reporter, July 1978',
  },
  {
    from: 'New York',
    to: 'Colombo',
    miles: 8604,
    canals: ['suez'],
    source: 'NGA Pub. 151, cited in the article Distances between ports of Grokipedia',
  },
  {
    from: 'Jeddah',
    to: 'Constanta',
    miles: 1698,
    canals: ['suez'],
    source: 'Seapace, Influences of the Suez Canal on world trade',
  },
  {
    from: 'Jeddah',
    to: 'Constanta',
    miles: 11_771,
    source: 'Seapace, Influences of the Suez Canal on world trade',
  },
  {
    from: 'Hamburg',
    to: 'Singapore',
    miles: 8377,
    canals: ['suez'],
    source: 'Studyboard, What is the Suez Canal, March 2021',
  },
  {
    from: 'Hamburg',
    to: 'Singapore',
    miles: 11_864,
    source: 'Studyboard, What is the Suez Canal, March 2021: via the Cape of Good Hope',
  },
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
}, 600_000);

test.each(PUBLISHED)('$from to $to is $miles miles long, within 3 %', async (pair) => {
  const sea = await openSeaFile(inject('demoCharts'));
  const answer = planWarm(passage(PORTS[pair.from]!, PORTS[pair.to]!, pair.canals), sea);
  if (!answer.success) throw new Error(answer.failures[0]!.message);
  expect(Math.abs(answer.distance / 1852 / pair.miles - 1)).toBeLessThan(0.03);
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
  const closed = closedBridges(searchContext(trip, sea, 1).water);
  expect(closed.length).toBe(3);
  const canal = withWaterAt(sea, [-79.6, 9.2]);
  expect(closedBridges(searchContext(trip, canal, 1).water).length).toBe(2);
});

/** The same sea with a canal: deep water in the cells of a place. */
function withWaterAt(sea: Sea, place: Position): Sea {
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
