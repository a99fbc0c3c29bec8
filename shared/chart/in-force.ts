// Which dated objects a chart shows as current: one rule for styles, queries and pictures. It is
// applied when somebody looks, as charts are built once and looked at for long.

import { isAhead, isOver, type Period } from '../s57/vocabulary/periods.ts';

/** The dates that it is on earth, yyyymmdd: charts do not say in which time zone theirs are. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

const HALF_A_DAY_MS = 12 * 3_600_000;

/** The dates at a moment, epoch milliseconds; they change at noon UTC. */
export function daysAt(epochMs: number): Days {
  return { first: dateOf(epochMs - HALF_A_DAY_MS), last: dateOf(epochMs + HALF_A_DAY_MS) };
}

const dateOf = (epochMs: number): number =>
  Number(new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', ''));

/**
 * Shown whatever their dates: the skin of the earth and what says how far the data reach. Without
 * them a hole would look like open sea.
 */
export const UNDATED_CLASSES: ReadonlySet<string> = new Set(
  'DEPARE DRGARE UNSARE LNDARE FLODOC HULKES PONTON M_COVR M_QUAL M_NSYS'.split(' '),
);

/** Shown before their first day too: a boat that knows of a danger early loses nothing. */
export const EARLY_CLASSES: ReadonlySet<string> = new Set(['WRECKS', 'OBSTRN', 'UWTROC']);

/**
 * Whether an object is shown as current: from its DATSTA to its DATEND, both included. Seasons
 * (PERSTA, PEREND) hide nothing.
 */
export function isInForce(acronym: string, period: Period, { first, last }: Days): boolean {
  // Classes of inland charts extend those of the sea, and are named alike in small letters.
  const extended = acronym.toUpperCase();
  if (UNDATED_CLASSES.has(extended)) return true;
  if (isOver(period, first)) return false;
  return EARLY_CLASSES.has(extended) || !isAhead(period, last);
}
