// Certificates of a key as Android attests them (WebAuthn, 8.4), signed by an issuer that the client made. Written as
// DER (ITU-T X.690).

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
};
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const octets = (...parts: readonly Uint8Array[]) => der(0x04, ...parts);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const SOFTWARE = der(0x0a, Buffer.from([0]));

const ECDSA_SHA256 = sequence(hex('06082a8648ce3d040302'));
const nameOf = (name: string) => sequence(der(0x31, sequence(hex('0603550403'), text(0x0c, name))));
const VALIDITY = sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z'));

interface Issuer {
  readonly name: string;
  readonly privateKey: KeyObject;
}

function certificate(
  name: string,
  key: KeyObject,
  issuer: Issuer,
  extensions: readonly Uint8Array[] = [],
): Uint8Array {
  const signed = sequence(
    ...[der(0xa0, integer(2)), integer(name.length), ECDSA_SHA256, nameOf(issuer.name), VALIDITY],
    ...[nameOf(name), key.export({ type: 'spki', format: 'der' })],
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  );
  const signature = sign('sha256', signed, issuer.privateKey);
  return new Uint8Array(sequence(signed, ECDSA_SHA256, der(0x03, hex('00'), signature)));
}

/** The certificate of the key, whose list of revoked certificates is at `crl`, and that of its issuer. */
export function androidCertificates(
  {
    publicKey,
    clientDataHash,
  }: { readonly publicKey: KeyObject; readonly clientDataHash: Uint8Array },
  crl: string,
): readonly Uint8Array[] {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: 'issuer', privateKey: pair.privateKey };
  const description = sequence(
    ...[integer(3), SOFTWARE, integer(3), SOFTWARE],
    ...[octets(clientDataHash), octets(), sequence(), sequence()],
  );
  const points = sequence(sequence(der(0xa0, der(0xa0, text(0x86, crl)))));
  const extensions = [
    sequence(hex('060a2b06010401d679020111'), octets(description)),
    sequence(hex('0603551d1f'), octets(points)),
  ];
  return [
    certificate('key', publicKey, issuer, extensions),
    certificate('issuer', pair.publicKey, issuer),
  ];
}
