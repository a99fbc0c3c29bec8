// Detects JSON integers that parsing would change, such as 12345678901234567890: they can be ids, so the service must
// return them unchanged (RFC 8259, section 6). Of a fraction the nearest double is stored.

/** Matches strings, which are skipped, and numbers. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** Cannot occur in a string that may be stored (`plain-json.ts`). */
const MARK = '\u0000';

/** Whether the number is a fraction or overflows, or is printed as it was. */
function isKept(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value) || Number.isSafeInteger(value) || /[.e]/i.test(literal)) return true;
  return significantDigits(JSON.stringify(value)) === significantDigits(literal);
}

/** The digits without the zeros at the end. */
const significantDigits = (number: string): string =>
  number.replace(/e.*$/, '').replace(/[-.]/g, '').replace(/0+$/, '');

/** Message for a member with such an integer. */
export const INEXACT_NUMBER =
  'contains an integer with more digits than can be stored; send it as a string';

/** @param text a valid JSON object @returns whether parsing preserves all integers of the member */
export function preservesNumbersOf(member: string, text: string): boolean {
  let areAllExact = true;
  const marked = text.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isKept(token)) return token;
    areAllExact = false;
    return JSON.stringify(MARK);
  });
  if (areAllExact) return true;
  const value = (JSON.parse(marked) as Readonly<Record<string, unknown>>)[member];
  return !JSON.stringify(value ?? null).includes(JSON.stringify(MARK));
}
