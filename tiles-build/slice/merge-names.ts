// A bucket of names out of those of all cells: what several objects or cells say of one thing is told
// once, and all is sorted and cut into pages.

import { boundsAround, type GeoBounds, unrolledBounds } from '../../shared/chart/bounds.ts';
import { MAX_PAGES, type NameEntry, pageText, readPage } from '../../shared/names/name-page.ts';
import { plainName } from '../../shared/names/name-text.ts';

/** What a page holds at least before the next begins, in bytes. */
const PAGE_BYTES = 48 << 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Entries of a bucket at most: of more, the most important, and its first page says so. */
const MAX_ENTRIES = 100_000;

/** Makes the pages of a bucket of what cells have for it. */
export class NamesJoin {
  readonly #most: number;
  #entries: NameEntry[] = [];
  #isCut = false;

  /** @param most entries that are kept, for tests */
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
    this.#entries = toldOnce(this.#entries);
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

/** What the coarsest chart names first. */
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

/** One thing of several entries of one name. */
interface Thing {
  /** The one that speaks for it. */
  readonly entry: NameEntry;
  box: GeoBounds;
  /** The coarsest of the charts that name it. */
  scale: number;
  /** The thing that it turned out to be a part of. */
  partOf?: Thing;
}

/** Entries of things that stand at one place under one name become one. */
function toldOnce(entries: readonly NameEntry[]): NameEntry[] {
  const names = new Map<string, NameEntry[]>();
  for (const entry of entries) {
    const name = `${entry.key}\n${plainName(entry.name)}`;
    const same = names.get(name) ?? [];
    if (same.length === 0) names.set(name, same);
    same.push(entry);
  }
  return [...names.values()].flatMap(thingsOf);
}

/** Things of one name that each other entry is compared with; of more, marks by their squares alone. */
const MOST_COMPARED = 500;

/** Areas speak before marks, the largest first; of marks those of the finest chart, which knows best. */
function thingsOf(entries: readonly NameEntry[]): NameEntry[] {
  const sorted = [...entries].sort(
    (a, b) => sizeOf(b) - sizeOf(a) || a.scale - b.scale || byIdentity(a, b),
  );
  const things: Thing[] = [];
  const byId = new Map<string, Thing[]>();
  const bySquare = new Map<string, Thing>();
  for (const entry of sorted) {
    const { longitude, latitude, bounds } = entry;
    const box = bounds ?? [longitude, latitude, longitude, latitude];
    const isSame = (thing: Thing) => areNear(box, thing.box, reachOf(entry, thing.entry));
    const others =
      things.length <= MOST_COMPARED
        ? things
        : squaresAround(entry).flatMap((square) => bySquare.get(square) ?? []);
    const parts = (byId.get(entry.id) ?? []).filter((one) =>
      areNear(box, one.box, Math.max(SAME_ID_DEGREES, reachOf(entry, one.entry))),
    );
    const thing = parts[0] ?? wholeOf(others.find(isSame));
    const told = thing ?? { entry, box, scale: entry.scale };
    told.scale = Math.max(told.scale, entry.scale);
    if (thing === undefined) {
      things.push(told);
      bySquare.set(squaresAround(entry)[0]!, told);
    } else if (thing.entry.bounds !== undefined) thing.box = boundsAround([thing.box, box]);
    for (const part of parts.slice(1)) joinTo(told, part);
    const apart = (byId.get(entry.id) ?? []).filter((one) => one !== told && !one.partOf);
    byId.set(entry.id, [told, ...apart]);
  }
  return things
    .filter(({ partOf }) => partOf === undefined)
    .map(({ entry, box, scale }) =>
      entry.bounds === undefined ? { ...entry, scale } : { ...entry, scale, bounds: [...box] },
    );
}

/** Two things turn out to be one, as what lies between them is part of both. */
function joinTo(thing: Thing, part: Thing): void {
  part.partOf = thing;
  thing.scale = Math.max(thing.scale, part.scale);
  if (thing.entry.bounds !== undefined) thing.box = boundsAround([thing.box, part.box]);
}

function wholeOf(thing: Thing | undefined): Thing | undefined {
  let whole = thing;
  while (whole?.partOf !== undefined) whole = whole.partOf;
  return whole;
}

/** Degrees: two marks of one name are the same where they are within some 50 m. */
const NEAR_DEGREES = 0.0005;
/**
 * Degrees: entries of one feature id are one object where no more than some kilometre lies between them.
 * Producers give ids anew, and copies of cells keep them.
 */
const SAME_ID_DEGREES = 0.01;
/** Degrees of a chart of 1:1 that a mark may be off: 0.7 mm on paper. */
const OFF_DEGREES = 0.0007 / 111_000;

/** How far apart two entries may be and yet be one: as exact as the coarser of their charts. */
const reachOf = (a: NameEntry, b: NameEntry): number =>
  Math.max(NEAR_DEGREES, OFF_DEGREES * Math.max(a.scale, b.scale));

/** The square that a mark stands in, and those around it. */
function squaresAround({ longitude, latitude }: NameEntry): readonly string[] {
  const [x, y] = [Math.floor(longitude / NEAR_DEGREES), Math.floor(latitude / NEAR_DEGREES)];
  const steps = [0, -1, 1];
  return steps.flatMap((right) => steps.map((up) => `${x + right}/${y + up}`));
}

/** Whether two boxes are no farther apart than some degrees; round the globe. */
function areNear(a: GeoBounds, b: GeoBounds, reach: number): boolean {
  if (a[1] > b[3] + reach || b[1] > a[3] + reach) return false;
  const wide = reach / Math.max(Math.cos((a[1] * Math.PI) / 180), 0.01);
  const [[aWest, , aEast], [bWest, , bEast]] = [unrolledBounds(a), unrolledBounds(b)];
  return [-360, 0, 360].some(
    (turn) => aWest + turn <= bEast + wide && bWest <= aEast + turn + wide,
  );
}
