// Base64 for the database, whose interface is JSON. `btoa` is slow for megabytes, because it needs
// the bytes as characters.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));
const PADDING = 0x3d;

export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const three = (bytes[from]! << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    text[to] = CODES[three >> 18]!;
    text[to + 1] = CODES[(three >> 12) & 63]!;
    text[to + 2] = from + 1 < bytes.length ? CODES[(three >> 6) & 63]! : PADDING;
    text[to + 3] = from + 2 < bytes.length ? CODES[three & 63]! : PADDING;
  }
  return new TextDecoder().decode(text);
}

/** Ignores white space, which PostgreSQL's `encode` adds. */
export function fromBase64(text: string): Uint8Array {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
