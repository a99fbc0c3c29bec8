// Portrayal of one cell: each object by the rule of its class, and features made from several
// objects. It decides everything that needs a neighbour or a list; settings of the mariner (safety
// contour, units, theme) are left to the style.

import { QUERY_ONLY_CLASSES } from '../../shared/chart/tile-schema.ts';
import type { Cell, Feature } from '../../shared/s57/cell/cell.ts';
import { periodOf } from '../../shared/s57/vocabulary/periods.ts';
import { drawDepthEdges } from './depth-edges.ts';
import { doubtfulPosition } from './doubtful-position.ts';
import { type ChartContext, chartContext } from './features/chart-context.ts';
import type { ClassRule, RuleTable } from './features/class-rule.ts';
import { drawFeature, type Subject } from './features/draw-feature.ts';
import type { Drawable } from './features/drawable.ts';
import { drawMaritime, isMaritime, MARITIME_RULE } from './maritime.ts';
import { drawLightFigures } from './marks/lights.ts';
import { AID_RULES } from './rules/aid-rules.ts';
import { AREA_RULES } from './rules/area-rules.ts';
import { DANGER_RULES } from './rules/danger-rules.ts';
import { DEPTH_RULES } from './rules/depth-rules.ts';
import { GROUND_RULES } from './rules/ground-rules.ts';
import { META_RULES } from './rules/meta-rules.ts';
import { NEW_OBJECT_RULE } from './rules/new-object-rules.ts';
import { ROUTE_RULES } from './rules/route-rules.ts';
import { STRUCTURE_RULES } from './rules/structure-rules.ts';
import { drawShorelessLand } from './shoreless-land.ts';
import { drawSoundings } from './soundings.ts';

const SOUNDING_RULE: ClassRule = { parts: ['point'] };

/** Every class with a rule, by acronym. */
export const CLASS_RULES: RuleTable = {
  ...DEPTH_RULES,
  ...GROUND_RULES,
  ...STRUCTURE_RULES,
  ...AID_RULES,
  ...DANGER_RULES,
  ...AREA_RULES,
  ...ROUTE_RULES,
  ...META_RULES,
};

/**
 * The question mark of S-52 for objects of unknown classes, and for cartographic objects ($AREAS,
 * $LINES, $CSYMB, $COMPS, $TEXTS), which an ENC must not contain.
 */
const UNKNOWN_RULE: ClassRule = {
  parts: ['point', 'line', 'outline', 'center', 'middle'],
  decide: (_attributes, feature, chart) => ({ sy: 'QUESMRK1', cls: chart.acronymOf(feature) }),
};

/**
 * Classes of inland charts that are drawn as others: waterway buoys and beacons as special marks of
 * the same shape; terminals, stations, gauges and ship lifts as harbour facilities.
 */
const INLAND_CLASSES: Readonly<Record<string, string>> = {
  BOYWTW: 'BOYSPP',
  BCNWTW: 'BCNSPP',
  TERMNL: 'HRBFAC',
  BUNSTA: 'HRBFAC',
  REFDMP: 'HRBFAC',
  VEHTRF: 'HRBFAC',
  WTWGAG: 'HRBFAC',
  EXCNST: 'HRBFAC',
};

/** All features of the tiles from one cell, in the order of its objects, but with the shallowest soundings last. */
export function portrayCell(cell: Cell): Drawable[] {
  const chart = chartContext(cell);
  const drawn = cell.features.flatMap((feature) => portrayFeature(feature, chart));
  return [
    ...drawn.filter(({ layer }) => layer !== 'SOUNDG'),
    // Renderers draw later features on top. Where soundings overlap, the style relies on this order.
    ...drawn.filter(({ layer }) => layer === 'SOUNDG').sort((a, b) => depthOf(b) - depthOf(a)),
    ...drawDepthEdges(chart),
    ...drawShorelessLand(chart),
  ];
}

const depthOf = ({ properties }: Drawable): number => Number(properties['d']);

function portrayFeature(feature: Feature, chart: ChartContext): readonly Drawable[] {
  const acronym = chart.acronymOf(feature);
  if (feature.primitive === 'none' || QUERY_ONLY_CLASSES.has(acronym)) return [];
  const period = periodOf(feature.attributes);

  if (acronym === 'SOUNDG') {
    const rule = SOUNDING_RULE;
    return drawSoundings({ feature, layer: 'SOUNDG', rule, decision: {}, period, chart });
  }
  if (isMaritime(acronym)) {
    const rule = MARITIME_RULE;
    const subject = { feature, layer: acronym, rule, decision: {}, period, chart };
    return drawMaritime(subject, acronym);
  }
  const layer = INLAND_CLASSES[acronym] ?? acronym;
  const known = CLASS_RULES[layer];
  const rule = known ?? (acronym === 'NEWOBJ' ? NEW_OBJECT_RULE : UNKNOWN_RULE);
  const decision = rule.decide?.(feature.attributes, feature, chart) ?? {};
  const subject: Subject = {
    feature,
    layer: known === undefined ? 'OTHER' : layer,
    rule,
    decision,
    period,
    chart,
    alwaysTiled: mayBeIsolatedDanger(decision),
    // No other object can represent an area or a line; for points see PointRanks.
    ignoresScamin: decision.dd !== undefined && feature.primitive !== 'point',
  };
  const drawn = [...drawFeature(subject), ...doubtfulPosition(subject)];
  return acronym === 'LIGHTS' ? [...drawn, ...drawLightFigures(subject)] : drawn;
}

/**
 * Whether some safety contour makes this an isolated danger. Isolated dangers are display base and
 * must be in the tiles at every zoom; before its SCAMIN zoom a style shows it only if the mariner's
 * contour requires it.
 */
function mayBeIsolatedDanger({ dd, ud }: { dd?: unknown; ud?: unknown }): boolean {
  return typeof dd === 'number' && typeof ud === 'number' && ud > 0 && dd <= ud;
}
