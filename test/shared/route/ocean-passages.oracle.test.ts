// Passages between ports of all oceans over the background alone, where water without depths is
// allowed: all are found, in so many steps, and JSTS finds none of them on land.

import { expect, inject, test } from 'vitest';
import { geodesicMeters } from '../../../shared/geo/geodesic.ts';
import { CANALS, type Canal, PASSAGES } from '../../../shared/route/passages.ts';
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
import { seededRandom } from '../../support/seeded-random.ts';

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
const RANDOM_PAIRS = isLong ? 200 : 1;

/** Ports that only canals connect with the oceans. */
const INLAND = new Set(['Chicago', 'Cleveland', 'Duluth', 'Montreal']);

const passage = (from: Position, to: Position, canals: readonly Canal[] = []): Trip =>
  tripOf([from, to], {
    vessel: { draft: 2, airDraft: 15 },
    safety: { lateralClearance: 10, allowUnknownDepth: true },
    options: { maxSnapDistance: 50_000, canals: new Set(canals) },
  });

/**
 * Nautical miles between ports, as NGA Pub. 151, Distances Between Ports, publishes them. The places of
 * `PORTS` lie in the water before the ports.
 */
const PUBLISHED = [
  { from: 'Los Angeles', to: 'Honolulu', miles: 2231 },
  { from: 'Yokohama', to: 'Honolulu', miles: 3397 },
  { from: 'Yokohama', to: 'Los Angeles', miles: 4839 },
  { from: 'Balboa', to: 'Honolulu', miles: 4685 },
  { from: 'Balboa', to: 'Yokohama', miles: 7682 },
  { from: 'New York', to: 'Colon', miles: 1974 },
  { from: 'Sydney', to: 'Auckland', miles: 1275 },
  { from: 'Rotterdam', to: 'Singapore', miles: 8288, canals: ['suez'] },
] as const;

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

test(`passages between ports of the world taken at random (${RANDOM_PAIRS}, seed 20261131) are found, are no shorter than the geodesic, and none meets land`, async () => {
  const sea = await openSeaFile(inject('demoCharts'));
  const land = new LandJudge();
  const random = seededRandom(20_261_131);
  const names = Object.keys(PORTS).filter((name) => !INLAND.has(name));
  const wrong: string[] = [];
  for (let i = 0; i < RANDOM_PAIRS; i++) {
    const from = names[Math.floor(random() * names.length)]!;
    const to = names[Math.floor(random() * names.length)]!;
    const answer = planWarm(passage(PORTS[from]!, PORTS[to]!), sea);
    if (!answer.success) {
      wrong.push(`${from} to ${to}: ${answer.failures[0]!.message}`);
      continue;
    }
    const [start, end] = [answer.path[0]!, answer.path.at(-1)!];
    const least = geodesicMeters(...start, ...end);
    if (answer.distance < least * 0.999) wrong.push(`${from} to ${to}: ${answer.distance} m`);
    wrong.push(...land.crossings(answer.path).map((leg) => `${from} to ${to}: ${leg}`));
  }
  expect(wrong).toEqual([]);
}, 3_600_000);

test.each(PUBLISHED)('$from to $to is as long as published, within 3 %', async (pair) => {
  const sea = await openSeaFile(inject('demoCharts'));
  const canals = 'canals' in pair ? pair.canals : [];
  const answer = planWarm(passage(PORTS[pair.from]!, PORTS[pair.to]!, canals), sea);
  if (!answer.success) throw new Error(answer.failures[0]!.message);
  expect(Math.abs(answer.distance / 1852 / pair.miles - 1)).toBeLessThan(0.03);
});

test('straits are drawn clear of the land of the background', () => {
  const land = new LandJudge();
  for (const { canal, line } of PASSAGES) {
    if (canal === undefined) expect(land.crossings(line)).toEqual([]);
  }
});

test('Rotterdam is connected with ports of all seas, and only legs in canals meet land', async () => {
  const sea = await openSeaFile(inject('demoCharts'));
  const land = new LandJudge();
  const wrong: string[] = [];
  for (const to of ALL_SEAS) {
    const answer = planWarm(passage(PORTS['Rotterdam']!, PORTS[to]!, CANALS), sea);
    if (!answer.success) {
      wrong.push(`${to}: ${answer.failures[0]!.message}`);
      continue;
    }
    const outside = answer.path.filter((place) => !isInCanal(place));
    const legs = land.crossings(answer.path);
    wrong.push(
      ...legs
        .filter((leg) => outside.some((place) => leg.startsWith(`${place} `)))
        .map((leg) => `${to}: ${leg}`),
    );
  }
  expect(wrong).toEqual([]);
}, 600_000);

const ALL_SEAS = [
  'Odessa',
  'Novorossiysk',
  'Saint Petersburg',
  'Gdansk',
  'Jeddah',
  'Kuwait',
  'Chicago',
  'Duluth',
  'Magadan',
  'Archangel',
  'Shanghai',
  'Sydney',
  'Valparaiso',
];

/** Whether a place is in the box around a canal. */
function isInCanal([longitude, latitude]: Position): boolean {
  return PASSAGES.filter(({ canal }) => canal !== undefined).some(({ line }) => {
    const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
    const isIn = (value: number, all: readonly number[]) =>
      value >= Math.min(...all) - 0.1 && value <= Math.max(...all) + 0.1;
    return isIn(longitude, xs) && isIn(latitude, ys);
  });
}

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
