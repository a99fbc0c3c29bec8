// Parses a JSON object with one long list while it arrives. The elements of the list are counted
// and parsed in small groups, so that neither the text nor the objects are in memory as a whole.
// JSON.parse parses every part, so exactly JSON is accepted.

import { BYTES, JsonWalk, MAX_JSON_NESTING } from './json-walk.ts';

interface LongListLimits {
  /** Maximum number of elements. */
  readonly maxElements: number;
  /** Maximum bytes of one element. */
  readonly maxElementBytes: number;
  /** Maximum bytes of the rest of the object. */
  readonly maxRestBytes: number;
}

/** Receives the elements. If the key is repeated, `begin` is called again; the last list counts. */
interface ListTaker {
  begin(): void;
  take(elements: readonly unknown[]): void;
}

/** Reason to reject a body. */
export type ListRefusal = 'not-json' | 'too-deep' | 'too-many' | 'large-element' | 'large-rest';

class Refused extends Error {
  readonly why: ListRefusal;
  constructor(why: ListRefusal) {
    super(why);
    this.why = why;
  }
}

/** Bytes of the elements that are parsed at once, which takes about a millisecond. */
const RUN_BYTES = 65_536;
/** Maximum bytes of a key that could be the list's: each character may be escaped. */
const ESCAPED_LETTER_BYTES = 6;

const OPEN = Uint8Array.of(BYTES.openList);
const CLOSE = Uint8Array.of(BYTES.closeList);

/** A buffer that grows. */
class Buffered {
  #bytes = new Uint8Array(4096);
  length = 0;

  add(piece: Uint8Array): void {
    const needed = this.length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.length);
    this.length = needed;
  }

  slice(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, to);
  }
}

/** Parses JSON in UTF-8. @throws for anything else */
export type ParseJson = (bytes: Uint8Array) => unknown;

/** Parses one body: call `push` for each chunk, then `end`. */
export class LongListReader {
  readonly #key: string;
  readonly #limits: LongListLimits;
  readonly #taker: ListTaker;
  readonly #walk = new JsonWalk();
  /** The body with an empty list instead of the long one. */
  readonly #rest = new Buffered();
  /** `[` and the unparsed part of the list. */
  readonly #run = new Buffered();
  #isInList = false;
  /** Number of open brackets and braces, including the list's. */
  #depth = 0;
  /** Position in the rest of the last string of the outermost object, including quotes. */
  #textFrom = 0;
  #textTo = 0;
  #isListNamed = false;
  #elements = 0;
  /** Number of commas of the list in the run, and the position of the last one. */
  #commas = 0;
  #lastComma = 0;

  readonly #parse: ParseJson;

  /** @param key key of the list in the outermost object */
  constructor(key: string, limits: LongListLimits, taker: ListTaker, parse: ParseJson) {
    this.#parse = parse;
    this.#key = key;
    this.#limits = limits;
    this.#taker = taker;
  }

