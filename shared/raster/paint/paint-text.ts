// Letters of texts. Upright ones are kept as masks at quarter pixels, as the same digits stand on a chart
// hundreds of times.

import type { Ink, TextItem } from '../display-list.ts';
import type { Glyph, GlyphSet } from '../glyphs.ts';
import type { Canvas } from './canvas.ts';
import { mostMaskBytes, PHASES } from './canvas-artwork.ts';
import { MASK_BYTES, TURNED_LETTER } from './commands.ts';

/**
 * Added before positions are rounded to steps, in steps. Texts often stand halfway between two, and
 * the last bits of the sum, which differ between neighbouring tiles, must not decide.
 */
const TOWARDS_NEXT = 1e-6;

/** What is painted first of a run of texts, so that no halo lies over a neighbouring letter. */
export function paintHalo(canvas: Canvas, text: TextItem, glyphs: GlyphSet): void {
  if (text.haloPixels > 0) paint(canvas, text, glyphs, text.halo, text.haloPixels);
}

export function paintLetters(canvas: Canvas, text: TextItem, glyphs: GlyphSet): void {
  paint(canvas, text, glyphs, text.ink, 0);
}

/** @param growPixels how much wider than drawn: what makes a halo */
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

/** @throws RangeError where its mask would not fit */
function turnedField({ artwork }: Canvas, glyph: Glyph, sizePixels: number): number {
  if (mostMaskBytes(glyph, sizePixels) > MASK_BYTES) {
    throw new RangeError('A letter is too large to paint.');
  }
  return artwork.field(glyph);
}
