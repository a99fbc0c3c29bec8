// The canonical text of a token, a JWT (RFC 7515, section 7.1). Base64 decoders ignore blanks,
// padding and unused bits, so without this check the same token could have many texts.

/** Maximum length of a token. */
export const MAX_TOKEN_CHARACTERS = 1024;

const PARTS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Unused bits of the last character, by the length modulo 4. */
const SPARE_BITS = [0, undefined, 0b1111, 0b11] as const;

/** Whether a text has three parts in canonical base64url. */
export const isTokenText = (text: string): boolean =>
  text.length <= MAX_TOKEN_CHARACTERS && PARTS.test(text) && text.split('.').every(isCanonical);

/** RFC 4648, section 3.5: unused bits must be zero. */
function isCanonical(part: string): boolean {
  const spare = SPARE_BITS[part.length % 4];
  return spare !== undefined && (ALPHABET.indexOf(part.at(-1) ?? '') & spare) === 0;
}
