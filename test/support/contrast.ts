// Contrast of colours according to WCAG 2.

/** Relative luminance of `#rrggbb`, 0 to 1, as WCAG 2 defines it for contrasts. */
export function relativeLuminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16)));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** WCAG 2 contrast ratio of two colours, 1 to 21. */
export function contrastRatio(a: string, b: string): number {
  const [dark, light] = [relativeLuminance(a), relativeLuminance(b)].sort((m, n) => m - n);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function linear(byte: number): number {
  const encoded = byte / 255;
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}
