// Options as expressions. In a document with `live` they are read from the global state of the map, which an
// app changes with `setGlobalStateProperty` and without a request. In other documents they are constants.
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

/** A constant, or an expression that reads the global state. */
export type Condition = boolean | Expression;

const state = (name: string): Expression => expression('global-state', name);

/** Safety depth in metres. If the state is not a number, the value of the document is used. */
export const safetyDepth = ({ live, depthLimit }: StyleOptions): number | Expression =>
  live ? expression('number', state('depthLimit'), depthLimit) : depthLimit;

/** Whether a flag is set. If the state is not a boolean, the value of the document is used. */
export const isSet = (options: StyleOptions, flag: LiveFlag): Condition =>
  options.live ? expression('boolean', state(flag), options[flag]) : options[flag];

/** Selects one of two values. */
export function either<const Yes, const Otherwise>(
  condition: Condition,
  yes: Yes,
  otherwise: Otherwise,
): Yes | Otherwise | Expression {
  if (typeof condition !== 'boolean') return expression('case', condition, yes, otherwise);
  return condition ? yes : otherwise;
}

/** The expression for the selected unit. If the state is not a known unit, the unit of the document is used. */
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

/** The `state` of a document: the live options with their initial values. */
export function liveState(options: StyleOptions): NonNullable<StyleSpecification['state']> {
  return Object.fromEntries(LIVE_OPTIONS.map((name) => [name, { default: options[name] }]));
}
