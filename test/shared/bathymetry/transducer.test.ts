import { describe, expect, it } from 'vitest';
import {
  depthZero,
  hasKnownReference,
  waterlineOffset,
} from '../../../shared/bathymetry/transducer.ts';

describe('the offset of a vessel’s depths from the waterline', () => {
  it.each([
    [null, null, undefined],
    [{}, {}, undefined],
    [{ transducerDepth: 0.6 }, null, 0.6],
    [{ transducerDepth: 0.6, draft: 1.8 }, null, 0.6],
    [{ depthReference: 'keel', transducerDepth: 0.6, draft: 1.8 }, null, 1.8],
    [{ depthReference: 'keel', transducerDepth: 0.6 }, null, undefined],
    [{ depthReference: 'waterline', transducerDepth: 0.6 }, null, 0],
    [{ transducerDepth: 0.6 }, { verticalReferenceOfDepth: 'Waterline' }, 0],
    [{ transducerDepth: 0.6 }, { verticalReferenceOfDepth: 'Transducer' }, 0.6],
    [{ transducerDepth: 0.6 }, { verticalReferenceOfDepth: 'Unknown' }, undefined],
    [{ depthReference: 'mast', transducerDepth: 0.6 }, null, undefined],
    [{ depthReference: 5, transducerDepth: 0.6 }, null, undefined],
    [{ depthReference: 'mast' }, { verticalReferenceOfDepth: 'Waterline' }, undefined],
    [{ depthReference: null, transducerDepth: 0.6 }, null, 0.6],
    [{ transducerDepth: '0.6' }, null, undefined],
    [{ transducerDepth: Number.NaN }, null, undefined],
    [{ transducerDepth: 600 }, null, undefined],
  ])('of %j and %j is %j', (platform, provider, offset) => {
    expect(waterlineOffset(platform, provider)).toBe(offset);
  });
});

it('each statement of a sender about the zero of its depths has another key', () => {
  const keys = [
    depthZero(null, null),
    depthZero({ transducerDepth: 0.6 }, null),
    depthZero({ transducerDepth: 0.7 }, null),
    depthZero({ depthReference: 'keel' }, null),
    depthZero({ depthReference: 'keel', draft: 0.6 }, null),
    depthZero(null, { verticalReferenceOfDepth: 'Waterline' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(depthZero({ name: 'Lark', draft: 2 }, null)).toBe(keys[0]);
  expect(depthZero({ depthReference: 'waterline' }, null)).toBe(keys.at(-1));
});

it.each([
  [null, null, true],
  [{ depthReference: '' }, { verticalReferenceOfDepth: '' }, true],
  [{ depthReference: 'Keel' }, null, true],
  [{}, { verticalReferenceOfDepth: 'Unknown' }, true],
  [{}, { verticalReferenceOfDepth: 'Chart datum' }, false],
  [{ depthReference: 'mast' }, { verticalReferenceOfDepth: 'Waterline' }, false],
  [{ depthReference: { of: 'keel' } }, null, false],
])('the reference of depths in %j and %j is known: %j', (platform, provider, isKnown) => {
  expect(hasKnownReference(platform, provider)).toBe(isKnown);
});
