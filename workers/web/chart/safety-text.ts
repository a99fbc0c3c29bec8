// Describes the safety contour in view. If a chart has no contour at the chosen safety depth, the next
// deeper contour is drawn (S-52 PresLib, conditional symbology procedure DEPCNT02).

import { chosenDepthText, depthText, inUnits } from './depth-text.ts';

/**
 * Returns `safety contour 18.2 m (safety depth 10 m)`, without the parentheses if both are equal, or an
 * empty text if no safety contour is in view. If there are several, the least is named: `5 m and deeper`.
 *
 * @param contours depths of the safety contours in view, in metres; adjacent charts may differ
 * @param limit safety depth in metres
 */
export function safetyText(contours: readonly number[], limit: number, units: string): string {
  if (contours.length === 0) return '';
  const [least, most] = [
    contours.reduce((a, b) => Math.min(a, b)),
    contours.reduce((a, b) => Math.max(a, b)),
  ];
  const wanted = chosenDepthText(limit, units);
  // Rounded like the wish: the contour is not above it.
  const found = least === limit ? wanted : depthText(least, units);
  const isSame = inUnits(least, units) === inUnits(most, units);
  const range = isSame ? found : `${found} and deeper`;
  return range === wanted || (least === limit && most === limit)
    ? `safety contour ${range}`
    : `safety contour ${range} (safety depth ${wanted})`;
}
