// The error and warning codes of S-63 (edition 1.2.1, clause 11), with texts of our own.

import { PERMIT_EXPIRED } from '../../shared/contract/charts.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';

/** Text by number. The texts are stable; a message adds what was found. */
export const SSE_TEXTS = {
  1: 'The self-signed key of the data server does not verify with its own public key',
  2: 'The file of the self-signed key is malformed',
  3: 'The certificate of the data server was not signed by the scheme administrator',
  4: 'The certificate of the data server is malformed',
  5: 'No usable certificate or public key of the scheme administrator is installed. Get one from the IHO or from the chart supplier',
  6: 'The certificate of the data server does not verify with the installed keys. The scheme administrator may have a new key, or the chart is from another service. Get the current key from the IHO or from the chart supplier',
  7: 'There is no certificate of the data server',
  8: 'The certificate or public key of the scheme administrator is malformed. Get a valid one from the IHO or from the chart supplier',
  9: 'The signature of the chart is invalid: the file was changed or damaged',
  10: 'There are no permits of this data server. Get permits from the chart supplier',
  11: 'There is no permit. Load the permit file of the chart supplier',
  12: 'The permit is malformed. Get a new permit file from the chart supplier',
  13: 'The checksum of the permit is wrong: the permit is damaged or for another system. Get a new permit file from the chart supplier',
  14: 'The date of the system is not plausible. Set the clock',
  15: 'The subscription has expired. Renew it with the chart supplier',
  16: 'The CRC-32 of the decrypted chart is wrong: data are damaged or missing. Ask the chart supplier for a new delivery',
  17: 'The checksum of the user permit is wrong',
  18: 'The hardware id in the user permit is malformed',
  19: 'The permit is for another system (not used since edition 1.2; see SSE 13)',
  20: 'The subscription ends in 30 days or less. Renew it with the chart supplier',
  21: 'The chart cannot be decrypted with either key of the permit. The permit may be for another system, or a new permit is required',
  22: 'The certificate of the scheme administrator has expired. Get the current one from the IHO or from the chart supplier',
  23: 'An earlier update is missing, so this update cannot be applied. Load the base delivery again, or ask the chart supplier',
  24: 'The signature file is malformed. Ask the chart supplier for a new delivery',
  25: PERMIT_EXPIRED,
  26: 'The chart is authenticated by an installed key that is not the key of the IHO as scheme administrator',
  27: 'The chart is not up to date: an edition or an update is missing. It must not be used for navigation',
} as const;

export type SseNumber = keyof typeof SSE_TEXTS;

/** Codes that let the chart be used. */
const WARNINGS: ReadonlySet<SseNumber> = new Set([14, 20, 25, 26, 27]);

/** `SSE 09`, as the standard writes it. */
export const sseName = (number: SseNumber): string => `SSE ${String(number).padStart(2, '0')}`;

/**
 * A problem with the code `sse-09` and the text of the standard's code.
 * @param found what was found, in one sentence without a full stop
 */
export function sse(
  number: SseNumber,
  { found, file, isUsed }: { found?: string; file?: string; isUsed?: boolean } = {},
): Problem {
  const name = sseName(number);
  return {
    code: name.toLowerCase().replace(' ', '-'),
    message: `${name}: ${SSE_TEXTS[number]}${found === undefined ? '' : `. ${found}`}`,
    severity: WARNINGS.has(number) || isUsed === true ? 'warning' : 'error',
    ...(file !== undefined && { file }),
  };
}
