// The charts' fonts as outlines, with CSS that names them, for OpenLayers. It draws text with the
// browser's fonts, and loads them from a host of its choice if a style names none (`ol:webfonts`,
// https://openlayers.org/ol-mapbox-style/).

import { readFile } from 'node:fs/promises';
import { FONT_STACKS, type FontStack, fontPath } from './glyph-ranges.ts';

/** Path below their folder; placeholders as ol-mapbox-style replaces them. */
export const WEB_FONT_TEMPLATE = '{font-family}/{fontweight}{-fontstyle}.css';

const FAMILY = 'Noto Sans';

/** The CSS properties of a font stack. */
const FACES: Readonly<Record<FontStack, { readonly weight: number; readonly style: string }>> = {
  'Noto Sans Regular': { weight: 400, style: 'normal' },
  'Noto Sans Bold': { weight: 700, style: 'normal' },
  'Noto Sans Italic': { weight: 400, style: 'italic' },
};

/** A CSS file and a font for each stack, by path below their folder. */
export async function webFontFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const stack of FONT_STACKS) {
    const { weight, style } = FACES[stack];
    const name = style === 'normal' ? `${weight}` : `${weight}-${style}`;
    const folder = FAMILY.toLowerCase().replaceAll(' ', '-');
    const css =
      `@font-face{font-family:"${FAMILY}";font-weight:${weight};font-style:${style};` +
      `src:url("${name}.ttf") format("truetype")}\n`;
    files.set(`${folder}/${name}.css`, new TextEncoder().encode(css));
    files.set(`${folder}/${name}.ttf`, await readFile(fontPath(stack)));
  }
  return files;
}
