// A data server of S-63 for tests: keys, certificates, permits, and encrypted deliveries of generated cells.
// Signatures are computed here from the definition of DSA (FIPS 186-4, clause 4.6), without a library.

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { encodeCatalog } from '../../shared/s57/write/catalog.ts';
import { encrypt } from '../../tiles-build/s63/cipher.ts';
import { checksumOf } from '../../tiles-build/s63/permits.ts';
import { storeZip } from '../tiles-build/fetch/support/store-zip.ts';

/** A common group of 512 bits, also the default of Java. */
const P = BigInt(
  '0xfca682ce8e12caba26efccf7110e526db078b05edecbcd1eb4a208f3ae1617ae01f35b91a47e6df63413c5e12ed0899bcd132acd50d99151bdc43ee737592e17',
);
const Q = BigInt('0x962eddcc369cba8ebb260ee6b6a126d9346e38c5');
const G = BigInt(
  '0x678471b27a9cf44ee91a49c5147db1a9aaf244f05a434d6486931d2d14271b9e35030b71fd73da179069b32e2935630e1c2062354d0da20a6c416e50be794ca4',
);

export const HARDWARE_ID = Buffer.from('12345');
const PERMIT_KEY = Buffer.from('123451');

const hex = (value: bigint, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');
const element = (header: string, digits: string): string =>
  `// ${header}\r\n${digits.match(/.{4}/g)!.join(' ')}.\r\n`;

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base % modulus, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

const below = (limit: bigint): bigint =>
  (BigInt(`0x${randomBytes(24).toString('hex')}`) % (limit - 1n)) + 1n;

/** A key pair of DSA. */
export class SigningKey {
  readonly x = below(Q);
  readonly y = power(G, this.x, P);

  /** The file of the public key. */
  get publicFile(): Buffer {
    const { y } = this;
    return Buffer.from(
      element('BIG p', hex(P, 128)) +
        element('BIG q', hex(Q, 40)) +
        element('BIG g', hex(G, 128)) +
        element('BIG y', hex(y, 128)),
    );
  }

  /** Both parts of a signature. */
  sign(bytes: Uint8Array, hash = 'sha1'): readonly [bigint, bigint] {
    const k = below(Q);
    const r = power(G, k, P) % Q;
    // The leftmost 160 bits of the hash.
    const sum = BigInt(`0x${createHash(hash).update(bytes).digest('hex').slice(0, 40)}`);
    return [r, (power(k, Q - 2n, Q) * (sum + this.x * r)) % Q];
  }

  /** The elements of a signature. */
  signature(bytes: Uint8Array): string {
    const [r, s] = this.sign(bytes);
    return element('Signature part R:', hex(r, 40)) + element('Signature part S:', hex(s, 40));
  }

  /** A self-signed X.509 certificate. @param days the first and the last day, yyyymmdd */
  certificate(
    name: string,
    days: readonly [string, string],
    organisation = 'Demo',
    hasSignByte = true,
    hash: 'sha1' | 'sha256' = 'sha1',
  ): Buffer {
    const oid = { sha1: '06072a8648ce380403', sha256: '0609608648016503040302' }[hash];
    const algorithm = der(0x30, Buffer.from(oid, 'hex'));
    const part = (oid: string, text: string) =>
      der(0x31, der(0x30, Buffer.from(oid, 'hex'), der(0x0c, Buffer.from(text))));
    const subject = der(0x30, part('060355040a', organisation), part('0603550403', name));
    const times = days.map((day) => der(0x18, Buffer.from(`${day}000000Z`)));
    const group = der(0x30, ...[P, Q, G].map((one) => integer(one)));
    const key = der(
      0x30,
      der(0x30, Buffer.from('06072a8648ce380401', 'hex'), group),
      der(0x03, Buffer.of(0), integer(this.y, hasSignByte)),
    );
    const body = der(0x30, integer(1n), algorithm, subject, der(0x30, ...times), subject, key);
    const signature = der(
      0x03,
      Buffer.of(0),
      der(0x30, ...this.sign(body, hash).map((one) => integer(one))),
    );
    return der(0x30, body, algorithm, signature);
  }
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** @param isSigned false for the form without a sign byte, which old certificates have */
function integer(value: bigint, isSigned = true): Buffer {
  const digits = value.toString(16);
  const bytes = Buffer.from(`${digits.length % 2 ? '0' : ''}${digits}`, 'hex');
  return der(0x02, isSigned && bytes[0]! > 127 ? Buffer.of(0) : Buffer.of(), bytes);
}

export interface PermitOptions {
  readonly expires?: string;
  readonly level?: string;
  readonly keys?: readonly [Buffer, Buffer];
  readonly hardwareId?: Buffer;
}

/** A data server whose certificate is signed by a scheme administrator. */
export class DataServer {
  readonly key = new SigningKey();
  readonly id: string;
  readonly certificate: string;

  constructor(id: string, scheme: SigningKey) {
    this.id = id;
    this.certificate = scheme.signature(this.key.publicFile) + this.key.publicFile.toString();
  }

  /** The cell key of a name; each name has another. */
  keyOf(cell: string): Buffer {
    return createHash('sha1').update(`${this.id} ${cell}`).digest().subarray(0, 5);
  }

  /** The record of a permit file. */
  permit(
    cell: string,
    { expires = '20301231', level = '0', keys, hardwareId }: PermitOptions = {},
  ) {
    const key =
      hardwareId === undefined
        ? PERMIT_KEY
        : Buffer.concat([hardwareId, hardwareId.subarray(0, 1)]);
    const hidden = (keys ?? [this.keyOf(cell), this.keyOf(cell)]).map((one) =>
      Buffer.from(encrypt(one, key)).toString('hex').toUpperCase(),
    );
    const rest = cell + expires + hidden.join('');
    return `${rest}${checksumOf(rest, key)},${level},1,${this.id},`;
  }

  permitFile(records: readonly string[], date = '20260101 12:00'): Buffer {
    return Buffer.from(
      [`:DATE ${date}`, ':VERSION 2', ':ENC', ...records, ':ECS', ''].join('\r\n'),
    );
  }

  /** A compressed and encrypted file. */
  encrypted(name: string, bytes: Uint8Array, key = this.keyOf(name.slice(0, 8))): Buffer {
    return this.encryptBytes(storeZip({ [name]: bytes }), key);
  }

  encryptBytes(bytes: Uint8Array, key: Uint8Array): Buffer {
    return Buffer.from(encrypt(bytes, key));
  }

  signatureFile(bytes: Uint8Array): Buffer {
    return Buffer.from(this.key.signature(bytes) + this.certificate);
  }

  /**
   * The files of a delivery by path: cells, their signatures, CATALOG.031, SERIAL.ENC and INFO.
   * @param files plain files of cells by name, for example `US5AA01M.001`
   */
  delivery(
    files: ReadonlyMap<string, Uint8Array>,
    products: readonly string[] = [],
  ): Map<string, Buffer> {
    const box = { south: 0, west: 0, north: 0.0001, east: 0.0001 };
    const found = new Map<string, Buffer>();
    const listed = [...files].map(([name, bytes]) => {
      const path = `${name.slice(0, 2)}/${name.slice(0, 8)}/1/${Number(name.slice(-3))}/`;
      const hidden = this.encrypted(name, bytes);
      const signed = name.slice(0, 2) + 'IJKLMN'[Number(name[2]) - 1] + name.slice(3);
      found.set(`ENC_ROOT/${path}${name}`, hidden);
      found.set(`ENC_ROOT/${path}${signed}`, this.signatureFile(hidden));
      return { path: (path + name).replaceAll('/', '\\'), title: '', crc32: crc32(bytes), box };
    });
    found.set('ENC_ROOT/CATALOG.031', Buffer.from(encodeCatalog(listed)));
    found.set('SERIAL.ENC', Buffer.from(`${this.id}WK01-26   20260105BASE      02.00B01X01\v\r\n`));
    const list = [':DATE 20260105 09:00:00', ':VERSION 2', ':CONTENT FULL', ':ENC', ...products];
    found.set('INFO/PRODUCTS.TXT', Buffer.from(list.join('\r\n')));
    return found;
  }
}

/** Write files into a folder. @returns the folder */
export function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): string {
  for (const [path, bytes] of files) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}
