// Bearings as text.

/** `005°`, `045.5°`. @param parts parts of a degree to which it is rounded */
export function bearingText(degrees: number, parts = 10): string {
  const [whole = '', ...rest] = String(Math.round(degrees * parts) / parts).split('.');
  return `${[whole.padStart(3, '0'), ...rest].join('.')}°`;
}
