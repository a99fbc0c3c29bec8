// Bytes as text: digests in tags and keys, and addresses.

/** Two lower-case hexadecimal digits a byte. */
export const hexOf = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
