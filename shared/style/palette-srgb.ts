// Converts colours of S-52 (CIE xyL) to sRGB (IEC 61966-2-1).

import type { CieColor } from './palette-cie.ts';

/** Luminance of white: the reference white of S-52 is 100. */
const WHITE_LUMINANCE = 100;

/** Rows of the matrix from CIE XYZ (D65) to linear red, green and blue of IEC 61966-2-1. */
const XYZ_TO_LINEAR = [
  [3.2404542, -1.5371385, -0.4985314],
  [-0.969266, 1.8760108, 0.041556],
  [0.0556434, -0.2040259, 1.0572252],
] as const;

/**
 * Converts CIE x, y, L to `#rrggbb`. A channel that is out of range is clipped and the others are kept (the
 * whites of day, whose blue exceeds that of the white point, and mariner blue).
 */
export function srgbFromCie([x, y, luminance]: CieColor): string {
  const scale = luminance / WHITE_LUMINANCE / y;
  const xyz = [x * scale, y * scale, (1 - x - y) * scale] as const;
  const channels = XYZ_TO_LINEAR.map(([a, b, c]) =>
    channelByte(a * xyz[0] + b * xyz[1] + c * xyz[2]),
  );
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channelByte(linearValue: number): number {
  const clipped = Math.min(1, Math.max(0, linearValue));
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255);
}
