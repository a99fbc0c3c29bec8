// Reads glyphs (signed distance fields) from the same ranges as MapLibre, so that raster tiles and
// vector maps have the same letters.

import { PbfReader } from 'pbf';

/** Border around each glyph's field, in pixels of its 24-pixel em. */
export const GLYPH_BORDER = 3;
/** Em size of the fields in pixels. */
export const GLYPH_EM = 24;

export interface Glyph {
  readonly code: number;
  /** Distance values: 192 is the outline, 32 less per pixel outwards. Empty for blanks. */
  readonly field: Uint8Array;
  /** Size of the letter; the field has a border on each side. */
  readonly width: number;
  readonly height: number;
  /** Offsets from the pen to the left side, and from the baseline to the top. */
  readonly left: number;
  readonly top: number;
  readonly advance: number;
}

/** Glyphs by code point, of one font or a list. */
export type GlyphSet = Pick<ReadonlyMap<number, Glyph>, 'get' | 'has'>;

/** Glyphs of a list of fonts. Each letter comes from the first font that contains it. */
export function fallbackGlyphs(fonts: readonly GlyphSet[]): GlyphSet {
  if (fonts.length === 1) return fonts[0]!;
  const having = (code: number) => fonts.find((font) => font.has(code));
  return { get: (code) => having(code)?.get(code), has: (code) => having(code) !== undefined };
}

/** Parse a glyph range (for example `0-255.pbf`). */
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
  const result = {
    code: 0,
    field: new Uint8Array(0),
    width: 0,
    height: 0,
    left: 0,
    top: 0,
    advance: 0,
  };
  pbf.readMessage((tag, glyph: typeof result, inner) => {
    if (tag === 1) glyph.code = inner.readVarint();
    else if (tag === 2) glyph.field = inner.readBytes().slice();
    else if (tag === 3) glyph.width = inner.readVarint();
    else if (tag === 4) glyph.height = inner.readVarint();
    else if (tag === 5) glyph.left = inner.readSVarint();
    else if (tag === 6) glyph.top = inner.readSVarint();
    else if (tag === 7) glyph.advance = inner.readVarint();
  }, result);
  return result;
}
