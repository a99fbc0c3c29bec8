// The `font` parameter: one font, or several separated by commas. Each character uses the first font that
// contains it.

/** Each font is a request per glyph range. */
export const MAX_FONTS = 8;
const FONT_NAME = /^[\p{L}\p{N}_ .-]{1,64}$/u;

/** The fonts of a list in order, without duplicates. */
export function fontsOf(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Whether a text is a valid list of fonts. The fonts need not exist. */
export function isFontList(list: string): boolean {
  const fonts = fontsOf(list);
  return (
    fonts.length > 0 && fonts.length <= MAX_FONTS && fonts.every((name) => FONT_NAME.test(name))
  );
}

/** Stands for the fonts of a style without `font`: regular, and bold or italic for some texts. */
export const DEFAULT_FAMILY = 'Noto Sans';
/** Has glyphs in every deployment and region file. */
const DEFAULT_FONT = 'Noto Sans Regular';

/** The known fonts of a list, in order; the default font if no font is known. */
export function usedFonts(list: string, isKnown: (font: string) => boolean): readonly string[] {
  const known = fontsOf(list).filter(isKnown);
  return known.length === 0 ? [DEFAULT_FONT] : known;
}
