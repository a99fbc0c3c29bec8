// The box of a region query at the meridian of 180°.

import { describe, expect, test } from 'vitest';
import { readQuery } from '../../../shared/contract/query.ts';
import { REGION_PARAMETERS } from '../../../shared/contract/region.ts';

const boundsOf = (bbox: string) => {
  const texts: Record<string, string[]> = { bbox: [bbox], maxZoom: ['3'] };
  const read = readQuery(REGION_PARAMETERS, (name) => texts[name]);
  return 'faults' in read ? read.faults.map(({ path }) => path) : read.query.bbox;
};

describe('the bbox of a region', () => {
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
