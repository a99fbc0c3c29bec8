// Positions that sailors type.

import { expect, test } from 'vitest';
import { parsePosition, positionText } from '../../../workers/web/chart/parts/coordinates.ts';

test.each([
  ['33 51 30S 151 12 40E', -33.858333, 151.211111],
  ['33 51 30 S, 151 12 40 E', -33.858333, 151.211111],
  ['33°51′30S 151°12′40E', -33.858333, 151.211111],
  ['30 0 18S 20 0 43W', -30.005, -20.011944],
  ['S33 51 30 E151 12 40', -33.858333, 151.211111],
  ['33d51m30S 151d12m40E', -33.858333, 151.211111],
  ['33d 51m 30 S 151d 12m 40 E', -33.858333, 151.211111],
  ['33d51m30S, 151d12m40E', -33.858333, 151.211111],
  ['33d51m30sS 151d12m40sE', -33.858333, 151.211111],
  ['59d36m12s N 151d25m30s W', 59.603333, -151.425],
  ['59° 36.20′ N 151° 25.50′ W', 59.603333, -151.425],
  ['59 36.2 -151 25.5', 59.603333, -151.425],
  ['-151.425E 59.6N', 59.6, -151.425],
  ['59.6, -151.425', 59.6, -151.425],
])('reads %s', (text, latitude, longitude) => {
  const found = parsePosition(text);
  expect(found?.latitude).toBeCloseTo(latitude, 5);
  expect(found?.longitude).toBeCloseTo(longitude, 5);
});

test.each(['0530N 00130E', '0130N 0045W', '10S 20S', '10E 20W', '91N 10E', '10 60N 20E', 'Wick'])(
  'rejects %s',
  (text) => {
    expect(parsePosition(text)).toBeUndefined();
  },
);

test('parses a position that positionText wrote', () => {
  const { latitude, longitude } = parsePosition(positionText(-33.8585, 151.2115))!;
  expect([latitude.toFixed(4), longitude.toFixed(4)]).toEqual(['-33.8585', '151.2115']);
});
