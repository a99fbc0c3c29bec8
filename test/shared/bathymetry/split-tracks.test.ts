// Splits soundings into tracks: compared with a simple splitter, and each rule on its own.

import { describe, expect, test } from 'vitest';
import { canonicalPoints, pointSizes } from '../../../shared/bathymetry/canonical-points.ts';
import {
  type Soundings,
  sortedByTime,
  soundingColumns,
} from '../../../shared/bathymetry/soundings.ts';
import {
  firstGap,
  runningSizes,
  splitTracks,
  type TrackLimits,
} from '../../../shared/bathymetry/split-tracks.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import type { Sounding } from '../../support/track-oracle.ts';
import { splitSlowly } from '../../support/track-oracle.ts';

const SEED = 20_261_121;
const CASES = isLong ? 50_000 : 2_000;

function columnsOf(list: readonly Sounding[]): Soundings {
  const columns = soundingColumns(list.length);
  for (const [i, { latitude, longitude, depth, time }] of list.entries()) {
    columns.latitudes[i] = latitude;
    columns.longitudes[i] = longitude;
    columns.depths[i] = depth;
    columns.times[i] = time;
  }
  return columns;
}

const soundingAt = ({ latitudes, longitudes, depths, times }: Soundings, i: number): Sounding => ({
  latitude: latitudes[i]!,
  longitude: longitudes[i]!,
  depth: depths[i]!,
  time: times[i]!,
});

function split(list: readonly Sounding[], limits: TrackLimits): Sounding[][] {
  const sorted = sortedByTime(columnsOf(list));
  return splitTracks(sorted.times, pointSizes(sorted), limits).map(({ from, to, bytes }) => {
    const points = Array.from({ length: to - from }, (_, i) => soundingAt(sorted, from + i));
    if (bytes !== JSON.stringify(points).length + 1)
      throw new Error(`splitTracks returned ${bytes} bytes`);
    return points;
  });
}

test('pointSizes of a part of a list are equal to those of the whole list', () => {
  const columns = columnsOf(
    Array.from({ length: 20 }, (_, i) => ({
      latitude: i / 7,
      longitude: -i / 3,
      depth: i,
      time: 10 ** i,
    })),
  );
  expect([...pointSizes(columns, 4, 11)]).toEqual([...pointSizes(columns)].slice(4, 11));
});

const at = (time: number, depth = 5): Sounding => ({ latitude: 1, longitude: 2, depth, time });
/** Bytes of a point with its comma. */
const SIZE = JSON.stringify(at(1000)).length + 1;
const WIDE = { gapMs: 300_000, maxBytes: 262_144 };

test(`splitTracks equals the simple splitter in ${CASES} cases (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const whole = (most: number) => Math.floor(random() * (most + 1));
  let cuts = 0;
  for (let i = 0; i < CASES; i++) {
    const limits = { gapMs: whole(20), maxBytes: whole(9) * 70 + whole(70) };
    const list = Array.from({ length: whole(40) }, () => ({
      latitude: random() < 0.2 ? whole(90) : random() * 180 - 90,
      longitude: random() < 0.2 ? -whole(180) : random() * 360 - 180,
      depth: random() < 0.5 ? whole(100) / 10 : random() / 10 ** whole(12),
      // Few different times: many are equal, and many differ by exactly the gap.
      time: whole(3) * 40 + whole(30),
    }));
    const tracks = split(list, limits);
    const [text, expected] = [tracks, splitSlowly(list, limits)].map((all) => JSON.stringify(all));
    if (text !== expected) expect(tracks, `case ${i}`).toEqual(splitSlowly(list, limits));
    // Splitting a track again must not change it.
    if (tracks.some((track) => split(track, limits).length !== 1)) {
      throw new Error(`A track of case ${i} was split again.`);
    }
    cuts += tracks.length;
  }
  expect(cuts).toBeGreaterThan(5 * CASES);
});

test(`splitTracks does not depend on the order of soundings (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let i = 0; i < 200; i++) {
    const list = Array.from({ length: 50 }, (_, n) => at(n * 7 + Math.floor(random() * 7)));
    const limits = { gapMs: 9, maxBytes: 600 };
    const shuffled = [...list].sort(() => random() - 0.5);
    expect(split(shuffled, limits)).toEqual(split(list, limits));
  }
});

describe('splitTracks', () => {
  test('returns nothing without soundings', () => {
    expect(split([], WIDE)).toEqual([]);
    expect(firstGap([], 5)).toBe(0);
  });

  test('splits at a gap one millisecond above the limit, but not at the limit', () => {
    expect(split([at(0), at(300_000)], WIDE)).toHaveLength(1);
    expect(split([at(0), at(300_001)], WIDE)).toHaveLength(2);
  });

  test('keeps the order of soundings with equal times, even if the limit is 0', () => {
    const list = [at(5, 3), at(5, 1), at(5, 2)];
    expect(split(list, { ...WIDE, gapMs: 0 })).toEqual([list]);
  });

  test('fills tracks up to the size limit', () => {
    const list = Array.from({ length: 5 }, (_, i) => at(1000 + i));
    expect(split(list, { ...WIDE, maxBytes: 2 + 5 * SIZE })).toHaveLength(1);
    const lengths = (maxBytes: number) => split(list, { ...WIDE, maxBytes }).map((t) => t.length);
    expect(lengths(1 + 5 * SIZE)).toEqual([4, 1]);
    expect(lengths(2 + 2 * SIZE)).toEqual([2, 2, 1]);
  });

  test('returns one sounding per track if a sounding exceeds the size limit', () => {
    const list = [at(0), at(1), at(2)];
    expect(split(list, { ...WIDE, maxBytes: 1 })).toEqual(list.map((one) => [one]));
  });
});

test('firstGap returns the beginning of the second track', () => {
  const times = [0, 10, 20, 31, 32];
  expect(firstGap(times, 10)).toBe(3);
  expect(firstGap(times, 11)).toBe(5);
  expect(firstGap([7], 0)).toBe(1);
});

test('runningSizes returns as many sums as requested', () => {
  expect([...runningSizes([3, 4, 5], 2)]).toEqual([3, 7]);
});

test('canonicalPoints equals JSON.stringify for any numbers', () => {
  const random = seededRandom(SEED);
  const list = Array.from({ length: 500 }, (_, i) => ({
    latitude: (random() - 0.5) * 10 ** -(i % 20),
    longitude: i % 3 === 0 ? -180 : random(),
    depth: i % 5 === 0 ? 0 : random() * 12_000,
    time: Math.floor(random() * 2e12),
  }));
  expect(canonicalPoints(columnsOf(list))).toBe(JSON.stringify(list));
  expect(canonicalPoints(columnsOf([]))).toBe('[]');
});
