// LOWACC: the question mark over a point whose position is doubtful (S-52 QUAPNT02 in our words).

import { featureKey, makeDrawable, type Subject } from './draw-feature.ts';
import type { Drawable } from './drawable.ts';
import { doubtMark, isLowAccuracy } from './position-quality.ts';

/** Objects that stand on another one, which already carries the mark. */
const STANDS_ON_ANOTHER: ReadonlySet<string> = new Set(
  'LIGHTS TOPMAR DAYMAR FOGSIG RTPBCN RADRFL RDOSTA RADSTA MAGVAR SEAARE LNDRGN SBDARE'.split(' '),
);

export function doubtfulPosition(subject: Subject): Drawable[] {
  const { feature, layer, chart } = subject;
  if (feature.primitive !== 'point' || STANDS_ON_ANOTHER.has(layer)) return [];
  const node = chart.nodeOf(feature);
  if (node === undefined || !isLowAccuracy(node.attributes)) return [];
  const longitude = node.positions[0]!;
  const latitude = node.positions[1]!;
  const mark = doubtMark(node.attributes);
  const made = makeDrawable(subject, { type: 'point', longitude, latitude }, latitude, {
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
  return [made];
}
