// How long JSON is as it comes back from where it is kept. The database keeps JSON by its values, and
// writes numbers in full: `1e308` becomes 309 digits, so what is short as it was sent may be long in
// the memory of whoever lists it.

/** Texts are passed over; of numbers as `JSON.stringify` writes them, those with an exponent. */
const TEXT_OR_EXPONENT = /"[^"\\]*(?:\\.[^"\\]*)*"|e([+-]\d+)/gs;

/** Characters of a value as JSON whose numbers are written without exponents. */
export function keptCharacters(value: unknown): number {
  const text = JSON.stringify(value);
  let characters = text.length;
  for (const [, exponent] of text.matchAll(TEXT_OR_EXPONENT)) {
    if (exponent !== undefined) characters += Math.abs(Number(exponent));
  }
  return characters;
}
