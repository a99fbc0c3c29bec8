// The installed keys of the scheme administrator: an X.509 certificate (IHO.CRT) or the elements of a
// public key (IHO.PUB). Certificates in use write the key with and without the sign byte of DER, so they
// are read here instead of by Node's strict parser (S-63 edition 1.2.1, clauses 5.4.2.5 and 10.6.1).

import type { KeyObject } from 'node:crypto';
import { basename } from 'node:path';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { dashed, dayOf, daysBetween } from './days.ts';
import { isSignedBy, keyNumbersOf, publicKeyOf } from './dsa.ts';
import { readElements } from './elements.ts';
import { sse } from './sse.ts';

export interface TrustedKey {
  readonly key: KeyObject;
  readonly name: string;
  /** Whether it is the key of the IHO; otherwise charts have the warning SSE 26. */
  readonly isOfScheme: boolean;
  /** Last day of a certificate, yyyymmdd; undefined for a public key. */
  readonly expires: string | undefined;
}

const MAX_FILE_BYTES = 65_536;
/** The identifier of DSA with SHA-256 in a certificate (RFC 5758, clause 3.1). */
const DSA_SHA256 = '608648016503040302';
/** A certificate that ends in fewer days is reported. */
const NOTICE_DAYS = 30;

/**
 * Read a certificate (DER or PEM) or a public key.
 * @param path its name decides whether a public key is that of the IHO; a certificate is by its subject
 * @param today yyyymmdd
 * @returns the key, or SSE 08 (malformed) or SSE 22 (expired); and a notice before it expires
 */
export function readTrustedKey(
  bytes: Uint8Array,
  path: string,
  today: string,
): { readonly key?: TrustedKey; readonly problems: readonly Problem[] } {
  const name = basename(path.replaceAll('\\', '/'));
  const malformed = { problems: [sse(8, { file: name })] };
  if (bytes.length > MAX_FILE_BYTES) return malformed;
  const isText = /^(?:\u00EF\u00BB\u00BF)?\s*\/\//.test(Buffer.from(bytes).toString('latin1'));
  if (isText) {
    const numbers = keyNumbersOf(readElements(bytes.subarray(bytes[0] === 0xef ? 3 : 0)) ?? []);
    const key = numbers && publicKeyOf(numbers);
    if (key === undefined) return malformed;
    const isOfScheme = /(?:^|[^a-z])IHO(?![a-z])/i.test(name) || /scheme administrator/i.test(name);
    return { key: { key, name, isOfScheme, expires: undefined }, problems: [] };
  }
  const certificate = readCertificate(bytes);
  if (certificate === undefined) return malformed;
  const { key, subject, from, expires } = certificate;
  if (expires < today || from > today) {
    const found = `${name} is valid from ${dashed(from)} to ${dashed(expires)}`;
    return { problems: [sse(22, { found, file: name })] };
  }
  const isOfScheme =
    /Scheme Administrator/i.test(subject) && /Hydrographic Organi[sz]ation/i.test(subject);
  const found = `The certificate ${name} expires on ${dashed(expires)}`;
  const ends = daysBetween(today, expires) <= NOTICE_DAYS;
  return {
    key: { key, name, isOfScheme, expires },
    problems: ends
      ? [
          {
            ...sse(22, { found, file: name, isUsed: true }),
            message: `${found}. Get the next one from the IHO or from the chart supplier`,
          },
        ]
      : [],
  };
}

/** A value of DER: its tag, its content, and all its bytes. */
interface Value {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** The values one after another. @throws RangeError if they are not DER */
function valuesIn(bytes: Uint8Array): Value[] {
  const values: Value[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const sizeBytes = first < 128 ? 0 : first - 128;
    let length = sizeBytes === 0 ? first : 0;
    for (const byte of bytes.subarray(at + 2, at + 2 + sizeBytes)) length = length * 256 + byte;
    const start = at + 2 + sizeBytes;
    if (sizeBytes > 3 || start + length > bytes.length) throw new RangeError('not DER');
    values.push({
      tag,
      content: bytes.subarray(start, start + length),
      whole: bytes.subarray(at, start + length),
    });
    at = start + length;
  }
  return values;
}

/** @returns undefined if it is not a certificate of a DSA key that is signed by itself */
function readCertificate(bytes: Uint8Array) {
  const pem = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END/.exec(
    Buffer.from(bytes).toString('latin1'),
  );
  try {
    const [outer] = valuesIn(pem === null ? bytes : Buffer.from(pem[1]!, 'base64'));
    const [body, signedWith, signature] = valuesIn(outer!.content);
    const fields = valuesIn(body!.content).filter(({ tag }) => tag !== 0xa0);
    const [, , , validity, subject, keyInfo] = fields;
    const [algorithm, bits] = valuesIn(keyInfo!.content);
    const parameters = valuesIn(valuesIn(algorithm!.content)[1]!.content);
    const [p, q, g] = parameters.map(({ content }) => digitsOf(content));
    const y = digitsOf(valuesIn(bits!.content.subarray(1))[0]!.content);
    const [from, expires] = valuesIn(validity!.content).map(dayIn);
    const key = publicKeyOf({ p: p!, q: q!, g: g!, y });
    const parts = valuesIn(valuesIn(signature!.content.subarray(1))[0]!.content);
    const proof = Buffer.from(
      parts.map(({ content }) => digitsOf(content).padStart(q!.length, '0')).join(''),
      'hex',
    );
    if (key === undefined || from === undefined || expires === undefined) return undefined;
    const hash =
      digitsOf(valuesIn(signedWith!.content)[0]!.content) === DSA_SHA256 ? 'sha256' : 'sha1';
    if (!isSignedBy(key, body!.whole, proof, hash)) return undefined;
    return { key, from, expires, subject: Buffer.from(subject!.content).toString('latin1') };
  } catch {
    return undefined;
  }
}

/** Digits of an integer without its sign byte. */
const digitsOf = (content: Uint8Array): string =>
  Buffer.from(content)
    .toString('hex')
    .replace(/^(?:00)+(?=..)/, '');

/** The day of UTCTime or GeneralizedTime (RFC 5280, clause 4.1.2.5). */
function dayIn({ tag, content }: Value): string {
  const text = Buffer.from(content).toString('latin1');
  const full = tag === 0x17 ? `${text < '5' ? '20' : '19'}${text}` : text;
  const time = Date.parse(
    full.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?.*$/, '$1-$2-$3T$4:$5:00Z'),
  );
  return dayOf(time);
}
