// Paints texts. Masks of upright letters are cached at quarter-pixel positions, because a chart
// repeats the same digits hundreds of times.

import type { Ink, TextItem } from '../display-list.ts';
import type { Glyph, GlyphSet } from '../glyphs.ts';
import type { Canvas } from './canvas.ts';
import { mostMaskBytes, PHASES } from './canvas-artwork.ts';
import { MASK_BYTES, TURNED_LETTER } from './commands.ts';

/**
 * Added before rounding to steps, in steps. Texts are often halfway between two steps, and rounding
 * errors that differ between neighbouring tiles must not decide.
 */
const TOWARDS_NEXT = 1e-6;

/** Paint the halos of a run of texts first, so that no halo covers a neighbouring letter. */
export function paintHalo(canvas: Canvas, text: TextItem, glyphs: GlyphSet): void {
  if (text.haloPixels > 0) paint(canvas, text, glyphs, text.halo, text.haloPixels);
}

export function paintLetters(canvas: Canvas, text: TextItem, glyphs: GlyphSet): void {
  paint(canvas, text, glyphs, text.ink, 0);
}

/** @param growPixels additional width, for a halo */
function paint(
  canvas: Canvas,
  text: TextItem,
  glyphs: GlyphSet,
  ink: Ink,
  growPixels: number,
): void {
  if (ink.alpha <= 0) return;
  const { commands, artwork } = canvas;
  const { sizePixels } = text;
  const masks = artwork.masks(text.font, sizePixels, growPixels);
  commands.ink(ink);
  for (const { code, x, y, turnDegrees } of text.glyphs) {
    const glyph = glyphs.get(code);
    if (glyph === undefined || glyph.field.length === 0) continue;
    const stepsX = Math.round((text.x + x) * PHASES + TOWARDS_NEXT);
    const stepsY = Math.round((text.y + y) * PHASES + TOWARDS_NEXT);
    const column = Math.floor(stepsX / PHASES);
    const row = Math.floor(stepsY / PHASES);
    const stepX = stepsX - PHASES * column;
    const stepY = stepsY - PHASES * row;
    if (turnDegrees !== 0) {
      const turn = (turnDegrees * Math.PI) / 180;
      const look = [sizePixels, growPixels, Math.cos(turn), Math.sin(turn)];
      commands.add(
        TURNED_LETTER,
        [turnedField(canvas, glyph, sizePixels), column, row],
        [...look, stepX / PHASES, stepY / PHASES],
      );
      continue;
    }
    const mask = artwork.mask(masks, glyph, { sizePixels, growPixels, stepX, stepY });
    if (mask !== 0) commands.letter(mask, column, row);
  }
}

/** @throws RangeError if the mask would be too large */
function turnedField({ artwork }: Canvas, glyph: Glyph, sizePixels: number): number {
  if (mostMaskBytes(glyph, sizePixels) > MASK_BYTES) {
    throw new RangeError('A letter is too large to paint.');
  }
  return artwork.field(glyph);
}
