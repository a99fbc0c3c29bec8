// Outlines land that meets water without a coastline or structure along the edge that is always drawn,
// so that no shore is missing.

import type { Edge } from '../../shared/s57/cell/cell.ts';
import { joinEdges } from './depth-edges.ts';
import type { ChartContext } from './features/chart-context.ts';
import type { Drawable } from './features/drawable.ts';
import { isLowAccuracy } from './features/position-quality.ts';

export function drawShorelessLand(chart: ChartContext): Drawable[] {
  const shores: Record<'accurate' | 'doubtful', Edge[]> = { accurate: [], doubtful: [] };
  for (const [edgeId, areas] of chart.skin.areasOfEdge) {
    if (areas.length < 2 || chart.skin.shoreEdges.has(edgeId)) continue;
    const lands = areas.filter((index) => chart.skin.areas[index]?.acronym === 'LNDARE').length;
    if (lands === 0 || lands === areas.length) continue;
    const edge = chart.cell.edges.get(edgeId);
    if (edge === undefined || edge.positions.length < 4) continue;
    shores[isLowAccuracy(edge.attributes) ? 'doubtful' : 'accurate'].push(edge);
  }
  const { name, usageBand } = chart.cell.header;
  return (['accurate', 'doubtful'] as const).flatMap((accuracy) =>
    joinEdges(shores[accuracy]).map((chain) => ({
      layer: 'LNDARE',
      properties: { bn: usageBand, ...(accuracy === 'doubtful' ? { q: 1 } : {}) },
      geometry: { type: 'line' as const, chains: [chain] },
      minZoom: 0,
      key: `LNDARE:${name}:shore:${chain[0]!.edge.id}`,
    })),
  );
}
