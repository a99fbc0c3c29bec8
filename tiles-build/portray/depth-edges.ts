// DEPEDGE: the edges shared by two areas of the skin, with the depths of both sides. A style finds
// any safety contour in them as `s < limit ≤ d`, even if there is no contour line of that depth.

import type { Edge, EdgeUse } from '../../shared/s57/cell/cell.ts';
import { decimetres } from '../../shared/s57/vocabulary/depth-units.ts';
import type { ChartContext } from './features/chart-context.ts';
import type { Drawable } from './features/drawable.ts';
import { isLowAccuracy } from './features/position-quality.ts';

interface Side {
  readonly s: number;
  readonly d: number;
  readonly isLow: boolean;
  readonly isShore: boolean;
}

/** All depth edges of a cell; edges with equal sides are joined into chains. */
export function drawDepthEdges(chart: ChartContext): Drawable[] {
  const groups = new Map<string, { side: Side; edges: Edge[] }>();
  for (const [edgeId, areas] of chart.skin.areasOfEdge) {
    const edge = chart.cell.edges.get(edgeId);
    if (edge === undefined || edge.positions.length < 4) continue;
    const side = sidesOf(chart, edge, areas);
    if (side === undefined) continue;
    const key = `${side.s}:${side.d}:${side.isLow}:${side.isShore}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { side, edges: [edge] });
    else group.edges.push(edge);
  }
  return [...groups.values()].flatMap(({ side, edges }) =>
    joinEdges(edges).map((chain) => depthEdge(chart, side, chain)),
  );
}

/** Undefined if the depth does not change: on cell borders and between equal areas. */
function sidesOf(chart: ChartContext, edge: Edge, areas: readonly number[]): Side | undefined {
  if (areas.length < 2) return undefined;
  let s = Number.POSITIVE_INFINITY;
  let d = Number.NEGATIVE_INFINITY;
  for (const index of areas) {
    const { shallowMeters } = chart.skin.areas[index]!;
    s = Math.min(s, shallowMeters);
    d = Math.max(d, shallowMeters);
  }
  if (s === d) return undefined;
  return {
    s,
    d,
    isLow: isLowAccuracy(edge.attributes),
    isShore: chart.skin.dryShoreEdges.has(edge.id) || isLandAtSea(chart, areas),
  };
}

/** Land without a charted coastline is outlined as shore: see shoreless-land.ts. */
function isLandAtSea(chart: ChartContext, areas: readonly number[]): boolean {
  return areas.some((index) => chart.skin.areas[index]?.acronym === 'LNDARE');
}

function depthEdge(chart: ChartContext, side: Side, chain: readonly EdgeUse[]): Drawable {
  return {
    layer: 'DEPEDGE',
    properties: {
      s: side.s,
      d: side.d,
      dm: decimetres(side.d),
      ft: chart.feetOf(side.d),
      bn: chart.cell.header.usageBand,
      ...(side.isShore ? { c: 1 } : {}),
      ...(side.isLow ? { q: 1 } : {}),
    },
    geometry: { type: 'line', chains: [chain] },
    minZoom: 0,
    key: `DEPEDGE:${chart.cell.header.name}:${chain[0]!.edge.id}`,
  };
}

/** Joins edges end to end into chains; a chain ends where more than two edges meet. */
export function joinEdges(edges: readonly Edge[]): EdgeUse[][] {
  const meeting = new Map<number, Edge[]>();
  for (const edge of edges) {
    for (const end of [edge.begin, edge.end]) {
      if (end === undefined) continue;
      const others = meeting.get(end);
      if (others === undefined) meeting.set(end, [edge]);
      else others.push(edge);
    }
  }
  const used = new Set<Edge>();
  const chains: EdgeUse[][] = [];
  const start = (edge: Edge, reversed: boolean) => {
    const chain: EdgeUse[] = [];
    let next: EdgeUse | undefined = { edge, reversed, drawable: true };
    while (next !== undefined) {
      used.add(next.edge);
      chain.push(next);
      next = following(next, meeting, used);
    }
    chains.push(chain);
  };
  // First from ends and junctions; the remaining edges form closed rings.
  const isEnd = (node: number | undefined) =>
    node === undefined || (meeting.get(node)?.length ?? 0) !== 2;
  for (const edge of edges) {
    if (used.has(edge)) continue;
    if (isEnd(edge.begin)) start(edge, false);
    else if (isEnd(edge.end)) start(edge, true);
  }
  for (const edge of edges) if (!used.has(edge)) start(edge, false);
  return chains;
}

function following(
  last: EdgeUse,
  meeting: ReadonlyMap<number, readonly Edge[]>,
  used: ReadonlySet<Edge>,
): EdgeUse | undefined {
  const node = last.reversed ? last.edge.begin : last.edge.end;
  const others = node === undefined ? undefined : meeting.get(node);
  if (others?.length !== 2) return undefined;
  const edge = others.find((other) => !used.has(other));
  return edge === undefined ? undefined : { edge, reversed: edge.end === node, drawable: true };
}
