// Glyphs of the charts' fonts as signed distance fields, in ranges of 256 code points as MapLibre
// requests them (https://maplibre.org/maplibre-style-spec/glyphs/).

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fontnik from 'fontnik';

/** Font stack (the name in `text-font` of styles), mapped to its file in the Noto Sans package. */
const FONT_FILES = {
  'Noto Sans Regular': '400Regular/NotoSans_400Regular.ttf',
  'Noto Sans Bold': '700Bold/NotoSans_700Bold.ttf',
  'Noto Sans Italic': '400Regular_Italic/NotoSans_400Regular_Italic.ttf',
} as const;

export type FontStack = keyof typeof FONT_FILES;
export const FONT_STACKS = Object.keys(FONT_FILES) as FontStack[];

const FONT_PACKAGE = '@expo-google-fonts/noto-sans';
const RANGE_LENGTH = 256;

/** Styles cannot request code points beyond the Basic Multilingual Plane. */
const LAST_CODE_POINT = 0xffff;

interface GlyphRange {
  readonly start: number;
  /** `glyphs` message of Mapbox's glyph.proto. */
  readonly bytes: Uint8Array;
}

export function fontPath(stack: FontStack): string {
  return createRequire(import.meta.url).resolve(`${FONT_PACKAGE}/${FONT_FILES[stack]}`);
}

/** Every range in which the font has a glyph, ascending. */
export async function glyphRanges(stack: FontStack): Promise<GlyphRange[]> {
  const font = await readFile(fontPath(stack));
  const points = await codePoints(font);
  const starts = new Set(
    points
      .filter((point) => point <= LAST_CODE_POINT)
      .map((point) => point - (point % RANGE_LENGTH)),
  );
  const ranges: GlyphRange[] = [];
  for (const start of [...starts].sort((a, b) => a - b)) {
    ranges.push({ start, bytes: await distanceFields(font, start) });
  }
  return ranges;
}

/** The name of a range in a URL: `0-255` for 0. */
export function rangeName(start: number): string {
  return `${start}-${start + RANGE_LENGTH - 1}`;
}

function codePoints(font: Uint8Array): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    fontnik.load(font, (error, faces) =>
      error === null ? resolve(faces.flatMap((face) => face.points)) : reject(error),
    );
  });
}

function distanceFields(font: Uint8Array, start: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const request = { font, start, end: start + RANGE_LENGTH - 1 };
    fontnik.range(request, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}
