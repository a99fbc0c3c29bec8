// Numbers and times as files have them.

/** Finer than any position or depth that is measured. */
const DIGITS = 12;

/** Decimal digits without an exponent, which xsd:decimal does not know. */
export function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(DIGITS) : text;
}

/** RFC 3339, in UTC to the millisecond. */
export const utc = (epochMs: number): string => new Date(epochMs).toISOString();
