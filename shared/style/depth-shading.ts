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
import type { StyleOptions } from './options.ts';
import type { Palette } from './palette.ts';
import { fadeIn } from './scamin-fade.ts';

/** Depths in metres at which shades change: shallow ≤ safety ≤ deep. */
function shadeLimits(depthLimit: number): { shallow: number; safety: number; deep: number } {
  return {
    shallow: Math.min(2, depthLimit),
    safety: depthLimit,
    deep: Math.max(30, depthLimit),
  };
}

/** Fill of a depth area by `d1` (shoal end) and `d2` (deep end). */
export function depthAreaColor(options: StyleOptions, colors: Palette): Expression {
  const { shallow, safety, deep } = shadeLimits(options.depthLimit);
  const reaches = (depth: number) =>
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
    expression('<', get('s'), options.depthLimit),
    expression('>=', get('d'), options.depthLimit),
    expression('!=', expression('coalesce', get('c'), 0), 1),
  );
}

/**
 * A danger this boat could touch, in water it may be in: its depth (`dd`) is within the limit while
 * ground around it (`ud`) is deep enough to sail (UDWHAZ05 in our own words).
 */
export function isIsolatedDanger(options: StyleOptions): Expression {
  return all(
    expression('<=', expression('coalesce', get('dd'), -15), options.depthLimit),
    expression('>=', expression('coalesce', get('ud'), -100), options.depthLimit),
  );
}

/**
 * The symbol of a rock, wreck or obstruction for this boat. Points that stand for an area have no
 * symbol of their own and take only that of an isolated danger.
 */
export function dangerSymbol(options: StyleOptions): Expression {
  return expression(
    'case',
    isIsolatedDanger(options),
    'ISODGR01',
    all(has('d'), expression('>', get('d'), options.depthLimit)),
    'DANGER02',
    get('sy'),
  );
}

/** Which dangers have a symbol now: isolated ones at any scale, the others from their SCAMIN on. */
export function isDangerShown(options: StyleOptions): Expression {
  return any(isIsolatedDanger(options), all(IN_SCALE, has('sy')));
}

/** Isolated dangers are there at once, the others come with their SCAMIN. */
export function dangerOpacity(options: StyleOptions): Expression {
  return fadeIn(1, expression('case', isIsolatedDanger(options), 0, numberOr('mz', 0)));
}

/** Low positional accuracy (QUAPOS), decided when the tile was built. */
export const IS_UNCERTAIN: Expression = is('q', 1);
export const IS_CERTAIN: Expression = any(expression('!', expression('has', 'q')), is('q', 0));
