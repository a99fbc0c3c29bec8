// Separates rings where they touch, because in a valid polygon (OGC) no ring touches itself and the
// interior is connected.

import type { Flat } from './clip-box.ts';

/** A point at which rings may touch. */
interface Node {
  readonly x: number;
  readonly y: number;
  /** The chains that begin here. */
  readonly chains: Chain[];
}

/** The part of a ring from one node to the next. */
interface Chain {
  readonly begin: Node;
  readonly end: Node;
  /** From the begin to the last vertex before the end. */
  readonly path: Flat;
}

/**
 * The rings of valid polygons with the same interior. Outer rings are positive, holes negative.
 * @param rings must not cross, and touch only at vertices
 */
export function ringsApart(rings: readonly Flat[]): readonly Flat[] {
  const repeated = repeatedKeys(rings);
  if (repeated.size === 0) return rings;
  const nodes = new Map<string, Node>();
  const apart = rings.filter((ring) => !addChains(ring, repeated, nodes));
  for (const { chains } of nodes.values()) {
    while (chains.length > 0) for (const loop of loopsOf(walk(chains[0]!))) apart.push(loop);
  }
  return apart;
}

/** Factor of the keys of vertices: more than the units of a tile. */
const SPAN = 2 ** 14;

/** Adds a vertex to each edge where a vertex of these rings lies on it. Coordinates are tile units. */
export function withTouchedVertices(rings: readonly Flat[]): readonly Flat[] {
  const vertices = new Set<number>();
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) vertices.add(ring[i]! * SPAN + ring[i + 1]!);
  }
  return rings.map((ring) => {
    let out: Flat | undefined;
    for (let i = 0; i < ring.length; i += 2) {
      out?.push(ring[i]!, ring[i + 1]!);
      const j = (i + 2) % ring.length;
      const dx = ring[j]! - ring[i]!;
      const dy = ring[j + 1]! - ring[i + 1]!;
      const steps = commonDivisor(dx, dy);
      if (steps === 1) continue;
      const from = ring[i]! * SPAN + ring[i + 1]!;
      const touched = touchedBetween(from, (dx * SPAN + dy) / steps, steps, vertices);
      if (touched.length > 0) out ??= ring.slice(0, i + 2);
      for (const key of touched) out!.push(Math.floor(key / SPAN), key % SPAN);
    }
    return out ?? ring;
  });
}

/** The vertices among the whole positions of an edge. Reads the shorter list of both. */
function touchedBetween(
  from: number,
  step: number,
  steps: number,
  vertices: ReadonlySet<number>,
): number[] {
  const touched: number[] = [];
  if (steps <= vertices.size) {
    for (let key = from + step, k = 1; k < steps; key += step, k++) {
      if (vertices.has(key)) touched.push(key);
    }
    return touched;
  }
  for (const key of vertices) {
    const k = (key - from) / step;
    if (k > 0 && k < steps && Number.isInteger(k)) touched.push(key);
  }
  return touched.sort((a, b) => (a - b) * step);
}

function commonDivisor(a: number, b: number): number {
  let large = Math.abs(a);
  let small = Math.abs(b);
  while (small > 0) {
    const rest = large % small;
    large = small;
    small = rest;
  }
  return large;
}

/** Equal for equal points and nearly always different for others, which then only divide chains. */
const keyOf = (ring: Flat, i: number): number => ring[i]! * Math.SQRT2 + ring[i + 1]!;

/** Keys of the vertices that occur twice. Most tiles have no such vertex, so this must be fast. */
function repeatedKeys(rings: readonly Flat[]): Set<number> {
  const keys = new Float64Array(rings.reduce((sum, ring) => sum + ring.length / 2, 0));
  let count = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) keys[count++] = keyOf(ring, i);
  }
  keys.sort();
  const repeated = new Set<number>();
  for (let i = 1; i < count; i++) if (keys[i] === keys[i - 1]) repeated.add(keys[i]!);
  return repeated;
}

/** Adds the parts of a ring between nodes. @returns false if it has no node */
function addChains(ring: Flat, repeated: ReadonlySet<number>, nodes: Map<string, Node>): boolean {
  const starts: number[] = [];
  for (let i = 0; i < ring.length; i += 2) if (repeated.has(keyOf(ring, i))) starts.push(i);
  const nodeAt = (i: number): Node => {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    const node = nodes.get(`${x} ${y}`) ?? { x, y, chains: [] };
    nodes.set(`${x} ${y}`, node);
    return node;
  };
  starts.forEach((start, k) => {
    const next = starts[k + 1];
    const path =
      next === undefined
        ? [...ring.slice(start), ...ring.slice(0, starts[0])]
        : ring.slice(start, next);
    addChain({ begin: nodeAt(start), end: nodeAt(next ?? starts[0]!), path });
  });
  return starts.length > 0;
}

/** Edges in both directions between two points cancel each other. */
function addChain(chain: Chain): void {
  const { begin, end, path } = chain;
  const opposite = end.chains.find((other) => other.end === begin && other.path.length === 2);
  if (path.length === 2 && opposite !== undefined) remove(opposite);
  else begin.chains.push(chain);
}

function remove(chain: Chain): void {
  chain.begin.chains.splice(chain.begin.chains.indexOf(chain), 1);
}

/** Removes the chains around one connected interior, and returns their vertices. */
function walk(first: Chain): Flat {
  const ring: Flat = [];
  let chain = first;
  do {
    for (const value of chain.path) ring.push(value);
    const next = onward(chain);
    if (chain !== first) remove(chain);
    chain = next;
  } while (chain !== first);
  remove(first);
  return ring;
}

/** The chain that follows another around the same interior: the next one clockwise (y upwards). */
function onward({ end, path }: Chain): Chain {
  const angle = (x: number, y: number): number => Math.atan2(y - end.y, x - end.x);
  const back = angle(path.at(-2)!, path.at(-1)!);
  const turn = ({ path: [, , x, y], end: { x: endX, y: endY } }: Chain): number =>
    (back - angle(x ?? endX, y ?? endY) + 4 * Math.PI) % (2 * Math.PI);
  return end.chains.reduce((best, next) => (turn(next) < turn(best) ? next : best));
}

/** Cuts a ring that touches itself at vertices into rings that do not. */
function loopsOf(ring: Flat): Flat[] {
  const loops: Flat[] = [];
  const open: Flat = [];
  const places = new Map<string, number>();
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    const key = `${x} ${y}`;
    const from = places.get(key) ?? open.length;
    if (open[from] === x && open[from + 1] === y) loops.push(open.splice(from));
    places.set(key, open.length);
    open.push(x, y);
  }
  return [...loops, open];
}
