// A passkey in software: makes the credentials that a browser would send (WebAuthn, Level 3).

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { androidCertificates } from './android-certificates.ts';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** What a test makes wrong. */
interface Options {
  readonly origin?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Format and statement of the attestation; without it, the passkey has no attestation. */
  readonly attestation?: (signing: Signing) => readonly [format: string, statement: Statement];
}

type Statement = ReadonlyMap<string, unknown>;

/** What an attestation signs, and with which key. */
export interface Signing {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly authenticatorData: Uint8Array;
  readonly clientDataHash: Uint8Array;
}

/** Self attestation: the passkey signs its own data (WebAuthn, 8.2). */
export const selfAttestation: NonNullable<Options['attestation']> = (signing) => [
  'packed',
  new Map<string, unknown>([
    ['alg', -7],
    ['sig', signatureOf(signing)],
  ]),
];

const signatureOf = ({ privateKey, authenticatorData, clientDataHash }: Signing) =>
  new Uint8Array(sign('sha256', Buffer.concat([authenticatorData, clientDataHash]), privateKey));

/** Certificates that a client made. @param crl address of the list of revoked certificates */
export const madeAttestation =
  (crl: string): NonNullable<Options['attestation']> =>
  (signing) => [
    'android-key',
    new Map<string, unknown>([
      ['alg', -7],
      ['sig', signatureOf(signing)],
      ['x5c', androidCertificates(signing, crl)],
    ]),
  ];

const digest = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/**
 * @param origin of the page
 * @param idLength bytes of the credential id
 */
export function softPasskey(origin: string, idLength = 16) {
  const id = randomBytes(idLength);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let signatures = 0;

  const authenticatorData = (
    { origin: page = origin, isVerified = true, counter = ++signatures }: Options,
    key?: Uint8Array,
  ) => {
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (key ? HAS_KEY : 0);
    const numbers = Buffer.alloc(5);
    numbers.writeUInt8(flags);
    numbers.writeUInt32BE(counter, 1);
    const known = key
      ? [Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, key]
      : [];
    return Buffer.concat([digest(new URL(page).hostname), numbers, ...known]);
  };
  const clientData = (type: string, challenge: string, options: Options) =>
    Buffer.from(
      JSON.stringify({
        type: options.type ?? type,
        challenge,
        origin: options.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const credential = <T extends object>(response: T) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    response,
  });
  /** The public key as COSE (RFC 9052, 7): EC2, ES256, P-256. */
  const coseKey = () => {
    const { x, y } = publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    return isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        [-2, bytes(x!)],
        [-3, bytes(y!)],
      ]) as never,
    );
  };

  return {
    /** Result of `navigator.credentials.create`. */
    create: (challenge: string, options: Options = {}) => {
      const client = clientData('webauthn.create', challenge, options);
      const data = new Uint8Array(authenticatorData(options, coseKey()));
      const signing = {
        privateKey,
        publicKey,
        authenticatorData: data,
        clientDataHash: digest(client),
      };
      const [format, statement] = options.attestation?.(signing) ?? ['none', new Map()];
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', data],
        ]) as never,
      );
      return credential({
        clientDataJSON: client.toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },
    /** Result of `navigator.credentials.get`. */
    get: (challenge: string, options: Options = {}) => {
      const client = clientData('webauthn.get', challenge, options);
      const data = authenticatorData(options);
      const signature = sign('sha256', Buffer.concat([data, digest(client)]), privateKey);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(options.userHandle !== undefined && { userHandle: options.userHandle }),
      });
    },
  };
}
export type SoftPasskey = ReturnType<typeof softPasskey>;
