// Depths of a cell in feet. A chart surveyed in feet stores them truncated to decimetres, so its
// whole feet can be restored; on a metric chart the same decimetres are less than that foot.

import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { nodesOf } from '../../../shared/s57/cell/geometry.ts';
import { feetRoundedDown, surveyedFeet } from '../../../shared/s57/vocabulary/depth-units.ts';

/** Minimum number of soundings for a reliable share. */
const MIN_COUNT = 30;
/**
 * Threshold for the share of whole feet: about 1/3 on metric charts, at least 9/10 on charts in
 * feet.
 */
const MIN_SHARE = 0.8;

/** Whether a cell's soundings were taken in whole feet. */
export function isSurveyedInFeet(cell: Cell): boolean {
  let all = 0;
  let whole = 0;
  for (const feature of cell.features) {
    if (feature.acronym !== 'SOUNDG') continue;
    for (const { depths } of nodesOf(cell, feature)) {
      for (const depth of depths ?? []) {
        all++;
        if (surveyedFeet(depth) !== undefined) whole++;
      }
    }
  }
  return all >= MIN_COUNT && whole >= MIN_SHARE * all;
}

/** A depth in whole feet: as surveyed if the cell was surveyed in feet, otherwise rounded down. */
export function feetOf(depthMeters: number, surveyedInFeet: boolean): number {
  const surveyed = surveyedInFeet ? surveyedFeet(depthMeters) : undefined;
  return surveyed ?? feetRoundedDown(depthMeters);
}
