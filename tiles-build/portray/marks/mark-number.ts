// The number or letter painted on a mark, from its name: charts print it alone if there is no space
// for the name.

/** One to three capitals, or a number with a few letters: `92`, `1AH`, `WR7`, `5/3`, `NC`. */
const PAINTED_ON_MARKS = /^(?:[A-Z]{1,3}|\p{L}{0,3}\d[\p{L}\d/.-]{0,4})$/u;

/** Characters around it in names: `"92"`, `No.5`, `(7)`. */
const AROUND = /^(?:no\.|nr\.|n°|#|["'“”„(])+|["'“”)]+$/giu;

/** Quarters of a dredged channel: left and right, inside and outside; MH is the middle half. */
const QUARTER = /\s(LIQ|LOQ|RIQ|ROQ|MH)$/;

/** The quarter at the end of the name of a dredged area, such as `Hull Gut Reach LIQ`. */
export const channelQuarter = (name: string | undefined): string | undefined =>
  QUARTER.exec(name?.trim() ?? '')?.[1];

/**
 * The number of a mark: the last word of its name, if it looks like a number.
 *
 * @returns `undefined` if there is no number, or if the name is nothing else
 */
export function markNumber(name: string | undefined): string | undefined {
  const words = name?.trim().split(/\s+/) ?? [];
  if (words.length < 2) return undefined;
  const last = words.at(-1)!.replace(AROUND, '');
  return PAINTED_ON_MARKS.test(last) ? last : undefined;
}
