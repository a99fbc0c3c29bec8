// Which dated objects a chart shows as current: one rule for styles, queries and pictures. It is applied when a
// chart is viewed, because charts are used long after they are built.

import { isAhead, isOver, type Period } from '../s57/vocabulary/periods.ts';

/** All current dates on earth, yyyymmdd; charts do not state the time zone of theirs. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

const HALF_A_DAY_MS = 12 * 3_600_000;

/** The dates at a moment, epoch milliseconds; they change at noon UTC. */
export function daysAt(epochMs: number): Days {
  return { first: dateOf(epochMs - HALF_A_DAY_MS), last: dateOf(epochMs + HALF_A_DAY_MS) };
}

/** The next noon UTC, when `daysAt` changes, epoch milliseconds. */
export const nextDaysAfter = (epochMs: number): number =>
  (Math.floor((epochMs / HALF_A_DAY_MS + 1) / 2) * 2 + 1) * HALF_A_DAY_MS;

const dateOf = (epochMs: number): number =>
  Number(new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', ''));

/**
 * Shown whatever their dates: the skin of the earth, coverage and quality of data. Without them a hole would
 * look like open sea.
 */
export const UNDATED_CLASSES: ReadonlySet<string> = new Set(
  'DEPARE DRGARE UNSARE LNDARE FLODOC HULKES PONTON M_COVR M_QUAL M_NSYS'.split(' '),
);

/** Also shown before their first day, because it is safe to know of a danger early. */
export const EARLY_CLASSES: ReadonlySet<string> = new Set(['WRECKS', 'OBSTRN', 'UWTROC']);

/**
 * Whether an object is shown as current: from its DATSTA to its DATEND, inclusive. Seasons (PERSTA, PEREND)
 * hide nothing.
 */
export function isInForce(acronym: string, period: Period, { first, last }: Days): boolean {
  // Inland classes extend sea classes and have the same names in small letters.
  const extended = acronym.toUpperCase();
  if (UNDATED_CLASSES.has(extended)) return true;
  if (isOver(period, first)) return false;
  return EARLY_CLASSES.has(extended) || !isAhead(period, last);
}
