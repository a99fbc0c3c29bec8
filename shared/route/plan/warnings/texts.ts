// Formats places, lengths and names for messages.

import { TENTHS_BELOW_METERS } from '../../depth-code.ts';
import {
  HAZARD_KINDS,
  type HazardFeature,
  type HazardKind,
  type Hazards,
  type Notice,
} from '../../sea.ts';
import type { Position } from '../../trip.ts';

export function positionText([longitude, latitude]: Position): string {
  const ns = latitude < 0 ? 'S' : 'N';
  const ew = longitude < 0 ? 'W' : 'E';
  return `${Math.abs(latitude).toFixed(5)}°${ns} ${Math.abs(longitude).toFixed(5)}°${ew}`;
}

export function distanceText(meters: number): string {
  return meters < 1000 ? `${Math.ceil(meters)} m` : `${(meters / 1852).toFixed(1)} nautical miles`;
}

/** A length that comes from the request. */
export function metersText(meters: number): string {
  return `${Number(meters.toFixed(2))} m`;
}

/** Maximum error of a 32-bit depth, as a part of a decimetre. */
const TOLERANCE = 0.01;

/** A charted depth or clearance, rounded down to decimetres. */
export function chartedText(meters: number): string {
  return `${Math.floor(meters * 10 + TOLERANCE) / 10 || 0} m`;
}

/** A depth or clearance of a grid cell. From 16 m, codes have steps of more than 0.1 m. */
export function cellText(meters: number): string {
  const text = chartedText(meters);
  return meters < TENTHS_BELOW_METERS ? text : `at least ${text} (rounded down)`;
}

/** A depth or clearance that the vessel needs, rounded up to decimetres. */
export function neededText(meters: number): string {
  return `${Math.ceil(meters * 10 - TOLERANCE) / 10 || 0} m`;
}

const KIND_TEXTS: Readonly<Record<HazardKind, string>> = {
  land: 'land',
  depth: 'water that is too shallow',
  'unknown-depth': 'water of unknown depth',
  danger: 'a danger',
  structure: 'a structure',
  overhead: 'too low a clearance',
  prohibited: 'a prohibited area',
  'to-be-avoided': 'an area to be avoided',
  restricted: 'a restricted area',
  'no-data': 'the edge of the charts',
};

const CLASS_TEXTS: readonly (readonly [prefix: string, text: string])[] = [
  ['BOY', 'a buoy'],
  ['BCN', 'a beacon'],
  ['LITFLT', 'a light float'],
  ['LITVES', 'a light vessel'],
];

/** Areas with a least depth (DRVAL1), which is not that of a single danger. */
const SHALLOW_CLASSES: ReadonlySet<string> = new Set([
  'FAIRWY',
  'DWRTPT',
  'RCTLPT',
  'RECTRC',
  'TWRTPT',
  'BERTHS',
]);

/** The object that an edge belongs to: "a danger (WRECKS Anna)", "a buoy (BOYLAT 5)". */
export function hazardText(hazards: Hazards, edge: number): string {
  const kind = HAZARD_KINDS[hazards.kind[edge]!]!;
  const feature = hazards.features[hazards.feature[edge]!]!;
  if (kind === 'danger' && SHALLOW_CLASSES.has(feature.objectClass))
    return `${KIND_TEXTS.depth}${inBrackets(feature)}`;
  const ofClass = CLASS_TEXTS.find(([prefix]) => feature.objectClass.startsWith(prefix));
  return `${ofClass?.[1] ?? KIND_TEXTS[kind]}${inBrackets(feature)}`;
}

/** " (WRECKS Anna)"; empty if the feature is not in a chart. */
export function inBrackets(feature: HazardFeature): string {
  const text = featureText(feature);
  return text === '' ? '' : ` (${text})`;
}

/**
 * The text of a notice after its object's class and name: "RESARE Naval base: entry restricted".
 */
export function noticeText({ feature, text }: Notice): string {
  const what = featureText(feature);
  return text === '' ? what : `${what}: ${text}`;
}

function featureText({ objectClass, objectName }: HazardFeature): string {
  return objectName === '' ? objectClass : `${objectClass} ${objectName}`;
}
