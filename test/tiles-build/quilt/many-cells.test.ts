// Planning thousands of cells: indexed lookups give the same results as comparing all cells.

import { expect, test } from 'vitest';
import type { Box } from '../../../shared/geo/clip-box.ts';
import { BoxGrid } from '../../../tiles-build/quilt/box-grid.ts';
import type { Coverage } from '../../../tiles-build/quilt/coverage.ts';
import { madeRawTiles, madeVectorTiles, RAW_ZOOMS } from '../../../tiles-build/quilt/made-tiles.ts';
import { type MakerBox, MakerRows } from '../../../tiles-build/quilt/maker-box.ts';
import { computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { zoomsOfBand } from '../../../tiles-build/quilt/rank.ts';
import { seededRandom } from '../../support/seeded-random.ts';

/** Boxes of all sizes, many of them on the borders of others. */
function randomBoxes(seed: number, count: number): Box[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const size = 2 ** Math.floor(random() * 12);
    const [left, top] = [random() * 4000 - 2000, random() * 4000 - 2000].map(
      (at) => Math.round(at / size) * size,
    ) as [number, number];
    const width = random() < 0.1 ? 0 : size;
    return { left, top, right: left + width, bottom: top + size * random() };
  });
}

test.each([1, 2, 3])('BoxGrid finds all boxes that meet or touch a box (seed %d)', (seed) => {
  const items = randomBoxes(seed, 400).map((box) => ({ box }));
  const grid = new BoxGrid(items, 16);
  const meets = (a: Box, b: Box) =>
    a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
  for (const box of randomBoxes(seed + 100, 300)) {
    const expected = items.filter((item) => meets(item.box, box));
    expect(grid.meeting(box)).toEqual(expected);
    expect(grid.some(box, () => true)).toBe(expected.length > 0);
    const isTall = (item: { box: Box }) => item.box.bottom - item.box.top > 20;
    expect(grid.some(box, isTall)).toBe(expected.some(isTall));
  }
});

const EVERYWHERE: Box = { left: -1, right: 2, top: -1, bottom: 2 };

/** Overlapping cells of every band, some of them ending on borders of tiles. */
function randomMakers(seed: number): MakerBox[] {
  const random = seededRandom(seed);
  return Array.from({ length: 80 }, () => {
    const { minZoom, maxZoom } = zoomsOfBand(1 + Math.floor(random() * 6));
    const side = random() < 0.5 ? 2 ** -(maxZoom - 1) : random() * 2 ** -10;
    const unit = random() < 0.5 ? side : 2 ** -20;
    const [left, top] = [0.3, 0.4].map(
      (from) => Math.round((from + random() * 0.004) / unit) * unit,
    ) as [number, number];
    return { left, top, right: left + side, bottom: top + side, minZoom, maxZoom };
  });
}

const touches = (box: Box, z: number, x: number, y: number) =>
  box.left <= (x + 1) / 2 ** z &&
  box.right >= x / 2 ** z &&
  box.top <= (y + 1) / 2 ** z &&
  box.bottom >= y / 2 ** z;

test.each([1, 2, 3, 4])(
  'MakerRows gives the same made tiles as the single boxes (seed %d)',
  (seed) => {
    const makers = randomMakers(seed);
    const fewer = new MakerRows(makers, RAW_ZOOMS[0]!).near(EVERYWHERE);
    const vector = madeVectorTiles(fewer);
    const raw = madeRawTiles(fewer);
    const random = seededRandom(seed + 50);
    for (let i = 0; i < 4000; i++) {
      const zoom = Math.floor(random() * 17);
      const z = Math.floor(random() * (zoom + 1));
      const [x, y] = [0.3, 0.4].map((from) =>
        Math.floor((from - 0.001 + random() * 0.006) * 2 ** z),
      );
      const isMade = makers.some((box) => box.maxZoom >= zoom && touches(box, z, x!, y!));
      expect(vector(zoom, z, x!, y!)).toBe(zoom <= 6 || isMade);
      if (!RAW_ZOOMS.includes(zoom)) continue;
      // The rule of `madeRawTiles`, evaluated with every cell.
      const anchor = Math.max(10, zoom - 2);
      const up = 2 ** Math.max(0, z - anchor);
      const expected =
        zoom === 10
          ? makers.some((box) => touches(box, z, x!, y!))
          : makers.some(
              (box) =>
                box.minZoom >= zoom - 1 &&
                touches(box, Math.min(z, anchor), Math.floor(x! / up), Math.floor(y! / up)),
            );
      expect(raw(zoom, z, x!, y!)).toBe(expected);
    }
  },
);

