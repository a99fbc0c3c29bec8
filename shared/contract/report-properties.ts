// The free-form part of a report: any object within bounds, kept as JSON text. Its texts come back as
// they were sent; whoever shows them shows them as text.

import { type Fault, faultOfJson } from './plain-json.ts';

export const MAX_PROPERTIES_BYTES = 16_384;
const MAX_DEPTH = 8;
const MAX_KEYS = 200;
const MAX_DESCRIPTION = 4000;

/** Keys that turn into something else where objects are copied carelessly. */
const DROPPED = new Set(['__proto__', 'constructor', 'prototype']);

/** JSON text of the properties, or what is wrong with them; absent and null are an empty object. */
export function readProperties(value: unknown, mostBytes = MAX_PROPERTIES_BYTES): string | Fault {
  if (value === undefined || value === null) return '{}';
  const fault = (message: string, path = 'properties') => ({ path, message });
  if (typeof value !== 'object' || Array.isArray(value)) return fault('must be an object');
  const unfit = faultOfJson(value, MAX_DEPTH);
  if (unfit !== undefined) return fault(unfit);
  const { keys, mustDrop } = surveyKeys(value);
  if (keys > MAX_KEYS) return fault(`has more than ${MAX_KEYS} keys`);
  const { description } = value as { readonly description?: unknown };
  if (Object.hasOwn(value, 'description') && description !== null) {
    const path = 'properties.description';
    if (typeof description !== 'string') return fault('must be text', path);
    if (description.length > MAX_DESCRIPTION && [...description].length > MAX_DESCRIPTION) {
      return fault(`is longer than ${MAX_DESCRIPTION} characters`, path);
    }
  }
  // Not deep any more, so what recurses may.
  const text = JSON.stringify(value, mustDrop ? withoutDropped : undefined);
  return isLonger(text, mostBytes) ? fault(`is larger than ${mostBytes} bytes`) : text;
}

const withoutDropped = (key: string, value: unknown) => (DROPPED.has(key) ? undefined : value);

/** Keys at any depth. */
function surveyKeys(value: object): { readonly keys: number; readonly mustDrop: boolean } {
  let keys = 0;
  let mustDrop = false;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const isList = Array.isArray(next);
    for (const key of Object.keys(next)) {
      if (!isList) {
        keys++;
        mustDrop ||= DROPPED.has(key);
      }
      const held = (next as Record<string, unknown>)[key];
      if (typeof held === 'object' && held !== null) open.push(held);
    }
  }
  return { keys, mustDrop };
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
