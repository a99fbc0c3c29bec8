// Searches the pages of names and sorts the results. The caller reads the pages.

import { distanceMeters } from '../geo/earth.ts';
import { OBJECT_CLASS_ACRONYMS, objectClassByAcronym } from '../s57/vocabulary/object-classes.ts';
import type { NameEntry, NamePage } from './name-page.ts';
import { keyBegins, plainName } from './name-text.ts';
import { areNear, boxOf, reachOf, sameName } from './same-thing.ts';

/** Maximum number of pages read per search. If there are more matches, the user must type more. */
const MAX_PAGES_READ = 8;

/** Pages of a bucket that can contain keys with a prefix, counted from its first page. */
interface PageRun {
  readonly from: number;
  /** Exclusive end. */
  readonly to: number;
  /** Whether there are more pages than `MAX_PAGES_READ`. */
  readonly isCut: boolean;
}

/** @param next first keys of the pages after the first; see `NamePage` */
export function pageRun(next: readonly string[], typed: string): PageRun {
  // Equal keys can span two pages.
  const before = next.filter((key) => key < typed).length;
  const within = next.filter((key) => key >= typed && key.startsWith(typed)).length;
  const to = before + within + 1;
  const last = Math.min(to, before + MAX_PAGES_READ);
  return { from: before, to: last, isCut: last < to };
}

/** Entries whose key starts with the typed text. */
export const entriesOf = (pages: readonly NamePage[], typed: string): NameEntry[] =>
  pages.flatMap(({ entries }) => entries.filter(({ key }) => keyBegins(key, typed)));

/** Whether every word is a prefix of one of the words in the entry's names. */
export function hasWords({ name, national = '' }: NameEntry, words: readonly string[]): boolean {
  const nameWords = `${plainName(name)} ${plainName(national)}`.trim().split(' ');
  return words.every((word) => nameWords.some((one) => keyBegins(one, word)));
}

interface Order {
  /** Plain text. */
  readonly typed: string;
  readonly near: { readonly longitude: number; readonly latitude: number } | undefined;
}

/** Aids to navigation are often named after the place that they mark. */
const AIDS: ReadonlySet<number> = new Set(
  OBJECT_CLASS_ACRONYMS.filter((acronym) =>
    /^(BOY|BCN|LIT)|^(LIGHTS|DAYMAR|TOPMAR|FOGSIG|RTPBCN|RADRFL|RETRFL|DISMAR|notmrk)$/i.test(
      acronym,
    ),
  ).map((acronym) => objectClassByAcronym(acronym)!.code),
);

interface Ranked {
  readonly entry: NameEntry;
  /** The keys under which it was found. */
  readonly keys: string[];
  readonly rank: readonly [fit: number, kind: number, away: number];
}

/**
 * Each object once, in this order: exact matches, names that start with the text, others. Within
 * these groups whole-word matches come first, then places before aids to navigation, then the
 * nearest, or without a position those on the coarsest chart.
 */
export function inOrder(entries: readonly NameEntry[], { typed, near }: Order): NameEntry[] {
  const ranked = new Map<string, Ranked>();
  for (const entry of entries) {
    const identity = `${entry.id} ${entry.cell} ${entry.longitude} ${entry.latitude}`;
    const known = ranked.get(identity);
    if (known !== undefined) {
      known.keys.push(entry.key);
      continue;
    }
    const away =
      near === undefined
        ? -entry.scale
        : distanceMeters(near.longitude, near.latitude, entry.longitude, entry.latitude);
    ranked.set(identity, {
      entry,
      keys: [entry.key],
      rank: [fitOf(entry, typed), AIDS.has(entry.classCode) ? 1 : 0, away],
    });
  }
  const sorted = [...ranked.values()].sort(
    ({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2],
  );
  return withoutRepeats(sorted).map(({ entry }) => entry);
}

/**
 * If only some cells with an object give its national name, entries of different cells can stand
 * for it under different keys. Entries with a common key are different objects.
 */
function withoutRepeats(sorted: readonly Ranked[]): readonly Ranked[] {
  if (sorted.every(({ entry }) => entry.national === undefined)) return sorted;
  /** By name, then by keys. */
  const kept = new Map<string, Map<string, Ranked[]>>();
  return sorted.filter((one) => {
    const name = sameName(one.entry);
    const groups = kept.get(name) ?? new Map<string, Ranked[]>();
    if ([...groups.values()].some((group) => isIn(group, one))) return false;
    const keys = one.keys.join();
    const group = groups.get(keys) ?? [];
    group.push(one);
    kept.set(name, groups.set(keys, group));
    return true;
  });
}

/** Whether a group contains the object. @param group objects with the same name and the same keys */
const isIn = (group: readonly Ranked[], { entry, keys }: Ranked): boolean =>
  !group[0]!.keys.some((key) => keys.includes(key)) &&
  group.some((one) => areNear(boxOf(one.entry), boxOf(entry), reachOf(one.entry, entry)));

/** Match quality of a name; 0 is best. */
function fitOf({ name, national = '' }: NameEntry, typed: string): number {
  const names = [plainName(name), plainName(national)];
  if (names.includes(typed)) return 0;
  const isWhole = names.some((one) => ` ${one} `.includes(` ${typed} `));
  const begins = names.some((one) => one.startsWith(typed));
  return (begins ? 1 : 3) + (isWhole ? 0 : 1);
}
