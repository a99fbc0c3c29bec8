// Layout of the archive of names, and the encoding of its pages.
// A name can be found by each of its words: the keys of `port of spain` are `port of spain`, `of spain` and `spain`.
// Keys with the same first three letters are in the same bucket, which is sorted and divided into pages. Buckets are
// stored in a PMTiles archive with one zoom. Each bucket has a range of tile ids, one per page.

import type { Period } from '../s57/vocabulary/periods.ts';
import { bucketText } from './name-text.ts';

/** Tileset name in the manifest. */
export const NAMES_TILESET = 'enc-names-v1';

/** The only zoom of the archive; it has 4 ** ZOOM tile ids. */
const ZOOM = 12;
/** Number of tiles at all lower zooms (PMTiles v3, section 4.1). */
const FIRST_ID = (4 ** ZOOM - 1) / 3;
/** Maximum number of pages per bucket. */
export const MAX_PAGES = 256;
const BUCKETS = 4 ** ZOOM / MAX_PAGES;

/** Tile id of the first page of a key's bucket. */
export function firstPageOf(key: string): number {
  return FIRST_ID + MAX_PAGES * (hashOf(bucketText(key)) % BUCKETS);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** An object under one of its keys. */
export interface NameEntry {
  /** The key: plain text starting at one of the words (see `keysOf`). */
  readonly key: string;
  /** OBJNAM, or NOBJNM if there is no OBJNAM. */
  readonly name: string;
  /** NOBJNM, if it differs from `name`. */
  readonly national?: string;
  readonly classCode: number;
  /** FOID: agency, number and subdivision. */
  readonly id: string;
  readonly cell: string;
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** Bounds of lines and areas: west, south, east, north in degrees; west > east across 180°. */
  readonly bounds?: readonly [number, number, number, number];
  /** Integer zoom for viewing the object: the chart shows it there. */
  readonly zoom: number;
  /** Scale denominator of the coarsest cell with the object. Objects with larger values come first. */
  readonly scale: number;
  /** Validity period, if the chart gives one. */
  readonly period?: Period;
}

/** Entries sorted by key. The first page of a bucket also contains the first key of each of its other pages. */
export interface NamePage {
  /** First keys of the following pages. */
  readonly next: readonly string[];
  /** On a first page: the bucket had more entries than it can store. */
  readonly isCut?: boolean;
  readonly entries: readonly NameEntry[];
}

const VERSION = 1;

/** Encode a page as JSON, stored as UTF-8. */
export function pageText(page: NamePage): string {
  return JSON.stringify({ version: VERSION, ...page });
}

/** @throws Error if the text is not a page of this version */
export function readPage(text: string): NamePage {
  const page = JSON.parse(text) as Partial<NamePage & { version: number }>;
  const { version, next, entries, isCut = false } = page;
  if (version !== VERSION || !Array.isArray(entries) || !Array.isArray(next)) {
    throw new Error(`The text is not a page of names of version ${VERSION}.`);
  }
  return { next, entries, isCut };
}
