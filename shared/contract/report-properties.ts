// The free-form part of a report: any object within bounds, kept as JSON text. All of it comes back as
// it was sent, `description` too, whatever its type; whoever shows texts of it shows them as text.

import { type Fault, faultOfJson } from './plain-json.ts';

const MAX_PROPERTIES_BYTES = 16_384;
/**
 * Readers that bound how deep JSON may be bound it at 64 as a rule, and in a list as GeoJSON the
 * properties are four levels down (RFC 8259, section 9, lets readers set such limits).
 */
const MAX_DEPTH = 60;

/** JSON text of the properties, or what is wrong with them; absent and null are an empty object. */
export function readProperties(value: unknown, mostBytes = MAX_PROPERTIES_BYTES): string | Fault {
  if (value === undefined || value === null) return '{}';
  const fault = (message: string) => ({ path: 'properties', message });
  if (typeof value !== 'object' || Array.isArray(value)) return fault('must be an object');
  const unfit = faultOfJson(value, MAX_DEPTH);
  if (unfit !== undefined) return fault(unfit);
  // Not deep any more, so what recurses may.
  const text = JSON.stringify(value);
  return isLonger(text, mostBytes) ? fault(`is larger than ${mostBytes} bytes`) : text;
}

/** In UTF-8. */
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
