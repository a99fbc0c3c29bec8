// A JSON text seen from its bytes alone, before anything is built of it: how deep it is nested and how
// many values it has. A list of empty objects is three bytes each as a text and twenty times that as
// objects, so what is sent is counted first.

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
 * A walk from one structural byte (RFC 8259, section 2) to the next, over a text that may come in
 * pieces. Whether the text is JSON at all is for a parser to say.
 */
export class JsonWalk {
  #isInString = false;
  #isEscaped = false;

  /** Whether a text has been opened and not closed. */
  get isInString(): boolean {
    return this.#isInString;
  }

  /**
   * Index of the next bracket, brace, comma, colon or quote that is no part of a text; the number of
   * bytes where there is none in this piece. Quotes are told for both ends of a text.
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

/** Deeper than any body that is asked for, and far from where parsers fail. */
export const MAX_JSON_NESTING = 128;
/** As many as 64 KiB can hold; larger bodies are texts, or read as they come (`long-list.ts`). */
export const MAX_JSON_VALUES = 32_768;

/** What of a JSON text is more than anything is built of; undefined where nothing is. */
export function excessOfJson(bytes: Uint8Array): 'depth' | 'values' | undefined {
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
      // It held nothing.
      if (opened === at - 1) values--;
    } else if (byte === COMMA) values++;
    if (values > MAX_JSON_VALUES) return 'values';
  }
  return undefined;
}
