// The free-form properties of a report: an object of limited size, stored as JSON text and returned
// without the keys below, otherwise unchanged. `description` may have any type. Clients must display it as plain text.

import { type Fault, faultOfJson } from './plain-json.ts';

const MAX_PROPERTIES_BYTES = 16_384;
/**
 * Many parsers limit the nesting to 64 (RFC 8259, section 9), and in a GeoJSON list the properties
 * are four levels deep.
 */
const MAX_DEPTH = 60;

/** Keys that could change the objects of a careless reader. */
const DROPPED_KEYS = ['__proto__', 'constructor', 'prototype'];

/** The properties as JSON text, or a fault. Absent and null mean an empty object. */
export function readProperties(value: unknown, mostBytes = MAX_PROPERTIES_BYTES): string | Fault {
  if (value === undefined || value === null) return '{}';
  const fault = (message: string) => ({ path: 'properties', message });
  if (typeof value !== 'object' || Array.isArray(value)) return fault('must be an object');
  const unfit = faultOfJson(value, MAX_DEPTH);
  if (unfit !== undefined) return fault(unfit);
  // The depth is checked, so recursion is safe.
  const text = JSON.stringify(value, (key, held: unknown) =>
    DROPPED_KEYS.includes(key) ? undefined : held,
  );
  return isLonger(text, mostBytes) ? fault(`must be at most ${mostBytes} bytes of JSON`) : text;
}

/** Length in UTF-8. */
function isLonger(text: string, mostBytes: number): boolean {
  if (text.length > mostBytes) return true;
  if (text.length * 3 <= mostBytes) return false;
  let bytes = 0;
  for (const sign of text) {
    const code = sign.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes > mostBytes;
}
