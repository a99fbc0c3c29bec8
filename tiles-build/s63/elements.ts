// The elements of keys, certificates and signatures: a header line and a hexadecimal number in groups of
// four digits that ends with a full stop (S-63 edition 1.2.1, clause 5.4.1).

/** A number with its name (R, S, p, q, g, y) and its place in the text. */
export interface Element {
  readonly name: string;
  /** Hexadecimal digits. */
  readonly digits: string;
  /** Offset of the header in the file. */
  readonly start: number;
}

/** Files of elements have about 900 bytes; keys of 3,072 bits would take 5 KB. */
const MAX_FILE_BYTES = 16_384;
const HEADER = /^\/\/ (?:Signature part ([RS]):|BIG ([pqgxy]))\s*$/i;

/**
 * The elements of a file in order.
 * @returns undefined if the file contains anything else, or a number is malformed
 */
export function readElements(bytes: Uint8Array): readonly Element[] | undefined {
  if (bytes.length > MAX_FILE_BYTES) return undefined;
  // Some programs end a text with ^Z.
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\u001A', '\n');
  const elements: Element[] = [];
  let name: string | undefined;
  let [digits, start] = ['', 0];
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const header = HEADER.exec(line);
    if (header !== null && name === undefined) {
      name = (header[1]?.toUpperCase() ?? header[2]?.toLowerCase())!;
      [digits, start] = ['', index];
      continue;
    }
    if (line.trim() === '' && name === undefined) continue;
    // Some files wrap a number onto two lines.
    if (name === undefined || !/^(?:[0-9A-F]{4} ?)+\.?\s*$/i.test(line)) return undefined;
    digits += line.replaceAll(/[^0-9A-Fa-f]/g, '');
    if (!line.includes('.')) continue;
    elements.push({ name, digits, start });
    name = undefined;
  }
  return name === undefined ? elements : undefined;
}
