// Texts of depths, in the selected unit, optionally rounded, with a line under drying heights. Heights and
// clearances are in the unit that belongs to it.

import { all, type Expression, expression, get } from './expressions.ts';
import { byUnits, either, isSet, safetyDepth } from './live-choices.ts';
import type { DepthUnits, StyleOptions } from './options.ts';

/** A list, because `slice` counts bytes in MapLibre Native before its pull request 4344 (2026). */
const SUBSCRIPTS = ['literal', ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉']];

const subscript = (digit: unknown): Expression => expression('at', digit, SUBSCRIPTS);

const decimetresShown = (): Expression => expression('abs', get('dm'));
const feetShown = (): Expression => expression('abs', get('ft'));

const whole = (value: unknown): Expression => expression('to-string', expression('floor', value));

/**
 * A depth from integer decimetres (`dm`) and whole feet (`ft`): metres with a small decimal below 31 m,
 * whole feet, or fathoms with small feet below 11 fathoms. The tiles contain both values, because only the
 * chart shows whether a depth was surveyed in feet.
 */
export const depthText = (options: StyleOptions): Expression =>
  byUnits(options, (units) => printed(units, decimetresShown(), feetShown()));

/**
 * The same for tiles that may be too old to contain these integers. Without them, the depth in metres (`d`,
 * positive) is rounded down.
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
    small.integer,
    expression('case', small.isPrinted, subscript(small.rest), ''),
  );
}

/** The integer and the small digit of a depth, and whether the digit, decimetres or feet, is printed. */
function smallDigit(depthUnits: 'meters' | 'fathoms', decimetres: Expression, feet: Expression) {
  const [count, parts, mostWithParts] =
    depthUnits === 'fathoms' ? ([feet, 6, 66] as const) : ([decimetres, 10, 310] as const);
  const rest = expression('%', count, parts);
  const isPrinted = all(expression('<', count, mostWithParts), expression('>', rest, 0));
  return { integer: whole(expression('/', count, parts)), rest, isPrinted };
}

/** Whether a sounding's text ends in a small digit. */
const hasSmallDigit = (options: StyleOptions): Expression =>
  either(isSet(options, 'roundOffSoundings'), false, endsSmall(options)) as Expression;

const endsSmall = (options: StyleOptions): Expression =>
  byUnits(options, (units) =>
    units === 'feet'
      ? (false as unknown as Expression)
      : smallDigit(units, decimetresShown(), feetShown()).isPrinted,
  );

/** Text of a sounding without its small digit. */
const integerText = (options: StyleOptions): Expression =>
  either(
    isSet(options, 'roundOffSoundings'),
    roundedDepth(options),
    byUnits(options, (units) =>
      units === 'feet'
        ? printed(units, decimetresShown(), feetShown())
        : smallDigit(units, decimetresShown(), feetShown()).integer,
    ),
  );

export const METERS_PER_UNIT: Readonly<Record<DepthUnits, number>> = {
  meters: 1,
  feet: 0.3048,
  fathoms: 1.8288,
};

/** Tolerance for floating-point results: six feet are 1.8288 m or 1.8288000000000002 m. */
export const SAME_DEPTH_METERS = 1e-6;

/**
 * A depth (`d`, metres) rounded to the nearest integer of the selected unit, but never up to the safety
 * contour: with a limit of 3 m, 2.9 m must not be shown as 3, or as 10 feet.
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
  // If rounding up crosses the limit, the integer below is still on the correct side.
  const safe = expression('case', reachesLimit, expression('-', nearest, 1), nearest);
  return expression('to-string', expression('abs', safe));
}

/** Text of a sounding, rounded if the option is set. `depthMark` underlines drying heights. */
export const soundingText = (options: StyleOptions): Expression =>
  either(isSet(options, 'roundOffSoundings'), roundedDepth(options), depthText(options));

/** Pixels from the middle of the text to the line below its digits. */
export const BELOW_DIGITS_PIXELS = 6;
/** Half the width of a small digit, in ems. */
const HALF_SUBSCRIPT_EMS = 4 / 24;

/**
 * The line under the integer of a drying height and the ring around a doubtful depth (S-52 SNDFRM04). One image
 * is the icon of the text's own symbol, so that all are always shown together.
 */
export function depthMark(options: StyleOptions, sizePixels: number, isDoubtful: Expression) {
  const isShort = expression('==', expression('length', integerText(options)), 1);
  const named = (name: string) => expression('case', isShort, `${name}1`, `${name}2`);
  const isDrying = expression('<', get('dm'), 0);
  const beforeSmallDigit = -HALF_SUBSCRIPT_EMS * sizePixels;
  return {
    'icon-image': expression(
      'case',
      isDrying,
      expression(
        'case',
        isShallow('d', options),
        expression('case', isDoubtful, named('SNDLOW2'), named('SNDDRY2')),
        expression('case', isDoubtful, named('SNDLOW1'), named('SNDDRY1')),
      ),
      isDoubtful,
      'SNDLOW',
      '',
    ),
    'icon-offset': expression(
      'case',
      expression('!', isDrying),
      ['literal', [0, 0]],
      hasSmallDigit(options),
      ['literal', [beforeSmallDigit, BELOW_DIGITS_PIXELS]],
      ['literal', [0, BELOW_DIGITS_PIXELS]],
    ),
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
    'icon-padding': 0,
  };
}

/** Text of a clearance or height: `metric` or `feet`, depending on the depth unit. */
export const measured = (options: StyleOptions, metric: string, feet: string): Expression =>
  byUnits(options, (units) => inUnits(units, metric, feet));

/** The same, with alternatives if a feature has neither property. */
export const measuredOr = (
  options: StyleOptions,
  metric: string,
  feet: string,
  otherwise: readonly unknown[],
): Expression =>
  // The alternatives must be in each branch, because a branch is one expression.
  byUnits(options, (units) => expression('coalesce', inUnits(units, metric, feet), ...otherwise));

const inUnits = (units: DepthUnits, metric: string, feet: string): Expression =>
  units === 'meters' ? get(metric) : expression('coalesce', get(feet), get(metric));

/** Whether a depth is not deeper than the safety contour. */
export const isShallow = (key: string, options: StyleOptions): Expression =>
  expression('<=', get(key), safetyDepth(options));
