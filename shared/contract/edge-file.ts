// File names of a key-value store that is a folder. The service and the commands that write the
// folder share this file.

/**
 * The file name of a key. Letters, digits and hyphens are kept. Every other UTF-8 byte becomes `_`
 * and two hexadecimal digits. File names are unique and never begin with a dot.
 */
export function edgeFileName(key: string): string {
  return key.replace(/[^A-Za-z0-9-]/gu, (sign) =>
    encodeURIComponent(sign) === sign
      ? `_${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
      : encodeURIComponent(sign).replaceAll('%', '_'),
  );
}
