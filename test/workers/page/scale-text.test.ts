import { describe, expect, test } from 'vitest';
import { zoomOfScale } from '../../../shared/chart/scale-zoom.ts';
import { scaleText } from '../../../workers/web/chart/scale-text.ts';

describe('the chart and its overscale in words', () => {
  test.each([
    [12_000, 12_000, '1:12,000 chart'],
    [12_000, 6400, '1:12,000 chart'],
    [12_000, 6000, '1:12,000 chart, ×2'],
    [12_000, 4000, '1:12,000 chart, ×3'],
    [3_500_000, 90_000, '1:3,500,000 chart, ×38'],
    [90_000, 1_000_000, '1:90,000 chart'],
  ])('a chart of 1:%i shown at 1:%i is %j', (compiled, shown, text) => {
    for (const latitude of [0, 38.98, -60]) {
      expect(scaleText(compiled, zoomOfScale(shown, latitude), latitude)).toBe(text);
    }
  });
});
