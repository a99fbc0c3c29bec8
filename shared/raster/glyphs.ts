// Glyphs as signed distance fields, read from the same glyph ranges that maps load, so that the
// raster's letters are the map's letters.

import { PbfReader } from 'pbf';

/** Border around each glyph's field, in pixels of its 24-pixel em. */
export const GLYPH_BORDER = 3;
/** Pixels of an em in the fields. */
export const GLYPH_EM = 24;

export interface Glyph {
  readonly code: number;
  /** Distances; 192 is the outline, 32 a pixel outwards less 24. Empty for blanks. */
  readonly field: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly advance: number;
}

/** Code point to glyph, for one font. */
export type GlyphSet = ReadonlyMap<number, Glyph>;

/** Read one glyph range (`0-255.pbf` and so on). @throws never on an empty stack */
export function readGlyphRange(bytes: Uint8Array): GlyphSet {
  const glyphs = new Map<number, Glyph>();
  new PbfReader(bytes).readFields((tag, _result, pbf) => {
    if (tag !== 1) return;
    pbf.readMessage((innerTag, __result, inner) => {
      if (innerTag !== 3) return;
      const glyph = readGlyph(inner);
      glyphs.set(glyph.code, glyph);
    }, null);
  }, null);
  return glyphs;
}

function readGlyph(pbf: PbfReader): Glyph {
  const made = {
    code: 0,
    field: new Uint8Array(0),
    width: 0,
    height: 0,
    left: 0,
    top: 0,
    advance: 0,
  };
  pbf.readMessage((tag, glyph: typeof made, inner) => {
    if (tag === 1) glyph.code = inner.readVarint();
    else if (tag === 2) glyph.field = inner.readBytes().slice();
    else if (tag === 3) glyph.width = inner.readVarint();
    else if (tag === 4) glyph.height = inner.readVarint();
    else if (tag === 5) glyph.left = inner.readSVarint();
    else if (tag === 6) glyph.top = inner.readSVarint();
    else if (tag === 7) glyph.advance = inner.readVarint();
  }, made);
  return made;
}

/** Width of a line of text in pixels. Letters without a glyph are left out, as in the map. */
export function textWidth(
  text: string,
  glyphs: GlyphSet,
  sizePixels: number,
  letterSpacingPixels = 0,
): number {
  let width = 0;
  for (const letter of text) {
    const glyph = glyphs.get(letter.codePointAt(0)!);
    if (glyph !== undefined) width += (glyph.advance / GLYPH_EM) * sizePixels + letterSpacingPixels;
  }
  return width;
}
