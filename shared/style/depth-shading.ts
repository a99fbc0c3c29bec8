// Colours of the sea and symbols of dangers for a safety contour (conditional symbology of S-52 PresLib, such
// as SEABED01). The shallow end of the depth range of an area decides its colour.

import { all, any, type Expression, expression, get, has, is, numberOr } from './expressions.ts';
import { either, isSet, safetyDepth } from './live-choices.ts';
import type { StyleOptions } from './options.ts';
import type { Palette } from './palette.ts';
import { fadeIn } from './scamin-fade.ts';

/** Depths in metres at which shades change: shallow ≤ safety ≤ deep. */
function shadeLimits(options: StyleOptions) {
  const safety = safetyDepth(options);
  const { shallowDepth: mostShallow, deepDepth: leastDeep } = options;
  if (typeof safety === 'number') {
    return { shallow: Math.min(mostShallow, safety), safety, deep: Math.max(leastDeep, safety) };
  }
  return {
    shallow: expression('min', mostShallow, safety),
    safety,
    deep: expression('max', leastDeep, safety),
  };
}

/**
 * An area without inner contours, such as 18.2 to 4572 m, is mostly deep if its deep end is this many times the deep
 * limit. It is drawn as deep water if all of it is safe.
 */
const OPEN_RANGE = 10;

/** Fill of a depth area by `d1` (shoal end) and `d2` (deep end). */
export function depthAreaColor(options: StyleOptions, colors: Palette): Expression {
  const { shallow, safety, deep } = shadeLimits(options);
  const reaches = (depth: number | Expression) =>
    all(expression('>=', get('d1'), depth), expression('>', get('d2'), depth));
  const openEnd = typeof deep === 'number' ? OPEN_RANGE * deep : expression('*', OPEN_RANGE, deep);
  const isOpen = expression('>=', get('d2'), openEnd);
  return expression(
    'case',
    any(reaches(deep), all(reaches(safety), isOpen)),
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
 * The safety contour: the edge between ground shallower than the limit and deeper ground. A depth contour with
 * the value of the limit is not sufficient, because most limits have no such contour.
 */
export function isSafetyEdge(options: StyleOptions): Expression {
  return all(
    expression('<', get('s'), safetyDepth(options)),
    expression('>=', get('d'), safetyDepth(options)),
    expression('!=', expression('coalesce', get('c'), 0), 1),
  );
}

/**
 * An isolated danger (S-52 UDWHAZ05): its depth (`dd`) is within the limit, and the ground around it (`ud`) is
 * deep enough to sail.
 */
export const isIsolatedDanger = (options: StyleOptions): Expression =>
  isDangerIn(options, safetyDepth(options));

/** The same, and with the option also in shallow water, but never on drying ground. */
export function isMarkedIsolated(options: StyleOptions): Expression {
  const safety = safetyDepth(options);
  const drying = typeof safety === 'number' ? Math.min(0, safety) : expression('min', 0, safety);
  const inShallow = isSet(options, 'isolatedDangersInShallow');
  return isDangerIn(options, either(inShallow, drying, safety));
}

/** @param leastAround minimum depth around the danger, metres */
const isDangerIn = (options: StyleOptions, leastAround: number | Expression): Expression =>
  all(
    expression('<=', expression('coalesce', get('dd'), -15), safetyDepth(options)),
    expression('>=', expression('coalesce', get('ud'), -100), leastAround),
  );

/** Whether the depth of a danger is known and deeper than the limit. */
export const isDeeper = (options: StyleOptions): Expression =>
  all(has('d'), expression('>', get('d'), safetyDepth(options)));

/**
 * The symbol of a rock, wreck or obstruction for a safety contour. Most points that represent an area have no
 * symbol of their own (`sy`), only that of an isolated danger. Only a floating danger keeps its symbol, unless it
 * represents other dangers, which may be under water.
 */
export function dangerSymbol(options: StyleOptions): Expression {
  return expression(
    'case',
    all(isMarkedIsolated(options), any(expression('!=', get('sy'), 'FLTHAZ02'), has('n'))),
    'ISODGR01',
    isDeeper(options),
    'DANGER02',
    get('sy'),
  );
}

/** The zoom of a danger: isolated dangers appear when there is space (`rz`), others at their SCAMIN. */
const dangerZoom = (options: StyleOptions): Expression =>
  expression('case', isIsolatedDanger(options), numberOr('rz', 0), numberOr('mz', 0));

/**
 * Whether a danger is shown at the zooms of its tile. A hidden one must not keep texts away. Dangers that are
 * isolated only in shallow water are shown as the others (S-52 UDWHAZ05: display category Other).
 */
export function isDangerShown(options: StyleOptions): Expression {
  const isShown = expression('>=', expression('zoom'), expression('floor', dangerZoom(options)));
  const inShallow = isSet(options, 'isolatedDangersInShallow');
  const isIsolated = either(inShallow, isMarkedIsolated(options), isIsolatedDanger(options));
  return all(isShown, any(has('sy'), isIsolated));
}

export const dangerOpacity = (options: StyleOptions): Expression => fadeIn(1, dangerZoom(options));

/** Low positional accuracy (QUAPOS). The tile build sets it. */
export const IS_UNCERTAIN: Expression = is('q', 1);
export const IS_CERTAIN: Expression = any(expression('!', expression('has', 'q')), is('q', 0));
