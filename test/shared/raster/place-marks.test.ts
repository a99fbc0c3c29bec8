// Crowded texts with several places: neighbouring raster tiles must agree on common texts.

import { expect, test } from 'vitest';
import type { Mark, PreparedBlock } from '../../../shared/raster/block.ts';
import { MARK_MARGIN_PIXELS } from '../../../shared/raster/display-list.ts';
import { placeMarks } from '../../../shared/raster/place-marks.ts';
import { windowOf } from '../../../shared/raster/window.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const ZOOM = 6;
const SIDE = 256;
const BLOCK = 512;
/** Blocks 8 to 11 in both directions; the inner tiles are compared. */
const FIRST_BLOCK = 8;
const TILES = [18, 19, 20, 21];
const SEEDS = isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 8];

interface Placed {
  readonly name: string;
  /** Pixels of the world. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface TextAt {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly layer: number;
  readonly sortKey: number;
  readonly isKept: boolean;
  /** A depth below all texts, over which nothing gives way. */
  readonly isDepth?: boolean;
}

/** So crowded that decisions depend on each other over several tiles. */
function someTexts(seed: number): TextAt[] {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const place = () => ({ x: below(4 * BLOCK), y: below(4 * BLOCK), sortKey: below(4) });
  const texts = Array.from({ length: 4000 }, () => ({
    ...place(),
    ...{ width: 12 + below(120), layer: 1 + below(3), isKept: below(12) === 0 },
  }));
  const depths = Array.from({ length: 8000 }, () => ({
    ...place(),
    ...{ width: 14, layer: 0, isKept: false, isDepth: true },
  }));
  return [...texts, ...depths];
}

/** A text with four possible places around its point, a symbol that is always shown, or a depth. */
function markOf({ x, y, width, layer, sortKey, isKept, isDepth }: TextAt, name: string): Mark {
  const box = isKept ? [x - 8, y - 8, x + 8, y + 8] : [x - width / 2, y - 7, x + width / 2, y + 7];
  const side = width / 2 + 8;
  return {
    layer,
    item: { kind: 'text', text: name, x, y } as Mark['item'],
    boxes: box,
    ...(isKept || isDepth
      ? {}
      : {
          places: [
            [side, 0],
            [-side, 0],
            [0, -16],
            [0, 16],
          ] as const,
        }),
    isKept,
    isObstacle: isDepth !== true,
    sortKey,
  };
}

function blocksOf(all: readonly TextAt[]): Map<string, PreparedBlock> {
  const blocks = new Map<string, Mark[]>();
  all.forEach((text, i) => {
    const key = `${FIRST_BLOCK + Math.floor(text.x / BLOCK)}/${FIRST_BLOCK + Math.floor(text.y / BLOCK)}`;
    const mark = markOf({ ...text, x: text.x % BLOCK, y: text.y % BLOCK }, `${i}`);
    blocks.set(key, [...(blocks.get(key) ?? []), mark]);
  });
  return new Map(
    [...blocks].map(([key, marks]) => [key, { ground: [], marks, weight: marks.length }]),
  );
}

const NO_MARKS: PreparedBlock = { ground: [], marks: [], weight: 0 };

/** World positions of a tile's placed marks. */
function placedBy(blocks: ReadonlyMap<string, PreparedBlock>, x: number, y: number): Placed[] {
  const window = windowOf({ z: ZOOM, x, y });
  const set = window.blocks.map(({ tile, ...rest }) => ({
    ...rest,
    block: blocks.get(`${tile.x}/${tile.y}`) ?? NO_MARKS,
  }));
  return placeMarks(set, window.blockPixels).map(({ mark, left, top }) => {
    const [l, t, r, b] = mark.boxes as [number, number, number, number];
    const [originX, originY] = [x * SIDE + left, y * SIDE + top];
    const name = (mark.item as { text: string }).text;
    return {
      name,
      left: l + originX,
      top: t + originY,
      right: r + originX,
      bottom: b + originY,
    };
  });
}

