// Blowfish compared with OpenSSL, which Node contains in its legacy provider.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { decrypt, encrypt } from '../../../tiles-build/s63/cipher.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SCRIPT = `
const { createCipheriv } = require('node:crypto');
const rows = JSON.parse(process.argv[1]);
console.log(JSON.stringify(rows.map(([key, text]) => {
  const cipher = createCipheriv('bf-ecb', Buffer.from(key, 'hex'), null);
  return Buffer.concat([cipher.update(Buffer.from(text, 'hex')), cipher.final()]).toString('hex');
})));`;

const random = seededRandom(63);
const bytes = (count: number) =>
  Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
const rows = Array.from({ length: 300 }, (_, i) => [bytes(5 + (i % 2)), bytes(i)] as const);
const zeros = [0, 1, 7, 8, 9, 16, 64].map(
  (count) => [Buffer.alloc(5), Buffer.alloc(count)] as const,
);

describe('Blowfish', () => {
  it('gives the bytes of OpenSSL for keys of 40 and 48 bits and texts of any length', () => {
    const all = [...rows, ...zeros];
    const input = JSON.stringify(all.map((row) => row.map((part) => part.toString('hex'))));
    const args = ['--openssl-legacy-provider', '-e', SCRIPT, input];
    const expected = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(all.map(([key, text]) => Buffer.from(encrypt(text, key)).toString('hex'))).toEqual(
      expected,
    );
  });

  it('decrypts what it encrypts, and reports a wrong key or length', () => {
    for (const [key, text] of [...rows, ...zeros]) {
      const hidden = encrypt(text, key);
      expect(Buffer.from(decrypt(hidden, key)!)).toEqual(text);
      expect(decrypt(hidden.subarray(1), key)).toBeUndefined();
    }
    expect(decrypt(new Uint8Array(0), Buffer.alloc(5))).toBeUndefined();
  });
});
