// Codes of an authenticator app by RFC 6238, made without the library of the service.

import { createHmac } from 'node:crypto';

const PERIOD_MS = 30_000;

/** A code of RFC 6238 with SHA-1 and 6 digits. @param at periods from now */
export function codeOf(uri: string, at = 0): string {
  const letters = new URL(uri).searchParams.get('secret')!;
  const bits = [...letters].map((one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / PERIOD_MS) + at));
  const hash = createHmac('sha1', key).update(counter).digest();
  const number = hash.readUInt32BE(hash[19]! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
