// Authenticates a chart file by its signature file: the signature of the data server over the file, and
// the certificate of the data server, signed by the scheme administrator (S-63 edition 1.2.1, clauses
// 5.4.2.7, 10.6.2 and 10.6.3).

import type { Problem } from '../../shared/s57/cell/cell.ts';
import { isSignedBy, keyNumbersOf, publicKeyOf, signatureOf } from './dsa.ts';
import { type Element, readElements } from './elements.ts';
import { sse } from './sse.ts';
import type { TrustedKey } from './trusted-key.ts';

/** A cell file's name with its usage band 1 to 6 as a letter from I to N (clause 5.3.2). */
export const SIGNATURE_FILE = /^([A-Z0-9]{2})([I-N])([A-Z0-9_]{5}\.\d{3})$/;

/** The name of the file that a signature file belongs to, in capitals; undefined for other names. */
export function signedName(name: string): string | undefined {
  const [, producer, letter = '', rest] = SIGNATURE_FILE.exec(name) ?? [];
  return producer && `${producer}${'IJKLMN'.indexOf(letter) + 1}${rest}`;
}

/**
 * Check a file against its signature file.
 * @param signatures bytes of the signature file; undefined if the file is missing
 * @param trusted the installed keys; at least one
 * @returns the key that signed the certificate, or SSE 24, 04, 06, 07 or 09
 */
export function authenticate(
  file: Uint8Array,
  signatures: Uint8Array | undefined,
  trusted: readonly TrustedKey[],
): TrustedKey | Problem {
  if (signatures === undefined) return sse(24, { found: 'The file has no signature file' });
  const certified = checkCertificate(signatures, trusted);
  if ('code' in certified) return certified;
  const { elements, by, serverKey } = certified;
  const signature = signatureOf(elements.slice(0, 2));
  if (signature === undefined) return sse(24);
  return isSignedBy(serverKey, file, signature) ? by : sse(9);
}

/** Check the part after the first signature, and find the key that signed it. */
function checkCertificate(signatures: Uint8Array, trusted: readonly TrustedKey[]) {
  const elements = readElements(signatures);
  const names = elements?.map(({ name }) => name).join('') ?? '';
  if (elements === undefined || !names.startsWith('RS')) return sse(24);
  if (names === 'RS') return sse(7, { found: 'The signature file contains a signature only' });
  const isFormed = signatureOf(elements.slice(0, 2)) !== undefined;
  const certificate = readCertificate(elements.slice(2), signatures);
  if (certificate === undefined) return isFormed ? sse(4) : sse(24);
  const { signature, signed, serverKey } = certificate;
  // A ^Z at the end may have been added after the signature.
  const forms = signed.at(-1) === 0x1a ? [signed, signed.subarray(0, -1)] : [signed];
  const isBy = (key: TrustedKey['key']) => forms.some((form) => isSignedBy(key, form, signature));
  const by = trusted.find(({ key }) => isBy(key));
  if (by !== undefined) return { elements, by, serverKey };
  const isBySelf = isBy(serverKey);
  return sse(6, isBySelf ? { found: 'The certificate is signed by the data server itself' } : {});
}

/** @param signatures the file of the elements: every byte from `BIG p` to its end is signed */
function readCertificate(elements: readonly Element[], signatures: Uint8Array) {
  const signature = signatureOf(elements.slice(0, 2));
  const numbers = keyNumbersOf(elements.slice(2));
  const serverKey = numbers && publicKeyOf(numbers);
  const signed = signatures.subarray(elements[2]?.start);
  return signature && serverKey && { signature, serverKey, signed };
}
