// Lights at one position with one rhythm, as one sentence with all sectors.

import { groupsOf, groupText } from '../s57/vocabulary/light-text.ts';
import { type Attributes, listOf, numberOf } from '../s57/vocabulary/typed-values.ts';
import { counted, degreesWords, heightWords, type ReaderUnits } from './measures.ts';
import { factsOf } from './sentence-facts.ts';
import { meaningOf } from './sentence-heads.ts';

/** Attributes that this file puts into words. */
const USED: ReadonlySet<string> = new Set(
  'LITCHR SIGGRP SIGPER SIGSEQ COLOUR HEIGHT VALNMR SECTR1 LITVIS CATLIT MLTYLT'.split(' '),
);

/**
 * What a light shows: `light, flashing (2) every 10 s, height 12 m; sectors from seaward: red from 030° to 050°,
 * range 8 nautical miles, …`. A fact that not all lights have is stated with its light.
 *
 * @param lights of one rhythm at one position, at least one
 */
export function lightWords(lights: readonly Attributes[], units: ReaderUnits): string {
  const first = lights[0]!;
  const sectors = lights.filter((light) => numberOf(light, 'SECTR1') !== undefined);
  const around = lights.filter((light) => numberOf(light, 'SECTR1') === undefined);
  const facts = new Map(
    lights.map((light) => [
      light,
      [...kindsOf(light), ...heightOf(light, units), ...factsOf(light, USED, units)],
    ]),
  );
  const isCommon = (fact: string) => lights.every((light) => facts.get(light)!.includes(fact));
  const ownOf = (light: Attributes) => facts.get(light)!.filter((fact) => !isCommon(fact));
  const shown = (light: Attributes) => [...shownBy(light), ...ownOf(light)].join(', ');
  const head = [
    ...[countOf(first), ...kindsOf(first).filter(isCommon), ...characterOf(first)],
    ...(around.length === 1 ? [shown(around[0]!)].filter((words) => words !== '') : []),
    ...[...heightOf(first, units), ...factsOf(first, USED, units)].filter(isCommon),
  ];
  const parts = [head.join(', ')];
  if (around.length > 1) parts.push(around.map(shown).join('; '));
  if (sectors.length > 0)
    parts.push(`sectors, as bearings from seaward: ${sectorsOf(sectors, ownOf).join('; ')}`);
  return parts.join('; ');
}

const countOf = (light: Attributes): string => {
  const many = numberOf(light, 'MLTYLT') ?? 1;
  return many > 1 ? `${many} lights` : 'light';
};

const kindsOf = (light: Attributes): string[] =>
  listOf(light, 'CATLIT').flatMap((code) => meaningOf('CATLIT', code) ?? []);

/** LITCHR whose words differ from the catalogue, which joins the parts of a combined character by a slash. */
const CHARACTERS: Readonly<Record<number, string>> = {
  7: 'isophase',
  12: 'Morse',
  13: 'fixed and flashing',
  14: 'flashing plus long-flashing',
  15: 'occulting and flashing',
  16: 'fixed and long-flashing',
};

function characterOf(light: Attributes): string[] {
  const code = numberOf(light, 'LITCHR');
  const name = code === undefined ? undefined : meaningOf('LITCHR', code);
  if (name === undefined) return [];
  const groups = groupsOf(light);
  const [head = '', tail] = (CHARACTERS[code!] ?? name).split(' plus ');
  const character =
    tail === undefined
      ? grouped(head, groups)
      : `${grouped(head, groups.slice(0, 1))} plus ${grouped(tail, groups.slice(1))}`;
  const period = numberOf(light, 'SIGPER');
  const rhythm = period === undefined || period === 0 ? '' : ` every ${period} s`;
  return [`${character}${rhythm}`];
}

const grouped = (character: string, groups: readonly string[]): string =>
  `${character} ${groupText(groups)}`.trim();

function heightOf(light: Attributes, units: ReaderUnits): string[] {
  const height = numberOf(light, 'HEIGHT');
  return height === undefined ? [] : [`height ${heightWords(height, units)}`];
}

/** Colour, range and visibility. */
function shownBy(light: Attributes): string[] {
  const names = listOf(light, 'COLOUR').flatMap((code) => meaningOf('COLOUR', code) ?? []);
  const range = numberOf(light, 'VALNMR');
  const visibility = listOf(light, 'LITVIS').flatMap((code) => meaningOf('LITVIS', code) ?? []);
  return [
    ...(names.length === 0 ? [] : [names.join(' and ')]),
    ...(range === undefined || range === 0 ? [] : [`range ${counted(range, 'nautical mile')}`]),
    ...visibility,
  ];
}

/**
 * In the order of the compass.
 * @param ownOf facts of a light that not all lights have
 */
function sectorsOf(
  lights: readonly Attributes[],
  ownOf: (light: Attributes) => readonly string[],
): string[] {
  const from = (light: Attributes) => numberOf(light, 'SECTR1')!;
  return [...lights]
    .sort((a, b) => from(a) - from(b))
    .map((light) => {
      const [what, ...more] = shownBy(light);
      const to = numberOf(light, 'SECTR2');
      const range = `from ${degreesWords(from(light))}${to === undefined ? '' : ` to ${degreesWords(to)}`}`;
      return [what === undefined ? range : `${what} ${range}`, ...more, ...ownOf(light)].join(', ');
    });
}
