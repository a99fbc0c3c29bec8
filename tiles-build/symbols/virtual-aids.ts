// Virtual aids to navigation, which AIS broadcasts and which do not exist in the water. A dashed
// magenta ring, as for other invisible objects, contains the figure of the mark's topmark (IALA
// Maritime Buoyage System, topmarks; for lateral marks the shape of the body).

import type { VIRTUAL_AID_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import {
  boxPoints,
  corners,
  disc,
  line,
  type Point,
  polygon,
  type Shape,
  type SymbolShapes,
} from './shape.ts';

type VirtualAidName = (typeof VIRTUAL_AID_SYMBOLS)[number];

const INK = { fill: 'CHMGD', stroke: 'CHMGD', width: 1.01 } as const;
const BAR = { stroke: 'CHMGD', width: 2 } as const;

export const VIRTUAL_AIDS: Readonly<Record<VirtualAidName, SymbolShapes>> = {
  'VAIS-north': inRing([cone(-1, 'up'), cone(6, 'up')]),
  'VAIS-east': inRing([cone(-0.5, 'up'), cone(6.5, 'down')]),
  'VAIS-south': inRing([cone(-1, 'down'), cone(6, 'down')]),
  'VAIS-west': inRing([cone(0, 'down'), cone(6, 'up')]),
  'VAIS-port': inRing([polygon(boxPoints(-4, -4.5, 8, 9), INK)]),
  'VAIS-starboard': inRing([polygon(corners('-5 4, 0 -6, 5 4'), INK)]),
  'VAIS-isolated': inRing([disc(0, -3.6, 2.6, INK), disc(0, 3.6, 2.6, INK)]),
  'VAIS-safe': inRing([disc(0, 0, 4, INK)]),
  'VAIS-special': inRing([line(-4.5, -4.5, 4.5, 4.5, BAR), line(-4.5, 4.5, 4.5, -4.5, BAR)]),
  'VAIS-wreck': inRing([line(0, -6, 0, 6, BAR), line(-6, 0, 6, 0, BAR)]),
  'VAIS-other': inRing([disc(0, 0, 1.6, INK)]),
};

function inRing(figure: readonly Shape[]): SymbolShapes {
  return [disc(0, 0, 10, { stroke: 'CHMGD', width: 1.5, dash: [4, 2.28] }), ...figure];
}

/** A cone 5 pixels high with its lower edge at `y`. */
function cone(y: number, points: 'up' | 'down'): Shape {
  const outline: readonly Point[] =
    points === 'up'
      ? [
          [-4, y],
          [0, y - 5],
          [4, y],
        ]
      : [
          [-4, y - 5],
          [4, y - 5],
          [0, y],
        ];
  return polygon(outline, INK);
}
