// Expressions that several layers share.

import type { ExpressionSpecification } from '@maplibre/maplibre-gl-style-spec';

/** An expression of the style specification, or a literal inside one. */
export type Expression = ExpressionSpecification;

/** Returns an array literal as an expression. The type of the specification is too wide to infer. */
export function expression(...parts: readonly unknown[]): Expression {
  // The tests check every document with the validator of the specification.
  return parts as unknown as Expression;
}

export const get = (key: string): Expression => expression('get', key);
export const has = (key: string): Expression => expression('has', key);
export const not = (inner: unknown): Expression => expression('!', inner);
export const all = (...parts: readonly unknown[]): Expression => expression('all', ...parts);
export const any = (...parts: readonly unknown[]): Expression => expression('any', ...parts);
export const is = (key: string, value: string | number): Expression =>
  expression('==', get(key), value);

/** A number property, or `otherwise` if the feature does not have it. */
export const numberOr = (key: string, otherwise: number): Expression =>
  expression('coalesce', get(key), otherwise);

/**
 * In scale from the whole zoom at or before the SCAMIN zoom of the feature (`mz`), because filters are evaluated
 * only at whole zooms. `fadeIn` hides the feature until `mz`. Features of the base display have no `mz`.
 */
export const IN_SCALE: Expression = expression(
  '>=',
  expression('zoom'),
  expression('floor', numberOr('mz', 0)),
);
