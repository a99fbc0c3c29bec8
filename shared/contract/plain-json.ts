// Checks of parsed JSON: not nested too deeply for recursive code, and without characters that the
// database cannot store.

/** An invalid field or parameter. The message never contains the value. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

const MAX_JSON_DEPTH = 32;

/** U+0000 and unpaired surrogates, which UTF-8 cannot encode. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const ALL_UNSTORABLE = new RegExp(UNSTORABLE, 'gu');

/** The text with U+FFFD in place of these characters. */
export const withoutUnstorable = (text: string): string =>
  text.replaceAll(ALL_UNSTORABLE, '\uFFFD');

export const hasUnstorable = (text: string): boolean => UNSTORABLE.test(text);

/** The fault of parsed JSON; `undefined` if it is valid. Not recursive. */
export function faultOfJson(value: unknown, maxDepth = MAX_JSON_DEPTH): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: inner, depth } = next;
    if (typeof inner === 'string') {
      if (hasUnstorable(inner)) return 'contains NUL or unpaired surrogates, which are not allowed';
    } else if (typeof inner === 'number') {
      if (!Number.isFinite(inner)) return 'contains a number that is too large';
    } else if (typeof inner === 'object' && inner !== null) {
      if (depth >= maxDepth) return `is nested deeper than ${maxDepth}`;
      const isList = Array.isArray(inner);
      for (const [key, held] of isList ? inner.entries() : Object.entries(inner)) {
        if (typeof key === 'string') open.push({ value: key, depth: depth + 1 });
        open.push({ value: held, depth: depth + 1 });
      }
    }
  }
  return undefined;
}
