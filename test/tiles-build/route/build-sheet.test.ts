// Some sheets have too many owners to hold their items in memory at once, and some change only in part.
// Both must equal the sheet that is made of all items together.

import { readdirSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { SEA_FLAGS } from '../../../shared/route/sea.ts';
import { COAST_CELLS, encodeCoast } from '../../../tiles-build/route/coast-zone.ts';
import { boxOfNode, cutToNode, uncut } from '../../../tiles-build/route/cut-item.ts';
import { type Effect, NO_EFFECT, type RouteItem } from '../../../tiles-build/route/item.ts';
import { decodeItems, encodeItems } from '../../../tiles-build/route/item-codec.ts';
import { RouteJoin } from '../../../tiles-build/route/route-join.ts';
import {
  asCoast,
  asItems,
  decodeBundle,
  encodeBundle,
} from '../../../tiles-build/route/sheet-bundle.ts';
import { fragmentOf } from '../../../tiles-build/route/slice-route.ts';
import { isLong } from '../../support/long-run.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const folder = scratchFolder();

function bundlesOf(
  fragments: readonly Uint8Array[],
  options: ConstructorParameters<typeof RouteJoin>[1],
): readonly Uint8Array[] {
  const sheet = new RouteJoin(folder, options);
  for (const fragment of fragments) sheet.add(fragment);
  return Array.from(sheet.finish(), (bytes) => bytes.slice());
}

/** The content of the bundles of a sheet, with squares as bytes. */
function sheetOf(fragments: readonly Uint8Array[], mostBytes: number) {
  const bundles = bundlesOf(fragments, { mostBytes }).map(decodeBundle);
  const squares = bundles.flatMap((bundle) => bundle.squares);
  return {
    order: squares.map(({ z, x, y }) => `${z}/${x}/${y}`),
    squares: squares.map(({ deflated }) => Buffer.from(inflateSync(deflated)).toString('base64')),
    blocks: bundles.flatMap(({ block }) => block ?? []),
  };
}

type Random = () => number;

/** Adjacent charts on one sheet, some on a seam of its squares, over a coarse one below them all. */
function randomFragments(seed: number, x: number, y: number): Uint8Array[] {
  const random = seededRandom(seed);
  const { left, top, right } = boxOfNode(8, x, y);
  const side = right - left;
  const owners: RouteItem[][] = [coarseChart(random, left, top, side)];
  for (let i = 0; i < 3; i++) {
    const size = side / (20 + Math.floor(random() * 60));
    const at = [left + random() * (side - size), top + random() * (side - size)] as const;
    owners.push(harbourChart(random, at[0], at[1], size, i));
  }
  const coast = new Uint8Array(COAST_CELLS * COAST_CELLS).map((_, i) =>
    i % COAST_CELLS < 20 + 60 * random() ? 1 : 0,
  );
  return [
    asCoast(encodeCoast({ x, y, cells: coast })),
    ...owners.map((items) => {
      const cuts = items.flatMap((item) => cutToNode(uncut(item), 8, x, y) ?? []);
      return fragmentOf(x, y, cuts).bytes;
    }),
  ];
}

const water = (depth: number): Effect => ({ ...NO_EFFECT, kind: 'depth', depth, isGround: true });
const named = (name: string) => ({ id: name, objectClass: 'DEPARE', objectName: name });

/** Uncharted water over the whole sheet and beyond, with a coast of the background. */
function coarseChart(random: Random, left: number, top: number, side: number): RouteItem[] {
  const ring: Flat = [];
  for (let i = 0; i < 40; i++) {
    const [angle, radius] = [(i / 40) * 2 * Math.PI, side * (0.1 + 0.3 * random())];
    ring.push(
      left + side / 2 + radius * Math.cos(angle),
      top + side / 2 + radius * Math.sin(angle),
    );
  }
  const far = [
    left - side,
    top - side,
    left + 2 * side,
    top - side,
    left + 2 * side,
    top + 2 * side,
  ];
  const feature = named('');
  const open = { ...NO_EFFECT, flags: SEA_FLAGS.background, isGround: true };
  const land: Effect = { ...NO_EFFECT, kind: 'land', depth: Number.NaN, isGround: true };
  return [
    {
      shape: 'area',
      paths: [[...far, left - side, top + 2 * side]],
      effect: open,
      detail: 14,
      feature,
    },
    { shape: 'area', paths: [ring], effect: open, detail: 14, feature },
    {
      shape: 'area',
      paths: [ring.map((value) => value + side / 50)],
      effect: land,
      detail: 14,
      feature,
    },
  ];
}

/** Depth areas that share their borders, with land, dangers, lanes and a bridge. */
function harbourChart(
  random: Random,
  left: number,
  top: number,
  size: number,
  number: number,
): RouteItem[] {
  const cells = 4;
  const corners = Array.from({ length: (cells + 1) ** 2 }, (_, i) => {
    const [column, row] = [i % (cells + 1), Math.floor(i / (cells + 1))];
    const moved = (at: number) => (at % cells === 0 ? 0 : (random() - 0.5) * 0.8);
    const place = (from: number, at: number) =>
      Math.round(from + ((at + moved(at)) * size) / cells);
    return [place(left, column), place(top, row)] as const;
  });
  const detail = [19, 21, 22][number % 3]!;
  const items: RouteItem[] = [];
  for (let i = 0; i < cells * cells; i++) {
    const at = Math.floor(i / cells) * (cells + 1) + (i % cells);
    const ring = [at, at + 1, at + cells + 2, at + cells + 1].flatMap((corner) => [
      ...corners[corner]!,
    ]);
    const isLand = random() < 0.2;
    const effect: Effect = isLand
      ? { ...NO_EFFECT, kind: 'land', depth: Number.NaN, isGround: true }
      : water([2, 5, 5, 10][Math.floor(random() * 4)]!);
    items.push({ shape: 'area', paths: [ring], effect, detail, feature: named(`${number} ${i}`) });
    const shore = { ...effect, kind: 'structure' as const, depth: 1, isGround: false };
    if (random() < 0.3) {
      const radius = random() < 0.5 ? 0 : 200 * random();
      const paths = [ring.slice(0, 6)];
      items.push({
        shape: 'line',
        paths,
        effect: { ...shore, radius },
        detail,
        feature: named(''),
      });
    }
  }
  for (let i = 0; i < 30; i++) {
    const paths = [[Math.round(left + random() * size), Math.round(top + random() * size)]];
    const effect: Effect = {
      ...NO_EFFECT,
      kind: 'danger',
      depth: 3 * random(),
      radius: 10 + 300 * random(),
    };
    items.push({ shape: 'point', paths, effect, detail, feature: named(`danger ${number} ${i}`) });
  }
  // Lines from or to a border of squares, and slightly next to it.
  const border = boxOfNode(14, 0, 0).right;
  for (let i = 0; i < 60; i++) {
    const near = (from: number) =>
      Math.round((from + random() * size) / border) * border + Math.floor(random() * 7) - 3;
    const [x, y] = [near(left), near(top)];
    const [dx, dy] = [0, 1].map(() => Math.floor((random() - 0.5) * 500)) as [number, number];
    const effect: Effect = { ...NO_EFFECT, kind: 'structure', depth: Number.NaN };
    const paths = [[x, y, x + dx, y + dy]];
    items.push({ shape: 'line', paths, effect, detail, feature: named(`line ${number} ${i}`) });
  }
  const notice: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.noticed, notice: 'restriction' };
  for (const item of items.slice(0, 5)) {
    items.push({ ...item, effect: notice, detail: 16, text: `no wake ${number}` });
  }
  const lane = { ...NO_EFFECT, flags: SEA_FLAGS.lane, bearing: 30 * number };
  const bridge: Effect = { ...NO_EFFECT, kind: 'overhead', clearance: 12 };
  const across = [left - size, top + size / 3, left + 2 * size, top + size / 2].map(Math.round);
  return [
    ...items,
    {
      shape: 'area',
      paths: [[...across, Math.round(left), Math.round(top + size)]],
      effect: lane,
      detail,
      feature: named('lane'),
    },
    { shape: 'line', paths: [across], effect: bridge, detail, feature: named('bridge') },
  ];
}

