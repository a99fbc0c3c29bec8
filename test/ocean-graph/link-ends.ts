// Links the ends of passages with nodes to which no pairs connect them. A link gets new nodes at its bends, so that it
// never crosses land. Otherwise each trip would have to search for a path around it.

import { greatCircleMeters } from '../../shared/route/plan/geometry/plane.ts';
import { Heap } from '../../shared/route/plan/search/heap.ts';
import { nodePoint } from '../../shared/route/plan/search/ocean-graph.ts';
import { ACROSS, type OpenBlocks } from './open-blocks.ts';
import type { Pair } from './visible-pairs.ts';

type Blocks = Pick<OpenBlocks, 'has' | 'see'>;
interface Node {
  readonly x: number;
  readonly y: number;
}

/** Maximum number of links of an end, and of nearest nodes that are examined for it. */
const MAX_LINKS = 4;
const EXAMINED = 60;

/**
 * Links each end with those of its nearest nodes that no pairs connect it with.
 *
 * @param nodes the ends first; nodes at bends are added. Others are linked only if they are in a pair
 * @param ends number of ends
 * @returns the links
 */
export function linkEnds<N extends Node>(
  blocks: Blocks,
  nodes: N[],
  pairs: readonly Pair[],
  ends: number,
  bendAt: (x: number, y: number) => N,
): Pair[] {
  const links: Pair[] = [];
  const groups = groupsOf(nodes.length, pairs);
  const linked = new Set(pairs.flatMap(({ from, to }) => [from, to]));
  const atBlock = new Map(
    nodes.flatMap((node, i) => (i < ends || linked.has(i) ? [[blockOf(node), i] as const] : [])),
  );
  const nodeAt = (block: number): number => {
    const known = atBlock.get(block);
    if (known !== undefined) return known;
    atBlock.set(block, nodes.length);
    return nodes.push(bendAt(...placeOf(block))) - 1;
  };
  for (let end = 0; end < ends; end++) {
    const isOther = (node: number) => node < groups.length && groups[node] !== groups[end];
    for (const way of waysFrom(blocks, blockOf(nodes[end]!), atBlock, isOther)) {
      let from = end;
      for (const block of bendsOf(blocks, way)) {
        const to = nodeAt(block);
        if (to === from) continue;
        const [a, b] = [nodes[from]!, nodes[to]!];
        const meters = greatCircleMeters(nodePoint(a.x, a.y), nodePoint(b.x, b.y));
        links.push({ from, to, meters });
        from = to;
      }
    }
  }
  return links;
}

const blockOf = ({ x, y }: Node): number => y * ACROSS + x;
const placeOf = (block: number) => [block % ACROSS, Math.floor(block / ACROSS)] as const;
const pointOf = (block: number) => nodePoint(...placeOf(block));

/** A group number for each node. Nodes that pairs connect have the same number. */
function groupsOf(count: number, pairs: readonly Pair[]): number[] {
  const above = Array.from({ length: count }, (_, i) => i);
  const top = (node: number): number => {
    while (above[node] !== node) node = above[node] = above[above[node]!]!;
    return node;
  };
  for (const { from, to } of pairs) above[top(from)] = top(to);
  return above.map((_, node) => top(node));
}

/** The shortest paths over open blocks to the nearest nodes of other groups (Dijkstra). */
function waysFrom(
  blocks: Blocks,
  start: number,
  atBlock: ReadonlyMap<number, number>,
  isOther: (node: number) => boolean,
): number[][] {
  const lengths = new Map([[start, 0]]);
  const before = new Map<number, number>();
  const ways: number[][] = [];
  let examined = 0;
  const heap = new Heap();
  heap.push(0, start);
  while (heap.size > 0 && ways.length < MAX_LINKS && examined < EXAMINED) {
    const [length, block] = [heap.topKey(), heap.top()];
    heap.pop();
    if (length > lengths.get(block)!) continue;
    const node = atBlock.get(block);
    if (node !== undefined) examined++;
    if (node !== undefined && isOther(node)) ways.push(wayTo(before, block));
    const [x, y] = placeOf(block);
    for (let k = 0; k < 9; k++) {
      const [dx, dy] = [(k % 3) - 1, Math.floor(k / 3) - 1];
      // A line past a corner touches the blocks on both sides.
      if (
        ![blocks.has(x + dx, y + dy), blocks.has(x + dx, y), blocks.has(x, y + dy)].every(Boolean)
      )
        continue;
      const next = (y + dy) * ACROSS + ((x + dx + ACROSS) % ACROSS);
      const through = length + Math.hypot(dx, dy);
      if (through >= (lengths.get(next) ?? Number.POSITIVE_INFINITY)) continue;
      lengths.set(next, through);
      before.set(next, block);
      heap.push(through, next);
    }
  }
  return ways;
}

function wayTo(before: ReadonlyMap<number, number>, end: number): number[] {
  const way = [end];
  for (let block = before.get(end); block !== undefined; block = before.get(block)) way.push(block);
  return way.reverse();
}

/** The blocks at which a path bends, and its last block. Each block sees the previous one. */
function bendsOf(blocks: Blocks, way: readonly number[]): number[] {
  const bends: number[] = [];
  let from = way[0]!;
  for (const [i, block] of way.entries()) {
    if (i < 2 || blocks.see(pointOf(from), pointOf(block))) continue;
    from = way[i - 1]!;
    bends.push(from);
  }
  return [...bends, way.at(-1)!];
}
