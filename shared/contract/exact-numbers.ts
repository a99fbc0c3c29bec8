// Detects JSON numbers that parsing would change: numbers with more digits than a double, such as
// 12345678901234567890, and numbers that underflow to 0. The service stores numbers for clients and
// must return them unchanged (RFC 8259, section 6).

/** Matches strings, which are skipped, and numbers. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** Cannot occur in a string that may be stored (`plain-json.ts`). */
const MARK = '\u0000';

/** Number of digits that a double always preserves. */
const SAFE_DIGITS = 15;
const ORDINARY = 1e-300;
/** Maximum of `toPrecision`. */
const MAX_DIGITS = 100;

/** Whether parsing preserves the number; true for a number that overflows. */
function isExact(literal: string): boolean {
  const value = Math.abs(Number(literal));
  if (!Number.isFinite(value)) return true;
  const digits = significantDigits(literal);
  if (digits === '') return true;
  if (value === 0 || digits.length > MAX_DIGITS) return false;
  if (digits.length <= SAFE_DIGITS && value > ORDINARY) return true;
  return significantDigits(value.toPrecision(digits.length)) === digits;
}

/** The digits without leading and trailing zeros. */
function significantDigits(literal: string): string {
  const digits = literal.replace(/[eE].*$/, '').replace(/[-.]/g, '');
  let from = 0;
  let to = digits.length;
  while (digits[from] === '0') from++;
  // The pattern 0+$ would take quadratic time for many zeros before another digit.
  while (to > from && digits[to - 1] === '0') to--;
  return digits.slice(from, to);
}

/** Message for a member with such a number. */
export const INEXACT_NUMBER =
  'contains a number with more digits than can be stored; send it as a string';

/** @param text a valid JSON object @returns whether parsing preserves all numbers of the member */
export function preservesNumbersOf(member: string, text: string): boolean {
  let areAllExact = true;
  const marked = text.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isExact(token)) return token;
    areAllExact = false;
    return JSON.stringify(MARK);
  });
  if (areAllExact) return true;
  const value = (JSON.parse(marked) as Readonly<Record<string, unknown>>)[member];
  return !JSON.stringify(value ?? null).includes(JSON.stringify(MARK));
}
