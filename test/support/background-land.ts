// Land of the background in a box, in degrees.

import type { Drawable } from '../../tiles-build/portray/features/drawable.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

export function backgroundLand([west, south, east, north]: Box): Drawable[] {
  const positions = Float64Array.of(
    west,
    south,
    east,
    south,
    east,
    north,
    west,
    north,
    west,
    south,
  );
  const edge = { id: 1, begin: 1, end: 1, positions, attributes: {} };
  const ring = { uses: [{ edge, reversed: false, drawable: true }], exterior: true };
  const geometry = { type: 'area', polygons: [[ring]] } as const;
  return [{ layer: 'bg_land', properties: {}, minZoom: 0, key: 'land', geometry }];
}
