// A fast checksum against damage, not against forgery.

/** Reads four bytes at a time. Every step is reversible: a change of one word changes the sum. */
export function checksumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = bytes.length | 0;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    sum = Math.imul(sum ^ view.getInt32(i, true), 0x9e3779b1);
    sum ^= sum >>> 15;
  }
  for (let i = whole; i < bytes.length; i++) {
    sum = Math.imul(sum ^ bytes[i]!, 0x9e3779b1);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}
