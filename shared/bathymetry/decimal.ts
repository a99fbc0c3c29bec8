// Numbers and times in files.

/** Finer than any measured position or depth. */
const DIGITS = 12;

/** Decimal digits without an exponent, which xsd:decimal does not allow. */
export function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(DIGITS) : text;
}

/** RFC 3339 in UTC, with milliseconds. */
export const utc = (epochMs: number): string => new Date(epochMs).toISOString();

/** A decimal number, or NaN. */
export const readDecimal = (text: unknown): number =>
  typeof text === 'string' && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)
    ? Number(text)
    : Number.NaN;
