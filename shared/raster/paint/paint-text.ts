// Letters from their distance fields: first all halos, then the letters, so that no halo lies over a
// neighbouring letter. Upright letters are kept as masks at quarter pixels, as the same digits stand
// on a chart hundreds of times.

import { type Ink, type TextItem, TILE_PIXELS } from '../display-list.ts';
import { GLYPH_BORDER, GLYPH_EM, type Glyph, type GlyphSet } from '../glyphs.ts';
import type { Surface } from './surface.ts';

const SIZE = TILE_PIXELS;
/** Steps of a pixel at which masks are kept. */
const PHASES = 4;
/**
 * Added before positions are rounded to steps, in steps. Texts often stand halfway between two, and
 * the last bits of the sum, which differ between neighbouring tiles, must not decide.
 */
const TOWARDS_NEXT = 1e-6;
/** Field values from one edge of the blend to the other at the size of the field itself. */
const SOFTNESS = 0.105;
/** The field's value at the outline, of 1. */
const OUTLINE = 0.75;
/** Field values a pixel of the field is worth, of 1. */
const PER_PIXEL = 1 / 8;
const MAX_MASKS = 4096;

interface Mask {
  readonly width: number;
  readonly height: number;
  /** From the pen's whole pixel to the mask's corner. */
  readonly left: number;
  readonly top: number;
  readonly alpha: Uint8Array;
}

/** Masks of one font at one size with one halo, by letter and by step of the pen's place. */
type MasksOfLook = Map<number, Mask | undefined>;

/** Masks of letters, shared by all tiles of an isolate. */
export class LetterMasks {
  readonly #looks = new Map<string, MasksOfLook>();
  #count = 0;

  of(font: string, sizePixels: number, growPixels: number): MasksOfLook {
    const key = `${font} ${sizePixels} ${growPixels}`;
    let masks = this.#looks.get(key);
    if (masks === undefined) {
      masks = new Map();
      this.#looks.set(key, masks);
    }
    return masks;
  }

