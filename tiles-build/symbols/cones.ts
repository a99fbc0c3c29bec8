// Cones of cardinal marks: the direction of each cone and the position of the black bands, as
// defined by the IALA Maritime Buoyage System. The cones point to the black.

import type { ColorToken } from '../../shared/style/palette.ts';
import type { Point } from './shape.ts';

type ConePoints = 'up' | 'down';

interface Cone {
  readonly points: ConePoints;
  /** From the top. */
  readonly colors: readonly ColorToken[];
}

/** Upper cone, then lower one. */
export const CARDINAL_CONES = {
  north: [
    { points: 'up', colors: ['CHBLK'] },
    { points: 'up', colors: ['CHYLW'] },
  ],
  east: [
    { points: 'up', colors: ['CHBLK', 'CHYLW'] },
    { points: 'down', colors: ['CHYLW', 'CHBLK'] },
  ],
  south: [
    { points: 'down', colors: ['CHYLW'] },
    { points: 'down', colors: ['CHBLK'] },
  ],
  west: [
    { points: 'down', colors: ['CHYLW', 'CHBLK'] },
    { points: 'up', colors: ['CHBLK', 'CHYLW'] },
  ],
} as const satisfies Readonly<Record<string, readonly [Cone, Cone]>>;

/** A cone on the waterline, with `halfWidth` on both sides. */
export function coneOutline(halfWidth: number, height: number, points: ConePoints): Point[] {
  return points === 'up'
    ? [
        [-halfWidth, 0],
        [0, -height],
        [halfWidth, 0],
      ]
    : [
        [-halfWidth, -height],
        [halfWidth, -height],
        [0, 0],
      ];
}
