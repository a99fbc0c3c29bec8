// Compares the marks of each tile of a window with a test of every mark.

import { expect, test } from 'vitest';
import type { Mark, PreparedBlock } from '../../../shared/raster/block.ts';
import { MARK_MARGIN_PIXELS } from '../../../shared/raster/display-list.ts';
import { placeMarks } from '../../../shared/raster/place-marks.ts';
import { windowOf } from '../../../shared/raster/window.ts';
import { WindowMarks } from '../../../shared/raster/window-marks.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIDE = 256;

/** Symbols that are always shown, some with several boxes or far beyond the block's border. */
function someBlock(seed: number, blockPixels: number): PreparedBlock {
  const random = seededRandom(seed);
  const box = () => {
    const [x, y] = [(random() * 1.4 - 0.2) * blockPixels, (random() * 1.4 - 0.2) * blockPixels];
    return [x, y, x + random() * 400, y + random() * 30];
  };
  const marks = Array.from(
    { length: 300 },
    (_, i): Mark => ({
      layer: i % 3,
      item: { kind: 'icon', image: `${seed} ${i}`, x: 0, y: 0, turnDegrees: undefined },
      boxes: Array.from({ length: 1 + (i % 3) }, box).flat(),
      isKept: true,
      isObstacle: false,
      sortKey: i % 5,
    }),
  );
  return { ground: [], marks, weight: 1 };
}

test.each([
  ['the whole world', { z: 0, x: 0, y: 0 }],
  ['a corner of the world', { z: 2, x: 0, y: 0 }],
  ['the last tile of the world', { z: 3, x: 7, y: 7 }],
  ['an upper left tile of a block', { z: 9, x: 40, y: 66 }],
  ['a lower right tile of a block', { z: 9, x: 41, y: 67 }],
])('%s is given the marks that reach it, in the order of drawing', (_, tile) => {
  const { blocks, blockPixels } = windowOf(tile);
  const set = blocks.map((one, i) => ({ ...one, block: someBlock(i + 1, blockPixels) }));
  const given = new WindowMarks(set, blockPixels).reaching(-set[0]!.left, -set[0]!.top);
  const reaching = placeMarks(set, blockPixels).filter(({ mark: { boxes }, left, top }) =>
    boxes.some(
      (_, i) =>
        i % 4 === 0 &&
        boxes[i]! + left < SIDE + MARK_MARGIN_PIXELS &&
        boxes[i + 2]! + left > -MARK_MARGIN_PIXELS &&
        boxes[i + 1]! + top < SIDE + MARK_MARGIN_PIXELS &&
        boxes[i + 3]! + top > -MARK_MARGIN_PIXELS,
    ),
  );
  expect(reaching.length).toBeGreaterThan(20);
  expect(given.map(({ mark }) => mark)).toEqual(reaching.map(({ mark }) => mark));
  for (const [i, { left, top }] of given.entries()) {
    expect([left + set[0]!.left, top + set[0]!.top]).toEqual([reaching[i]!.left, reaching[i]!.top]);
  }
});
