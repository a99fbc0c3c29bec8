// Depth areas, dredged and unsurveyed areas, and contours (S-52 DEPARE03, DEPCNT03 in our own
// words, without the parts that depend on the mariner's limit).

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { decimetres } from '../../../shared/s57/vocabulary/depth-units.ts';
import { numberOf, textOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { ChartContext } from '../features/chart-context.ts';
import type { Decision, RuleTable } from '../features/class-rule.ts';
import { restrictionSign } from '../features/restrictions.ts';
import { shallowEnd } from '../features/skin.ts';
import { channelQuarter } from '../marks/mark-number.ts';

/** S-52 assumes that a missing deep end is hardly deeper than the shallow one. */
const HARDLY_DEEPER_METERS = 0.01;

export const DEPTH_RULES: RuleTable = {
  DEPARE: {
    parts: ['fill'],
    isDisplayBase: true,
    decide: (attributes) => depthRange(attributes),
  },
  DRGARE: {
    parts: ['fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: (attributes) => ({
      ...depthRange(attributes),
      ...restrictionSign(attributes),
      no: channelQuarter(textOf(attributes, 'OBJNAM')),
    }),
  },
  UNSARE: { parts: ['fill', 'symbol'], isDisplayBase: true },
  SWPARE: {
    parts: ['outline', 'symbol'],
    decide: (attributes, _, chart) => sweptTo(numberOf(attributes, 'DRVAL1'), chart),
  },
  DEPCNT: {
    parts: ['line'],
    decide: (attributes, _, chart) => depthLabel(numberOf(attributes, 'VALDCO'), chart),
  },
};

function depthRange(attributes: Attributes): Decision {
  const d1 = shallowEnd(attributes);
  const deep = numberOf(attributes, 'DRVAL2');
  if (deep === undefined) return { d1, d2: d1 + HARDLY_DEEPER_METERS };
  return { d1, d2: Math.max(deep, numberOf(attributes, 'DRVAL1') ?? deep) };
}

/** The text in feet names its unit, because styles choose it for charts in fathoms if they do not compose a text. */
function sweptTo(depth: number | undefined, chart: ChartContext): Decision {
  if (depth === undefined) return {};
  return {
    d1: depth,
    tx: `swept to ${decimetres(depth) / 10}`,
    tf: `swept to ${chart.feetOf(depth)} ft`,
    dm: decimetres(depth),
    ft: chart.feetOf(depth),
  };
}

/** The depth of a contour, also as the integers from which depth texts are composed. */
function depthLabel(depth: number | undefined, chart: ChartContext): Decision {
  if (depth === undefined) return {};
  return { v: depth, dm: decimetres(depth), ft: chart.feetOf(depth) };
}
