// The grid of boxes against a search through all boxes, for boxes of very different sizes.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Box, boxesMeet } from '../../../shared/geo/clip-box.ts';
import { BoxGrid } from '../../../tiles-build/quilt/box-grid.ts';

const place = fc.integer({ min: -4000, max: 4000 });
const length = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3000 }));
const box: fc.Arbitrary<Box> = fc
  .tuple(place, place, length, length)
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));

it('finds the same boxes as a search through all', () => {
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 300 }), box, (boxes, wanted) => {
      const items = boxes.map((one, i) => ({ box: one, i }));
      const grid = new BoxGrid(items, 16);
      const meeting = items.filter((item) => boxesMeet(item.box, wanted));
      expect(grid.meeting(wanted)).toEqual(meeting);
      const isOdd = ({ i }: { readonly i: number }) => i % 2 === 1;
      expect(grid.some(wanted, isOdd)).toBe(meeting.some(isOdd));
    }),
  );
});
