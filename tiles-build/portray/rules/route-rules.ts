// Portrayal rules for routes, traffic separation, leading lines, ferries, calling-in points, cables and
// pipelines. The keys are described in `shared/chart/tile-properties.ts`.

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { chainsOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import { bearingText } from '../../../shared/s57/vocabulary/bearings.ts';
import { channelsText } from '../../../shared/s57/vocabulary/channels.ts';
import { listOf, numberOf, textOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { ChartContext } from '../features/chart-context.ts';
import { type ClassRule, type Decision, type RuleTable, rulesFor } from '../features/class-rule.ts';
import { restrictionOf, restrictionSign } from '../features/restrictions.ts';

const AREA_PARTS = ['point', 'outline', 'symbol'] as const;
const TRACK: ClassRule = { parts: ['line', 'outline', 'symbol'], decide: track };

/** Value of TRAFIC (traffic flow). */
const TWO_WAY = 4;

export const ROUTE_RULES: RuleTable = {
  TSSLPT: lane('TSSLPT51', 'CTNARE51'),
  RCTLPT: lane('RCTLPT52'),
  DWRTPT: routePart('DWRTPT51', 'DWRUTE51', 'DWRTPT-none'),
  TWRTPT: routePart('TWRTPT53', 'TWRTPT52'),
  FAIRWY: routePart('FAIRWY51', 'FAIRWY52'),
  TSSCRS: crossing('TSSCRS51'),
  TSSRON: crossing('TSSRON51'),
  ...rulesFor('ISTZNE ARCSLN', { parts: AREA_PARTS, decide: restrictionSign }),
  TSEZNE: { parts: ['fill', 'outline'] },
  ...rulesFor('TSSBND TSELNE ASLXIS', { parts: ['line'] }),
  ...rulesFor('DWRTCL RCRTCL', TRACK),
  ...rulesFor('RECTRC NAVLNE RADLNE', TRACK),
  FERYRT: {
    parts: ['line', 'outline', 'symbol'],
    decide: (attributes) => ({ cat: listOf(attributes, 'CATFRY')[0] }),
  },
  CBLSUB: {
    parts: ['line'],
    decide: (attributes) => ({ cat: listOf(attributes, 'CATCBL')[0] }),
  },
  PIPSOL: {
    parts: ['point', 'line'],
    decide: (attributes) => ({ cat: listOf(attributes, 'CATPIP')[0] }),
  },
  RDOCAL: { parts: ['point', 'line'], decide: callingPoint },
};

/** Where lanes meet: the sign of its restriction, or its own. */
function crossing(sign: SymbolName): ClassRule {
  return {
    parts: AREA_PARTS,
    decide: (attributes) => {
      const { sy = sign, rs } = restrictionSign(attributes);
      return { sy, rs };
    },
  };
}

/** A lane with an arrow in the direction of ORIENT. If ORIENT is missing, no arrow is drawn. */
function lane(arrow: SymbolName, withoutArrow?: SymbolName): ClassRule {
  return {
    parts: AREA_PARTS,
    decide: (attributes) => {
      const or = numberOf(attributes, 'ORIENT');
      return {
        sy: or === undefined ? withoutArrow : arrow,
        or,
        rs: restrictionOf(attributes)?.boundary,
      };
    },
  };
}

/** A part of a route. Neither a direction nor one-way traffic is invented: then it has the sign of its restriction, or the sign without an arrow. */
function routePart(oneWay: SymbolName, twoWay: SymbolName, withoutArrow?: SymbolName): ClassRule {
  return {
    parts: AREA_PARTS,
    decide: (attributes) => {
      const { sy, rs } = restrictionSign(attributes);
      const or = numberOf(attributes, 'ORIENT');
      const flow = numberOf(attributes, 'TRAFIC');
      if (or === undefined || flow === undefined) return { sy: sy ?? withoutArrow, rs };
      return { sy: flow === TWO_WAY ? twoWay : oneWay, or, rs };
    },
  };
}

/**
 * A track. Its text is the bearing, such as `045°`, or both bearings for two-way traffic. If it is an area, its
 * symbol is an arrow in the direction of traffic.
 */
function track(attributes: Attributes, feature: Feature, chart: ChartContext): Decision {
  const or = numberOf(attributes, 'ORIENT');
  const flow = numberOf(attributes, 'TRAFIC');
  const k = feature.primitive === 'line' ? directionOf(flow, or, feature, chart) : undefined;
  const cat = numberOf(attributes, 'CATTRK') ?? numberOf(attributes, 'CATNAV');
  if (or === undefined) return { k, cat };
  const isTwoWay = flow === TWO_WAY;
  const back = isTwoWay ? ` - ${bearing(or + 180)}` : '';
  const sy = flow === undefined ? undefined : isTwoWay ? 'FAIRWY52' : 'FAIRWY51';
  return { k, cat, or, tx: bearing(or) + back, sy };
}

/** The direction of traffic on a line, relative to the order of its positions. */
function directionOf(
  flow: number | undefined,
  or: number | undefined,
  feature: Feature,
  chart: ChartContext,
): string | undefined {
  if (flow === undefined) return undefined;
  if (flow === TWO_WAY) return 'two-way';
  const positions = positionsOf(chainsOf(chart.cell, feature)[0] ?? []);
  if (or === undefined || positions.length < 4) return 'one-way';
  const [fromX, fromY] = positions;
  const [toX, toY] = positions.subarray(-2);
  const angle = (or * Math.PI) / 180;
  const east = (toX! - fromX!) * Math.cos((fromY! * Math.PI) / 180);
  // The component of the line along the bearing of the traffic.
  const along = east * Math.sin(angle) + (toY! - fromY!) * Math.cos(angle);
  return along < 0 ? 'reverse' : 'one-way';
}

const bearing = (degrees: number): string => bearingText(((degrees % 360) + 360) % 360);

/** The arrow has two heads if the traffic is two-way. Without a direction or its traffic, there is no arrow. */
function callingPoint(attributes: Attributes): Decision {
  const or = numberOf(attributes, 'ORIENT');
  const flow = numberOf(attributes, 'TRAFIC');
  const isKnown = or !== undefined && flow !== undefined;
  const arrow = flow === TWO_WAY ? 'RDOCAL03' : 'RDOCAL02';
  const channels = channelsText(textOf(attributes, 'COMCHA') ?? '');
  return {
    sy: isKnown ? arrow : 'RCLDEF01',
    or: isKnown ? or : undefined,
    tx: channels && `VHF ${channels.replace(/^VHF /, '')}`,
  };
}
