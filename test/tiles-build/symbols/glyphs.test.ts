import { PbfReader } from 'pbf';
import { expect, test } from 'vitest';
import {
  FONT_STACKS,
  type FontStack,
  glyphRanges,
} from '../../../tiles-build/symbols/glyph-ranges.ts';

interface Glyph {
  readonly id: number;
  readonly hasBitmap: boolean;
  readonly advance: number;
}

/** Reads a `glyphs` message of Mapbox's glyph.proto. */
function glyphsOf(bytes: Uint8Array): { name: string; range: string; glyphs: Glyph[] } {
  const stack = { name: '', range: '', glyphs: [] as Glyph[] };
  new PbfReader(bytes).readFields((tag, _result, outer) => {
    if (tag !== 1) return;
    outer.readMessage((field, _stack, reader) => {
      if (field === 1) stack.name = reader.readString();
      if (field === 2) stack.range = reader.readString();
      if (field === 3) stack.glyphs.push(readGlyph(reader));
    }, stack);
  }, stack);
  return stack;
}

function readGlyph(reader: PbfReader): Glyph {
  const glyph = { id: -1, hasBitmap: false, advance: -1 };
  reader.readMessage((field, _glyph, inner) => {
    if (field === 1) glyph.id = inner.readVarint();
    if (field === 2) glyph.hasBitmap = inner.readBytes().length > 0;
    if (field === 7) glyph.advance = inner.readVarint();
  }, glyph);
  return glyph;
}

const known = new Map<FontStack, Map<number, Glyph>>();
const rangesOf = new Map<FontStack, readonly { start: number; bytes: Uint8Array }[]>();
for (const stack of FONT_STACKS) {
  const ranges = await glyphRanges(stack);
  rangesOf.set(stack, ranges);
  const glyphs = ranges.flatMap(({ bytes }) => glyphsOf(bytes).glyphs);
  known.set(stack, new Map(glyphs.map((glyph) => [glyph.id, glyph])));
}

const NEEDED = {
  'Latin with diacritics': 'AaÄäÅåÆæÇçÉéÑñØøßŁłŐőŠšŽžİıĐđẤợỹ',
  Cyrillic: 'АаБбЖжЙйЩщЫыЯяЁёЇїЄєҐґЂђ',
  Greek: 'ΑαΒβΓγΔδΘθΩωΆάΈέΏώϊ',
  'sub-digits of soundings': '₀₁₂₃₄₅₆₇₈₉',
  'signs of chart texts': '0123456789°′″–—‘’“”…½¼()[]/+-.,:;?!&#%',
} as const;

test.each(FONT_STACKS)(
  '%s contains every letter that European and American charts need',
  (stack) => {
    for (const [what, letters] of Object.entries(NEEDED)) {
      const missing = [...letters].filter(
        (letter) => known.get(stack)?.get(letter.codePointAt(0)!)?.hasBitmap !== true,
      );
      expect(missing.join(''), what).toBe('');
    }
  },
);

test.each(FONT_STACKS)('%s has the name and ranges that clients request', (stack) => {
  for (const { start, bytes } of rangesOf.get(stack)!) {
    const { name, range } = glyphsOf(bytes);
    expect(name).toBe(stack);
    expect(range).toBe(`${start}-${start + 255}`);
  }
});

test('a wide letter has a larger advance than a narrow one', () => {
  const regular = known.get('Noto Sans Regular')!;
  const advance = (letter: string) => regular.get(letter.codePointAt(0)!)!.advance;
  expect(advance('W')).toBeGreaterThan(advance('i'));
  expect(advance('₀')).toBeLessThan(advance('0'));
});
