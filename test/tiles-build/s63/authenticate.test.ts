// Installed keys and signatures, with certificates of a generated scheme administrator.

import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { authenticate, signedName } from '../../../tiles-build/s63/authenticate.ts';
import { readTrustedKey } from '../../../tiles-build/s63/trusted-key.ts';
import { DataServer, SigningKey } from '../../support/s63-server.ts';

const TODAY = '20260601';
const scheme = new SigningKey();
const server = new DataServer('AA', scheme);
const IHO = 'International Hydrographic Organization (IHO)';
const CERTIFICATE = scheme.certificate(
  'IHO S-63 Scheme Administrator',
  ['20200101', '20291231'],
  IHO,
);
const install = (bytes: Uint8Array, name = 'IHO.PUB', today = TODAY) =>
  readTrustedKey(bytes, name, today);
const trusted = [install(scheme.publicFile).key!];
const codesOf = ({ problems }: ReturnType<typeof install>) => problems.map(({ code }) => code);

describe('readTrustedKey', () => {
  it('reads a certificate, which belongs to the scheme by its subject', () => {
    const { key, problems } = install(CERTIFICATE, 'any.crt');
    expect(problems).toEqual([]);
    expect(key).toMatchObject({ name: 'any.crt', isOfScheme: true, expires: '20291231' });
    const other = install(scheme.certificate('Other', ['20200101', '20291231']), 'IHO.CRT');
    expect(other.key?.isOfScheme).toBe(false);
  });

  it('reads the same key from a certificate as Node does', () => {
    const { key } = install(CERTIFICATE);
    const jwk = (one: NonNullable<typeof key>['key']) =>
      one.export({ format: 'der', type: 'spki' });
    expect(jwk(key!.key)).toEqual(jwk(createPublicKey({ key: pem(), format: 'pem' })));
  });

  const pem = () =>
    `-----BEGIN CERTIFICATE-----\n${CERTIFICATE.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

  it('reads a certificate that is signed with SHA-256', () => {
    const bytes = scheme.certificate('Demo', ['20200101', '20291231'], IHO, true, 'sha256');
    expect(install(bytes).key?.key.equals(install(CERTIFICATE).key!.key)).toBe(true);
  });

  it('reads PEM', () => {
    expect(install(Buffer.from(pem())).key?.isOfScheme).toBe(true);
  });

  it('reads a certificate whose key has no sign byte', () => {
    const short = scheme.certificate('Demo', ['20200101', '20291231'], IHO, false);
    expect(install(short).key?.key.equals(install(CERTIFICATE).key!.key)).toBe(true);
  });

  it('reads a public key, which belongs to the scheme by the name of its file', () => {
    expect(install(scheme.publicFile).key).toMatchObject({ isOfScheme: true, expires: undefined });
    expect(install(scheme.publicFile, 'x/NONSA.PUB').key?.isOfScheme).toBe(false);
    const names = ['IHO_SA.PUB', 'iho2013.pub', 'SA_IHO.PUB', 'IHOR.PUB', 'XIHO.PUB'];
    expect(names.map((name) => install(scheme.publicFile, name).key?.isOfScheme)).toEqual([
      ...[true, true, true, false, false],
    ]);
    const marked = Buffer.concat([Buffer.from('\uFEFF'), scheme.publicFile]);
    expect(install(marked).key).toBeDefined();
    const wrapped = scheme.publicFile.toString().replaceAll(/((?:[0-9A-F]{4} ){16})/g, '$1\r\n');
    expect(install(Buffer.from(wrapped.replaceAll('BIG', 'Big'))).key).toBeDefined();
  });

  it.each([
    ['20191231', ['sse-22']],
    ['20291130', []],
    ['20291201', ['sse-22']],
    ['20291231', ['sse-22']],
    ['20300101', ['sse-22']],
  ])('checks the validity on %s', (today, codes) => {
    const read = install(CERTIFICATE, 'IHO.CRT', today);
    expect(codesOf(read)).toEqual(codes);
    expect(read.key === undefined).toBe(today < '20200101' || today > '20291231');
    if (read.key !== undefined)
      expect(read.problems.every(({ severity }) => severity === 'warning')).toBe(true);
  });

  const text = scheme.publicFile.toString();
  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['a text', Buffer.from('not a key')],
    ['a short y', Buffer.from(text.replace(/ [0-9A-F]{4}\.\r\n$/, '.\r\n'))],
    ['another y', Buffer.from(text.replace(/[0-9A-F]{4}\.\r\n$/, '0000.\r\n'))],
    [
      'a group of one',
      Buffer.from(
        text.replace(
          /(BIG g\r\n)[^.]*/,
          (_, head) => `${head}${Array(31).fill('0000').join(' ')} 0001`,
        ),
      ),
    ],
    ['a truncated certificate', CERTIFICATE.subarray(0, -1)],
    [
      'a changed certificate',
      Buffer.from(CERTIFICATE.toString('latin1').replace('IHO S-63', 'IHO S-64'), 'latin1'),
    ],
    [
      'a certificate with a length beyond 2^31',
      Buffer.concat([Buffer.from('3084ffffffff', 'hex'), CERTIFICATE]),
    ],
    ['nested lengths', Buffer.alloc(4096, Buffer.from('30823000', 'hex'))],
    ['a large file', Buffer.alloc(1_000_000, 0x2f)],
    ['a self-signed key', Buffer.from(scheme.signature(scheme.publicFile) + text)],
  ])('refuses %s', (_, bytes) => {
    const read = install(bytes, 'IHO.CRT');
    expect(codesOf(read)).toEqual(['sse-08']);
    expect(read.key).toBeUndefined();
  });
});

describe('signedName', () => {
  it('follows the names of signature files', () => {
    expect(
      ['GBI00001.000', 'GBN1032A.002', 'GB100001.000', 'GBO00001.000'].map(signedName),
    ).toEqual(['GB100001.000', 'GB61032A.002', undefined, undefined]);
  });
});

describe('authenticate', () => {
  const FILE = Buffer.from('the bytes of an encrypted file');
  const SIGNATURES = server.signatureFile(FILE);
  const text = SIGNATURES.toString();
  const check = (signatures: Uint8Array | undefined, file: Uint8Array = FILE, keys = trusted) => {
    const result = authenticate(file, signatures, keys);
    return 'code' in result ? result.code : result.name;
  };

  it('accepts a file with its signature and names the installed key', () => {
    expect(check(SIGNATURES)).toBe('IHO.PUB');
  });

  it('ignores ^Z at the end of signature files and keys', () => {
    const ended = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0x1a)]);
    const keys = [install(ended(scheme.publicFile)).key!];
    expect(check(ended(SIGNATURES), FILE, keys)).toBe('IHO.PUB');
  });

  it('uses the installed key that fits', () => {
    const older = install(new SigningKey().publicFile, 'OLD.PUB').key!;
    expect(check(SIGNATURES, FILE, [older, ...trusted])).toBe('IHO.PUB');
    expect(check(SIGNATURES, FILE, [older])).toBe('sse-06');
  });

  it('refuses every changed byte of a file', () => {
    for (let i = 0; i < FILE.length; i++) {
      const changed = Buffer.from(FILE);
      changed[i]! ^= 1;
      expect(check(SIGNATURES, changed)).toBe('sse-09');
    }
    expect(check(SIGNATURES, new Uint8Array(0))).toBe('sse-09');
  });

  it('refuses a changed digit anywhere in a signature file', () => {
    for (let i = 0; i < text.length; i += 7) {
      if (!/[0-9A-F]/.test(text[i]!) || /\/\/[^\r]*$/.test(text.slice(0, i))) continue;
      const changed = text.slice(0, i) + (text[i] === '0' ? '1' : '0') + text.slice(i + 1);
      expect(['sse-04', 'sse-06', 'sse-09'], `digit ${i}`).toContain(check(Buffer.from(changed)));
    }
  });

  const selfSigned = () => {
    const own = server.key.publicFile;
    return Buffer.from(server.key.signature(FILE) + server.key.signature(own) + own.toString());
  };
  const lines = text.split('\r\n');
  it.each<[string, Uint8Array | undefined, string]>([
    ['no signature file', undefined, 'sse-24'],
    ['an empty file', new Uint8Array(0), 'sse-24'],
    ['garbage', Buffer.alloc(900, 0xee), 'sse-24'],
    ['a large file', Buffer.from(text.repeat(1000)), 'sse-24'],
    ['a signature only', Buffer.from(lines.slice(0, 4).join('\r\n')), 'sse-07'],
    ['a certificate only', Buffer.from(lines.slice(4).join('\r\n')), 'sse-04'],
    ['a short first signature', Buffer.from(text.replace(/ [0-9A-F]{4}\./, '.')), 'sse-24'],
    ['a group of three digits', Buffer.from(text.replace(/\r\n[0-9A-F]/, '\r\n')), 'sse-24'],
    ['six digits in a group', Buffer.from(text.replace('.', 'AA.')), 'sse-24'],
    ['no full stop', Buffer.from(text.replace('.', '')), 'sse-24'],
    ['a short key', Buffer.from(text.replace(/ [0-9A-F]{4}\.\r\n$/, '.\r\n')), 'sse-04'],
    ['no key', Buffer.from(lines.slice(0, 8).join('\r\n')), 'sse-04'],
    [
      'a signature of zeros',
      Buffer.from(
        text.replace(/[0-9A-F]{4}(?: [0-9A-F]{4}){9}\./g, `${Array(10).fill('0000').join(' ')}.`),
      ),
      'sse-04',
    ],
    ['other line ends', Buffer.from(text.replaceAll('\r\n', '\n')), 'sse-06'],
    ['the key of the data server signed by itself', selfSigned(), 'sse-06'],
    ['the signature of another file', server.signatureFile(Buffer.from('other')), 'sse-09'],
    [
      'the signature of another data server',
      new DataServer('AA', scheme).signatureFile(Buffer.from('x')),
      'sse-09',
    ],
  ])('refuses %s', (_, signatures, code) => {
    expect(check(signatures)).toBe(code);
  });
});
