// The zooms at which a chart is thinned, and the distance between symbols there.

import { describe, expect, it } from 'vitest';
import { AreaSigns } from '../../../tiles-build/generalise/area-signs.ts';
import { belowScale } from '../../../tiles-build/generalise/below-scale.ts';
import { PointRanks } from '../../../tiles-build/generalise/point-ranks.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { isLong } from '../../support/long-run.ts';

const alike = (layer: string, count: number): Drawable[] =>
  Array.from({ length: count }, (_, i) => ({
    layer,
    properties: { sy: layer === 'AREASYM' ? 'ACHARE51' : 'PILPNT02' },
    geometry: { type: 'point', longitude: 1e-5 * i, latitude: 0 },
    minZoom: 0,
    key: `${layer}:${String(i).padStart(3, '0')}`,
  }));

describe('belowScale', () => {
  it.each([
    [12, 11],
    [12.19, 11],
    [12.2, 11],
    [12.21, 11],
    [12.24, 11],
    [12.26, 12],
    [12.9, 12],
    [0, -1],
  ])('returns for a scale at zoom %f the last thinned zoom %i', (scale, last) => {
    expect(belowScale(scale).lastZoom).toBe(last);
  });

  it('returns factors that grow by 0.5 per zoom from two below the scale on, up to 2.5', () => {
    const { widerAt } = belowScale(12.3);
    expect([13, 12, 11, 10, 9, 8, 7].map(widerAt)).toEqual([1, 1, 1, 1.5, 2, 2.5, 2.5]);
  });

  it('thins piles and symbols of areas at the same zooms, for any fraction of the scale', () => {
    for (let scale = 9; scale < 13; scale += isLong ? 0.01 : 0.03) {
      const [piles, signs] = [alike('PILPNT', 40), alike('AREASYM', 40)];
      const [ranks, layout] = [
        new PointRanks(piles, scale),
        new AreaSigns(signs, scale, 16, () => 0),
      ];
      for (const zoom of [8, 9, 10, 11, 12, 13]) {
        // Points hidden below the scale within a zoom appear at the scale.
        const piled = piles.filter((pile) => {
          const shown = ranks.at(pile, zoom);
          return shown !== undefined && Number(shown['mz'] ?? 0) <= zoom;
        });
        const signed = signs.filter((sign) => layout.at(sign, sign.properties, zoom) !== undefined);
        const isThinned = [piled, signed].map(({ length }) => length < 40);
        expect(isThinned[0], `scale ${scale}, zoom ${zoom}`).toBe(isThinned[1]);
      }
    }
  });
});
