// Request and response of the search for names.

import * as z from 'zod';
import type { NameEntry } from '../names/name-page.ts';
import { plainName } from '../names/name-text.ts';
import { objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import type { Fault } from './plain-json.ts';
import { readPosition } from './report-list.ts';
import { boxEdges, latitude, longitude, zoomLevel } from './units.ts';

const MAX_CHARACTERS = 100;
const MAX_NAMES = 50;
const DEFAULT_NAMES = 20;

export const NAMES_PARAMETERS = {
  q: `Name, or the first letters of its words, at most ${MAX_CHARACTERS} characters; a query word of one or two letters matches only whole words`,
  near: 'longitude,latitude in degrees; among equally good matches the nearest objects come first',
  limit: `Maximum number of names, 1 to ${MAX_NAMES}; default ${DEFAULT_NAMES}`,
} as const;

export interface NamesQuery {
  /** Plain text: see `plainName`. */
  readonly typed: string;
  readonly near: { readonly longitude: number; readonly latitude: number } | undefined;
  readonly limit: number;
}

/** Parses a query or returns all its faults. @param valuesOf all values of a parameter */
export function readNamesQuery(
  valuesOf: (name: keyof typeof NAMES_PARAMETERS) => readonly string[],
): NamesQuery | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = <T>(
    name: keyof typeof NAMES_PARAMETERS,
    message: string,
    parse: (text: string) => T | undefined,
  ): T | undefined => {
    const texts = [...new Set(valuesOf(name))];
    const value = texts.length > 1 ? undefined : parse(texts[0] ?? '');
    if (value === undefined) faults.push({ path: name, message });
    return value;
  };
  const typed = read(
    'q',
    `must be 1 to ${MAX_CHARACTERS} characters, with at least one letter or digit`,
    typedOf,
  );
  const near = read('near', 'must be longitude,latitude in degrees', nearOf);
  const limit = read('limit', `must be a whole number from 1 to ${MAX_NAMES}`, limitOf);
  if (typed === undefined || near === undefined || limit === undefined) return { faults };
  return { typed, near: near === 'nowhere' ? undefined : near, limit };
}

const typedOf = (text: string): string | undefined =>
  text.length > MAX_CHARACTERS ? undefined : plainName(text) || undefined;

const nearOf = (text: string): NamesQuery['near'] | 'nowhere' =>
  text === '' ? 'nowhere' : readPosition(text);

function limitOf(text: string): number | undefined {
  if (text === '') return DEFAULT_NAMES;
  const limit = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MAX_NAMES ? limit : undefined;
}

const nameSchema = z
  .object({
    name: z.string().describe('Name of the object'),
    nationalName: z.string().optional().describe('Name in the national language, if it differs'),
    objectClass: z.string().describe('S-57 acronym of the object class, such as `SEAARE`'),
    objectClassName: z.string().describe('Name of the object class'),
    cell: z.string().describe('Name of the chart (cell)'),
    position: z.object({ longitude, latitude }).describe('A position on or in the object'),
    bounds: boxEdges.optional(),
    zoom: zoomLevel.describe('Zoom that shows the object well'),
  })
  .meta({ id: 'NamedObject', description: 'A chart object with a name' });

export const namesAnswerSchema = z
  .object({
    names: z
      .array(nameSchema)
      .describe(
        'Best matches first; equally good matches are sorted by their distance from `near`',
      ),
    isComplete: z.boolean().describe('Whether these are all matches'),
  })
  .meta({ id: 'NamesResult', description: 'Chart objects whose names match' });

export type NamesAnswer = z.infer<typeof namesAnswerSchema>;

/** @param isComplete whether these are all matches */
export function namesAnswer(entries: readonly NameEntry[], isComplete: boolean): NamesAnswer {
  return { names: entries.map(presentName), isComplete };
}

function presentName(entry: NameEntry): NamesAnswer['names'][number] {
  const { name, national, classCode, cell, longitude, latitude, bounds, zoom } = entry;
  const objectClass = objectClassByCode(classCode);
  const code = `$${classCode}`;
  return {
    name,
    ...(national === undefined ? {} : { nationalName: national }),
    objectClass: objectClass?.acronym ?? code,
    objectClassName: objectClass?.name ?? `Object of class ${classCode}`,
    cell,
    position: { longitude, latitude },
    ...(bounds === undefined ? {} : { bounds: [...bounds] }),
    zoom,
  };
}
