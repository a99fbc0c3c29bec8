// Opaque tokens: 32 hexadecimal digits instead of a signed JWT. Their claims are stored in the
// key-value store, under the hash of the token.

/** Whether a text has the form of an opaque token. Capital letters are not accepted. */
export const isOpaqueToken = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Key of the claims in the key-value store. @param hash SHA-256 of the token's text, hexadecimal */
export const opaqueTokenKey = (hash: string): string => `token-${hash}`;