test.each([
  [13, 0, 200],
  ...(isLong ? Array.from({ length: 30 }, (_, i) => [100 + i, 8 * i, 40 + 5 * i]) : []),
])('a sheet painted in parts equals one painted at once (seed %d, sheet %d/%d)', (seed, x, y) => {
  const fragments = randomFragments(seed!, x!, y!);
  const whole = sheetOf(fragments, Number.POSITIVE_INFINITY);
  expect(whole.order.length).toBeGreaterThan(10);
  // First only the sheet is divided, then squares of zoom 11 too.
  const bytes = fragments.reduce((sum, fragment) => sum + fragment.length, 0);
  for (const mostBytes of [bytes / 2, 500]) {
    const parted = sheetOf(fragments, mostBytes);
    expect(parted.order).toEqual(whole.order);
    expect(parted.blocks).toEqual(whole.blocks);
    const differing = whole.order.filter((_, i) => parted.squares[i] !== whole.squares[i]);
    expect(differing).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('a sheet with only water is omitted, in parts or at once', () => {
  const [x, y] = [70, 90];
  const { left, top, right, bottom } = boxOfNode(8, x, y);
  const fragments = [0.25, 0.5, 0.75, 1].map((share) => {
    const [from, to] = [left + (right - left) * (share - 0.25), left + (right - left) * share];
    const paths = [[from, top - 99, to, top - 99, to, bottom + 99, from, bottom + 99]];
    const item: RouteItem = {
      shape: 'area',
      paths,
      effect: water(30),
      detail: 16,
      feature: named('sea'),
    };
    return fragmentOf(x, y, cutToNode(uncut(item), 8, x, y) ? [uncut(item)] : []).bytes;
  });
  const whole = sheetOf(fragments, Number.POSITIVE_INFINITY);
  const bytes = fragments.reduce((sum, fragment) => sum + fragment.length, 0);
  expect(sheetOf(fragments, bytes / 2)).toEqual(whole);
});

const SEED = 20_261_127;

/** The fragments after an object moved or disappeared, or after a chart or the coast changed. */
function changed(fragments: readonly Uint8Array[], random: Random): readonly Uint8Array[] {
  const at = Math.floor(random() * fragments.length);
  const fragment = fragments[at]!;
  // The first fragment is the coast.
  const others = randomFragments(Math.floor(random() * 1e6), 13, 0);
  if (at === 0) return fragments.with(0, others[0]!);
  const chance = random();
  if (chance < 0.2 && fragments.length > 2) return fragments.toSpliced(at, 1);
  if (chance < 0.4) return fragments.with(at, others[1 + Math.floor(random() * 4)]!);
  const sheet = decodeItems(fragment.subarray(1));
  const chosen = Math.floor(random() * sheet.items.length);
  const items = sheet.items.flatMap((item, i) => {
    if (i !== chosen) return [item];
    const paths = item.paths.map((path) => path.map((value) => value + 2000));
    return chance < 0.9 ? [{ ...item, paths }] : [];
  });
  return fragments.with(at, asItems(encodeItems({ ...sheet, items })));
}

const CHANGES = isLong ? 300 : 12;
test(`a changed sheet with squares of an earlier build equals one made from nothing (${CHANGES} changes, seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  let fragments: readonly Uint8Array[] = randomFragments(SEED, 13, 0);
  let former = bundlesOf(fragments, {});
  for (let change = 0; change < CHANGES; change++) {
    fragments = changed(fragments, random);
    const whole = bundlesOf(fragments, {});
    // In memory, or in temporary packs.
    const mostBytes = change % 3 === 0 ? 500 : undefined;
    const partial = bundlesOf(fragments, { former, ...(mostBytes && { mostBytes }) });
    expect(partial.length, `change ${change}`).toBe(whole.length);
    const differing = whole.flatMap((bytes, i) =>
      bytes.every((byte, k) => byte === partial[i]![k]) ? [] : [i],
    );
    expect(differing, `bundles of change ${change}`).toEqual([]);
    former = partial;
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a changed sheet uses the squares of an earlier build that no changed item is near', () => {
  const fragments = randomFragments(SEED, 13, 0);
  const before = bundlesOf(fragments, {}).map(decodeBundle);
  const marked = before.map((bundle) =>
    encodeBundle({ ...bundle, squares: [...bundle.squares, ...bundle.squares] }),
  );
  const sheet = decodeItems(fragments.at(-1)!.subarray(1));
  const danger = sheet.items.find(({ shape }) => shape === 'point')!;
  const items = sheet.items.filter((item) => item !== danger);
  const after = bundlesOf(fragments.with(-1, asItems(encodeItems({ ...sheet, items }))), {
    former: marked,
  }).map(decodeBundle);
  // The last bundle is that of the sheet's own square.
  const made = after
    .slice(0, -1)
    .filter(({ squares }, i) => squares.length < 2 * before[i]!.squares.length);
  expect(made.length).toBeGreaterThan(0);
  expect(made.length).toBeLessThan(after.length / 2);
});
