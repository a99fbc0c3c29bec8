// Text at the three lexical levels of S-57 Part 3, clause 2.4: ASCII, Latin-1 and UCS-2.

export type LexicalLevel = 0 | 1 | 2;

const UNIT_TERMINATOR = 0x1f;

/**
 * Read text from `start`. With `terminated`, it ends at the unit terminator (two bytes wide at level
 * 2) or at `end`; `next` is the start of the following subfield.
 */
export function readText(
  bytes: Uint8Array,
  start: number,
  end: number,
  level: LexicalLevel,
  terminated = false,
): { value: string; next: number } {
  return level === 2
    ? readWide(bytes, start, end, terminated)
    : readNarrow(bytes, start, end, terminated);
}

function readNarrow(bytes: Uint8Array, start: number, end: number, terminated: boolean) {
  let stop = end;
  if (terminated) {
    stop = start;
    while (stop < end && bytes[stop] !== UNIT_TERMINATOR) stop++;
  }
  return { value: latin1(bytes, start, stop), next: Math.min(end, stop + 1) };
}

/** Up to this length, appending single characters is faster. */
const SHORT = 8;
/** A number of arguments that every engine accepts. */
const MAX_ARGUMENTS = 4096;

/** Decode ISO 8859-1. */
function latin1(bytes: Uint8Array, start: number, end: number): string {
  let value = '';
  if (end - start <= SHORT) {
    for (let i = start; i < end; i++) value += String.fromCharCode(bytes[i]!);
    return value;
  }
  for (let i = start; i < end; i += MAX_ARGUMENTS) {
    const part = bytes.subarray(i, Math.min(end, i + MAX_ARGUMENTS));
    value += String.fromCharCode.apply(null, part as unknown as number[]);
  }
  return value;
}

const FIELD_TERMINATOR = 0x1e;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Decode UCS-2: big-endian after a big-endian byte order mark, otherwise little-endian. The terminators of
 * a big-endian text can be in either order.
 */
function readWide(bytes: Uint8Array, start: number, end: number, terminated: boolean) {
  let value = '';
  let at = start;
  const isBig = bytes[start] === 0xfe && bytes[start + 1] === 0xff;
  while (at < end) {
    const first = bytes[at]!;
    const second = at + 1 < end ? bytes[at + 1]! : 0;
    const little = first | (second << 8);
    const unit = isBig ? (first << 8) | second : little;
    if (terminated && (unit === UNIT_TERMINATOR || little === UNIT_TERMINATOR)) {
      return { value, next: Math.min(end, at + 2) };
    }
    // A field terminator may be cut to one byte at the end of the field.
    const isEnd = unit === FIELD_TERMINATOR || little === FIELD_TERMINATOR;
    if (!isEnd && unit !== BYTE_ORDER_MARK) value += String.fromCharCode(unit);
    at += 2;
  }
  return { value, next: end };
}

/** Terminators, and NUL to BEL: the code of an attribute or the kind of a relation contains one of these. */
const isNoText = (code: number): boolean =>
  code <= 0x07 || code === FIELD_TERMINATOR || code === UNIT_TERMINATOR;

/**
 * Whether a text was not joined to the bytes after it by a lost terminator. NUL at the end is accepted: some
 * programs write it.
 */
export function isPlainText(text: string): boolean {
  let { length } = text;
  while (length > 0 && text.charCodeAt(length - 1) === 0) length--;
  for (let i = 0; i < length; i++) if (isNoText(text.charCodeAt(i))) return false;
  return true;
}

/** The characters of Windows-1252 from 0x80 to 0x9F. Some programs write them in ISO 8859-1. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** A text without NUL at its end, and without control characters other than tabs and line ends. */
export function visibleText(text: string): string {
  let { length } = text;
  while (text.charCodeAt(length - 1) === 0) length--;
  return text
    .slice(0, length)
    .replace(/(?![\t\n\r])\p{Cc}/gu, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80] ?? ' ');
}
