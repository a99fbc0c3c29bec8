// Which box a region is asked for with, beside the meridian of 180°.

import { describe, expect, test } from 'vitest';
import { readRegionQuery } from '../../../shared/contract/region.ts';

const boundsOf = (bbox: string) => {
  const query = readRegionQuery((name) => ({ bbox: [bbox], maxZoom: ['3'], from: [] })[name]);
  return 'faults' in query ? query.faults.map(({ path }) => path) : query.bounds;
};

describe('a region', () => {
  test.each(['180,-2,180,2', '-180,-2,-180,2', '180,-2,-180,2', '540,-2,540,2'])(
    'a region of the meridian of 180° alone is none: %s',
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
  ])('beside it has its own side of it: %s', (bbox, bounds) => {
    expect(boundsOf(bbox)).toEqual(bounds);
  });
});
