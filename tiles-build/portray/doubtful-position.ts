// LOWACC: the question mark over a danger, a rock or a structure with a doubtful position (S-52
// QUAPNT02 in our own words). Buoys are not marked, because their position is always approximate.

import { sourceLayer } from '../../shared/chart/tile-schema.ts';
import { featureKey, makeDrawable, type Subject } from './features/draw-feature.ts';
import type { Drawable } from './features/drawable.ts';
import { doubtMark, isLowAccuracy } from './features/position-quality.ts';

/** Floating objects, equipment of other objects, names and texts have no mark. */
const MARKED_GROUPS: ReadonlySet<string> = new Set(['dangers', 'ground', 'structures']);
const NEVER_MARKED: ReadonlySet<string> = new Set(['SBDARE', 'LNDRGN', 'LNDELV', 'CTRPNT']);

function mayBeMarked(layer: string): boolean {
  return MARKED_GROUPS.has(sourceLayer(layer)?.group ?? '') && !NEVER_MARKED.has(layer);
}

export function doubtfulPosition(subject: Subject): Drawable[] {
  const { feature, layer, chart } = subject;
  if (feature.primitive !== 'point' || !mayBeMarked(layer)) return [];
  const node = chart.nodeOf(feature);
  if (node === undefined || !isLowAccuracy(node.attributes)) return [];
  const longitude = node.positions[0]!;
  const latitude = node.positions[1]!;
  const mark = doubtMark(node.attributes);
  const drawable = makeDrawable(subject, { type: 'point', longitude, latitude }, latitude, {
    layer: 'LOWACC',
    properties: {
      cls: layer,
      sy: 'LOWACC01',
      bn: chart.cell.header.usageBand,
      ...(mark === undefined ? {} : { qt: mark }),
      ...subject.period,
    },
    key: `LOWACC:${featureKey(feature)}`,
  });
  return [drawable];
}
