// Reads the little-endian numbers and texts in one ISO 8211 field.

import { type LexicalLevel, readText } from '../records/text.ts';
import type { FieldSpan } from './iso8211.ts';

/** Thrown if the field ends before an expected subfield. */
export class FieldTooShort extends Error {}

export class FieldReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, view: DataView, span: FieldSpan) {
    this.#bytes = bytes;
    this.#view = view;
    this.#at = span.start;
    this.#end = span.end;
  }

  bytesLeft(): number {
    return this.#end - this.#at;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  /** Text up to its unit terminator, or of exactly `length` bytes if `length` is given. */
  text(level: LexicalLevel, length?: number): string {
    if (length !== undefined) {
      const start = this.#take(length);
      return readText(this.#bytes, start, start + length, level).value;
    }
    const { value, next } = readText(this.#bytes, this.#at, this.#end, level, true);
    this.#at = next;
    return value;
  }

  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#end) throw new FieldTooShort();
    this.#at += count;
    return at;
  }
}
