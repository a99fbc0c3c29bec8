// The box of a region query at the meridian of 180°.

import { describe, expect, test } from 'vitest';
import { readRegionQuery } from '../../../shared/contract/region.ts';

const boundsOf = (bbox: string) => {
  const query = readRegionQuery((name) => ({ bbox: [bbox], maxZoom: ['3'], from: [] })[name]);
  return 'faults' in query ? query.faults.map(({ path }) => path) : query.bounds;
};

describe('readRegionQuery', () => {
  test.each(['180,-2,180,2', '-180,-2,-180,2', '180,-2,-180,2', '540,-2,540,2'])(
    'rejects a box without width at 180°: %s',
    (bbox) => {
      expect(boundsOf(bbox)).toEqual(['bbox']);
    },
  );

  test.each([
    ['-180,-2,180,2', [-180, -2, 180, 2]],
    ['180,-2,540,2', [-180, -2, 180, 2]],
    ['179,-2,180,2', [179, -2, 180, 2]],
    ['180,-2,181,2', [-180, -2, -179, 2]],
    ['-181,-2,-180,2', [179, -2, 180, 2]],
    ['179,-2,-179,2', [179, -2, -179, 2]],
  ])('keeps a box that ends at 180° on its side: %s', (bbox, bounds) => {
    expect(boundsOf(bbox)).toEqual(bounds);
  });
});