const isSeenIn = ({ left, top, right, bottom }: Placed, x: number, y: number): boolean =>
  left - MARK_MARGIN_PIXELS < (x + 1) * SIDE &&
  right + MARK_MARGIN_PIXELS > x * SIDE &&
  top - MARK_MARGIN_PIXELS < (y + 1) * SIDE &&
  bottom + MARK_MARGIN_PIXELS > y * SIDE;

const keyOf = ({ name, left, top }: Placed): string => `${name} at ${left} ${top}`;

const NEXT = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
] as const;

test.each(SEEDS)('every raster tile shows the same texts as its neighbours, sample %i', (seed) => {
  const blocks = blocksOf(someTexts(seed));
  const byTile = new Map(
    TILES.flatMap((y) => TILES.map((x) => [`${x}/${y}`, placedBy(blocks, x, y)] as const)),
  );
  let crossing = 0;
  for (const [tile, own] of byTile) {
    const [x, y] = tile.split('/').map(Number) as [number, number];
    for (const [nx, ny] of NEXT.map(([dx, dy]) => [x + dx, y + dy] as const)) {
      const other = byTile.get(`${nx}/${ny}`);
      if (other === undefined) continue;
      const seenInBoth = (list: readonly Placed[]) =>
        list.filter((one) => isSeenIn(one, x, y) && isSeenIn(one, nx, ny)).map(keyOf);
      crossing += seenInBoth(own).length;
      expect(seenInBoth(own).sort()).toEqual(seenInBoth(other).sort());
    }
  }
  expect(crossing).toBeGreaterThan(50);
});

test.each(SEEDS)('shown texts and depths do not overlap, sample %i', (seed) => {
  const all = someTexts(seed);
  const shown = placedBy(blocksOf(all), 19, 19).filter(({ name }) => !all[Number(name)]!.isKept);
  const isDepth = ({ name }: Placed) => all[Number(name)]!.isDepth === true;
  expect(shown.filter(isDepth).length).toBeGreaterThan(20);
  expect(shown.length - shown.filter(isDepth).length).toBeGreaterThan(50);
  const overlapping = shown.flatMap((a, i) =>
    shown
      .slice(i + 1)
      .filter((b) => !isDepth(a) || !isDepth(b))
      .filter((b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top)
      .map((b) => `${keyOf(a)}, ${keyOf(b)}`),
  );
  expect(overlapping).toEqual([]);
});

test('of two texts in one place, the one with the lower sort key is shown', () => {
  const texts = [3, 1].map((sortKey) => ({
    x: 700,
    y: 700,
    width: 90,
    layer: 1,
    sortKey,
    isKept: false,
  }));
  const blocks = blocksOf(texts.map((text) => ({ ...text, places: [] })));
  const marks = [...blocks.values()]
    .flatMap((block) => block.marks)
    .map(({ places, ...mark }) => mark);
  const block = { ground: [], marks, weight: 2 };
  const placed = placeMarks([{ block, left: 0, top: 0, isOwn: true }], BLOCK);
  expect(placed.map(({ mark }) => (mark.item as { text: string }).text)).toEqual(['1']);
});

test.each([
  [1, ['south', 'north']],
  [undefined, ['north', 'south']],
])('with the sort key %s, two symbols are drawn in the order %j', (sortKey, expected) => {
  const markAt = (text: string, y: number): Mark => ({
    layer: 1,
    item: { kind: 'text', text, x: 700, y } as Mark['item'],
    boxes: [690, y - 5, 710, y + 5],
    isKept: true,
    isObstacle: false,
    sortKey,
  });
  const block = { ground: [], marks: [markAt('south', 705), markAt('north', 700)], weight: 2 };
  const placed = placeMarks([{ block, left: 0, top: 0, isOwn: true }], BLOCK);
  expect(placed.map(({ mark }) => (mark.item as { text: string }).text)).toEqual(expected);
});
