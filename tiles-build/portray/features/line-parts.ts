// The drawable parts of lines: chains and rings are split where an edge must not be drawn (masked,
// or on the cell's limit) and where the accuracy of positions changes.

import type { AreaOfEdges, Chain, EdgeUse } from '../../../shared/s57/cell/cell.ts';
import { isLowAccuracy } from './position-quality.ts';

export interface LinePart {
  readonly isLowAccuracy: boolean;
  readonly chains: readonly Chain[];
}

/** The drawable runs of open chains, by accuracy; empty if no edge may be drawn. */
export function drawableLines(chains: readonly Chain[]): LinePart[] {
  return collect(chains.flatMap(runsOf));
}

/** The drawable runs of an area's boundaries. */
export function drawableOutlines(area: AreaOfEdges): LinePart[] {
  return collect(
    area.flatMap((polygon) => polygon.flatMap((ring) => runsOf(fromChange(ring.uses)))),
  );
}

type Look = 'hidden' | 'accurate' | 'doubtful';

function lookOf(use: EdgeUse): Look {
  if (!use.drawable) return 'hidden';
  return isLowAccuracy(use.edge.attributes) ? 'doubtful' : 'accurate';
}

interface Run {
  readonly look: Look;
  readonly uses: EdgeUse[];
}

function runsOf(chain: Chain): Run[] {
  const runs: Run[] = [];
  for (const use of chain) {
    const look = lookOf(use);
    const last = runs.at(-1);
    if (last?.look === look) last.uses.push(use);
    else runs.push({ look, uses: [use] });
  }
  return runs;
}

/** Rotates a ring to begin where its look changes, so that no run is split at the ring's start. */
function fromChange(ring: readonly EdgeUse[]): readonly EdgeUse[] {
  const last = ring.at(-1);
  if (last === undefined) return ring;
  let before = lookOf(last);
  for (const [index, use] of ring.entries()) {
    const look = lookOf(use);
    if (look !== before) return [...ring.slice(index), ...ring.slice(0, index)];
    before = look;
  }
  return ring;
}

function collect(runs: readonly Run[]): LinePart[] {
  return (['accurate', 'doubtful'] as const).flatMap((look) => {
    const chains = runs.filter((run) => run.look === look).map((run) => run.uses);
    return chains.length === 0 ? [] : [{ isLowAccuracy: look === 'doubtful', chains }];
  });
}
