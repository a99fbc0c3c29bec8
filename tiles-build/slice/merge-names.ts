// Merges the buckets of names of all cells: entries of several objects or cells for the same thing
// become one, and all entries are sorted and divided into pages.

import { boundsAround, type GeoBounds } from '../../shared/chart/bounds.ts';
import { MAX_PAGES, type NameEntry, pageText, readPage } from '../../shared/names/name-page.ts';
import { areNear, boxOf, NEAR_DEGREES, reachOf, sameName } from '../../shared/names/same-thing.ts';

/** Minimum size in bytes at which a page ends. */
const PAGE_BYTES = 48 << 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Maximum number of entries in a bucket. Of more, the most important remain, and the first page is
 * marked.
 */
const MAX_ENTRIES = 100_000;

/** Makes the pages of a bucket from the entries of all cells. */
export class NamesJoin {
  readonly #most: number;
  #entries: NameEntry[] = [];
  #isCut = false;

  /** @param most maximum number of entries, for tests */
  constructor(most = MAX_ENTRIES) {
    this.#most = most;
  }

  add(fragment: Uint8Array): void {
    for (const entry of readPage(decoder.decode(fragment)).entries) this.#entries.push(entry);
    if (this.#entries.length > 2 * this.#most) this.#condense();
  }

  /** The pages in order. Called once. */
  *finish(): Generator<Uint8Array, void, undefined> {
    this.#condense();
    const pages = pagesOf(this.#entries.sort(byKey));
    const next = pages.slice(1).map(([first]) => first!.key);
    for (const [i, entries] of pages.entries()) {
      const page =
        i === 0 ? { next, entries, ...(this.#isCut && { isCut: true }) } : { next: [], entries };
      yield encoder.encode(pageText(page));
    }
  }

  #condense(): void {
    this.#entries = withoutDuplicates(this.#entries);
    if (this.#entries.length <= this.#most) return;
    this.#isCut = true;
    this.#entries = this.#entries.sort(byImportance).slice(0, this.#most);
  }
}

function pagesOf(sorted: readonly NameEntry[]): readonly (readonly NameEntry[])[] {
  const sizes = sorted.map((entry) => JSON.stringify(entry).length);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const most = Math.max(PAGE_BYTES, (2 * whole) / MAX_PAGES);
  const pages: NameEntry[][] = [];
  let bytes = most;
  sorted.forEach((entry, i) => {
    if (bytes >= most) {
      pages.push([]);
      bytes = 0;
    }
    pages.at(-1)!.push(entry);
    bytes += sizes[i]!;
  });
  return pages;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Entries of the coarsest chart come first. */
const byImportance = (a: NameEntry, b: NameEntry): number =>
  b.scale - a.scale || sizeOf(b) - sizeOf(a) || byIdentity(a, b);

const byKey = (a: NameEntry, b: NameEntry): number => byText(a.key, b.key) || byImportance(a, b);

const byIdentity = (a: NameEntry, b: NameEntry): number =>
  byText(a.id, b.id) ||
  byText(a.cell, b.cell) ||
  a.longitude - b.longitude ||
  a.latitude - b.latitude;

const sizeOf = ({ bounds }: NameEntry): number =>
  bounds === undefined ? 0 : bounds[3] - bounds[1];

/** One thing that several entries of one name refer to. */
interface Thing {
  /** The entry that represents it. */
  entry: NameEntry;
  box: GeoBounds;
  /** The compilation scale of the coarsest chart that names it. */
  scale: number;
  /** The thing that contains it, if that was found later. */
  partOf?: Thing;
}

/** Merges entries of the same name at the same place. */
function withoutDuplicates(entries: readonly NameEntry[]): NameEntry[] {
  const names = new Map<string, NameEntry[]>();
  for (const entry of entries) {
    const name = `${entry.key}\n${sameName(entry)}`;
    const same = names.get(name) ?? [];
    if (same.length === 0) names.set(name, same);
    same.push(entry);
  }
  return [...names.values()].flatMap(thingsOf);
}

/**
 * Maximum number of things of one name that are compared pairwise; beyond it, marks are compared by
 * squares only.
 */
const MAX_COMPARED = 500;

/**
 * Areas come before marks, the largest first; of marks, those of the finest chart, which is the
 * most accurate.
 */
function thingsOf(entries: readonly NameEntry[]): NameEntry[] {
  const sorted = [...entries].sort(
    (a, b) => sizeOf(b) - sizeOf(a) || a.scale - b.scale || byIdentity(a, b),
  );
  const things: Thing[] = [];
  const byId = new Map<string, Thing[]>();
  const bySquare = new Map<string, Thing>();
  for (const entry of sorted) {
    const own: Thing = { entry, box: boxOf(entry), scale: entry.scale };
    const isSame = (thing: Thing) => areNear(own.box, thing.box, reachOf(entry, thing.entry));
    const others =
      things.length <= MAX_COMPARED
        ? things
        : squaresAround(entry).flatMap((square) => bySquare.get(square) ?? []);
    const parts = (byId.get(entry.id) ?? []).filter((one) =>
      areNear(own.box, one.box, Math.max(SAME_ID_DEGREES, reachOf(entry, one.entry))),
    );
    const merged = parts[0] ?? wholeOf(others.find(isSame)) ?? own;
    if (merged === own) {
      things.push(own);
      bySquare.set(squaresAround(entry)[0]!, own);
    } else joinTo(merged, own);
    for (const part of parts.slice(1)) joinTo(merged, part);
    const apart = (byId.get(entry.id) ?? []).filter((one) => one !== merged && !one.partOf);
    byId.set(entry.id, [merged, ...apart]);
  }
  return things
    .filter(({ partOf }) => partOf === undefined)
    .map(({ entry, box, scale }) =>
      entry.bounds === undefined ? { ...entry, scale } : { ...entry, scale, bounds: [...box] },
    );
}

/** Merges two things. Cells without the national name must not hide that of another cell. */
function joinTo(thing: Thing, part: Thing): void {
  part.partOf = thing;
  thing.scale = Math.max(thing.scale, part.scale);
  const { name, national = part.entry.national } = thing.entry;
  if (national !== undefined && national !== name) thing.entry = { ...thing.entry, national };
  if (thing.entry.bounds !== undefined) thing.box = boundsAround([thing.box, part.box]);
}

function wholeOf(thing: Thing | undefined): Thing | undefined {
  let whole = thing;
  while (whole?.partOf !== undefined) whole = whole.partOf;
  return whole;
}

/**
 * Entries with one feature id are the same object if they are within about a kilometre; in degrees.
 * Producers reuse ids, and copies of cells keep them.
 */
const SAME_ID_DEGREES = 0.01;

/** The square that contains a mark, and its neighbours. */
function squaresAround({ longitude, latitude }: NameEntry): readonly string[] {
  const [x, y] = [Math.floor(longitude / NEAR_DEGREES), Math.floor(latitude / NEAR_DEGREES)];
  const steps = [0, -1, 1];
  return steps.flatMap((right) => steps.map((up) => `${x + right}/${y + up}`));
}
