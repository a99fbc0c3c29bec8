// Checks the fonts of a style: a map without glyphs for its font shows no labels at all.

import type { Fault } from '../../../shared/contract/plain-json.ts';
import type { AssetsIndex } from '../../../shared/style/assets-index.ts';
import { DEFAULT_FAMILY, fontsOf } from '../../../shared/style/fonts.ts';

interface FontChoice {
  readonly font?: string | undefined;
  readonly glyphs?: string | undefined;
}

/** Whether glyphs come from this service. @param glyphs URL template of another source */
export function hasOwnGlyphs({ glyphs }: FontChoice, origin: string): boolean {
  return glyphs === undefined || glyphs.toLowerCase().startsWith(`${origin.toLowerCase()}/fonts/`);
}

/**
 * Removes fonts that this service does not have. Fonts of another source are not checked.
 * @returns a fault with the available fonts if none of the list is available
 */
export function withOwnFonts<T extends FontChoice>(
  choices: T,
  { fonts }: AssetsIndex,
  origin: string,
): { readonly choices: T } | { readonly fault: Fault } {
  if (choices.font === undefined || !hasOwnGlyphs(choices, origin)) return { choices };
  const asked = fontsOf(choices.font);
  const isThere = (font: string) => Object.hasOwn(fonts.stacks, font);
  // The default has a font for each kind of text, so nothing after it is used.
  const first = asked.find((font) => font === DEFAULT_FAMILY || isThere(font));
  if (first === DEFAULT_FAMILY) return { choices: { ...choices, font: undefined } };
  const known = asked.filter(isThere);
  if (known.length > 0) return { choices: { ...choices, font: known.join(',') } };
  const there = Object.keys(fonts.stacks).sort().join(', ');
  return {
    fault: {
      path: 'font',
      message: `must be one of the available fonts (${there}), unless glyphs has the URL of another source`,
    },
  };
}
