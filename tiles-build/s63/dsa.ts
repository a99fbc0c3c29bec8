// Public DSA keys and the verification of signatures (S-63 edition 1.2.1, clause 5.3). Node's
// crypto verifies; the key is passed to it as SubjectPublicKeyInfo (RFC 3279, clause 2.3.2).

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Element } from './elements.ts';

/** Numbers of a key as hexadecimal digits. */
export type KeyNumbers = Readonly<Record<'p' | 'q' | 'g' | 'y', string>>;

/** A key of 512 bits is the rule of the scheme. */
const MIN_KEY_DIGITS = 128;
const MAX_KEY_DIGITS = 768;
/** 160 bits: q, and both parts of a signature. */
const SHORT_DIGITS = 40;

/** The numbers of a key in its elements; undefined unless they are p, q, g and y of right lengths. */
export function keyNumbersOf(elements: readonly Element[]): KeyNumbers | undefined {
  if (elements.map(({ name }) => name).join('') !== 'pqgy') return undefined;
  const [p, q, g, y] = elements.map(({ digits }) => digits) as [string, string, string, string];
  const isSized = p.length >= MIN_KEY_DIGITS && p.length <= MAX_KEY_DIGITS;
  const isFormed =
    isSized && q.length === SHORT_DIGITS && [g, y].every((one) => one.length === p.length);
  return isFormed ? { p, q, g, y } : undefined;
}

/** Both parts of a signature, 40 bytes; undefined unless the elements are R and S of 160 bits. */
export function signatureOf(elements: readonly Element[]): Uint8Array | undefined {
  const [r, s] = elements;
  if (r?.name !== 'R' || s?.name !== 'S' || elements.length !== 2) return undefined;
  if (r.digits.length !== SHORT_DIGITS || s.digits.length !== SHORT_DIGITS) return undefined;
  return Buffer.from(r.digits + s.digits, 'hex');
}

/**
 * A key for `isSignedBy`.
 * @returns undefined if the numbers are no DSA key: g and y must be elements of order q modulo p
 */
export function publicKeyOf({ p, q, g, y }: KeyNumbers): KeyObject | undefined {
  const [bigP, bigQ, bigG, bigY] = [p, q, g, y].map((digits) => BigInt(`0x${digits}`)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  if (bigP % 2n === 0n || bigQ < 2n || (bigP - 1n) % bigQ !== 0n) return undefined;
  const hasOrderQ = (one: bigint) => one > 1n && one < bigP && power(one, bigQ, bigP) === 1n;
  if (!hasOrderQ(bigG) || !hasOrderQ(bigY)) return undefined;
  const numbers = derSequence(...[p, q, g].map(derInteger));
  const algorithm = derSequence(Buffer.from('06072a8648ce380401', 'hex'), numbers);
  const bits = der(0x03, Buffer.concat([Buffer.of(0), derInteger(y)]));
  try {
    return createPublicKey({ key: derSequence(algorithm, bits), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/**
 * Whether bytes carry a signature by a key.
 * @param signature both parts, each as long as q
 * @param hash charts have SHA-1; the certificate of the scheme administrator may have another
 */
export function isSignedBy(
  key: KeyObject,
  bytes: Uint8Array,
  signature: Uint8Array,
  hash: 'sha1' | 'sha256' = 'sha1',
): boolean {
  try {
    return verify(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const derSequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, Buffer.concat(parts));

/** A positive integer; a leading zero keeps it positive. */
function derInteger(digits: string): Buffer {
  const bytes = Buffer.from(digits.replace(/^(?:00)+(?=..)/, ''), 'hex');
  return der(0x02, bytes[0]! < 128 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}
