// Expressions that several layers share: reading a property, hiding by scale, depths as text in
// the mariner's unit, shading by the safety contour.

import type { ExpressionSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { DepthUnits, StyleOptions } from './options.ts';

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

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

const subscript = (digit: unknown): Expression =>
  expression('slice', SUBSCRIPTS, digit, expression('+', digit, 1));

const whole = (value: unknown): Expression => expression('to-string', expression('floor', value));

/**
 * A depth as charts print it, from integer decimetres (`dm`) and whole feet (`ft`): metres with a
 * small decimal below 31 m, feet whole, fathoms with small feet below 11 fathoms. The tiles carry
 * both, because feet cannot be had back from truncated decimetres by rounding here.
 */
export const depthText = ({ depthUnits }: StyleOptions): Expression =>
  printed(depthUnits, expression('abs', get('dm')), expression('abs', get('ft')));

/**
 * The same of a property that holds metres alone. Depths that were surveyed in feet were cut off to
 * decimetres: a third of a foot is added before feet are counted, so that 3.6 m is 12 feet again.
 */
export function depthTextOfMeters(key: string, { depthUnits }: StyleOptions): Expression {
  const depth = expression('abs', get(key));
  const decimetres = expression('round', expression('*', depth, 10));
  const feet = expression('floor', expression('+', expression('/', depth, 0.3048), 0.33));
  return printed(depthUnits, decimetres, feet);
}

function printed(depthUnits: DepthUnits, decimetres: Expression, feet: Expression): Expression {
  if (depthUnits === 'feet') return expression('to-string', feet);
  const small = smallDigit(depthUnits, decimetres, feet);
  return expression(
    'concat',
    whole(expression('/', small.count, small.parts)),
    expression('case', small.isPrinted, subscript(small.rest), ''),
  );
}

/** The small digit of a depth in metres or fathoms: decimetres or feet, and when it is printed. */
function smallDigit(depthUnits: 'meters' | 'fathoms', decimetres: Expression, feet: Expression) {
  const [count, parts, mostWithParts] =
    depthUnits === 'fathoms' ? ([feet, 6, 66] as const) : ([decimetres, 10, 310] as const);
  const rest = expression('%', count, parts);
  const isPrinted = all(expression('<', count, mostWithParts), expression('>', rest, 0));
  return { count, parts, rest, isPrinted };
}

/** Whether a sounding's text ends in a small digit. */
const hasSmallDigit = ({ depthUnits, roundOffSoundings }: StyleOptions): Expression | false =>
  depthUnits !== 'feet' &&
  !roundOffSoundings &&
  smallDigit(depthUnits, expression('abs', get('dm')), expression('abs', get('ft'))).isPrinted;

const METERS_PER_UNIT: Readonly<Record<DepthUnits, number>> = {
  meters: 1,
  feet: 0.3048,
  fathoms: 1.8288,
};

/** Six feet are 1.8288 m or 1.8288000000000002 m, by who has multiplied: depths as near are one. */
const SAME_DEPTH_METERS = 1e-6;

/**
 * A depth (`d`, metres) to the nearest whole number of the mariner's unit, but never rounded up to
 * or across the safety contour: with a limit of 3 m, 2.9 must not read as 3, nor as 10 feet.
 */
function roundedDepth({ depthUnits, depthLimit }: StyleOptions): Expression {
  const unit = METERS_PER_UNIT[depthUnits];
  const depth = expression('coalesce', get('d'), expression('/', get('dm'), 10));
  const nearest = expression('round', expression('/', depth, unit));
  const limit = depthLimit - SAME_DEPTH_METERS;
  const reachesLimit = all(
    expression('<', depth, limit),
    expression('>=', expression('*', nearest, unit), limit),
  );
  // What was rounded up across the limit has the whole number before it on its own side.
  const safe = expression('case', reachesLimit, expression('-', nearest, 1), nearest);
  return expression('to-string', expression('abs', safe));
}

/** Text of a sounding, rounded where that is wanted. Drying heights are underlined by `dryingLine`. */
export const soundingText = (options: StyleOptions): Expression =>
  options.roundOffSoundings ? roundedDepth(options) : depthText(options);

/** Pixels from the middle of a sounding's line of text down to below its digits. */
const BELOW_DIGITS_PIXELS = 6;
/** Half the width of a small digit, in ems. */
const HALF_SUBSCRIPT_EMS = 4 / 24;

/**
 * The line under the whole number of a drying height (S-52 SNDFRM04), as layout of the layer that
 * writes it: part of the same symbol, so that one is never seen without the other.
 */
export function dryingLine(options: StyleOptions, sizePixels: number) {
  const text = soundingText(options);
  const isShort = any(
    expression('==', expression('length', text), 1),
    all(hasSmallDigit(options), expression('==', expression('length', text), 2)),
  );
  const named = (one: string, two: string) => expression('case', isShort, one, two);
  const beforeSmallDigit = -HALF_SUBSCRIPT_EMS * sizePixels;
  return {
    'icon-image': expression(
      'case',
      expression('>=', get('dm'), 0),
      '',
      isShallow('d', options),
      named('SNDDRY21', 'SNDDRY22'),
      named('SNDDRY11', 'SNDDRY12'),
    ),
    'icon-offset': expression(
      'case',
      hasSmallDigit(options),
      ['literal', [beforeSmallDigit, BELOW_DIGITS_PIXELS]],
      ['literal', [0, BELOW_DIGITS_PIXELS]],
    ),
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
    'icon-padding': 0,
  };
}

/** Metric text and its twin in feet: clearances and heights follow the depth unit. */
export const measured = ({ depthUnits }: StyleOptions, metric: string, feet: string): Expression =>
  depthUnits === 'meters' ? get(metric) : expression('coalesce', get(feet), get(metric));

/** Whether a depth is at or above the safety contour: dangerous for this boat. */
export const isShallow = (key: string, options: StyleOptions): Expression =>
  expression('<=', get(key), options.depthLimit);
