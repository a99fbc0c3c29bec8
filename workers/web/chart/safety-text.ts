// Which contour stands for the safety depth that was chosen: charts have few contours, and the next
// deeper one is drawn (S-52 PresLib, conditional symbology procedure DEPCNT02).

import { chosenDepthText, depthText, inUnits } from './depth-text.ts';

/**
 * `safety contour 18.2 m for your 10 m`; the contour alone where it is as deep as was asked for, and
 * nothing where none is in view.
 *
 * @param contours metres, of the safety contours in view; charts beside one another may differ
 * @param limit safety depth in metres
 */
export function safetyText(contours: readonly number[], limit: number, units: string): string {
  if (contours.length === 0) return '';
  const [least, most] = [
    contours.reduce((a, b) => Math.min(a, b)),
    contours.reduce((a, b) => Math.max(a, b)),
  ];
  const wanted = chosenDepthText(limit, units);
  const found = depthText(most, units);
  const range =
    inUnits(least, units) === inUnits(most, units) ? found : `${inUnits(least, units)} to ${found}`;
  return range === wanted || (least === limit && most === limit)
    ? `safety contour ${range}`
    : `safety contour ${range} for your ${wanted}`;
}
