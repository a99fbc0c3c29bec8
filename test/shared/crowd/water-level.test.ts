import { stations } from '@neaps/tide-database';
import { createTidePredictor } from '@neaps/tide-predictor';
import { describe, expect, it } from 'vitest';
import { tideRecordsOf } from '../../../shared/crowd/tide-records.ts';
import { packTideTable, TideTable } from '../../../shared/crowd/tide-table.ts';
import { MAX_STATION_METERS, TidePredictor } from '../../../shared/crowd/water-level.ts';
import { distanceMeters } from '../../../shared/geo/earth.ts';

const records = tideRecordsOf(stations);
const bytes = packTideTable(records);
const table = new TideTable(bytes);
const tides = new TidePredictor(table);

const FEET = 0.3048;
const MINUTE = 60_000;

/** Heights that NOAA published for Craney Island Light (8638596): local time, feet above MLLW. */
const PUBLISHED = [
  ['2020-11-04T04:40', 0.378],
  ['2020-11-04T11:19', 3.046],
  ['2020-11-04T17:37', 0.476],
  ['2020-11-04T23:47', 2.434],
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: a height
  ['2020-11-05T05:19', 0.434],
  ['2020-11-05T12:00', 2.978],
  ['2020-11-05T18:22', 0.518],
] as const;

describe('TidePredictor', () => {
  it.each(PUBLISHED)('agrees with the table of NOAA at %s', (local, feet) => {
    const level = tides.predict([-76.3383, 36.8917], Date.parse(`${local}-05:00`));
    expect(level).toMatchObject({ station: { id: 'noaa/8638596', datum: 'MLLW' } });
    expect(Math.abs((level.reduced ? level.height : 99) - feet * FEET)).toBeLessThan(0.015);
  });

  it('agrees with the library for stations of every datum', () => {
    const seen = new Set<string>();
    for (const [index, record] of records.entries()) {
      if (seen.has(`${record.datum} ${record.offsets?.height.type}`)) continue;
      seen.add(`${record.datum} ${record.offsets?.height.type}`);
      const own = createTidePredictor([...record.constants], { offset: record.meanLevel });
      const start = new Date('2026-03-21T04:37:00Z');
      // The library rounds single times down to ten minutes, so ask for a series.
      const expected = own.getTimelinePrediction({
        start,
        end: new Date(start.getTime() + MINUTE),
        timeFidelity: 60,
        ...(record.offsets === undefined ? {} : { offsets: record.offsets }),
      })[0]!.level;
      const choice = { stations: [{ index, meters: 0 }], weights: [1], error95: 0 };
      expect(Math.abs(tides.heightOf(choice, start.getTime()) - expected)).toBeLessThan(0.01);
    }
    expect(seen.size).toBeGreaterThan(8);
  });

  it('returns a turn until it happens', () => {
    const place = [-76.3383, 36.8917] as const;
    const start = Date.parse('2026-06-01T12:00:00Z');
    for (let minute = 30; minute < 24 * 60; minute++) {
      const time = start + minute * MINUTE;
      const earlier = tides.turnsAfter(place, time - 30 * MINUTE);
      const expected = earlier.find((turn) => turn.time > time);
      expect(tides.turnsAfter(place, time)[0]?.time).toBe(expected?.time);
    }
  });

  it('never averages heights above different datums', () => {
    let neighbours = 0;
    for (const { longitude, latitude, datum } of records) {
      const choice = tides.choose([longitude + 0.03, latitude]);
      if ('range' in choice) continue;
      const datums = new Set(choice.stations.map(({ index }) => table.station(index).datum));
      expect([longitude, latitude, datums.size]).toEqual([longitude, latitude, 1]);
      if (!datums.has(datum)) neighbours++;
    }
    // Stations whose neighbour has another datum, so that a mixture would be possible.
    expect(neighbours).toBeGreaterThan(10);
  });

  it('is continuous at midnight', () => {
    const midnight = Date.parse('2026-06-01T00:00:00Z');
    for (let index = 0; index < table.count; index += 97) {
      const choice = { stations: [{ index, meters: 0 }], weights: [1], error95: 0 };
      const jump = tides.heightOf(choice, midnight) - tides.heightOf(choice, midnight - 1);
      expect(Math.abs(jump)).toBeLessThan(0.002);
    }
  });

  it('does not reduce far from stations, with the range as the error', () => {
    const level = tides.predict([-20, -30], Date.parse('2026-06-01T00:00:00Z'));
    expect(level.reduced).toBe(false);
    expect(level.error95).toBeGreaterThan(0.3);
    expect(tides.predict([90, 85], 0)).toEqual({ reduced: false, error95: expect.any(Number) });
  });

  it('has a station across the antimeridian', () => {
    const fiji = records.find(({ longitude }) => longitude > 179 || longitude < -179)!;
    const other = fiji.longitude > 0 ? fiji.longitude - 360.01 : fiji.longitude + 360.01;
    const wrapped = other < -180 ? -180 : Math.min(180, other);
    const level = tides.predict([wrapped, fiji.latitude], 0);
    const meters = distanceMeters(wrapped, fiji.latitude, fiji.longitude, fiji.latitude);
    expect(level.reduced).toBe(meters < MAX_STATION_METERS);
  });

  it('states errors that cover the difference of a station to its neighbours', () => {
    let within = 0;
    let all = 0;
    for (let index = 0; index < table.count; index += 29) {
      const place = [table.longitude(index), table.latitude(index)] as const;
      // A position a kilometre away, so that the station itself does not dominate.
      const level = tides.choose([place[0], place[1] + 0.01]);
      if ('range' in level) continue;
      const others = level.stations.filter((one) => one.index !== index);
      if (others.length === 0) continue;
      const alone = { ...level, stations: others, weights: others.map(() => 1 / others.length) };
      for (const day of [3, 47, 101, 222]) {
        const time = Date.UTC(2026, 0, day, day % 24);
        const own = { ...level, stations: [{ index, meters: 0 }], weights: [1] };
        const difference = tides.heightOf(alone, time) - tides.heightOf(own, time);
        all++;
        if (Math.abs(difference) <= level.error95) within++;
      }
    }
    expect(all).toBeGreaterThan(300);
    expect(within / all).toBeGreaterThan(0.93);
  });
});

describe('the tide table', () => {
  it('omits stations whose licence excludes commercial use', () => {
    const excluded = stations.filter(({ license }) => !license.commercial_use);
    expect(excluded.length).toBeGreaterThan(100);
    const ids = new Set(records.map(({ id }) => id));
    expect(excluded.filter(({ id }) => ids.has(id))).toEqual([]);
  });

  it('attributes each station as its source requires', () => {
    const byId = new Map(stations.map((station) => [station.id, station.attribution]));
    for (let index = 0; index < table.count; index += 211) {
      const { id, attribution } = table.station(index);
      expect(attribution).toBe(byId.get(id));
    }
    expect(table.attributions.some((text) => text.includes('TICON-4'))).toBe(true);
  });

  it('is small enough for a Worker', () => {
    expect(bytes.length).toBeLessThan(1.5 * 2 ** 20);
  });

  it('rejects damaged bytes', () => {
    expect(() => new TideTable(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  });

  it('keeps heights within a minute of tide', () => {
    const early = tides.predict([-122.34, 47.6], 0);
    const late = tides.predict([-122.34, 47.6], MINUTE);
    expect(early).toMatchObject({ reduced: true });
    expect(early.reduced && late.reduced ? Math.abs(early.height - late.height) : 9).toBeLessThan(
      0.03,
    );
  });
});
