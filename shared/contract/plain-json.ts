// JSON as everything behind it can take it: not too deep for what recurses, and without the
// characters that a database refuses in texts.

/** What is wrong with one field of a body or one parameter; the value itself is never told. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

const MAX_JSON_DEPTH = 32;

/** U+0000 and halves of surrogate pairs, which are no characters of UTF-8. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

export const hasUnstorable = (text: string): boolean => UNSTORABLE.test(text);

/** What is wrong with parsed JSON, in words; undefined where nothing is. Never recurses itself. */
export function faultOfJson(value: unknown, maxDepth = MAX_JSON_DEPTH): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: inner, depth } = next;
    if (typeof inner === 'string') {
      if (hasUnstorable(inner)) return 'holds characters that no text may have';
    } else if (typeof inner === 'number') {
      if (!Number.isFinite(inner)) return 'holds a number that is too large';
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
