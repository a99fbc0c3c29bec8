// Where styles set the signs of areas that the build laid out side by side.

import { expect, test } from 'vitest';
import { SIGN_PLACES } from '../../../shared/chart/sign-places.ts';
import { compileStyle } from '../../../shared/raster/compile-style.ts';
import { dayStyle } from '../../support/raster-tiles.ts';

const layer = compileStyle(dayStyle(), 'chart').find(({ id }) => id === 'AREASYM-icon')!;

const offsetOf = (properties: Readonly<Record<string, string | number>>) =>
  layer.value<readonly number[]>('icon-offset', 14, { type: 1, properties });

test.each(SIGN_PLACES.map((place, i) => [i, place] as const))(
  'the sign of an area with place %d stands where the table says',
  (sl, place) => {
    expect(Array.from(offsetOf({ sy: 'CTNARE51', sl }))).toEqual(place);
  },
);

test('the sign of an area without a place, or one of tables to come, stands in its middle', () => {
  expect(Array.from(offsetOf({ sy: 'CTNARE51' }))).toEqual([0, 0]);
  expect(Array.from(offsetOf({ sy: 'CTNARE51', sl: 99 }))).toEqual([0, 0]);
});
