// Checks and corrections of tracks.

import { describe, expect, it } from 'vitest';
import { cleanTrack } from '../../../shared/bathymetry/clean-track.ts';
import { correctTrack } from '../../../shared/bathymetry/correct-track.ts';
import { type Soundings, soundingColumns } from '../../../shared/bathymetry/soundings.ts';
import type { TidePredictor } from '../../../shared/crowd/water-level.ts';

type Place = readonly [latitude: number, longitude: number];

function trackOf(places: readonly Place[], seconds: number): Soundings {
  const soundings = soundingColumns(places.length);
  for (const [i, [latitude, longitude]] of places.entries()) {
    soundings.latitudes[i] = latitude;
    soundings.longitudes[i] = longitude;
    soundings.depths[i] = 20;
    soundings.times[i] = i * seconds * 1000;
  }
  return soundings;
}

const HERE: Place = [50, -1];
const WRONG: Place = [0, 0];
const JUMP = 2;
const times = <T>(count: number, value: T): T[] => Array(count).fill(value);

it.each([
  ['at the beginning', [WRONG, ...times(19, HERE)], [JUMP, ...times(19, 0)]],
  [
    'in the middle',
    [...times(10, HERE), ...times(8, WRONG), ...times(10, HERE)],
    [...times(10, 0), ...times(8, JUMP), ...times(10, 0)],
  ],
])('cleanTrack rejects wrong positions %s, and no others', (_name, places, codes) => {
  expect([...cleanTrack(trackOf(places, 1))]).toEqual(codes);
});

it('cleanTrack keeps the least depth of the same time and position, and no impossible one', () => {
  const track = trackOf(times(12, HERE), 1);
  const DUPLICATE = 6;
  track.times.set([3000, 3000, 3000], 3);
  track.depths.set([20.2, 20, 20.1], 3);
  track.times.set([8000, 8000], 8);
  track.depths.set([0, 20], 8);
  const codes = times(12, 0);
  codes[3] = DUPLICATE;
  codes[5] = DUPLICATE;
  codes[8] = 4;
  expect([...cleanTrack(track)]).toEqual(codes);
});

const OUTLIER = 3;

it.each([
  ['rejects one shoaler sounding', [15], OUTLIER],
  ['keeps two that agree', [15, 14.5], 0],
  ['keeps a rock with slopes', [17.5, 15, 17.4], 0],
  ['keeps five that agree', [15, 15.1, 15, 14.9, 15], 0],
  ['rejects two shoaler soundings that differ', [15, 18], OUTLIER],
  ['rejects deeper soundings that agree', [25, 25], OUTLIER],
])('cleanTrack %s', (_name, depths, code) => {
  const track = trackOf(times(30, HERE), 1);
  track.depths.set(depths, 12);
  const codes = times(30, 0).fill(code, 12, 12 + depths.length);
  expect([...cleanTrack(track)]).toEqual(codes);
});

describe('correctTrack', () => {
  /** Eastwards at 12 m/s across 0°. */
  const soundings = trackOf(
    Array.from({ length: 40 }, (_, i) => [50, -0.295 + i * 0.01]),
    60,
  );
  const correction = { transducer: 0.5, bias: { meters: 0, unc: 0, crossings: 0 } };

  it.each([
    ['without a station', undefined],
    ['with a station of another datum', 'MLLW'],
  ])('leaves out soundings %s', (_name, east) => {
    const near = (index: number) => ({
      stations: [{ index, meters: 0 }],
      weights: [1],
      error95: 0,
    });
    const predictor = {
      choose: ([longitude]: readonly [number, number]) =>
        longitude < 0 ? near(0) : east === undefined ? { range: 4 } : near(1),
      heightOf: () => 3,
      station: (index: number) => ({ id: 'a', name: 'A', datum: index === 0 ? 'LAT' : east }),
    } as unknown as TidePredictor;
    const { soundings: corrected, tide } = correctTrack(soundings, correction, predictor);
    expect([...corrected.depths]).toEqual(times(30, 17.5));
    expect(tide).toMatchObject({ reduced: true, datum: 'LAT', least: 3, greatest: 3 });
  });
});
