// The text of a token: a JWT as RFC 7515, section 7.1, spells it. Decoders of base64 pass over blanks,
// padding and bits that no byte is made of, so that one token would have texts without number.

/** No token is longer; anything longer is refused unread. */
export const MAX_TOKEN_CHARACTERS = 1024;

const PARTS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Bits of the last letter that belong to no byte, by the letters beyond the last whole four. */
const SPARE_BITS = [0, undefined, 0b1111, 0b11] as const;

/** Whether a text is spelt as a token is: three parts in base64url, each in its one spelling. */
export const isTokenText = (text: string): boolean =>
  text.length <= MAX_TOKEN_CHARACTERS && PARTS.test(text) && text.split('.').every(isCanonical);

/** RFC 4648, section 3.5: a decoder may refuse what has bits set where there are none. */
function isCanonical(part: string): boolean {
  const spare = SPARE_BITS[part.length % 4];
  return spare !== undefined && (ALPHABET.indexOf(part.at(-1) ?? '') & spare) === 0;
}
