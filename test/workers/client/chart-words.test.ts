// What the chart element says of failures. MapLibre's own errors name the whole address of what it asked.

import { expect, test } from 'vitest';
import { wordsOf } from '../../../workers/web/client/chart/words.ts';

/** As MapLibre makes it. */
function fetchError(status: number): Error {
  const url = 'https://charts.example/api/v2/tiles/enc-v2/1/0/0.mvt?v=1&token=secret';
  return Object.assign(new Error(`AJAXError: words (${status}): ${url}`), { status, url });
}

test.each([
  [0, 'the service cannot be reached.'],
  [401, 'its token is missing, has expired or is not valid.'],
  [403, 'its token does not permit it.'],
  [503, 'https://charts.example/api/v2/tiles/enc-v2/1/0/0.mvt answered 503.'],
])('a tile that is answered %d is told without its token', (status, reason) => {
  expect(wordsOf('A part of the chart cannot be loaded', fetchError(status))).toBe(
    `A part of the chart cannot be loaded: ${reason}`,
  );
});

test('other failures are told in their own words', () => {
  expect(wordsOf('The chart cannot be drawn', new Error('no WebGL'))).toBe(
    'The chart cannot be drawn: no WebGL',
  );
});
