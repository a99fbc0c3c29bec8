// Where the archive of names keeps what, and the bytes of its pages.
//
// A name is found by each of its words: its keys are the name from each word on. All keys that begin
// with the same three letters are one bucket, sorted and cut into pages. Buckets lie side by side in
// a PMTiles archive of one zoom, each with room for as many pages as there are ids to it.

import type { Period } from '../s57/vocabulary/periods.ts';
import { bucketText } from './name-text.ts';

/** The archive's tileset, as the manifest names it. */
export const NAMES_TILESET = 'enc-names-v1';

/** The one zoom of the archive: 4 to its power is the number of pages there may be. */
const ZOOM = 12;
/** Tiles of all coarser zooms (PMTiles v3, section 4.1). */
const FIRST_ID = (4 ** ZOOM - 1) / 3;
/** Pages that a bucket may have. */
export const MAX_PAGES = 256;
const BUCKETS = 4 ** ZOOM / MAX_PAGES;

/** Tile id of the first page of the bucket that keeps a key. */
export function firstPageOf(key: string): number {
  return FIRST_ID + MAX_PAGES * (hashOf(bucketText(key)) % BUCKETS);
}

/** FNV-1a, of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** An object by one of its keys. */
export interface NameEntry {
  /** Plain text that it is found by here: see `keysOf`. */
  readonly key: string;
  /** As the chart has it: OBJNAM, or NOBJNM where there is none. */
  readonly name: string;
  /** NOBJNM, where it is another. */
  readonly national?: string;
  readonly classCode: number;
  /** FOID: agency, number and subdivision. */
  readonly id: string;
  readonly cell: string;
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** Of lines and areas: west, south, east, north in degrees; west is greater than east across 180°. */
  readonly bounds?: readonly [number, number, number, number];
  /** Whole zoom at which the chart shows it. */
  readonly zoom: number;
  /** Compilation scale of the coarsest cell that names it: the greater, the more important. */
  readonly scale: number;
  /** When it is in force, where the chart says so. */
  readonly period?: Period;
}

/** A page: entries sorted by key, and of the first page of a bucket what the others begin with. */
export interface NamePage {
  /** First keys of the pages after this one. */
  readonly next: readonly string[];
  /** Of a first page: there were more entries than a bucket holds. */
  readonly isCut?: boolean;
  readonly entries: readonly NameEntry[];
}

const VERSION = 1;

/** A page as it is kept: JSON, to be stored as UTF-8. */
export function pageText(page: NamePage): string {
  return JSON.stringify({ version: VERSION, ...page });
}

/** @throws Error where the text is no page of this version */
export function readPage(text: string): NamePage {
  const page = JSON.parse(text) as Partial<NamePage & { version: number }>;
  const { version, next, entries, isCut = false } = page;
  if (version !== VERSION || !Array.isArray(entries) || !Array.isArray(next)) {
    throw new Error('These are no names of this version.');
  }
  return { next, entries, isCut };
}
