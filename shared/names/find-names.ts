// Which names what was typed finds, and in which order. Pages are read by whoever calls.

import { distanceMeters } from '../geo/earth.ts';
import type { NameEntry, NamePage } from './name-page.ts';
import { keyBegins, plainName } from './name-text.ts';

/** Pages of a bucket that are looked through at most: beyond it more must be typed. */
const MAX_PAGES_READ = 8;

/** Pages of a bucket, counted from its first, that may hold keys which begin with what was typed. */
interface PageRun {
  readonly from: number;
  /** Before this one. */
  readonly to: number;
  /** Whether there are more than are looked through. */
  readonly isCut: boolean;
}

/** @param next first keys of the pages after the first: see `NamePage` */
export function pageRun(next: readonly string[], typed: string): PageRun {
  // Equal keys may run on over the border of two pages.
  const before = next.filter((key) => key < typed).length;
  const within = next.filter((key) => key >= typed && key.startsWith(typed)).length;
  const to = before + within + 1;
  const last = Math.min(to, before + MAX_PAGES_READ);
  return { from: before, to: last, isCut: last < to };
}

/** Entries whose key begins with what was typed. */
export const entriesOf = (pages: readonly NamePage[], typed: string): NameEntry[] =>
  pages.flatMap(({ entries }) => entries.filter(({ key }) => keyBegins(key, typed)));

/** Whether each of the words begins one of the entry's names' words. */
export function hasWords({ name, national = '' }: NameEntry, words: readonly string[]): boolean {
  const own = `${plainName(name)} ${plainName(national)}`.trim().split(' ');
  return words.every((word) => own.some((one) => keyBegins(one, word)));
}

interface Order {
  /** Plain text. */
  readonly typed: string;
  readonly near: { readonly longitude: number; readonly latitude: number } | undefined;
}

/**
 * Each object once: those called what was typed, then those whose name begins with it, then the others;
 * among these whole words first, then the nearest, or without a place those of the coarsest chart.
 */
export function inOrder(entries: readonly NameEntry[], { typed, near }: Order): NameEntry[] {
  const ranked = new Map<string, { readonly entry: NameEntry; readonly rank: readonly number[] }>();
  for (const entry of entries) {
    const identity = `${entry.id} ${entry.cell} ${entry.longitude} ${entry.latitude}`;
    if (ranked.has(identity)) continue;
    const away =
      near === undefined
        ? -entry.scale
        : distanceMeters(near.longitude, near.latitude, entry.longitude, entry.latitude);
    ranked.set(identity, { entry, rank: [fitOf(entry, typed), away] });
  }
  return [...ranked.values()]
    .sort((a, b) => a.rank[0]! - b.rank[0]! || a.rank[1]! - b.rank[1]!)
    .map(({ entry }) => entry);
}

/** How well a name fits what was typed, 0 the best. */
function fitOf({ name, national = '' }: NameEntry, typed: string): number {
  const names = [plainName(name), plainName(national)];
  if (names.includes(typed)) return 0;
  const isWhole = names.some((one) => ` ${one} `.includes(` ${typed} `));
  const begins = names.some((one) => one.startsWith(typed));
  return (begins ? 1 : 3) + (isWhole ? 0 : 1);
}
