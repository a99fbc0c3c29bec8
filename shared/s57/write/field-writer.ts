// Writes the bytes of one field: little-endian numbers and terminated texts.

import type { LexicalLevel } from '../records/text.ts';
import { latin1 } from './iso8211-writer.ts';

const UNIT_TERMINATOR = 0x1f;

export class FieldWriter {
  readonly #bytes: number[] = [];

  u8(...values: readonly number[]): this {
    for (const value of values) this.#bytes.push(value & 0xff);
    return this;
  }

  u16(...values: readonly number[]): this {
    for (const value of values) this.u8(value, value >>> 8);
    return this;
  }

  u32(...values: readonly number[]): this {
    for (const value of values) this.u8(value, value >>> 8, value >>> 16, value >>> 24);
    return this;
  }

  /** Characters without a terminator, for subfields of fixed length. */
  fixed(text: string): this {
    for (const byte of latin1(text)) this.#bytes.push(byte);
    return this;
  }

  /** Characters and a unit terminator, both two bytes wide at level 2 (Part 3, clause 2.4). */
  text(text: string, level: LexicalLevel = 1): this {
    if (level !== 2) return this.fixed(text).u8(UNIT_TERMINATOR);
    for (let i = 0; i < text.length; i++) this.u16(text.charCodeAt(i));
    return this.u16(UNIT_TERMINATOR);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
