// Depths of one cell in feet. A chart surveyed in feet stores them truncated to decimetres, and its whole
// feet can be restored; on a metric chart the same decimetres are less than that foot.

import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { nodesOf } from '../../../shared/s57/cell/geometry.ts';
import { feetRoundedDown, surveyedFeet } from '../../../shared/s57/vocabulary/depth-units.ts';

/** Soundings that a cell needs so that their share is no chance. */
const FEWEST = 30;
/** Share of soundings that are whole feet: a third on metric charts, nine in ten and more on those in feet. */
const MOST_SHARE = 0.8;

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
  return all >= FEWEST && whole >= MOST_SHARE * all;
}

/** Whole feet of a depth in metres: as surveyed if the cell's soundings were taken in feet, else rounded down. */
export function feetOf(depthMeters: number, surveyedInFeet: boolean): number {
  const surveyed = surveyedInFeet ? surveyedFeet(depthMeters) : undefined;
  return surveyed ?? feetRoundedDown(depthMeters);
}
