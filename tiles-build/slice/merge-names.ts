// A bucket of names out of those of all cells: what several objects or cells say of one thing is told
// once, and all is sorted and cut into pages.

import { boundsAround, type GeoBounds } from '../../shared/chart/bounds.ts';
import { MAX_PAGES, type NameEntry, pageText, readPage } from '../../shared/names/name-page.ts';
import { plainName } from '../../shared/names/name-text.ts';

/** What a page holds at least before the next begins, in bytes. */
const PAGE_BYTES = 48 << 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The pages of a bucket, in order. */
export function* mergeNames(fragments: readonly Uint8Array[]): Generator<Uint8Array> {
  const entries = fragments.flatMap((fragment) => readPage(decoder.decode(fragment)).entries);
  const sorted = toldOnce(entries).sort(byKey);
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
  const next = pages.slice(1).map(([first]) => first!.key);
  for (const [i, page] of pages.entries()) {
    yield encoder.encode(pageText({ next: i === 0 ? next : [], entries: page }));
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Those of equal keys: what the coarsest chart names first, as that is the most important. */
const byKey = (a: NameEntry, b: NameEntry): number =>
  byText(a.key, b.key) || b.scale - a.scale || sizeOf(b) - sizeOf(a) || byIdentity(a, b);

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
  entry: NameEntry;
  box: GeoBounds;
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

/** Areas first and the largest of them, so that what stands within one finds it. */
function thingsOf(entries: readonly NameEntry[]): NameEntry[] {
  const sorted = [...entries].sort(
    (a, b) => sizeOf(b) - sizeOf(a) || b.scale - a.scale || byIdentity(a, b),
  );
  const things: Thing[] = [];
  const extents: Thing[] = [];
  const byId = new Map<string, Thing>();
  /** Marks by the square they stand in, as there may be thousands of one name. */
  const marks = new Map<string, Thing>();
  for (const entry of sorted) {
    const { longitude, latitude, bounds } = entry;
    const box = bounds ?? [longitude, latitude, longitude, latitude];
    const thing =
      byId.get(entry.id) ??
      extents.find((other) => areNear(box, other.box)) ??
      squaresAround(entry)
        .map((square) => marks.get(square))
        .find((mark) => mark !== undefined && areNear(box, mark.box));
    const told = thing ?? { entry, box };
    byId.set(entry.id, told);
    if (thing === undefined) {
      things.push(told);
      if (bounds === undefined) marks.set(squaresAround(entry)[0]!, told);
      else extents.push(told);
    } else if (thing.entry.bounds !== undefined) thing.box = boundsAround([thing.box, box]);
  }
  return things.map(({ entry, box }) =>
    entry.bounds === undefined ? entry : { ...entry, bounds: [...box] },
  );
}

/** Degrees: two marks of one name are the same where they are within some 50 m. */
const NEAR_DEGREES = 0.0005;

/** The square that a mark stands in, and those around it. */
function squaresAround({ longitude, latitude }: NameEntry): readonly string[] {
  const [x, y] = [Math.floor(longitude / NEAR_DEGREES), Math.floor(latitude / NEAR_DEGREES)];
  const steps = [0, -1, 1];
  return steps.flatMap((right) => steps.map((up) => `${x + right}/${y + up}`));
}

/** Whether two boxes meet, or nearly do; round the globe. */
function areNear(a: GeoBounds, b: GeoBounds): boolean {
  if (a[1] > b[3] + NEAR_DEGREES || b[1] > a[3] + NEAR_DEGREES) return false;
  const overlap = (start: number, end: number, from: number, to: number) =>
    start <= to + NEAR_DEGREES && from <= end + NEAR_DEGREES;
  const [aEast, bEast] = [a[0] > a[2] ? a[2] + 360 : a[2], b[0] > b[2] ? b[2] + 360 : b[2]];
  return [-360, 0, 360].some((turn) => overlap(a[0] + turn, aEast + turn, b[0], bEast));
}
