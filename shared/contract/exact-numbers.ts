// Numbers of a JSON text that reading would change: those with more digits than a double has, such as
// 12345678901234567890, and those that are so small that nothing is left of them. Where numbers are kept
// for whoever sent them, another number must not come back (RFC 8259, section 6).

/** Texts are passed over; what is left of a JSON text that begins with a digit or a sign is a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** No text that may be kept holds it (`plain-json.ts`). */
const MARK = '\u0000';

/** Digits that every double of ordinary size gives back. */
const SAFE_DIGITS = 15;
const ORDINARY = 1e-300;
/** As many as a number can be asked to be written with. */
const MOST_DIGITS = 100;

/** Whether a number as it is written is there again when it has been read; a number too large is. */
function isKept(literal: string): boolean {
  const value = Math.abs(Number(literal));
  if (!Number.isFinite(value)) return true;
  const digits = significantDigits(literal);
  if (digits === '') return true;
  if (value === 0 || digits.length > MOST_DIGITS) return false;
  if (digits.length <= SAFE_DIGITS && value > ORDINARY) return true;
  return significantDigits(value.toPrecision(digits.length)) === digits;
}

/** Without the zeros before and after them, which the size of the number tells. */
const significantDigits = (literal: string): string =>
  literal
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');

/** What is wrong with a member of which reading does not keep all numbers. */
export const UNKEPT_NUMBER = 'holds a number with more digits than are kept; send it as a text';

/** @param text JSON that can be read, an object @returns whether reading keeps all numbers of a member */
export function keepsNumbersOf(member: string, text: string): boolean {
  let isAllKept = true;
  const marked = text.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isKept(token)) return token;
    isAllKept = false;
    return JSON.stringify(MARK);
  });
  if (isAllKept) return true;
  const value = (JSON.parse(marked) as Readonly<Record<string, unknown>>)[member];
  return !JSON.stringify(value ?? null).includes(JSON.stringify(MARK));
}
