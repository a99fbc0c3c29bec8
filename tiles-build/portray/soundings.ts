// Soundings, one point each: a SOUNDG object contains many positions in multi-point nodes (S-52
// SOUNDG03 and SNDFRM04 in our own words).

import type { Feature } from '../../shared/s57/cell/cell.ts';
import { nodesOf } from '../../shared/s57/cell/geometry.ts';
import { decimetres } from '../../shared/s57/vocabulary/depth-units.ts';
import { hasAny, listOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { commonProperties, makeDrawable, type Subject } from './features/draw-feature.ts';
import type { Drawable } from './features/drawable.ts';
import { isLowAccuracy } from './features/position-quality.ts';
import { isDoubtfulDepth } from './features/sounding-quality.ts';

/** TECSOU 6: swept by wire drag. */
const SWEPT: ReadonlySet<number> = new Set([6]);

const DOUBTFUL_SOUNDING = 1;
const SWEPT_SOUNDING = 2;

export function drawSoundings(subject: Subject): Drawable[] {
  const { feature, chart } = subject;
  const common = commonProperties(subject);
  const quality = soundingQuality(feature);
  return nodesOf(chart.cell, feature).flatMap((node) => {
    const q = isLowAccuracy(node.attributes) ? DOUBTFUL_SOUNDING : quality;
    return Array.from(node.depths ?? [], (depth, index) => {
      const longitude = node.positions[2 * index]!;
      const latitude = node.positions[2 * index + 1]!;
      const dm = decimetres(depth);
      return makeDrawable(subject, { type: 'point', longitude, latitude }, latitude, {
        properties: {
          ...common,
          d: depth,
          dm,
          ft: chart.feetOf(depth),
          ...(q === undefined ? {} : { q }),
        },
        // By position and not by object, because neighbouring cells number the same sounding
        // differently.
        key: `SOUNDG:${longitudeKey(longitude)}:${Math.round(latitude * 1e7)}:${dm}`,
        thinBy: depth,
        thinWith: chart.shallowEndAt(longitude, latitude),
      });
    });
  });
}

/** Equal for both ways of counting a meridian: cells across 180° continue beyond it. */
function longitudeKey(longitude: number): number {
  const units = Math.round(longitude * 1e7);
  return units > 1.8e9 ? units - 3.6e9 : units <= -1.8e9 ? units + 3.6e9 : units;
}

function soundingQuality({ attributes }: Feature): number | undefined {
  if (isDoubtfulDepth(attributes)) return DOUBTFUL_SOUNDING;
  return hasAny(listOf(attributes, 'TECSOU'), SWEPT) ? SWEPT_SOUNDING : undefined;
}
