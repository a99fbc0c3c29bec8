// Converts colours of the style engine to inks.

import type { EngineColor } from './compile-style.ts';
import type { Ink } from './display-list.ts';

/** Convert a premultiplied colour. */
export function inkOf({ r, g, b, a }: EngineColor, opacity = 1): Ink {
  const part = (value: number) => (a === 0 ? 0 : Math.round((value / a) * 255));
  return { red: part(r), green: part(g), blue: part(b), alpha: a * opacity };
}

/** A key that is equal for equal inks and pattern names. */
export const inkKey = (ink: Ink | string): string =>
  typeof ink === 'string' ? ink : `${ink.red},${ink.green},${ink.blue},${ink.alpha}`;
