// The identity of an installation: manufacturer and hardware id, and the user permit made of them (S-63
// edition 1.2.1, clauses 4.2 and 10.4). The operator brings these values; none is part of this program.

import { crc32 } from 'node:zlib';
import { encrypt } from './cipher.ts';

export interface Identity {
  /** M_ID: two letters or digits. */
  readonly manufacturerId: string;
  /** M_KEY: five hexadecimal digits, as their ASCII bytes. */
  readonly manufacturerKey: Uint8Array;
  /** HW_ID: five hexadecimal digits, as their ASCII bytes. */
  readonly hardwareId: Uint8Array;
}

/** Environment variables with the settings. */
export const IDENTITY_SETTINGS = {
  manufacturerId: 'LEADLINE_S63_M_ID',
  manufacturerKey: 'LEADLINE_S63_M_KEY',
  hardwareId: 'LEADLINE_S63_HW_ID',
} as const;

/** A setting is absent or invalid. The message does not contain its value. */
export class IdentityInvalid extends Error {}

/**
 * Read the identity from settings. Keys and ids are accepted as digits (`12345`) and as the
 * hexadecimal form of their ASCII bytes (`3132333435`), which the standard uses too.
 * @throws IdentityInvalid
 */
export function readIdentity(settings: Readonly<Record<string, string | undefined>>): Identity {
  const settingOf = (field: keyof typeof IDENTITY_SETTINGS, length: number, form: RegExp) => {
    const name = IDENTITY_SETTINGS[field];
    const text = settings[name]?.trim().toUpperCase() ?? '';
    if (text === '') throw new IdentityInvalid(`Set ${name}, the value of your S-63 agreement.`);
    const isHex = text.length === 2 * length && /^[0-9A-F]+$/.test(text);
    const value = isHex ? Buffer.from(text, 'hex').toString('latin1').toUpperCase() : text;
    if (!form.test(value)) {
      const kind = length === 2 ? 'letters or digits' : 'hexadecimal digits';
      throw new IdentityInvalid(`${name} is invalid. Expected ${length} ${kind}.`);
    }
    return value;
  };
  return {
    manufacturerId: settingOf('manufacturerId', 2, /^[0-9A-Z]{2}$/),
    manufacturerKey: Buffer.from(settingOf('manufacturerKey', 5, /^[0-9A-F]{5}$/)),
    hardwareId: Buffer.from(settingOf('hardwareId', 5, /^[0-9A-F]{5}$/)),
  };
}

/** HW_ID6, the key of cell permits: the hardware id followed by its first byte (clause 10.5.4). */
export const permitKey = (hardwareId: Uint8Array): Uint8Array =>
  Uint8Array.of(...hardwareId, hardwareId[0]!);

/** The CRC-32 of a text as eight hexadecimal digits. */
const sumOf = (text: string): string => crc32(text).toString(16).toUpperCase().padStart(8, '0');

/** The user permit, 28 characters, by which a chart supplier makes cell permits. */
export function userPermit({ manufacturerId, manufacturerKey, hardwareId }: Identity): string {
  const hidden = Buffer.from(encrypt(hardwareId, manufacturerKey)).toString('hex').toUpperCase();
  return hidden + sumOf(hidden) + Buffer.from(manufacturerId).toString('hex');
}
