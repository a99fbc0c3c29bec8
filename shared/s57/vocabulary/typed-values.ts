// Typed access to S-57 attributes. Absent, empty and malformed values are `undefined` or an empty list.
// An inland attribute that extends a maritime attribute has the same acronym in lower case (`catlam`). The
// functions take the upper-case acronym and find both.

/** Attributes of an object by acronym. */
export type Attributes = Readonly<Record<string, number | string | readonly (number | string)[]>>;

/** Number() reads blanks as 0, but a blank value is unknown (S-57 Part 3, clause 2.1). */
const isBlank = (value: number | string): boolean =>
  typeof value === 'string' && value.trim() === '';

const valueAt = (attributes: Attributes, acronym: string) =>
  attributes[acronym] ?? attributes[acronym.toLowerCase()];

/** Returns a finite number, if necessary from text or from the first item of a list; otherwise `undefined`. */
export function numberOf(attributes: Attributes, acronym: string): number | undefined {
  const value = valueAt(attributes, acronym);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined || isBlank(first)) return undefined;
  const parsed = Number(first);
  return Number.isFinite(parsed) ? parsed : undefined;
}

/** The codes of a list attribute (types L and E); empty when absent. */
export function listOf(attributes: Attributes, acronym: string): readonly number[] {
  const value = valueAt(attributes, acronym);
  if (value === undefined) return [];
  if (typeof value === 'number') return [value];
  const parts = typeof value === 'string' ? value.split(',') : value;
  return parts
    .filter((part) => !isBlank(part))
    .map(Number)
    .filter(Number.isFinite);
}

/** Trimmed text; `undefined` if empty. */
export function textOf(attributes: Attributes, acronym: string): string | undefined {
  const value = valueAt(attributes, acronym);
  if (value === undefined) return undefined;
  const text = (Array.isArray(value) ? value.join(',') : String(value)).trim();
  return text === '' ? undefined : text;
}

export function hasAny(codes: readonly number[], wanted: ReadonlySet<number>): boolean {
  return codes.some((code) => wanted.has(code));
}
