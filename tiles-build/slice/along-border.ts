// Finds the parts of lines along the border of ground. The polygon engine counts them as inside on
// some sides and as outside on others, so that a wall on the border of two cells could be in
// neither.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { pushTo, remembered } from '../../shared/geo/map-entries.ts';
import type { Clipper } from '../quilt/clipper.ts';

interface PartedLines {
  /** Runs along the border. */
  readonly along: readonly Flat[];
  /** All other parts; the given lines themselves if nothing runs along the border. */
  readonly beside: readonly Flat[];
}

/** Split lines by whether they run along the edges of rings; both have integer coordinates. */
export function partAlongBorder(lines: readonly Flat[], rings: readonly Flat[]): PartedLines {
  const edges = edgesOf(rings);
  const along: Flat[] = [];
  const beside: Flat[] = [];
  for (const line of lines) {
    const runs = runsOf(line, edges);
    if (runs === undefined) beside.push(line);
    else for (const { path, isAlong } of runs) (isAlong ? along : beside).push(path);
  }
  return along.length === 0 ? { along, beside: lines } : { along, beside };
}

const known = new WeakMap<readonly Flat[], BorderEdges>();

/** Cached, because it is called with the same ground for each line. */
function edgesOf(rings: readonly Flat[]): BorderEdges {
  return remembered(known, rings, () => new BorderEdges(rings));
}

/** Lines inside the ground and along its border; lines on the border may be in either cell. */
export function linesOnGround(
  lines: readonly Flat[],
  ground: readonly Flat[],
  clipper: Clipper,
): readonly Flat[] {
  const { along, beside } = partAlongBorder(lines, ground);
  return beside.length === 0 ? along : [...along, ...clipper.linesWithin(beside, ground)];
}

interface Run {
  readonly path: Flat;
  readonly isAlong: boolean;
}

/** The runs of a line; `undefined` if none of it is along the border. */
function runsOf(line: Flat, edges: BorderEdges): Run[] | undefined {
  const runs: Run[] = [];
  let found = false;
  const put = (fromX: number, fromY: number, toX: number, toY: number, isAlong: boolean): void => {
    const last = runs.at(-1);
    if (last?.isAlong === isAlong) last.path.push(toX, toY);
    else runs.push({ path: [fromX, fromY, toX, toY], isAlong });
    found ||= isAlong;
  };
  for (let i = 2; i < line.length; i += 2) {
    const [ax, ay, bx, by] = [line[i - 2]!, line[i - 1]!, line[i]!, line[i + 1]!];
    let [x, y] = [ax, ay];
    for (const [fromX, fromY, toX, toY] of edges.sharedWith(ax, ay, bx, by)) {
      if (fromX !== x || fromY !== y) put(x, y, fromX, fromY, false);
      put(fromX, fromY, toX, toY, true);
      [x, y] = [toX, toY];
    }
    if (x !== bx || y !== by) put(x, y, bx, by, false);
  }
  return found ? runs : undefined;
}

type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

const NONE: readonly Segment[] = [];

/** The edges of rings, indexed so that edges overlapping a segment are found. */
class BorderEdges {
  readonly #level = new Map<number, Segment[]>();
  readonly #upright = new Map<number, Segment[]>();
  /** By the x of either end: overlapping slanting edges share a vertex. */
  readonly #slanting = new Map<number, Segment[]>();

  constructor(rings: readonly Flat[]) {
    for (const ring of rings) {
      for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
        const edge: Segment = [ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!];
        const [ax, ay, bx, by] = edge;
        if (ax === bx && ay === by) continue;
        if (ay === by) put(this.#level, ay, edge);
        else if (ax === bx) put(this.#upright, ax, edge);
        else {
          put(this.#slanting, ax, edge);
          put(this.#slanting, bx, edge);
        }
      }
    }
  }

  /** The parts of a segment that lie on edges, in its direction, without overlap. */
  sharedWith(ax: number, ay: number, bx: number, by: number): readonly Segment[] {
    const near =
      ay === by
        ? this.#level.get(ay)
        : ax === bx
          ? this.#upright.get(ax)
          : [...(this.#slanting.get(ax) ?? NONE), ...(this.#slanting.get(bx) ?? NONE)];
    if (near === undefined || near.length === 0) return NONE;
    const axis = Math.abs(bx - ax) >= Math.abs(by - ay) ? 0 : 1;
    const turn = axis === 0 ? Math.sign(bx - ax) : Math.sign(by - ay);
    if (turn === 0) return NONE;
    const along = ([x, y]: readonly [number, number]) => turn * (axis === 0 ? x : y);
    const [start, end] = [along([ax, ay]), along([bx, by])];
    const shared: Segment[] = [];
    const onLine = near.filter(([cx, cy, dx, dy]) => isOn(cx, cy) && isOn(dx, dy));
    const ends = onLine.map(([cx, cy, dx, dy]) => {
      const isForward = along([cx, cy]) < along([dx, dy]);
      return isForward ? ([cx, cy, dx, dy] as const) : ([dx, dy, cx, cy] as const);
    });
    ends.sort((a, b) => along([a[0], a[1]]) - along([b[0], b[1]]));
    let [x, y] = [ax, ay];
    for (const [cx, cy, dx, dy] of ends) {
      const [fromX, fromY] = along([cx, cy]) > along([x, y]) ? [cx, cy] : [x, y];
      const [toX, toY] = along([dx, dy]) < end ? [dx, dy] : [bx, by];
      if (along([fromX, fromY]) >= along([toX, toY]) || along([dx, dy]) <= start) continue;
      shared.push([fromX, fromY, toX, toY]);
      [x, y] = [toX, toY];
    }
    return shared;

    function isOn(x: number, y: number): boolean {
      return (bx - ax) * (y - ay) === (by - ay) * (x - ax);
    }
  }
}

function put(edges: Map<number, Segment[]>, key: number, edge: Segment): void {
  pushTo(edges, key, edge);
}
