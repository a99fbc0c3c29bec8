// Queries: tables of parameters, from which queries are read and the API reference is written.

import * as z from 'zod';
import type { Box } from '../reports/place.ts';
import type { Fault } from './plain-json.ts';

export interface QueryParameter {
  readonly description: string;
  /** Follows the name in an error message: `must be …`. */
  readonly rule: string;
  /** @returns `undefined` for an invalid text */
  readonly read: (text: string) => unknown;
  /** The value without the parameter. A parameter without this field is required. */
  readonly otherwise?: unknown;
  /** Whether an empty text is invalid. Otherwise it counts as absent. */
  readonly rejectsEmpty?: boolean;
  /** For the API reference; a text by default. */
  readonly schema?: z.ZodType;
  /** Valid for the demo charts. */
  readonly example?: string | number;
}
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

type ValueOf<Parameter extends QueryParameter> =
  | Exclude<ReturnType<Parameter['read']>, undefined>
  | (Parameter extends { readonly otherwise: infer Otherwise } ? Otherwise : never);
export type QueryValues<Table extends QueryParameters> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

/**
 * Reads a query, or returns all its faults. Repeated values must be equal.
 * @param textsOf all values of a parameter
 */
export function readQuery<Table extends QueryParameters>(
  table: Table,
  textsOf: (name: string) => readonly string[] | undefined,
): { readonly query: QueryValues<Table> } | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const values = Object.entries<QueryParameter>(table).map(([name, parameter]) => {
    const texts = [...new Set(textsOf(name))].filter(
      (text) => text !== '' || parameter.rejectsEmpty,
    );
    if (texts.length === 0 && 'otherwise' in parameter) return [name, parameter.otherwise];
    const value = texts.length > 1 ? undefined : parameter.read(texts[0] ?? '');
    if (value === undefined) faults.push({ path: name, message: parameter.rule });
    return [name, value];
  });
  return faults.length === 0 ? { query: Object.fromEntries(values) } : { faults };
}

/** Whole numbers in a range. */
export const wholeNumber = (least: number, most: number) => ({
  rule: `must be a whole number from ${least} to ${most}`,
  schema: z.number().int().min(least).max(most),
  read: (text: string): number | undefined => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  },
});

/** `true` or `false`, by default `false`. */
export const FLAG = {
  rule: 'must be true or false',
  schema: z.boolean().default(false),
  otherwise: false,
  read: (text: string): boolean | undefined =>
    /^(true|1)$/.test(text) ? true : /^(false|0)$/.test(text) ? false : undefined,
} as const;

/** Any text that the database can store; none by default. */
export const TEXT = {
  rule: 'must not contain NUL',
  otherwise: undefined,
  read: (text: string): string | undefined => (text.includes('\0') ? undefined : text),
} as const;

/** A box with normalized longitudes, which maps may report beyond 180°. */
export const BOX = { rule: 'must be west,south,east,north in degrees', read: readBox } as const;
export const POSITION = { rule: 'must be longitude,latitude in degrees', read: readPosition };

export const EVERYWHERE: Box = { west: -180, south: -90, east: 180, north: 90 };

/** Numbers in degrees, separated by commas; `undefined` for anything else. */
function degreesIn(text: string): readonly number[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  // In PostgreSQL, a product of two tiny numbers is an error.
  const numbers = parts.map((part) => (Math.abs(Number(part)) < TINY_DEGREES ? 0 : Number(part)));
  return parts.every((part) => DECIMAL.test(part)) && numbers.every(Number.isFinite)
    ? numbers
    : undefined;
}

const TINY_DEGREES = 1e-100;
const DECIMAL = /^[+-]?(\d{1,20}(\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,3})?$/i;

export function readBox(text: string): Box | undefined {
  const [west, south, east, north, ...more] = degreesIn(text) ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined)
    return undefined;
  const isBox = more.length === 0 && south <= north && south >= -90 && north <= 90;
  return isBox ? boxOf(west, south, east, north) : undefined;
}

/** A box with normalized longitudes. */
export function boxOf(west: number, south: number, east: number, north: number): Box {
  if (east - west >= 360) return { ...EVERYWHERE, south, north };
  return { ...meridians(roundGlobe(west), roundGlobe(east)), south, north };
}

/** Longitude and latitude in degrees, with a normalized longitude. */
function readPosition(
  text: string,
): { readonly longitude: number; readonly latitude: number } | undefined {
  const [longitude, latitude, ...more] = degreesIn(text) ?? [];
  if (longitude === undefined || latitude === undefined || more.length > 0) return undefined;
  return Math.abs(latitude) <= 90 ? { longitude: roundGlobe(longitude), latitude } : undefined;
}

const roundGlobe = (longitude: number): number =>
  Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;

/** 180° and -180° are the same meridian, and reports keep the sign that clients sent. */
function meridians(west: number, east: number): Pick<Box, 'west' | 'east'> {
  if (west === -180 && east === 180) return { west, east };
  return { west: west === -180 ? 180 : west, east: east === 180 ? -180 : east };
}