  /** One more is kept; all are forgotten before there are too many. */
  add(masks: MasksOfLook, key: number, mask: Mask | undefined): void {
    if (this.#count >= MAX_MASKS) {
      for (const others of this.#looks.values()) others.clear();
      this.#count = 0;
    }
    masks.set(key, mask);
    this.#count++;
  }
}

export function paintHalo(
  surface: Surface,
  text: TextItem,
  glyphs: GlyphSet,
  masks: LetterMasks,
): void {
  if (text.haloPixels > 0 && text.halo.alpha > 0) {
    paintLetters(surface, text, { glyphs, masks, ink: text.halo, growPixels: text.haloPixels });
  }
}

export function paintLettersOf(
  surface: Surface,
  text: TextItem,
  glyphs: GlyphSet,
  masks: LetterMasks,
): void {
  if (text.ink.alpha > 0)
    paintLetters(surface, text, { glyphs, masks, ink: text.ink, growPixels: 0 });
}

interface LetterLook {
  readonly glyphs: GlyphSet;
  readonly masks: LetterMasks;
  readonly ink: Ink;
  /** How much wider than drawn: what makes a halo. */
  readonly growPixels: number;
}

function paintLetters(
  surface: Surface,
  text: TextItem,
  { glyphs, masks, ink, growPixels }: LetterLook,
): void {
  const { font, sizePixels } = text;
  const known = masks.of(font, sizePixels, growPixels);
  for (const placed of text.glyphs) {
    const glyph = glyphs.get(placed.code);
    if (glyph === undefined || glyph.field.length === 0) continue;
    const stepsX = Math.round((text.x + placed.x) * PHASES + TOWARDS_NEXT);
    const stepsY = Math.round((text.y + placed.y) * PHASES + TOWARDS_NEXT);
    const column = Math.floor(stepsX / PHASES);
    const row = Math.floor(stepsY / PHASES);
    const phaseX = stepsX - PHASES * column;
    const phaseY = stepsY - PHASES * row;
    const shape = () =>
      maskOf({
        glyph,
        sizePixels,
        growPixels,
        turn: (placed.turnDegrees * Math.PI) / 180,
        x: phaseX / PHASES,
        y: phaseY / PHASES,
      });
    let mask: Mask | undefined;
    if (placed.turnDegrees === 0) {
      const key = (placed.code * PHASES + phaseY) * PHASES + phaseX;
      mask = known.get(key);
      if (mask === undefined && !known.has(key)) {
        mask = shape();
        masks.add(known, key, mask);
      }
    } else mask = shape();
    if (mask !== undefined) stamp(surface, mask, column + mask.left, row + mask.top, ink);
  }
}

function stamp(surface: Surface, mask: Mask, left: number, top: number, ink: Ink): void {
  const { width, height, alpha } = mask;
  const scale = ink.alpha / 255;
  for (let row = Math.max(0, -top); row < height && top + row < SIZE; row++) {
    for (let column = Math.max(0, -left); column < width && left + column < SIZE; column++) {
      const value = alpha[row * width + column]!;
      if (value === 0) continue;
      const pixel = (top + row) * SIZE + left + column;
      surface.blend(pixel, ink.red, ink.green, ink.blue, value * scale);
    }
  }
}

interface LetterShape {
  readonly glyph: Glyph;
  readonly sizePixels: number;
  readonly growPixels: number;
  /** Radians clockwise about the pen. */
  readonly turn: number;
  /** The pen, from the corner of its pixel. */
  readonly x: number;
  readonly y: number;
}

function maskOf({ glyph, sizePixels, growPixels, turn, x, y }: LetterShape): Mask | undefined {
  const scale = sizePixels / GLYPH_EM;
  const fieldWidth = glyph.width + 2 * GLYPH_BORDER;
  const fieldHeight = glyph.height + 2 * GLYPH_BORDER;
  const fieldLeft = glyph.left - GLYPH_BORDER;
  const fieldTop = -glyph.top - GLYPH_BORDER;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const xs: number[] = [];
  const ys: number[] = [];
  for (const fx of [fieldLeft, fieldLeft + fieldWidth]) {
    for (const fy of [fieldTop, fieldTop + fieldHeight]) {
      xs.push(x + (fx * cos - fy * sin) * scale);
      ys.push(y + (fx * sin + fy * cos) * scale);
    }
  }
  const left = Math.floor(Math.min(...xs));
  const top = Math.floor(Math.min(...ys));
  const width = Math.ceil(Math.max(...xs)) - left;
  const height = Math.ceil(Math.max(...ys)) - top;
  const alpha = new Uint8Array(width * height);
  const middle = OUTLINE - (growPixels / scale) * PER_PIXEL;
  const soft = SOFTNESS / scale;
  let isBlank = true;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const dx = (left + column + 0.5 - x) / scale;
      const dy = (top + row + 0.5 - y) / scale;
      const u = dx * cos + dy * sin - fieldLeft - 0.5;
      const v = dy * cos - dx * sin - fieldTop - 0.5;
      const value = sample(glyph.field, fieldWidth, fieldHeight, u, v);
      const t = (value - middle + soft) / (2 * soft);
      if (t <= 0) continue;
      alpha[row * width + column] = t >= 1 ? 255 : Math.round(255 * t * t * (3 - 2 * t));
      isBlank = false;
    }
  }
  return isBlank ? undefined : { width, height, left, top, alpha };
}

/** The field between its pixels' middles, 0 to 1; nothing beyond its border. */
function sample(field: Uint8Array, width: number, height: number, u: number, v: number): number {
  const column = Math.floor(u);
  const row = Math.floor(v);
  if (column < -1 || row < -1 || column >= width || row >= height) return 0;
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : field[y * width + x]!;
  const fx = u - column;
  const fy = v - row;
  const above = at(column, row) * (1 - fx) + at(column + 1, row) * fx;
  const below = at(column, row + 1) * (1 - fx) + at(column + 1, row + 1) * fx;
  return (above * (1 - fy) + below * fy) / 255;
}
