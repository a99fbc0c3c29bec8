// An object of a chart as a sentence of a pilot book: `Dangerous wreck, 7.3 m, position approximate.`

import { attributeByAcronym } from '../s57/vocabulary/attributes.ts';
import { rhythmKey } from '../s57/vocabulary/light-text.ts';
import { isInland, objectClassByAcronym } from '../s57/vocabulary/object-classes.ts';
import { type Attributes, textOf } from '../s57/vocabulary/typed-values.ts';
import { lightWords } from './light-sentence.ts';
import type { ReaderUnits } from './measures.ts';
import { factsOf } from './sentence-facts.ts';
import { headOf } from './sentence-heads.ts';

const LIGHTS = objectClassByAcronym('LIGHTS')!.code;

export interface Described {
  readonly classCode: number;
  /** By lower-case acronym, as a query returns them. */
  readonly raw: Attributes;
  /** Depth of a sounding in metres. */
  readonly depth?: number | undefined;
  /** Lights of the same rhythm at the same position, including this one. */
  readonly lights?: readonly Attributes[];
}

export function sentenceOf(object: Described, units: ReaderUnits): string {
  const attributes = byName(object.raw, object.classCode);
  const what =
    object.classCode === LIGHTS ? lightOf(object, units) : whatOf(object, attributes, units);
  const name = nationalOr(attributes, 'OBJNAM', 'NOBJNM');
  const sentence = name === undefined ? capitalized(what) : `${name}: ${what}`;
  const note = nationalOr(attributes, 'INFORM', 'NINFOM');
  const file = nationalOr(attributes, 'TXTDSC', 'NTXTDS');
  const isNew = note !== undefined && !sentence.toLowerCase().includes(note.toLowerCase());
  return [
    `${sentence}.`,
    ...(isNew ? [withFullStop(note)] : []),
    ...(file === undefined ? [] : [`See text ${file}.`]),
  ].join(' ');
}

/** A text, or if it is empty, that in the national language. */
const nationalOr = (attributes: Attributes, acronym: string, national: string) =>
  textOf(attributes, acronym) ?? textOf(attributes, national);

/**
 * The sentences of the objects near a position. Lights of one rhythm at one position share a sentence.
 *
 * @param objects `position` is equal for objects at one point
 */
export function sentencesOfAll(
  objects: readonly (Described & { readonly position?: string })[],
  units: ReaderUnits,
): string[] {
  const groups = new Map<string, Attributes[]>();
  const keyOf = ({ raw, position }: (typeof objects)[number]) => `${position} ${rhythmKey(raw)}`;
  const lights = objects.filter(({ classCode }) => classCode === LIGHTS);
  for (const light of lights)
    groups.set(keyOf(light), [...(groups.get(keyOf(light)) ?? []), light.raw]);
  return objects.map((object) => {
    const isLight = object.classCode === LIGHTS && object.position !== undefined;
    return sentenceOf(isLight ? { ...object, lights: groups.get(keyOf(object))! } : object, units);
  });
}

const lightOf = ({ raw, lights = [raw] }: Described, units: ReaderUnits): string =>
  lightWords(
    lights.map((light) => byName(light, LIGHTS)),
    units,
  );

function whatOf(
  { classCode, depth }: Described,
  attributes: Attributes,
  units: ReaderUnits,
): string {
  const { words, used } = headOf(classCode, attributes);
  const measured = depth === undefined ? attributes : { ...attributes, VALSOU: depth };
  return [words, ...factsOf(measured, new Set(used), units)].join(', ');
}

/** Attributes with values that mean something else in inland charts. */
const REDEFINED = new Set(['catach', 'catsit', 'catsiw']);

/** By the acronyms of the catalogue. Attributes that only inland charts have or redefine keep theirs in lower case. */
function byName(raw: Attributes, classCode: number): Attributes {
  const named = (name: string) =>
    attributeByAcronym(name.toUpperCase()) === undefined ||
    (isInland(classCode) && REDEFINED.has(name))
      ? name
      : name.toUpperCase();
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [named(name), value]));
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const withFullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
