// The tints of depth areas, by the contours that the caller chooses.

import {
  createExpression,
  type FillLayerSpecification,
  featureFilter,
} from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import type { StyleOptions } from '../../../shared/style/options.ts';
import { paletteFor } from '../../../shared/style/palette.ts';
import { layerWith } from '../../support/written-style.ts';

const { CHBRN, DEPIT, DEPVS, DEPMS, DEPMD, DEPDW, NODTA } = paletteFor('day');

function tintsOf(options: Partial<StyleOptions>, ranges: readonly (readonly number[])[]) {
  const { paint } = layerWith('DEPARE-fill', options) as FillLayerSpecification;
  const made = createExpression(paint?.['fill-color'] as never, 'paint.fill-color');
  if (made.result === 'error') throw new Error(JSON.stringify(made.value));
  return ranges.map(([d1, d2]) =>
    made.value.evaluate({ zoom: 12 }, { type: 3, properties: { d1, d2 } }),
  );
}

test('ice, which hides the depth, does not have the colour of deep water', () => {
  const { paint } = layerWith('ICEARE-fill') as FillLayerSpecification;
  expect(paint?.['fill-color']).toBe(NODTA);
});

/** The tint of a danger area, or `undefined` without one. */
function dangerTint(
  name: string,
  properties: Record<string, number>,
  options: Partial<StyleOptions> = {},
) {
  const { paint, filter } = layerWith(`${name}-area`, options) as FillLayerSpecification;
  const feature = { type: 3, properties } as const;
  if (!featureFilter(filter as never, 'filter').filter({ zoom: 18 }, feature)) return undefined;
  const made = createExpression(paint?.['fill-color'] as never, 'paint.fill-color');
  if (made.result === 'error') throw new Error(JSON.stringify(made.value));
  return made.value.evaluate({ zoom: 18 }, feature);
}

test('dry and drying dangers do not have the tint of water', () => {
  const [shallow, deep] = [
    { dd: -15, ud: 0 },
    { dd: -15, ud: 20 },
  ];
  for (const name of ['OBSTRN', 'WRECKS', 'UWTROC']) {
    expect(dangerTint(name, { ...shallow, ln: 0 })).toBe(DEPVS);
    expect(dangerTint(name, { ...shallow, ln: 1 })).toBe(DEPIT);
    expect(dangerTint(name, { dd: -15, ud: -100, ln: 2 })).toBe(CHBRN);
  }
  expect(dangerTint('OBSTRN', { ...deep, ln: 1 })).toBe(DEPVS);
  expect(dangerTint('WRECKS', { ...deep, ln: 1 })).toBe(DEPIT);
});

test.each([6, 7, 9])('an obstruction of category %d has a tint only if it is isolated', (cat) => {
  expect(dangerTint('OBSTRN', { cat, dd: 0.01, ud: 0, ln: 0 })).toBeUndefined();
  expect(dangerTint('OBSTRN', { cat, dd: 0.01, ud: 20, ln: 0 })).toBe(DEPVS);
});

test('shallowDepth and deepDepth set the limits of the five tints', () => {
  const ranges = [
    [-2, 0],
    [0, 2],
    [2, 5],
    [5, 10],
    [10, 20],
    [30, 50],
  ];
  expect(tintsOf({ depthLimit: 5 }, ranges)).toEqual([DEPIT, DEPVS, DEPMS, DEPMD, DEPMD, DEPDW]);
  const chosen = { depthLimit: 5, shallowDepth: 5, deepDepth: 10 };
  expect(tintsOf(chosen, ranges)).toEqual([DEPIT, DEPVS, DEPVS, DEPMD, DEPDW, DEPDW]);
  // shallowDepth is at most and deepDepth at least the safety depth.
  const beyond = { depthLimit: 5, shallowDepth: 20, deepDepth: 1 };
  expect(tintsOf(beyond, ranges)).toEqual([DEPIT, DEPVS, DEPVS, DEPDW, DEPDW, DEPDW]);
});

test('an ocean without inner contours is deep water, unless part of it is unsafe', () => {
  const ocean = [[18.2, 4572]];
  expect(tintsOf({ depthLimit: 3 }, ocean)).toEqual([DEPDW]);
  expect(tintsOf({ depthLimit: 20 }, ocean)).toEqual([DEPMS]);
});

test('remains of a wreck over which ships can sail have no tint, with any safety depth', () => {
  const remains = { dd: 20.1, ud: -100, ln: 1 };
  const tints = [1, 3].map((cat) => dangerTint('WRECKS', { ...remains, cat }, { depthLimit: 30 }));
  expect(tints).toEqual([DEPIT, undefined]);
  const shoal = { ...remains, cat: 3, dd: 2, ud: 2.5 };
  expect(dangerTint('WRECKS', shoal, { depthLimit: 10 })).toBe(DEPIT);
});
