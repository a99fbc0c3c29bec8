// Glyphs as signed distance fields, read from the same glyph ranges that maps load, so that the
// raster's letters are the map's letters.

import { PbfReader } from 'pbf';

/** Border around each glyph's field, in pixels of its 24-pixel em. */
export const GLYPH_BORDER = 3;
/** Pixels of an em in the fields. */
export const GLYPH_EM = 24;

export interface Glyph {
  readonly code: number;
  /** Distances: 192 is the outline, and a pixel outwards is 32 less. Empty for blanks. */
  readonly field: Uint8Array;
  /** Of the letter; the field is larger by its border on each side. */
  readonly width: number;
  readonly height: number;
  /** From the pen to the letter's left side, and from the baseline up to its top. */
  readonly left: number;
  readonly top: number;
  readonly advance: number;
}

/** Code point to glyph, for a font or a list of them. */
export type GlyphSet = Pick<ReadonlyMap<number, Glyph>, 'get' | 'has'>;

/** The glyphs of a list of fonts: each letter is of the first that has it, now or later. */
export function fallbackGlyphs(fonts: readonly GlyphSet[]): GlyphSet {
  if (fonts.length === 1) return fonts[0]!;
  const having = (code: number) => fonts.find((font) => font.has(code));
  return { get: (code) => having(code)?.get(code), has: (code) => having(code) !== undefined };
}

/** The glyphs of one range (`0-255.pbf` and so on). */
export function readGlyphRange(bytes: Uint8Array): ReadonlyMap<number, Glyph> {
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
