// From the mariner's safety contour to the colours of the sea (S-52 PresLib, conditional symbology
// SEABED01 in our own words): the shoal end of an area's depth range decides its shade.

import {
  all,
  any,
  type Expression,
  expression,
  get,
  has,
  IN_SCALE,
  is,
  numberOr,
} from './expressions.ts';
import { either, isSet, safetyDepth } from './live-choices.ts';
import type { StyleOptions } from './options.ts';
import type { Palette } from './palette.ts';
import { fadeIn } from './scamin-fade.ts';

/** Depths in metres at which shades change: shallow ≤ safety ≤ deep. */
function shadeLimits(options: StyleOptions) {
  const safety = safetyDepth(options);
  const [mostShallow, leastDeep] = [2, 30];
  if (typeof safety === 'number') {
    return { shallow: Math.min(mostShallow, safety), safety, deep: Math.max(leastDeep, safety) };
  }
  return {
    shallow: expression('min', mostShallow, safety),
    safety,
    deep: expression('max', leastDeep, safety),
  };
}

/** Fill of a depth area by `d1` (shoal end) and `d2` (deep end). */
export function depthAreaColor(options: StyleOptions, colors: Palette): Expression {
  const { shallow, safety, deep } = shadeLimits(options);
  const reaches = (depth: number | Expression) =>
    all(expression('>=', get('d1'), depth), expression('>', get('d2'), depth));
  return expression(
    'case',
    reaches(deep),
    colors.DEPDW,
    reaches(safety),
    colors.DEPMD,
    reaches(shallow),
    colors.DEPMS,
    reaches(0),
    colors.DEPVS,
    colors.DEPIT,
  );
}

/**
 * The safety contour: the edge between ground shallower than the limit and ground that is not.
 * Never "a contour whose value equals the limit", as most limits have no such contour.
 */
export function isSafetyEdge(options: StyleOptions): Expression {
  return all(
    expression('<', get('s'), safetyDepth(options)),
    expression('>=', get('d'), safetyDepth(options)),
    expression('!=', expression('coalesce', get('c'), 0), 1),
  );
}

/**
 * A danger this boat could touch, in water it may be in: its depth (`dd`) is within the limit while
 * ground around it (`ud`) is deep enough to sail (UDWHAZ05 in our own words).
 */
export const isIsolatedDanger = (options: StyleOptions): Expression =>
  isDangerIn(options, safetyDepth(options));

/** The same, and in shallow water too where that is wanted: never where the ground dries. */
export function isMarkedIsolated(options: StyleOptions): Expression {
  const safety = safetyDepth(options);
  const drying = typeof safety === 'number' ? Math.min(0, safety) : expression('min', 0, safety);
  const inShallow = isSet(options, 'isolatedDangersInShallow');
  return isDangerIn(options, either(inShallow, drying, safety));
}

/** @param leastAround metres that the ground around the danger reaches */
const isDangerIn = (options: StyleOptions, leastAround: number | Expression): Expression =>
  all(
    expression('<=', expression('coalesce', get('dd'), -15), safetyDepth(options)),
    expression('>=', expression('coalesce', get('ud'), -100), leastAround),
  );

/**
 * The symbol of a rock, wreck or obstruction for this boat. Points that stand for an area have no
 * symbol of their own and take only that of an isolated danger.
 */
export function dangerSymbol(options: StyleOptions): Expression {
  return expression(
    'case',
    isMarkedIsolated(options),
    'ISODGR01',
    all(has('d'), expression('>', get('d'), safetyDepth(options))),
    'DANGER02',
    get('sy'),
  );
}

/**
 * Which dangers have a symbol now: isolated ones at any scale, the others from their SCAMIN on, those
 * isolated in shallow water among them (S-52 UDWHAZ05: of the display category Other).
 */
export function isDangerShown(options: StyleOptions): Expression {
  const inShallow = isSet(options, 'isolatedDangersInShallow');
  const hasSymbol = either(inShallow, any(has('sy'), isMarkedIsolated(options)), has('sy'));
  return any(isIsolatedDanger(options), all(IN_SCALE, hasSymbol));
}

/** Isolated dangers are there once they have room (`rz`), the others come with their SCAMIN. */
export function dangerOpacity(options: StyleOptions): Expression {
  const from = expression('case', isIsolatedDanger(options), numberOr('rz', 0), numberOr('mz', 0));
  return fadeIn(1, from);
}

/** Low positional accuracy (QUAPOS), decided when the tile was built. */
export const IS_UNCERTAIN: Expression = is('q', 1);
export const IS_CERTAIN: Expression = any(expression('!', expression('has', 'q')), is('q', 0));
