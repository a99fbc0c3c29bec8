// Fonts that a style asks for, against the glyphs that this service has: a font without glyphs is a
// chart without a single label.

import type { Fault } from '../../../shared/contract/plain-json.ts';
import type { AssetsIndex } from '../../../shared/style/assets-index.ts';
import { knownFonts } from '../../../shared/style/fonts.ts';

interface FontChoice {
  readonly font?: string | undefined;
  readonly glyphs?: string | undefined;
}

/** Whether glyphs are to come from this service. @param glyphs address template of another source */
export function hasOwnGlyphs({ glyphs }: FontChoice, origin: string): boolean {
  return glyphs === undefined || glyphs.toLowerCase().startsWith(`${origin.toLowerCase()}/fonts/`);
}

/**
 * The choices with, of their list of fonts, those that this service has. Another source of glyphs is
 * not looked into: its fonts are its own.
 * @returns a fault, which names the fonts there are, where there is none of the list
 */
export function withOwnFonts<T extends FontChoice>(
  choices: T,
  { fonts }: AssetsIndex,
  origin: string,
): { readonly choices: T } | { readonly fault: Fault } {
  if (choices.font === undefined || !hasOwnGlyphs(choices, origin)) return { choices };
  const known = knownFonts(choices.font, fonts.stacks);
  if (known.length > 0) return { choices: { ...choices, font: known.join(',') } };
  const there = Object.keys(fonts.stacks).sort().join(', ');
  return {
    fault: {
      path: 'font',
      message: `must be among the fonts there are (${there}), unless glyphs names another source`,
    },
  };
}
