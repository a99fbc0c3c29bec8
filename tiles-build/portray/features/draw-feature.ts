// Turns an object, its rule and the rule's decision into features of the tiles: points, lines,
// polygons, drawable boundaries, and one symbol point for an area.

import { scaminZoom } from '../../../shared/chart/scale-zoom.ts';
import { shownText } from '../../../shared/chart/shown-text.ts';
import type { PropertyKey } from '../../../shared/chart/tile-properties.ts';
import { propertiesOf, sourceLayer } from '../../../shared/chart/tile-schema.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf } from '../../../shared/s57/cell/geometry.ts';
import type { Period } from '../../../shared/s57/vocabulary/periods.ts';
import { numberOf, textOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { type Anchor, areaAnchor, lineAnchor } from './anchors.ts';
import type { ChartContext } from './chart-context.ts';
import type { ClassRule, Decision } from './class-rule.ts';
import type { Drawable, PropertyValue } from './drawable.ts';
import { drawableLines, drawableOutlines, type LinePart } from './line-parts.ts';
import { isLowAccuracy } from './position-quality.ts';

type Properties = Readonly<Record<string, PropertyValue>>;

/** Properties that another feature of the same object already carries. */
const NOT_ON_POINTS: readonly PropertyKey[] = ['pt', 'ln', 'd1', 'd2'];
const NOT_ON_LINES: readonly PropertyKey[] = [
  ...(['sy', 'sp', 'rt', 'co', 'sd', 'qs', 'ar', 'inf', 'fl', 'pt', 'd2'] as const),
];
const NAMES: readonly PropertyKey[] = ['nm', 'nn', 'no', 'or'];
const MEASURES: readonly PropertyKey[] = ['tx', 'tf'];
const TEXTS: readonly PropertyKey[] = [...NAMES, ...MEASURES];
const DEPTHS: readonly PropertyKey[] = ['d', 'dm', 'ft'];
const NOT_ON_OUTLINES: readonly PropertyKey[] = [
  ...NOT_ON_LINES,
  ...TEXTS,
  ...(['dm', 'ft', 'cv', 'dd', 'ud', 'fo', 'vc', 'el'] as const),
];
const NOT_ON_FILLS: readonly PropertyKey[] = [
  ...(['sy', 'sp', 'rt', 'co', 'sd', 'qs', 'ar', 'inf', 'fl', 'ln', 'bd', 'vc', 'el'] as const),
  ...TEXTS,
  ...DEPTHS,
];

const AREASYM_KEYS: ReadonlySet<string> = new Set(propertiesOf(sourceLayer('AREASYM')!));

/** An object to be drawn, with its rule and decision. */
export interface Subject {
  readonly feature: Feature;
  readonly layer: string;
  readonly rule: ClassRule;
  readonly decision: Decision;
  readonly period: Period;
  readonly chart: ChartContext;
  /**
   * Include it in tiles of all zooms despite SCAMIN, because the mariner's settings may require it.
   */
  readonly alwaysTiled?: boolean;
  /** SCAMIN does not apply, whatever the rule of its class. */
  readonly ignoresScamin?: boolean;
}

export function drawFeature(subject: Subject): Drawable[] {
  switch (subject.feature.primitive) {
    case 'point':
      return drawPoint(subject);
    case 'line':
      return drawLine(subject);
    case 'area':
      return drawArea(subject);
    default:
      return [];
  }
}

/** A stable text that identifies a feature. */
export function featureKey(feature: Feature): string {
  const { agency, number, subdivision } = feature.id;
  return `${agency}-${number}-${subdivision}`;
}

/** A drawable of a subject at an anchor, with SCAMIN applied. */
export function makeDrawable(
  subject: Subject,
  geometry: Drawable['geometry'],
  latitude: number,
  options: {
    readonly properties: Properties;
    readonly layer?: string;
    readonly key: string;
    readonly thinBy?: number;
    readonly thinWith?: number;
  },
): Drawable {
  const scamin = numberOf(subject.feature.attributes, 'SCAMIN');
  const isAlwaysShown = subject.rule.isDisplayBase === true || subject.ignoresScamin === true;
  const zoom = isAlwaysShown ? undefined : scaminZoom(scamin, latitude);
  return {
    layer: options.layer ?? subject.layer,
    properties: zoom === undefined ? options.properties : { ...options.properties, mz: zoom },
    geometry,
    minZoom: zoom === undefined || subject.alwaysTiled === true ? 0 : Math.floor(zoom),
    key: options.key,
    ...(options.thinBy === undefined ? {} : { thinBy: options.thinBy }),
    ...(options.thinWith === undefined ? {} : { thinWith: options.thinWith }),
  };
}

/** Name, further information, usage band and period: properties of every charted object. */
export function commonProperties(subject: Subject): Record<string, PropertyValue> {
  const { attributes } = subject.feature;
  const name = textOf(attributes, 'OBJNAM');
  const national = textOf(attributes, 'NOBJNM');
  const shown = name ?? national;
  return {
    ...(shown === undefined ? {} : { nm: shownText(shown) }),
    ...(national === undefined || national === name ? {} : { nn: shownText(national) }),
    ...(hasInformation(attributes) ? { inf: 1 } : {}),
    bn: subject.chart.cell.header.usageBand,
    ...subject.period,
  };
}

function hasInformation(attributes: Attributes): boolean {
  return ['INFORM', 'NINFOM', 'TXTDSC', 'NTXTDS', 'PICREP'].some(
    (acronym) => textOf(attributes, acronym) !== undefined,
  );
}

/** Common and decided properties, without those of other kinds of features. */
function propertiesWithout(subject: Subject, left: readonly PropertyKey[]): Properties {
  const properties = commonProperties(subject);
  for (const [key, value] of Object.entries(subject.decision)) {
    if (value === undefined) continue;
    properties[key] = typeof value === 'string' ? shownText(value) : value;
  }
  for (const key of left) delete properties[key];
  return properties;
}

function drawPoint(subject: Subject): Drawable[] {
  const { feature, layer, rule, chart } = subject;
  if (!rule.parts.includes('point')) return [];
  const node = chart.nodeOf(feature);
  if (node === undefined || node.positions.length < 2) return [];
  const longitude = node.positions[0]!;
  const latitude = node.positions[1]!;
  const properties = propertiesWithout(subject, NOT_ON_POINTS);
  const drawable = makeDrawable(subject, { type: 'point', longitude, latitude }, latitude, {
    properties: isLowAccuracy(node.attributes) ? { ...properties, q: 1 } : properties,
    key: `${layer}:${featureKey(feature)}`,
  });
  return [drawable];
}

function drawLine(subject: Subject): Drawable[] {
  const { feature, rule, chart } = subject;
  const chains = chainsOf(chart.cell, feature);
  const isNamedOnce = rule.parts.includes('middle');
  const center = !isNamedOnce && rule.parts.includes('center') ? lineAnchor(chains) : undefined;
  // The name is written once; clearances are repeated along the line.
  const once = center !== undefined ? TEXTS : isNamedOnce ? NAMES : [];
  const left = [...NOT_ON_LINES, ...once];
  const lines = rule.parts.includes('line')
    ? drawLineParts(subject, drawableLines(chains), propertiesWithout(subject, left))
    : [];
  if (center !== undefined) return [...lines, drawCenter(subject, center)];
  return isNamedOnce ? [...lines, ...drawSymbol(subject, lineAnchor(chains))] : lines;
}

function drawArea(subject: Subject): Drawable[] {
  const { feature, layer, rule, decision, chart } = subject;
  const polygons = areaOf(chart.cell, feature);
  const first = polygons[0]?.[0]?.uses[0]?.edge.positions;
  if (first === undefined) return [];
  const drawables: Drawable[] = [];
  // The tint of a dangerous area depends on how often it is visible.
  const leftOut =
    decision.dd === undefined ? NOT_ON_FILLS : NOT_ON_FILLS.filter((key) => key !== 'ln');
  const isPatterned = rule.parts.includes('patterned') && decision.pt !== undefined;
  if (rule.parts.includes('fill') || isPatterned) {
    drawables.push(
      makeDrawable(subject, { type: 'area', polygons }, first[1]!, {
        properties: propertiesWithout(subject, leftOut),
        key: `${layer}:${featureKey(feature)}:fill`,
      }),
    );
  }
  if (rule.parts.includes('outline')) {
    const properties = propertiesWithout(subject, NOT_ON_OUTLINES);
    const outlines = drawLineParts(subject, drawableOutlines(polygons), properties);
    for (const outline of outlines) drawables.push(outline);
  }
  if (rule.parts.includes('center')) {
    const anchor = areaAnchor(polygons);
    if (anchor !== undefined) drawables.push(drawCenter(subject, anchor));
  }
  if (rule.parts.includes('symbol') && hasSomethingToSay(subject)) {
    for (const symbol of drawSymbol(subject, areaAnchor(polygons))) drawables.push(symbol);
  }
  return drawables;
}

function drawLineParts(
  subject: Subject,
  parts: readonly LinePart[],
  properties: Properties,
): Drawable[] {
  return parts.map((part) => {
    const latitude = part.chains[0]![0]!.edge.positions[1]!;
    return makeDrawable(subject, { type: 'line', chains: part.chains }, latitude, {
      properties: part.isLowAccuracy ? { ...properties, q: 1 } : properties,
      key: `${subject.layer}:${featureKey(subject.feature)}:line${part.isLowAccuracy ? '-low' : ''}`,
    });
  });
}

function drawCenter(subject: Subject, anchor: Anchor): Drawable {
  return makeDrawable(subject, { type: 'point', ...anchor }, anchor.latitude, {
    properties: { ...propertiesWithout(subject, NOT_ON_POINTS), ar: 1 },
    key: symbolKey(subject, subject.layer),
  });
}

const hasName = ({ attributes }: Feature): boolean =>
  ['OBJNAM', 'NOBJNM'].some((acronym) => textOf(attributes, acronym) !== undefined);

function hasSomethingToSay({ decision, feature }: Subject): boolean {
  return decision.sy !== undefined || decision.tx !== undefined || hasName(feature);
}

function drawSymbol(subject: Subject, anchor: Anchor | undefined): Drawable[] {
  if (anchor === undefined || !hasSomethingToSay(subject)) return [];
  // A height is not shown in place of a name, as for points.
  const isNamedHeight = subject.decision.el !== undefined && hasName(subject.feature);
  const left = isNamedHeight ? MEASURES : [];
  const properties = Object.fromEntries(
    Object.entries(propertiesWithout(subject, left)).filter(([key]) => AREASYM_KEYS.has(key)),
  );
  const drawable = makeDrawable(subject, { type: 'point', ...anchor }, anchor.latitude, {
    layer: 'AREASYM',
    properties: { ...properties, cls: subject.layer },
    key: symbolKey(subject, 'AREASYM'),
  });
  return [drawable];
}

/** Areas cut at a cell border have one symbol per cell, so the cell is part of the key. */
function symbolKey({ chart, feature }: Subject, layer: string): string {
  return `${layer}:${chart.cell.header.name}:${featureKey(feature)}`;
}
