// Makes the graph of the oceans (`shared/route/ocean-nodes.json`) from the background that a build
// contains: turning points that see each other, reduced to the shortest ways between places that are
// spread over all seas.

import { PASSAGES } from '../../shared/route/passages.ts';
import { pathOf } from '../../shared/route/plan/geometry/plane.ts';
import { lengthOf } from '../../shared/route/plan/search/ocean-path.ts';
import type { Sea } from '../../shared/route/sea.ts';
import { linkEnds } from './link-ends.ts';
import { columnAt, OpenBlocks, rowAt } from './open-blocks.ts';
import { type Links, linksOf, shortestWays } from './shortest-ways.ts';
import { type TurningPoint, turningPoints } from './turning-points.ts';
import { type Pair, visiblePairs } from './visible-pairs.ts';

/** From the pack ice of the Arctic to that of the Ross Sea. */
const LATITUDES = [-78.5, 82] as const;
/** Default northern limit of trips: ways that do not cross it are kept too. */
const ICE_LATITUDE = 72;
/** Places between which the shortest ways are kept. */
const PLACES = 350;
const ALL_SIDES = 15;

/**
 * A text for each node: column and row of its block, and the numbers of linked nodes before it. The
 * first nodes are the ends of the passages.
 * @throws Error if a passage ends in a block that is not open
 */
export function oceanNodes(sea: Sea): string[] {
  const blocks = new OpenBlocks(sea, LATITUDES);
  const ends = PASSAGES.flatMap(({ name, line }) =>
    [line[0]!, line.at(-1)!].map((end) => endAt(blocks, name, end)),
  );
  const nodes = [...ends, ...turningPoints(blocks)];
  const pairs = visiblePairs(blocks, nodes);
  const inPassages = PASSAGES.map(({ canal, line }, i) => ({
    pair: { from: 2 * i, to: 2 * i + 1, meters: lengthOf(pathOf(line)) },
    isCanal: canal !== undefined,
  }));
  const kept = new Set<Pair>();
  const ice = rowAt(ICE_LATITUDE);
  const isSouth = ({ from, to }: Pair) => nodes[from]!.y > ice && nodes[to]!.y > ice;
  const straits = inPassages.filter(({ isCanal }) => !isCanal).map(({ pair }) => pair);
  const all = inPassages.map(({ pair }) => pair);
  for (const used of [
    [...pairs, ...all],
    [...pairs.filter(isSouth), ...all.filter(isSouth)],
    [...pairs.filter(isSouth), ...straits.filter(isSouth)],
  ]) {
    for (const pair of keptOf(linksOf(nodes.length, used), ends.length)) kept.add(pair);
  }
  for (const pair of all) kept.delete(pair);
  const bendAt = (x: number, y: number) => ({ x, y, sides: ALL_SIDES });
  for (const link of linkEnds(blocks, nodes, [...kept], ends.length, bendAt)) kept.add(link);
  return rowsOf(nodes, kept, ends.length).map((row) => row.join(' '));
}

function endAt(
  blocks: OpenBlocks,
  name: string,
  [longitude, latitude]: readonly [number, number],
): TurningPoint {
  const [x, y] = [columnAt(longitude), rowAt(latitude)];
  if (!blocks.has(x, y)) throw new Error(`${name} ends near land, at ${longitude} ${latitude}`);
  return { x, y, sides: ALL_SIDES };
}

/**
 * Pairs on the shortest ways between places: the ends of the passages, and places that are as far as
 * possible from those before them. Waters without a way to these have no places.
 */
function keptOf(links: Links, ends: number): Set<Pair> {
  const nearest = new Float64Array(links.count).fill(Number.POSITIVE_INFINITY);
  const places: number[] = [];
  const ways: ReturnType<typeof shortestWays>[] = [];
  for (let i = 0; i < PLACES; i++) {
    const place = i < ends ? i : farthestOf(nearest);
    const way = shortestWays(links, place);
    places.push(place);
    ways.push(way);
    for (let node = 0; node < links.count; node++) {
      if (way.meters[node]! < nearest[node]!) nearest[node] = way.meters[node]!;
    }
  }
  const kept = new Set<Pair>();
  for (const { last } of ways) {
    for (const to of places) {
      for (let node = to; last[node] !== undefined; ) {
        const pair = last[node]!;
        kept.add(pair);
        node = pair.from === node ? pair.to : pair.from;
      }
    }
  }
  return kept;
}

function farthestOf(meters: Float64Array): number {
  let farthest = 0;
  for (let node = 0; node < meters.length; node++) {
    if (Number.isFinite(meters[node]) && meters[node]! > meters[farthest]!) farthest = node;
  }
  return farthest;
}

/** Column, row and links of each node that is an end or in a pair. */
function rowsOf(nodes: readonly TurningPoint[], kept: ReadonlySet<Pair>, ends: number): number[][] {
  const linked = new Set([...kept].flatMap(({ from, to }) => [from, to]));
  const used = nodes.flatMap((_, i) => (i < ends || linked.has(i) ? [i] : []));
  const numbers = new Map(used.map((node, i) => [node, i]));
  const links = used.map((): number[] => []);
  for (const { from, to } of kept) {
    links[numbers.get(Math.max(from, to))!]!.push(numbers.get(Math.min(from, to))!);
  }
  return used.map((node, i) => {
    const { x, y } = nodes[node]!;
    return [x, y, ...links[i]!.sort((a, b) => a - b)];
  });
}
