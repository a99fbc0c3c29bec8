// Letters drawn as strokes, so that symbols need no font. Before scaling, a letter is 4 wide and 6
// high, with its origin at the bottom left.

import { moved, type Paint, path, type Shape, scaled } from './shape.ts';

const LETTERS: Readonly<Record<string, string>> = {
  A: 'M0 0 L2 -6 L4 0 M0.8 -2.2 L3.2 -2.2',
  B: 'M0 0 L0 -6 L2 -6 C4 -6 4 -3.2 2 -3.2 L0 -3.2 M2 -3.2 C4.6 -3.2 4.6 0 2 0 L0 0',
  C: 'M4 -5 C2.8 -6.8 0 -6.2 0 -3 C0 0.2 2.8 0.8 4 -1',
  D: 'M0 0 L0 -6 L1.4 -6 C5 -6 5 0 1.4 0 Z',
  F: 'M0 0 L0 -6 L3.6 -6 M0 -3.2 L2.8 -3.2',
  G: 'M4 -5 C2.8 -6.8 0 -6.2 0 -3 C0 0.2 3.2 0.8 4 -1 L4 -2.8 L2.4 -2.8',
  H: 'M0 0 L0 -6 M4 0 L4 -6 M0 -3 L4 -3',
  R: 'M0 0 L0 -6 L2 -6 C4.6 -6 4.6 -2.8 2 -2.8 L0 -2.8 M2 -2.8 L4 0',
  S: 'M3.8 -5 C2.8 -6.6 0.2 -6.3 0.2 -4.6 C0.2 -2.6 3.9 -3.4 3.9 -1.5 C3.9 0.4 1 0.5 0 -1',
  U: 'M0 -6 L0 -2 C0 0.7 4 0.7 4 -2 L4 -6',
  V: 'M0 -6 L2 0 L4 -6',
  W: 'M-0.6 -6 L0.8 0 L2 -4.4 L3.2 0 L4.6 -6',
  Y: 'M0 -6 L2 -3 L4 -6 M2 -3 L2 0',
  i: 'M2 -3.8 L2 0 M2 -5.9 L2 -6',
  '?': 'M0.4 -4.6 C0.4 -6.6 3.8 -6.6 3.8 -4.5 C3.8 -3 2 -3.1 2 -1.7 M2 -0.1 L2 0',
  '!': 'M2 -6 L2 -2 M2 -0.1 L2 0',
  '1': 'M0.8 -4.8 L2.2 -6 L2.2 0',
  '2': 'M0.3 -4.6 C0.6 -6.6 3.8 -6.4 3.6 -4.3 C3.5 -2.9 1 -1.6 0.2 0 L3.9 0',
};

const WIDTH = 4;
const HEIGHT = 6;

/** Text centred on a point, `height` pixels high. */
export function lettering(
  text: string,
  x: number,
  y: number,
  height: number,
  paint: Paint,
): Shape[] {
  const factor = height / HEIGHT;
  const advance = (WIDTH + 2) * factor;
  const left = x - ((text.length - 1) * advance + WIDTH * factor) / 2;
  return [...text].flatMap((letter, index) => {
    const data = LETTERS[letter];
    if (data === undefined) throw new Error(`No strokes are drawn for the letter "${letter}".`);
    return moved(scaled([path(data, paint)], factor), left + index * advance, y + height / 2);
  });
}
