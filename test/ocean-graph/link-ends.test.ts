// Links of ends that see no way onwards, over blocks that are drawn as text.

import { expect, it } from 'vitest';
import { nodePoint } from '../../shared/route/plan/search/ocean-graph.ts';
import { linkEnds } from './link-ends.ts';
import { OpenBlocks } from './open-blocks.ts';

/** A place in the middle of the plane. */
const [LEFT, TOP] = [4000, 4000];

/** Blocks as text: `#` is land, as is everything around. Other letters name nodes. */
function drawn(rows: readonly string[]) {
  const has = (x: number, y: number) => (rows[y - TOP]?.[x - LEFT] ?? '#') !== '#';
  const blocks = Object.create(OpenBlocks.prototype, { has: { value: has } }) as OpenBlocks;
  const placeOf = (name: string) => {
    const y = rows.findIndex((row) => row.includes(name));
    return { x: LEFT + rows[y]!.indexOf(name), y: TOP + y };
  };
  return { blocks, placeOf };
}

const bendAt = (x: number, y: number) => ({ x, y });

it('links an end around land with a line whose nodes see each other', () => {
  const { blocks, placeOf } = drawn([
    'A....#.......',
    '.....#..###..',
    '...###..#.#..',
    '........#B#..',
    '.....####....',
    '.....#C......',
  ]);
  const nodes = [placeOf('A'), placeOf('B'), placeOf('C')];
  const links = linkEnds(blocks, nodes, [{ from: 1, to: 2, meters: 1 }], 1, bendAt);
  expect(links.filter(({ from }) => from === 0)).toHaveLength(2);
  expect(links.map(({ to }) => to)).toEqual(expect.arrayContaining([1, 2]));
  expect(nodes.length).toBeGreaterThan(3);
  for (const { from, to } of links) {
    const [a, b] = [nodes[from]!, nodes[to]!];
    expect(blocks.see(nodePoint(a.x, a.y), nodePoint(b.x, b.y))).toBe(true);
  }
});

it('links two ends that see only each other, and no end that pairs connect', () => {
  const { blocks, placeOf } = drawn(['A..B##..', '....##..', '........', 'C...####', '..D.....']);
  const nodes = ['A', 'B', 'C', 'D'].map(placeOf);
  const apart = [[0, 1] as const, [2, 3] as const].map(([from, to]) => ({ from, to, meters: 1 }));
  const found = linkEnds(blocks, [...nodes], apart, 2, bendAt);
  expect(found.map(({ to }) => to)).toEqual(expect.arrayContaining([2, 3]));
  const joined = [...apart, { from: 1, to: 2, meters: 1 }];
  expect(linkEnds(blocks, [...nodes], joined, 2, bendAt)).toEqual([]);
});
