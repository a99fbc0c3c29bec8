// Depths as charts print them: in the mariner's unit, rounded where that is wanted, drying heights
// underlined; and other measures in the unit that goes with it.

import { all, any, type Expression, expression, get } from './expressions.ts';
import { byUnits, either, isSet, safetyDepth } from './live-choices.ts';
import type { DepthUnits, StyleOptions } from './options.ts';

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

const subscript = (digit: unknown): Expression =>
  expression('slice', SUBSCRIPTS, digit, expression('+', digit, 1));

const whole = (value: unknown): Expression => expression('to-string', expression('floor', value));

/**
 * A depth as charts print it, from integer decimetres (`dm`) and whole feet (`ft`): metres with a
 * small decimal below 31 m, feet whole, fathoms with small feet below 11 fathoms. The tiles carry
 * both, because whether a depth was surveyed in feet depends on its chart.
 */
export const depthText = (options: StyleOptions): Expression =>
  byUnits(options, (units) =>
    printed(units, expression('abs', get('dm')), expression('abs', get('ft'))),
  );

/**
 * The same of a depth whose tiles may be older than these integers: then its metres (`d`, positive)
 * rounded down.
 */
export function depthTextOfMeters(options: StyleOptions): Expression {
  const roundedDown = (perMeter: number) =>
    expression('floor', expression('+', expression('*', get('d'), perMeter), SAME_DEPTH_METERS));
  const decimetres = expression('coalesce', get('dm'), roundedDown(10));
  const feet = expression('coalesce', get('ft'), roundedDown(1 / METERS_PER_UNIT.feet));
  return byUnits(options, (units) => printed(units, decimetres, feet));
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
const hasSmallDigit = (options: StyleOptions): Expression =>
  either(isSet(options, 'roundOffSoundings'), false, endsSmall(options)) as Expression;

const endsSmall = (options: StyleOptions): Expression =>
  byUnits(options, (units) =>
    units === 'feet'
      ? (false as unknown as Expression)
      : smallDigit(units, expression('abs', get('dm')), expression('abs', get('ft'))).isPrinted,
  );

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
const roundedDepth = (options: StyleOptions): Expression =>
  byUnits(options, (units) => roundedTo(METERS_PER_UNIT[units], safetyDepth(options)));

/** @param unit in metres @param depthLimit metres */
function roundedTo(unit: number, depthLimit: number | Expression): Expression {
  const depth = expression('coalesce', get('d'), expression('/', get('dm'), 10));
  const nearest = expression('round', expression('/', depth, unit));
  const limit =
    typeof depthLimit === 'number'
      ? depthLimit - SAME_DEPTH_METERS
      : expression('-', depthLimit, SAME_DEPTH_METERS);
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
  either(isSet(options, 'roundOffSoundings'), roundedDepth(options), depthText(options));

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
export const measured = (options: StyleOptions, metric: string, feet: string): Expression =>
  byUnits(options, (units) => inUnits(units, metric, feet));

/** The same, or what else is written where a feature has neither. */
export const measuredOr = (
  options: StyleOptions,
  metric: string,
  feet: string,
  otherwise: readonly unknown[],
): Expression =>
  // A branch of a choice is one text: what is to be written instead must be part of it.
  byUnits(options, (units) => expression('coalesce', inUnits(units, metric, feet), ...otherwise));

const inUnits = (units: DepthUnits, metric: string, feet: string): Expression =>
  units === 'meters' ? get(metric) : expression('coalesce', get(feet), get(metric));

/** Whether a depth is at or above the safety contour: dangerous for this boat. */
export const isShallow = (key: string, options: StyleOptions): Expression =>
  expression('<=', get(key), safetyDepth(options));