test.each([1, 2, 3])(
  'MakerRows.near gives the same tiles as all boxes, and distant cells change nothing (seed %d)',
  (seed) => {
    const random = seededRandom(seed + 70);
    const makers = randomMakers(seed);
    const all = new MakerRows(makers, RAW_ZOOMS[0]!);
    for (let i = 0; i < 100; i++) {
      const [left, top] = [0.3 + random() * 0.004, 0.4 + random() * 0.004];
      const place = { left, top, right: left + 0.001, bottom: top + random() * 0.001 };
      const near = all.near(place);
      const others = makers.filter((box) => touchesAtRows(box, place));
      expect(new MakerRows(others, RAW_ZOOMS[0]!).near(place)).toEqual(near);
      for (const maker of makers) {
        const { maxZoom } = maker;
        const z = Math.max(maxZoom, RAW_ZOOMS[0]!);
        const [x, y] = [(left + random() * 0.001) * 2 ** z, top * 2 ** z].map(Math.floor);
        const isTouched = (boxes: readonly MakerBox[]) =>
          boxes.some((box) => box.maxZoom === maxZoom && touches(box, z, x!, y!));
        expect(isTouched(near)).toBe(isTouched(makers));
      }
    }
  },
);

/** Whether a box touches a tile that a place touches, at the zoom at which the box is stored. */
function touchesAtRows(box: MakerBox, place: Box): boolean {
  const size = 2 ** Math.max(box.maxZoom, RAW_ZOOMS[0]!);
  const first = (at: number) => Math.ceil(at * size - 1);
  const last = (at: number) => Math.floor(at * size);
  return (
    first(box.left) <= last(place.right) &&
    last(box.right) >= first(place.left) &&
    first(box.top) <= last(place.bottom) &&
    last(box.bottom) >= first(place.top)
  );
}

/** Square cells of a hundredth of a degree, side by side. */
function lattice(columns: number, rows: number): Coverage[] {
  const side = 100_000;
  return Array.from({ length: columns * rows }, (_, i) => {
    const [left, top] = [(i % columns) * side, -Math.floor(i / columns) * side - side];
    const [right, bottom] = [left + side, top + side];
    return {
      name: `ZZ5${String(i).padStart(5, '0')}`,
      usageBand: 5,
      scaleDenominator: 5000,
      editionDate: '20260101',
      rings: [[left, top, right, top, right, bottom, left, bottom]],
      box: { left, right, top, bottom },
    };
  });
}

/** Replaces the polygon engine for cells that do not overlap. */
const cellsAsTheyAre = {
  difference: (subject: readonly number[][]) => [...subject],
  intersection: () => [],
  union: (rings: readonly number[][]) => [...rings],
  linesWithin: () => [],
};

test('computeOwnership does not let the plan of a small cell grow with the thousands of cells around it', () => {
  const few = computeOwnership(lattice(20, 20), cellsAsTheyAre);
  const many = computeOwnership(lattice(45, 45), cellsAsTheyAre);
  // A cell in the middle of each lattice.
  const small = few.get('ZZ500210')!;
  const large = many.get('ZZ501012')!;
  expect(large.makers.length).toBe(1);
  expect(large.makers.length).toBe(small.makers.length);
  expect(large.faces.map(({ better }) => better.length)).toEqual(
    small.faces.map(({ better }) => better.length),
  );
});

test('computeOwnership compares each of thousands of cells with few others', () => {
  let asked = 0;
  const counted = lattice(60, 60).map((cell) =>
    Object.defineProperty({ ...cell }, 'usageBand', {
      get: () => {
        asked++;
        return cell.usageBand;
      },
    }),
  );
  computeOwnership(counted, cellsAsTheyAre);
  // Six tiers, with eight neighbours each.
  expect(asked / counted.length).toBeLessThan(500);
});
