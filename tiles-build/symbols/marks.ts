// Figures that several families share: the anchor, framed letters, the prohibition sign.

import type { ColorToken } from '../../shared/style/palette.ts';
import { lettering } from './lettering.ts';
import { box, disc, line, type Paint, path, type Shape, scaled } from './shape.ts';

/** An anchor, 22 pixels high at factor 1, with its centre at the origin. */
export function anchor(factor: number, paint: Paint): Shape[] {
  return scaled(
    [
      disc(0, -8.5, 2.2, paint),
      line(0, -6.3, 0, 10, paint),
      line(-5, -3.5, 5, -3.5, paint),
      path('M-9 2 C-8 8 -4 10 0 10.5 C4 10 8 8 9 2', paint),
      path('M-9.5 6.4 L-9 2 L-5.6 4.4 M9.5 6.4 L9 2 L5.6 4.4', paint),
    ],
    factor,
  );
}

/** Two letters in a frame. */
export function signalBox(letters: string, ink: ColorToken): Shape[] {
  return [
    box(-8, -5.5, 16, 11, { stroke: ink, width: 1.2 }),
    ...lettering(letters, 0, 0, 6, { stroke: ink, width: 1.3 }),
  ];
}

/** The diagonal stroke of a prohibition sign. */
export function strikeThrough(reach: number, ink: ColorToken): Shape {
  return line(-reach, reach, reach, -reach, { stroke: ink, width: 2 });
}
