// Crossings of a line and depth contours.

import { expect, it } from 'vitest';
import { type Contour, Crossings } from '../../../shared/query/contours-crossed.ts';
import { type LonLat, lengthOf, piecesOf } from '../../../shared/query/profile-line.ts';
import { GRID } from '../../../shared/query/record.ts';

const LINE: readonly LonLat[] = [
  [0, 0],
  [0.1, 0],
];

function contour(depth: number | null, ...degrees: readonly number[]): Contour {
  const line = degrees.map((one) => Math.round(one * GRID));
  const xs = line.filter((_, i) => i % 2 === 0);
  const ys = line.filter((_, i) => i % 2 === 1);
  return {
    identity: `C/${depth}`,
    depth,
    box: {
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    },
    lines: [line],
  };
}

/** Depths and thousandths of the line's length. */
function crossed(contours: readonly Contour[], line = LINE) {
  const crossings = new Crossings();
  const pieces = piecesOf(line);
  for (const piece of pieces) crossings.add(piece, contours);
  return crossings
    .inOrder()
    .map(({ depth, distance }) => [depth, Math.round((1000 * distance) / lengthOf(pieces))]);
}

it('are in the order of their distances', () => {
  const deep = contour(10, 0.08, -1, 0.08, 1);
  const shallow = contour(5, 0.02, 1, 0.02, -1);
  expect(crossed([deep, shallow])).toEqual([
    [5, 200],
    [10, 800],
  ]);
});

it('count each time that the line crosses a contour', () => {
  expect(crossed([contour(5, 0.02, -1, 0.02, 1, 0.04, 1, 0.04, -1)])).toEqual([
    [5, 200],
    [5, 400],
  ]);
});

it('count once if the contour is in two buckets', () => {
  const one = contour(5, 0.05, -1, 0.05, 1);
  expect(crossed([one, { ...one }])).toEqual([[5, 500]]);
});

it('count once at a vertex of the contour and at a vertex of the line', () => {
  expect(crossed([contour(5, 0.05, -1, 0.05, 0, 0.05, 1)])).toEqual([[5, 500]]);
  const bent: readonly LonLat[] = [
    [0, 0],
    [0.05, 0],
    [0.1, 0],
  ];
  expect(crossed([contour(5, 0.05, -1, 0.05, 1)], bent)).toEqual([[5, 500]]);
  expect(crossed([contour(5, 0.05, -1, 0.05, 0, 0.05, 1)], bent)).toEqual([[5, 500]]);
});

it('do not include a contour that ends before the line or lies along it', () => {
  expect(crossed([contour(5, 0.04, -1, 0.05, -0.001, 0.06, -1)])).toEqual([]);
  expect(crossed([contour(5, 0.02, 0, 0.06, 0)])).toEqual([]);
});

it('have no depth if the depth of the contour is unknown', () => {
  expect(crossed([contour(null, 0.05, -1, 0.05, 1)])).toEqual([[null, 500]]);
});
