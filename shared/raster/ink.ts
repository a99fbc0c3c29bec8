// Colours of the style engine as ink.

import type { EngineColor } from './compile-style.ts';
import type { Ink } from './display-list.ts';

/** The engine's premultiplied colour as ink. */
export function inkOf({ r, g, b, a }: EngineColor, opacity = 1): Ink {
  const part = (value: number) => (a === 0 ? 0 : Math.round((value / a) * 255));
  return { red: part(r), green: part(g), blue: part(b), alpha: a * opacity };
}

/** Equal for equal inks, and for equal names of patterns. */
export const inkKey = (ink: Ink | string): string =>
  typeof ink === 'string' ? ink : `${ink.red},${ink.green},${ink.blue},${ink.alpha}`;
