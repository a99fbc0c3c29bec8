// The length of JSON as the database returns it. PostgreSQL stores JSON values and writes numbers
// without exponents: `1e308` becomes 309 digits.

/** Matches strings, which are skipped, and numbers with an exponent. */
const TEXT_OR_EXPONENT = /"[^"\\]*(?:\\.[^"\\]*)*"|e([+-]\d+)/gs;

/** Characters of a value as JSON whose numbers are written without exponents. */
export function storedCharacters(value: unknown): number {
  const text = JSON.stringify(value);
  let characters = text.length;
  for (const [, exponent] of text.matchAll(TEXT_OR_EXPONENT)) {
    if (exponent !== undefined) characters += Math.abs(Number(exponent));
  }
  return characters;
}
