// Measures the nesting and the number of values of a JSON text before it is parsed. An empty object
// takes three bytes as text and twenty times as much memory as an object.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const BYTES = {
  quote: QUOTE,
  comma: COMMA,
  colon: COLON,
  openList: OPEN_LIST,
  closeList: CLOSE_LIST,
  openObject: OPEN_OBJECT,
  closeObject: CLOSE_OBJECT,
} as const;

const STRUCTURAL = new Uint8Array(256);
for (const byte of Object.values(BYTES)) STRUCTURAL[byte] = 1;

/**
 * Iterates over the structural bytes of a JSON text (RFC 8259, section 2), which may arrive in
 * chunks. It does not validate the JSON.
 */
export class JsonWalk {
  #isInString = false;
  #isEscaped = false;

  /** Whether the position is inside a string. */
  get isInString(): boolean {
    return this.#isInString;
  }

  /**
   * Index of the next bracket, brace, comma or colon outside strings, or of the next quote that
   * opens or closes a string. Returns the length of the chunk if it contains no such byte.
   */
  next(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let i = from;
    if (this.#isInString) {
      if (this.#isEscaped && i < length) {
        this.#isEscaped = false;
        i++;
      }
      for (; i < length; i++) {
        const byte = bytes[i];
        if (byte === QUOTE) {
          this.#isInString = false;
          return i;
        }
        if (byte === BACKSLASH && ++i === length) this.#isEscaped = true;
      }
      return length;
    }
    while (i < length && STRUCTURAL[bytes[i]!] === 0) i++;
    if (bytes[i] === QUOTE) this.#isInString = true;
    return i;
  }
}

/** Deeper than any valid body, and far below the limits of parsers. */
export const MAX_JSON_NESTING = 128;
/** The maximum for 64 KiB. Larger bodies are parsed in parts (`long-list.ts`). */
export const MAX_JSON_VALUES = 32_768;

/** Returns the limit that a JSON text exceeds, or `undefined` if it exceeds none. */
export function exceededJsonLimit(bytes: Uint8Array): 'depth' | 'values' | undefined {
  const walk = new JsonWalk();
  let depth = 0;
  let values = 1;
  let opened = -1;
  for (let at = walk.next(bytes, 0); at < bytes.length; at = walk.next(bytes, at + 1)) {
    const byte = bytes[at];
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      values++;
      opened = at;
      if (depth > MAX_JSON_NESTING) return 'depth';
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth--;
      // An empty list or object.
      if (opened === at - 1) values--;
    } else if (byte === COMMA) values++;
    if (values > MAX_JSON_VALUES) return 'values';
  }
  return undefined;
}
