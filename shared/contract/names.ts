// Request and response of the search for names.

import * as z from 'zod';
import type { NameEntry } from '../names/name-page.ts';
import { plainName } from '../names/name-text.ts';
import { objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { POSITION, type QueryValues, wholeNumber } from './query.ts';
import { boxEdges, latitude, longitude, zoomLevel } from './units.ts';

const MAX_CHARACTERS = 100;
const MAX_NAMES = 50;
const DEFAULT_NAMES = 20;

export const NAMES_PARAMETERS = {
  q: {
    description: `Name, or the first letters of its words, at most ${MAX_CHARACTERS} characters; a word of one or two letters matches only whole words, unless it is the last of several words with which a name, or the rest of a name from one of its words, begins`,
    rule: `must be 1 to ${MAX_CHARACTERS} characters, with at least one letter or digit`,
    schema: z.string().min(1).max(MAX_CHARACTERS),
    example: 'wick',
    read: (text: string) =>
      [...text].length > MAX_CHARACTERS ? undefined : plainName(text) || undefined,
  },
  near: {
    ...POSITION,
    description:
      'longitude,latitude in degrees; among equally good matches the nearest objects come first',
    example: '-20,-30',
    otherwise: undefined,
  },
  limit: {
    ...wholeNumber(1, MAX_NAMES),
    description: `Maximum number of names, 1 to ${MAX_NAMES}; default ${DEFAULT_NAMES}`,
    otherwise: DEFAULT_NAMES,
  },
} as const;

/** `q` is plain text: see `plainName`. */
export type NamesQuery = QueryValues<typeof NAMES_PARAMETERS>;

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
