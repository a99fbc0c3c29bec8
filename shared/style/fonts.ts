// Fonts as a request or a saved style names them: one, or several separated by commas, of which each
// letter is taken from the first that has it.

/** Each is a request for every range of letters. */
export const MAX_FONTS = 8;
const FONT_NAME = /^[\p{L}\p{N}_ .-]{1,64}$/u;

/** The fonts of a list, first to last, each once. */
export function fontsOf(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Whether a text names fonts, whoever may have them. */
export function isFontList(list: string): boolean {
  const fonts = fontsOf(list);
  return (
    fonts.length > 0 && fonts.length <= MAX_FONTS && fonts.every((name) => FONT_NAME.test(name))
  );
}

/** The fonts of a list that a service has glyphs of, first to last. @param stacks glyphs by font */
export function knownFonts(
  list: string,
  stacks: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return fontsOf(list).filter((name) => Object.hasOwn(stacks, name));
}
