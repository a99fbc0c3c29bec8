// Times as loggers write them, compared with Date.UTC in several time zones.

import { afterAll, describe, expect, test } from 'vitest';
import { readSoundingTime } from '../../../shared/bathymetry/sounding-time.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_122;
const CASES = isLong ? 100_000 : 10_000;

const zone = process.env['TZ'];
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe.each(['UTC', 'America/Anchorage', 'Asia/Kathmandu'])('readSoundingTime in %s', (name) => {
  test(`agrees with Date.UTC on ${CASES} ISO times (seed ${SEED})`, () => {
    process.env['TZ'] = name;
    const random = seededRandom(SEED);
    const whole = (most: number) => Math.floor(random() * (most + 1));
    const two = (n: number) => String(n).padStart(2, '0');
    for (let i = 0; i < CASES; i++) {
      const [year, month, day] = [1000 + whole(8999), 1 + whole(11), 1 + whole(30)];
      const [hour, minute, second, ms] = [whole(23), whole(59), whole(59), whole(999)];
      const offset = random() < 0.3 ? 0 : whole(1680) - 840;
      const size = Math.abs(offset);
      const sign = offset < 0 ? '-' : '+';
      const [dash, colon] = random() < 0.5 ? ['-', ':'] : ['', ''];
      const zoned = `${sign}${two(Math.floor(size / 60))}${colon}${two(size % 60)}`;
      const day_ = `${year}${dash}${two(month)}${dash}${two(day)}`;
      const time = `${two(hour)}${colon}${two(minute)}${colon}${two(second)}.${String(ms).padStart(3, '0')}`;
      const ending = offset === 0 ? ['Z', 'z', '', `+00${colon}00`][whole(3)] : zoned;
      const text = `${day_}${'T t'[whole(2)]}${time}${ending}`;
      const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
      const isDay = date.getUTCDate() === day;
      expect(readSoundingTime(text), text).toBe(
        isDay ? date.getTime() - offset * 60_000 : undefined,
      );
    }
  });
});

test.each([
  [1.9, 1],
  [-0.5, -1],
  ['1600000000000', 1_600_000_000_000],
  ['+5', 5],
  ['-5', -5],
  ['2024', 2024],
  ['20240101', 20_240_101],
  ['0007.9', 7],
  ['1700000000000.99999', 1_700_000_000_000],
  ['-1700000000000.00001', -1_700_000_000_001],
  ['-5.000', -5],
  ['-0.5', -1],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
  ['2024-01-01T00:00Z', Date.UTC(2024, 0, 1)],
  ['2024-01-01T00:00:00,5Z', Date.UTC(2024, 0, 1) + 500],
  ['2024-01-01T00:00:00.9999999Z', Date.UTC(2024, 0, 1) + 999],
  ['2024-01-01T05:30:00+0530', Date.UTC(2024, 0, 1)],
  ['2024-01-01T14:00:00+14', Date.UTC(2024, 0, 1)],
  ['2016-12-31T23:59:60.7Z', Date.UTC(2017, 0, 1) - 1],
  ['1970-01-01T00:00:00Z', 0],
  ['20240101T000000Z', Date.UTC(2024, 0, 1)],
  ['20240229T235959.25Z', Date.UTC(2024, 2, 1) - 750],
  ['20240101T0530+0530', Date.UTC(2024, 0, 1)],
  ['20240101T00', Date.UTC(2024, 0, 1)],
  ['20240101T14+14', Date.UTC(2024, 0, 1)],
  ['2024-01-01T00Z', Date.UTC(2024, 0, 1)],
  ['2024-01-01T23', Date.UTC(2024, 0, 1, 23)],
  ['2024-01-01T12.5Z', Date.UTC(2024, 0, 1, 12, 30)],
  ['2024-01-01T12:30.25Z', Date.UTC(2024, 0, 1, 12, 30, 15)],
  ['2024-01-01T00.0000002777777Z', Date.UTC(2024, 0, 1)],
  ['2024-01-01T24:00:00Z', Date.UTC(2024, 0, 2)],
  ['2024-12-31T24:00Z', Date.UTC(2025, 0, 1)],
  ['2024-02-28T24:00:00.000+00:00', Date.UTC(2024, 1, 29)],
  ['20241231T240000-0100', Date.UTC(2025, 0, 1, 1)],
  ['20241231T24Z', Date.UTC(2025, 0, 1)],
])('readSoundingTime of %j returns %d', (text, ms) => {
  expect(readSoundingTime(text)).toBe(ms);
});

test.each([
  ...['', ' ', 'foo 5', 'now', '1e5', '0x10', '5.', '.5', '1_000', '١٢٣', '12345678901234567'],
  ...['2024-02-30T00:00:00Z', '2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z'],
  ...['2024-13-01T00:00:00Z', '2024-00-01T00:00:00Z', '2024-01-00T00:00:00Z'],
  ...['2024-01-01', '2024-01', '2024-W01-1T00:00:00Z', '2024-001T00:00:00Z'],
  ...['20240101T00:00:00Z', '2024-01-01T000000Z', '2024-0101T00:00Z', '202401T00Z', '2024001T00Z'],
  ...['20240230T000000Z', '20240101T0Z', '20240101T000Z', '20240101T00000Z', '20240101000000.5Z'],
  ...[
    '2024-01-01T24:00:01Z',
    '2024-01-01T24:01Z',
    '2024-01-01T24:00:00.001Z',
    '2024-01-01T24:00:60Z',
  ],
  ...['2024-01-01T25:00:00Z', '2024-01-01T00:60:00Z', '2024-01-01T00:00:61Z'],
  ...['2024-01-01T00:00:00+14:01', '2024-01-01T00:00:00-15:00', '2024-01-01T00:00:00+01:60'],
  ...[
    '2024-01-01T00:00:00 Z',
    '2024-01-01  00:00:00Z',
    ' 2024-01-01T00:00:00Z',
    '+2024-01-01T00:00Z',
  ],
  ...[
    '2024-01-01T00:00:00.Z',
    '2024-01-01T0Z',
    '1 January 2024',
    `2024-01-01T00:00:00.${'0'.repeat(99)}Z`,
  ],
  ...[null, undefined, true, [], [5], {}, new Date(0), Number.NaN, Number.POSITIVE_INFINITY],
])('readSoundingTime of %j returns undefined', (value) => {
  expect(readSoundingTime(value)).toBeUndefined();
});
