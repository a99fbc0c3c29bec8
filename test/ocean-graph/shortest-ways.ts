// Shortest ways from one node of a graph to all others (Dijkstra).

import { Heap } from '../../shared/route/plan/search/heap.ts';
import type { Pair } from './visible-pairs.ts';

export interface Links {
  readonly count: number;
  /** The pairs of each node. */
  readonly at: readonly (readonly Pair[])[];
}

export function linksOf(count: number, pairs: readonly Pair[]): Links {
  const at = Array.from({ length: count }, (): Pair[] => []);
  for (const pair of pairs) {
    at[pair.from]!.push(pair);
    at[pair.to]!.push(pair);
  }
  return { count, at };
}

/** Lengths of the ways, and the last pair of each. */
export function shortestWays({ count, at }: Links, start: number) {
  const meters = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const last: (Pair | undefined)[] = new Array(count).fill(undefined);
  const heap = new Heap();
  meters[start] = 0;
  heap.push(0, start);
  while (heap.size > 0) {
    const [key, node] = [heap.topKey(), heap.top()];
    heap.pop();
    if (key > meters[node]!) continue;
    for (const pair of at[node]!) {
      const next = pair.from === node ? pair.to : pair.from;
      const through = key + pair.meters;
      if (through >= meters[next]!) continue;
      meters[next] = through;
      last[next] = pair;
      heap.push(through, next);
    }
  }
  return { meters, last };
}
