// Expressions that several layers share: reading a property, conditions, hiding by scale.

import type { ExpressionSpecification } from '@maplibre/maplibre-gl-style-spec';

/** An expression of the style specification, or a literal inside one. */
export type Expression = ExpressionSpecification;

/** One array literal as an expression: the specification's type is a union too wide to infer. */
export function expression(...parts: readonly unknown[]): Expression {
  // Every document is held against the specification's validator in the tests.
  return parts as unknown as Expression;
}

export const get = (key: string): Expression => expression('get', key);
export const has = (key: string): Expression => expression('has', key);
export const not = (inner: unknown): Expression => expression('!', inner);
export const all = (...parts: readonly unknown[]): Expression => expression('all', ...parts);
export const any = (...parts: readonly unknown[]): Expression => expression('any', ...parts);
export const is = (key: string, value: string | number): Expression =>
  expression('==', get(key), value);

/** A number property with its value where the feature has none. */
export const numberOr = (key: string, otherwise: number): Expression =>
  expression('coalesce', get(key), otherwise);

/**
 * In scale from the feature's own SCAMIN zoom on (`mz`), or from a whole zoom before it, as filters
 * know no others: `fadeIn` says when between them. Base display features carry none.
 */
export const IN_SCALE: Expression = expression(
  '>=',
  expression('zoom'),
  expression('floor', numberOr('mz', 0)),
);

/** In scale from the first whole zoom on that is not above the feature's own SCAMIN zoom. */
export const IN_WHOLE_SCALE: Expression = expression('>=', expression('zoom'), numberOr('mz', 0));
