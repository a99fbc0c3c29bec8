// The description of a light as printed on charts, `Fl(2)R 10s 12m 9M`: character, group, colours,
// period, height and range (INT 1, section P; our own implementation of S-52 LITDSN02).

import { bearingText } from './bearings.ts';
import { nearestFeet } from './depth-units.ts';
import { type Attributes, hasAny, listOf, numberOf, textOf } from './typed-values.ts';

/** Texts of LITCHR (character of a light). Combined characters are joined by a plus sign. */
const CHARACTERS: Readonly<Record<number, string>> = {
  1: 'F',
  2: 'Fl',
  3: 'LFl',
  4: 'Q',
  5: 'VQ',
  6: 'UQ',
  7: 'Iso',
  8: 'Oc',
  9: 'IQ',
  10: 'IVQ',
  11: 'IUQ',
  12: 'Mo',
  13: 'FFl',
  14: 'Fl+LFl',
  15: 'OcFl',
  16: 'FLFl',
  17: 'Al.Oc',
  18: 'Al.LFl',
  19: 'Al.Fl',
  20: 'Al',
  25: 'Q+LFl',
  26: 'VQ+LFl',
  27: 'UQ+LFl',
  28: 'Al',
  29: 'Al.F Fl',
};

/** COLOUR. */
const RED = 3;
/** Abbreviations of COLOUR. */
const COLORS: Readonly<Record<number, string>> = {
  1: 'W',
  3: 'R',
  4: 'G',
  5: 'Bu',
  6: 'Y',
  9: 'Am',
  10: 'Vi',
  11: 'Or',
};
/** Order in which colours of one light are printed. */
const COLOR_ORDER = ['W', 'R', 'G', 'Y', 'Am', 'Or', 'Bu', 'Vi'];

// Values of CATLIT (category of light).
const DIRECTIONAL: ReadonlySet<number> = new Set([1, 16]);
const AERONAUTICAL: ReadonlySet<number> = new Set([5, 6]);
const FOG_DETECTOR: ReadonlySet<number> = new Set([7]);
const HORIZONTAL: ReadonlySet<number> = new Set([19]);
const VERTICAL: ReadonlySet<number> = new Set([20]);
/** LITVIS. */
const OBSCURED: ReadonlySet<number> = new Set([7]);

/** Texts of STATUS. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  2: '(occas)',
  4: '(disused)',
  7: '(temp)',
  8: '(priv)',
  11: '(exting)',
  17: '(U)',
};

/** Texts of EXCLIT (exhibition condition) of lights that are not always exhibited. */
const EXHIBITIONS: Readonly<Record<number, string>> = { 2: '(day)', 3: '(in fog)', 4: '(night)' };

/** Tile properties: the text with the height in metres (`tx`) and in feet (`tf`). */
interface LightText {
  readonly tx: string;
  readonly tf: string;
}

/**
 * Text for lights of one rhythm at one position. It contains all colours, and the greatest and the least
 * range. `lights` must not be empty.
 * @returns `undefined` if neither character, colour, period, height nor range is known
 */
export function lightText(lights: readonly Attributes[]): LightText | undefined {
  const first = lights[0]!;
  const isObscured = (light: Attributes) => hasAny(listOf(light, 'LITVIS'), OBSCURED);
  const visible = lights.every(isObscured) ? lights : lights.filter((light) => !isObscured(light));
  const character = characterText(first, colorText(visible));
  const period = numberOf(first, 'SIGPER');
  const height = numberOf(first, 'HEIGHT');
  const range = rangeText(visible);
  if ([character, period || undefined, height, range].every((one) => one === undefined))
    return undefined;
  const textWith = (heightText: string | undefined) =>
    [
      `${prefixText(first)}${character ?? ''}`.trim(),
      // A fixed light has no period, although some records state 0.
      period === undefined || period === 0 ? undefined : `${plain(period, 100)}s`,
      heightText,
      range,
      ...bearingsOf(lights),
      EXHIBITIONS[numberOf(first, 'EXCLIT') ?? 0],
      ...listOf(first, 'STATUS').map((status) => STATUS_WORDS[status]),
    ]
      .filter((word) => word !== undefined && word !== '')
      .join(' ');
  return {
    tx: textWith(height === undefined ? undefined : `${plain(height)}m`),
    tf: textWith(height === undefined ? undefined : `${nearestFeet(height)}ft`),
  };
}

