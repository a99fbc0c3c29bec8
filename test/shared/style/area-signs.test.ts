// Offsets of area signs that the build places next to each other.

import { expect, test } from 'vitest';
import { SIGN_PLACES } from '../../../shared/chart/sign-places.ts';
import { compileStyle } from '../../../shared/raster/compile-style.ts';
import { dayStyle } from '../../support/raster-tiles.ts';

const layer = compileStyle(dayStyle(), 'chart').find(({ id }) => id === 'AREASYM-icon')!;

const offsetOf = (properties: Readonly<Record<string, string | number>>) =>
  layer.value<readonly number[]>('icon-offset', 14, { type: 1, properties });

test.each(SIGN_PLACES.map((place, i) => [i, place] as const))(
  'the sign with place %d has the offset of the table',
  (sl, place) => {
    expect(Array.from(offsetOf({ sy: 'CTNARE51', sl }))).toEqual(place);
  },
);

test('a sign without a place, or with an unknown place, is in the middle', () => {
  expect(Array.from(offsetOf({ sy: 'CTNARE51' }))).toEqual([0, 0]);
  expect(Array.from(offsetOf({ sy: 'CTNARE51', sl: 99 }))).toEqual([0, 0]);
});
