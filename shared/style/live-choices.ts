// Choices as expressions read them: the values themselves, or in a document with `live` the map's global
// state, which an app changes with one call (setGlobalStateProperty) and no request.
// https://maplibre.org/maplibre-style-spec/root/#state

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { type Expression, expression } from './expressions.ts';
import {
  DEPTH_UNITS,
  type DepthUnits,
  LIVE_OPTIONS,
  type LiveFlag,
  type StyleOptions,
} from './options.ts';

/** A condition of a choice: known when the document is made, or asked of the map's state. */
export type Condition = boolean | Expression;

const state = (name: string): Expression => expression('global-state', name);

/** Safety depth in metres. What is no number in the state counts as the document's own. */
export const safetyDepth = ({ live, depthLimit }: StyleOptions): number | Expression =>
  live ? expression('number', state('depthLimit'), depthLimit) : depthLimit;

/** Whether a flag is set. What is neither true nor false in the state counts as the document's own. */
export const isSet = (options: StyleOptions, flag: LiveFlag): Condition =>
  options.live ? expression('boolean', state(flag), options[flag]) : options[flag];

/** One of two values by a condition. */
export function either<const Yes, const Otherwise>(
  condition: Condition,
  yes: Yes,
  otherwise: Otherwise,
): Yes | Otherwise | Expression {
  if (typeof condition !== 'boolean') return expression('case', condition, yes, otherwise);
  return condition ? yes : otherwise;
}

/** What is made for the chosen unit. Unknown units in the state count as the document's own. */
export function byUnits(
  { live, depthUnits }: StyleOptions,
  make: (units: DepthUnits) => Expression,
): Expression {
  if (!live) return make(depthUnits);
  const others = DEPTH_UNITS.filter((units) => units !== depthUnits);
  return expression(
    'match',
    expression('to-string', state('depthUnits')),
    ...others.flatMap((units) => [units, make(units)]),
    make(depthUnits),
  );
}

/** The `state` of a document: what a map may change, with the choices it begins with. */
export function liveState(options: StyleOptions): NonNullable<StyleSpecification['state']> {
  return Object.fromEntries(LIVE_OPTIONS.map((name) => [name, { default: options[name] }]));
}