/** The bearings of directional lights, as `285.5°`. */
function bearingsOf(lights: readonly Attributes[]): readonly string[] {
  const bearings = lights.flatMap((light) => {
    const bearing = numberOf(light, 'ORIENT');
    const isDirectional = hasAny(listOf(light, 'CATLIT'), DIRECTIONAL);
    return isDirectional && bearing !== undefined ? [bearingText(bearing)] : [];
  });
  return [...new Set(bearings)];
}

/** Lights at one position with the same key are printed as one text, with all colours, ranges and bearings. */
export function rhythmKey(attributes: Attributes): string {
  const alike = { ...attributes, COLOUR: [RED], VALNMR: '', ORIENT: '' };
  return `${lightText([alike])?.tx}|${textOf(attributes, 'CATLIT')}`;
}

function prefixText(attributes: Attributes): string {
  const kinds = listOf(attributes, 'CATLIT');
  const multiplicity = numberOf(attributes, 'MLTYLT');
  return [
    hasAny(kinds, AERONAUTICAL) ? 'Aero ' : '',
    hasAny(kinds, FOG_DETECTOR) ? 'Fog Det Lt ' : '',
    hasAny(kinds, DIRECTIONAL) ? 'Dir ' : '',
    multiplicity !== undefined && multiplicity > 1 ? String(multiplicity) : '',
  ].join('');
}

/** Character with group and colours: `Fl(2+1)R`, `Q(6)+LFl`, `Mo(A)`, `Iso WRG`. */
function characterText(attributes: Attributes, colors: string): string | undefined {
  const name = CHARACTERS[numberOf(attributes, 'LITCHR') ?? 0];
  if (name === undefined) return colors === '' ? undefined : colors;
  const kinds = listOf(attributes, 'CATLIT');
  const arranged = hasAny(kinds, VERTICAL) ? '(vert)' : hasAny(kinds, HORIZONTAL) ? '(hor)' : '';
  const groups = groupsOf(attributes);
  const [head, tail] = name.split('+');
  const body =
    tail === undefined
      ? name + groupText(groups)
      : `${head}${groupText(groups.slice(0, 1))}+${tail}${groupText(groups.slice(1))}`;
  const gap = body === 'Al' ? '.' : body.endsWith(')') ? '' : ' ';
  const joined = colors === '' ? body : body + gap + colors;
  return arranged === '' ? joined : `${joined} ${arranged}`;
}

/** Splits SIGGRP, such as `(2)(1)`. Empty parentheses mean that this part of a combined character has no group. */
export function groupsOf(attributes: Attributes): readonly string[] {
  const text = textOf(attributes, 'SIGGRP') ?? '';
  return [...text.matchAll(/\(([^)]*)\)/g)].map((match) => match[1]!.trim());
}

/** `(2+1)`; empty for a single flash. */
export function groupText(groups: readonly string[]): string {
  const known = groups.filter((group) => group !== '');
  if (known.length === 0 || (known.length === 1 && known[0] === '1')) return '';
  return `(${known.join('+')})`;
}

/** Colours in printing order; empty for white alone, which charts do not print. */
function colorText(lights: readonly Attributes[]): string {
  const found = new Set(
    lights.flatMap((light) => listOf(light, 'COLOUR').flatMap((code) => COLORS[code] ?? [])),
  );
  const colors = COLOR_ORDER.filter((color) => found.has(color)).join('');
  return colors === 'W' ? '' : colors;
}

function rangeText(lights: readonly Attributes[]): string | undefined {
  // Some records state 0 for an unknown range.
  const ranges = lights.flatMap((light) => numberOf(light, 'VALNMR') || []);
  if (ranges.length === 0) return undefined;
  const most = Math.max(...ranges);
  const least = Math.min(...ranges);
  return most === least ? `${plain(most)}M` : `${plain(most)}-${plain(least)}M`;
}

/** At most one decimal, or the decimals of `parts`, without trailing zeros. */
function plain(value: number, parts = 10): string {
  return String(Math.round(value * parts) / parts);
}
