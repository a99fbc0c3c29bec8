// Lights at one place, drawn together: one flare and one text per rhythm and period, overlapping sectors on
// two rings, and shared legs drawn once.

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import { pushTo } from '../../../shared/geo/map-entries.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { lightText, rhythmKey } from '../../../shared/s57/vocabulary/light-text.ts';
import { periodOf } from '../../../shared/s57/vocabulary/periods.ts';
import { hasAny, listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { ChartContext } from '../features/chart-context.ts';
import type { Decision } from '../features/class-rule.ts';
import { featureKey, makeDrawable, type Subject } from '../features/draw-feature.ts';
import type { Drawable } from '../features/drawable.ts';
import {
  arcFigures,
  legFigure,
  legsOf,
  MAJOR_RANGE_MILES,
  ringFigures,
  type Sector,
  type SectorFigure,
  sectorOf,
  sectorsOverlap,
} from './light-sectors.ts';
import { colorLetters } from './mark-colors.ts';
import { isAfloat } from './topmarks.ts';

/** Screen rotation of a flare, and of the second flare at the same point. */
const FLARE_DEGREES = 135;
const SECOND_FLARE_DEGREES = 45;

/** CATLIT. */
const DIRECTIONAL: ReadonlySet<number> = new Set([1, 16]);
const NOT_FOR_RINGS: ReadonlySet<number> = new Set([5, 6, 7, 8, 9]);
const FLOOD: ReadonlySet<number> = new Set([8, 11]);
const STRIP: ReadonlySet<number> = new Set([9]);
const EMERGENCY: ReadonlySet<number> = new Set([17]);
/** LITCHR. */
const MORSE = 12;

/** COLOUR to flare: red, green, white and yellow kinds; others are magenta. */
const FLARES: Readonly<Record<number, SymbolName>> = {
  1: 'LIGHTS13',
  3: 'LIGHTS11',
  4: 'LIGHTS12',
  6: 'LIGHTS13',
  9: 'LIGHTS13',
  11: 'LIGHTS13',
};

/** Properties of a light's own point; it has the flare and text only if it leads its rhythm. */
export function lightDecision(
  attributes: Attributes,
  feature: Feature,
  chart: ChartContext,
): Decision {
  const rhythms = rhythmsAt(feature, chart);
  const place = rhythms.findIndex((lights) => lights[0] === feature);
  const range = numberOf(attributes, 'VALNMR');
  const sector = sectorOf(attributes);
  return {
    co: colorLetters(attributes),
    vn: range,
    mj: isMajor(attributes, sector) ? 1 : undefined,
    sc: sector === undefined ? undefined : 1,
    fl: isAfloat(feature, chart) ? 1 : undefined,
    or: numberOf(attributes, 'ORIENT'),
    ...(place < 0 ? {} : leading(rhythms, place)),
  };
}

function leading(rhythms: readonly (readonly Feature[])[], place: number): Decision {
  const lights = rhythms[place]!.map((light) => light.attributes);
  const sy = flareOf(lights[0]!);
  const isTurned = sy.startsWith('LIGHTS1') || sy === 'LITDEF11';
  return {
    sy,
    rt: isTurned ? (place === 0 ? FLARE_DEGREES : SECOND_FLARE_DEGREES) : undefined,
    ...lightText(lights),
  };
}

/** The figures of a light: arcs and legs of its sector, or the ring of a major light. */
export function drawLightFigures(subject: Subject): Drawable[] {
  const { feature, chart } = subject;
  const node = chart.nodeOf(feature);
  if (node === undefined || node.positions.length < 2) return [];
  const longitude = node.positions[0]!;
  const latitude = node.positions[1]!;
  const range = numberOf(feature.attributes, 'VALNMR');
  return figuresOf(feature, chart).map((figure, index) =>
    makeDrawable(subject, { type: 'point', longitude, latitude }, latitude, {
      layer: 'LIGHTS_SECTOR',
      properties: {
        ...figure,
        ...(range === undefined ? {} : { vn: range }),
        bn: chart.cell.header.usageBand,
        ...subject.period,
      },
      key: `LIGHTS_SECTOR:${featureKey(feature)}:${index}`,
    }),
  );
}

function figuresOf(feature: Feature, chart: ChartContext): SectorFigure[] {
  const { attributes } = feature;
  const sector = sectorOf(attributes);
  if (sector === undefined) {
    const bearing = numberOf(attributes, 'ORIENT');
    const isDirectional = hasAny(listOf(attributes, 'CATLIT'), DIRECTIONAL);
    if (isDirectional && bearing !== undefined) return [legFigure(bearing + 180)];
    return isMajor(attributes, undefined) ? ringFigures(attributes) : [];
  }
  const others = lightsAt(feature, chart).flatMap((other) => {
    const sectorOfOther = sectorOf(other.attributes);
    return other === feature || sectorOfOther === undefined
      ? []
      : [{ feature: other, sector: sectorOfOther }];
  });
  // Of two overlapping sectors, the wider one is drawn outside; of two equal ones, the later.
  const isOuter = others.some(
    (other) =>
      sectorsOverlap(other.sector, sector) &&
      (other.sector.span < sector.span ||
        (other.sector.span === sector.span && isBefore(other.feature, feature))),
  );
  const drawnBefore = new Set(
    others
      .filter((other) => isBefore(other.feature, feature) && isShownWith(other.feature, feature))
      .flatMap((o) => legsOf(o.sector)),
  );
  return [
    ...arcFigures(attributes, sector, isOuter ? 1 : 0),
    ...legsOf(sector)
      .filter((bearing) => !drawnBefore.has(bearing))
      .map(legFigure),
  ];
}

/** The period of a light as text; empty for a light that is always in force. */
const daysOf = ({ attributes }: Feature): string => {
  const period = periodOf(attributes);
  return Object.keys(period).length === 0 ? '' : JSON.stringify(period);
};

/** Whether one light is shown whenever another is. A light of other days or scales must not replace it. */
const isShownWith = (one: Feature, other: Feature): boolean =>
  (daysOf(one) === '' || daysOf(one) === daysOf(other)) && scaminOf(one) >= scaminOf(other);

/** A light without SCAMIN is shown at all scales. */
const scaminOf = ({ attributes }: Feature): number =>
  numberOf(attributes, 'SCAMIN') || Number.MAX_SAFE_INTEGER;

const rangeOf = ({ attributes }: Feature): number => numberOf(attributes, 'VALNMR') ?? 0;

/** Lights at the same point, in a fixed order. */
function lightsAt(feature: Feature, chart: ChartContext): readonly Feature[] {
  return chart
    .standingWith(feature)
    .filter((other) => chart.acronymOf(other) === 'LIGHTS')
    .toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
}

function isBefore(a: Feature, b: Feature): boolean {
  if (a.id.number !== b.id.number) return a.id.number < b.id.number;
  if (a.id.subdivision !== b.id.subdivision) return a.id.subdivision < b.id.subdivision;
  return a.recordId < b.recordId;
}

/**
 * Lights at one place by rhythm, the strongest rhythm first. In each, the light that is shown first leads, and of
 * several the strongest. An emergency light that looks and is described like its main light is drawn with it.
 */
function rhythmsAt(feature: Feature, chart: ChartContext): readonly (readonly Feature[])[] {
  const byRhythm = new Map<string, Feature[]>();
  for (const light of lightsAt(feature, chart).toSorted((a, b) => rangeOf(b) - rangeOf(a))) {
    pushTo(byRhythm, `${rhythmKey(light.attributes)}|${daysOf(light)}`, light);
  }
  const rhythms: Feature[][] = [];
  for (const lights of byRhythm.values()) {
    const at = rhythms.findIndex((others) => areAlike(lights, others));
    if (at < 0) rhythms.push(lights);
    else rhythms[at] = [...rhythms[at]!, ...lights];
  }
  return rhythms.map((lights) => lights.toSorted((a, b) => scaminOf(b) - scaminOf(a)));
}

/** Whether lights of two rhythms have one text, flare and days. An emergency light need not state its range. */
function areAlike(lights: readonly Feature[], others: readonly Feature[]): boolean {
  const [light, other] = [lights[0]!, others[0]!];
  const hasNoRange = rangeOf(light) === 0 && hasAny(listOf(light.attributes, 'CATLIT'), EMERGENCY);
  const printed = (group: readonly Feature[]) => {
    const attributes = group.map((one) => one.attributes);
    return lightText(hasNoRange ? attributes.map((one) => ({ ...one, VALNMR: '' })) : attributes)
      ?.tx;
  };
  const text = printed(lights);
  return (
    text !== undefined &&
    text === printed(others) &&
    flareOf(light.attributes) === flareOf(other.attributes) &&
    daysOf(light) === daysOf(other)
  );
}

function isMajor(attributes: Attributes, sector: Sector | undefined): boolean {
  return (
    sector === undefined &&
    (numberOf(attributes, 'VALNMR') ?? 0) >= MAJOR_RANGE_MILES &&
    numberOf(attributes, 'LITCHR') !== MORSE &&
    !hasAny(listOf(attributes, 'CATLIT'), NOT_FOR_RINGS) &&
    !hasAny(listOf(attributes, 'CATLIT'), DIRECTIONAL)
  );
}

function flareOf(attributes: Attributes): SymbolName {
  const kinds = listOf(attributes, 'CATLIT');
  if (hasAny(kinds, FLOOD)) return 'LIGHTS82';
  if (hasAny(kinds, STRIP)) return 'LIGHTS81';
  const colors = listOf(attributes, 'COLOUR');
  if (colors.length === 0) return 'LITDEF11';
  // A light with several colours uses the first that is not white.
  const shown = colors.find((code) => code !== 1) ?? 1;
  return FLARES[shown] ?? 'LITDEF11';
}
