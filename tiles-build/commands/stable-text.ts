// Objects as compact, reproducible JSON text. An array or object that fits on one line stays on it.

const LINE_LENGTH = 100;

export function stableText(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, (_key, inner) => plain(inner)) ?? 'null';
  const isNested = typeof value === 'object' && value !== null;
  if (!isNested || indent.length + flat.length <= LINE_LENGTH) return spaced(flat, isNested);
  const inside = `${indent}  `;
  if (Array.isArray(value)) {
    const lines = value.map((item) => inside + stableText(plain(item), inside));
    return `[\n${lines.join(',\n')}\n${indent}]`;
  }
  const lines = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => `${inside}${JSON.stringify(key)}: ${stableText(plain(inner), inside)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

/** Converts maps and typed arrays to JSON values. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return Array.from(value as unknown as ArrayLike<number>);
  }
  return value;
}

/** Spaces after commas and colons, outside of strings. */
function spaced(flat: string, isNested: boolean): string {
  if (!isNested) return flat;
  return flat.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part));
}
