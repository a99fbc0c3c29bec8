import { expect, test } from 'vitest';
import { safetyText } from '../../../workers/web/chart/safety-text.ts';

test.each([
  [[18.2], 10, 'meters', 'safety contour 18.2 m (safety depth 10 m)'],
  [[10, 10], 10, 'meters', 'safety contour 10 m'],
  [[18.2, 10], 10, 'meters', 'safety contour 10 m and deeper (safety depth 10 m)'],
  [[18.288], 10, 'feet', 'safety contour 60 feet (safety depth 33 feet)'],
  [[18.288], 10, 'fathoms', 'safety contour 10.0 fathoms (safety depth 5.5 fathoms)'],
  [[3, 5], 3, 'feet', 'safety contour 10 feet and deeper (safety depth 10 feet)'],
  [[], 10, 'meters', ''],
])(
  'safetyText formats contours of %j m for a safety depth of %f m in %s as “%s”',
  (contours, limit, units, text) => {
    expect(safetyText(contours, limit, units)).toBe(text);
  },
);
