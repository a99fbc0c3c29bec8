// Combines a glyph range of several fonts. Each character uses the first font that contains it. Format
// (glyphs.proto): message glyphs { repeated fontstack stacks = 1 }, fontstack { name = 1, range = 2, repeated
// glyph glyphs = 3 }, glyph { id = 1, … }.

import { PbfReader, PbfWriter } from 'pbf';

const STACKS = 1;
const NAME = 1;
const RANGE = 2;
const GLYPHS = 3;
const GLYPH_ID = 1;

/**
 * @param name of the list, as in the request
 * @param range such as `0-255`
 * @param fonts this range of each font that contains a part of it, in order
 * @throws Error if the bytes are not glyphs
 */
export function combineGlyphs(
  name: string,
  range: string,
  fonts: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const glyphs = new Map<number, Uint8Array>();
  for (const font of fonts) {
    for (const bytes of glyphsOf(font)) {
      const id = new PbfReader(bytes).readFields(readId, { id: 0 }).id;
      if (!glyphs.has(id)) glyphs.set(id, bytes);
    }
  }
  const pbf = new PbfWriter();
  pbf.writeMessage(
    STACKS,
    (_, stack) => {
      stack.writeStringField(NAME, name);
      stack.writeStringField(RANGE, range);
      const ids = [...glyphs.keys()].sort((a, b) => a - b);
      for (const id of ids) stack.writeBytesField(GLYPHS, glyphs.get(id)!);
    },
    undefined,
  );
  return Uint8Array.from(pbf.finish());
}

function glyphsOf(font: Uint8Array): Uint8Array[] {
  const glyphs: Uint8Array[] = [];
  new PbfReader(font).readFields((tag, _, pbf) => {
    if (tag !== STACKS) return;
    pbf.readMessage((inner, __, stack) => {
      if (inner === GLYPHS) glyphs.push(stack.readBytes());
    }, undefined);
  }, undefined);
  return glyphs;
}

function readId(tag: number, glyph: { id: number }, pbf: PbfReader): void {
  if (tag === GLYPH_ID) glyph.id = pbf.readVarint();
}