  /** Parses the next chunk. @returns the reason to reject the body and stop reading, if any */
  push(piece: Uint8Array): ListRefusal | undefined {
    return refusalOf(() => this.#read(piece));
  }

  /** The body with an empty list, and its JSON text. */
  end():
    | { readonly rest: unknown; readonly restBytes: Uint8Array }
    | { readonly refusal: ListRefusal } {
    const restBytes = this.#rest.slice(0, this.#rest.length);
    let rest: unknown;
    const refusal = refusalOf(() => {
      if (this.#isInList) throw new Refused('not-json');
      rest = this.#parsed(restBytes);
    });
    return refusal === undefined ? { rest, restBytes } : { refusal };
  }

  #read(piece: Uint8Array): void {
    let from = 0;
    for (
      let at = this.#walk.next(piece, 0);
      at < piece.length;
      at = this.#walk.next(piece, at + 1)
    ) {
      const byte = piece[at]!;
      const isOpening = byte === BYTES.openList || byte === BYTES.openObject;
      if (isOpening && ++this.#depth > MAX_JSON_NESTING) throw new Refused('too-deep');
      if (this.#isInList) {
        if (this.#depth === 2 && byte === BYTES.comma) {
          this.#add(piece.subarray(from, at));
          from = this.#comma() ? at + 1 : at;
        } else if (this.#depth === 2 && (byte === BYTES.closeList || byte === BYTES.closeObject)) {
          this.#add(piece.subarray(from, at));
          from = at;
          this.#closeList(byte);
        }
      } else if (this.#depth <= 2) {
        this.#add(piece.subarray(from, at));
        from = at;
        this.#look(byte);
        if (this.#isInList) {
          this.#rest.add(OPEN);
          from = at + 1;
        }
      }
      if (byte === BYTES.closeList || byte === BYTES.closeObject) this.#depth--;
    }
    this.#add(piece.subarray(from));
  }

  /** Whether the list begins at this byte. The rest contains everything before it. */
  #look(byte: number): void {
    if (this.#depth === 2) {
      // The byte opens the list, or is part of the value of another key.
      if (byte !== BYTES.openList || !this.#isListNamed) return;
      this.#isListNamed = false;
      this.#isInList = true;
      this.#elements = 0;
      this.#emptyRun();
      this.#taker.begin();
      return;
    }
    if (byte === BYTES.quote) {
      if (this.#walk.isInString) this.#textFrom = this.#rest.length;
      this.#textTo = this.#rest.length + 1;
    } else if (byte === BYTES.colon) this.#isListNamed = this.#isKey();
    else if (byte === BYTES.comma) this.#isListNamed = false;
  }

  /** Whether the last string of the outermost object is the list's key. */
  #isKey(): boolean {
    const most = ESCAPED_LETTER_BYTES * this.#key.length + 2;
    if (this.#textTo - this.#textFrom > most) return false;
    return this.#parsed(this.#rest.slice(this.#textFrom, this.#textTo)) === this.#key;
  }

  #add(bytes: Uint8Array): void {
    if (this.#isInList) {
      this.#run.add(bytes);
      if (this.#run.length - this.#lastComma > this.#limits.maxElementBytes + 1) {
        throw new Refused('large-element');
      }
      return;
    }
    this.#rest.add(bytes);
    if (this.#rest.length > this.#limits.maxRestBytes) throw new Refused('large-rest');
  }

  /** @returns whether the elements up to the comma were parsed */
  #comma(): boolean {
    this.#elements++;
    // Another element must follow.
    if (this.#elements >= this.#limits.maxElements) throw new Refused('too-many');
    if (this.#run.length >= RUN_BYTES) {
      this.#parseRun();
      return true;
    }
    this.#commas++;
    this.#lastComma = this.#run.length;
    return false;
  }

  #closeList(byte: number): void {
    if (byte !== BYTES.closeList) throw new Refused('not-json');
    const isEmpty = this.#elements === 0 && isBlank(this.#run.slice(1, this.#run.length));
    if (!isEmpty) this.#parseRun();
    this.#isInList = false;
  }

  #parseRun(): void {
    this.#run.add(CLOSE);
    const elements = this.#parsed(this.#run.slice(0, this.#run.length)) as unknown[];
    // Without this, `[1,,2]` would be split into two valid lists at its second comma.
    if (elements.length !== this.#commas + 1) throw new Refused('not-json');
    this.#emptyRun();
    this.#taker.take(elements);
  }

  #parsed(bytes: Uint8Array): unknown {
    try {
      return this.#parse(bytes);
    } catch {
      throw new Refused('not-json');
    }
  }

  #emptyRun(): void {
    this.#run.length = 0;
    this.#run.add(OPEN);
    this.#commas = 0;
    this.#lastComma = 0;
  }
}

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);

function refusalOf(work: () => void): ListRefusal | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.why;
    throw error;
  }
}
