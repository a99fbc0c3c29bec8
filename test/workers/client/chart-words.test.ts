// Error messages of the chart element. MapLibre's own messages contain the full URL.

import { expect, test } from 'vitest';
import { wordsOf } from '../../../workers/web/client/chart/words.ts';

/** An error as MapLibre creates it. */
function fetchError(status: number): Error {
  const url = 'https://charts.example/api/v2/tiles/enc-v2/1/0/0.mvt?v=1&token=secret';
  return Object.assign(new Error(`AJAXError: words (${status}): ${url}`), { status, url });
}

test.each([
  [0, 'the service cannot be reached.'],
  [401, 'the token is missing, expired or invalid.'],
  [403, 'the token does not permit this.'],
  [503, 'https://charts.example/api/v2/tiles/enc-v2/1/0/0.mvt returned status 503.'],
])('wordsOf describes a failed tile request with status %d without its token', (status, reason) => {
  expect(wordsOf('A part of the chart cannot be loaded', fetchError(status))).toBe(
    `A part of the chart cannot be loaded: ${reason}`,
  );
});

test('wordsOf uses the message of other errors', () => {
  expect(wordsOf('The chart cannot be drawn', new Error('no WebGL'))).toBe(
    'The chart cannot be drawn: no WebGL',
  );
});
