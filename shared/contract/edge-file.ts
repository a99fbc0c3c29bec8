// Where an entry of the key-value store is kept when the store is a folder: the name of its file,
// agreed on by the service that reads it and the commands that write it.

/**
 * The file name of a key: letters, digits and hyphens as they are, every other UTF-8 byte as `_` and
 * two hexadecimal digits. Different keys have different names, and none begins with a dot.
 */
export function edgeFileName(key: string): string {
  return key.replace(/[^A-Za-z0-9-]/gu, (sign) =>
    encodeURIComponent(sign) === sign
      ? `_${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
      : encodeURIComponent(sign).replaceAll('%', '_'),
  );
}
