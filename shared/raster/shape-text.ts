// Lays out texts as MapLibre does: balanced line breaks, anchors, and measures in ems of 24 units
// like the glyphs.

import { GLYPH_EM, type GlyphSet } from './glyphs.ts';

/** A letter relative to the text's anchor: the left end of its baseline in pixels. */
export interface PlacedGlyph {
  readonly code: number;
  readonly x: number;
  readonly y: number;
  /** Clockwise; only letters along a line are rotated. */
  readonly turnDegrees: number;
}

export interface ShapeOptions {
  readonly sizePixels: number;
  /** Maximum line width in ems; 0 disables wrapping. */
  readonly maxWidthEms: number;
  readonly letterSpacingEms: number;
  readonly lineHeightEms: number;
  readonly anchor: Anchor;
  readonly offsetEms: readonly [number, number];
}

export type Anchor =
  | 'center'
  | 'left'
  | 'right'
  | 'top'
  | 'bottom'
  | 'top-left'
  | 'top-right'
  | 'bottom-left'
  | 'bottom-right';

/** Letters and collision box, in pixels relative to the anchor. */
export interface ShapedText {
  readonly glyphs: readonly PlacedGlyph[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Distance of a single line's baseline from the centre of its box, in em units. */
const BASELINE_UNITS = -17;

/**
 * Lay out a text. Signs without a glyph are skipped, as in MapLibre. A text in which a letter has no
 * glyph has no letters at all, because the rest of a name would mislead.
 */
export function shapeText(text: string, glyphs: GlyphSet, options: ShapeOptions): ShapedText {
  const scale = options.sizePixels / GLYPH_EM;
  const spacing = options.letterSpacingEms * GLYPH_EM;
  const lineHeight = options.lineHeightEms * GLYPH_EM;
  const lines = breakLines(text, glyphs, spacing, options.maxWidthEms * GLYPH_EM);
  const widths = lines.map((line) => widthOf(line, glyphs, spacing));
  const width = Math.max(0, ...widths);
  const height = lines.length * lineHeight;
  const [alignX, alignY] = anchorShares(options.anchor);
  const shiftX = options.offsetEms[0] * GLYPH_EM - alignX * width;
  const shiftY = options.offsetEms[1] * GLYPH_EM - alignY * height;
  const placed: PlacedGlyph[] = [];
  let isComplete = true;
  lines.forEach((line, row) => {
    // Lines are centred.
    let x = shiftX + (width - widths[row]!) / 2;
    const y = shiftY + (row + 0.5) * lineHeight + BASELINE_UNITS;
    for (const letter of line) {
      const code = letter.codePointAt(0)!;
      const glyph = glyphs.get(code);
      if (glyph === undefined) {
        isComplete &&= !/\p{L}/u.test(letter);
        continue;
      }
      placed.push({ code, x: x * scale, y: y * scale, turnDegrees: 0 });
      x += glyph.advance + spacing;
    }
  });
  return {
    glyphs: isComplete ? placed : [],
    left: shiftX * scale,
    top: shiftY * scale,
    right: (shiftX + width) * scale,
    bottom: (shiftY + height) * scale,
  };
}

/** Width of a line in units of 1/24 em, without spacing after the last letter. */
export function widthOf(line: string, glyphs: GlyphSet, spacing: number): number {
  let width = 0;
  for (const letter of line) {
    const glyph = glyphs.get(letter.codePointAt(0)!);
    if (glyph !== undefined) width += glyph.advance + spacing;
  }
  return width === 0 ? 0 : width - spacing;
}

/** Shares of width and height before the anchor. */
export function anchorShares(anchor: Anchor): [number, number] {
  const x = anchor.includes('left') ? 0 : anchor.includes('right') ? 1 : 0.5;
  const y = anchor.includes('top') ? 0 : anchor.includes('bottom') ? 1 : 0.5;
  return [x, y];
}

/** Characters after which a line can break. */
const BREAKS_AFTER = /[\s&()+\-/\u00ad\u00b7\u200b\u2010\u2013\u2027]/;

/** MapLibre's penalty for a line that ends with "(" or begins with ")", in units of 1/24 em. */
const BRACKET_PENALTY = 50;

interface Break {
  /** Index after the break. */
  readonly at: number;
  readonly width: number;
  readonly before: Break | undefined;
  readonly cost: number;
}

/**
 * Balanced line breaks: minimizes the squared deviation from the average width, in one pass over
 * the possible breaks.
 */
function breakLines(
  text: string,
  glyphs: GlyphSet,
  spacing: number,
  maxWidth: number,
): readonly string[] {
  const given = text.split('\n');
  if (given.length > 1) {
    return given.flatMap((part) => breakLines(part, glyphs, spacing, maxWidth));
  }
  const whole = text.trim();
  const letters = [...whole];
  const total = widthOf(whole, glyphs, spacing);
  if (maxWidth === 0 || total <= maxWidth) return [whole];
  const target = total / Math.max(1, Math.ceil(total / maxWidth));
  const breaks: Break[] = [];
  // Spaces count for the average width, but not for the lines.
  let width = 0;
  letters.forEach((letter, i) => {
    const glyph = glyphs.get(letter.codePointAt(0)!);
    if (glyph !== undefined && !/\s/.test(letter)) width += glyph.advance + spacing;
    const next = letters[i + 1];
    // As in MapLibre, not if only the bracket follows.
    const isBeforeBracket = next === '(' && i < letters.length - 2;
    if (next !== undefined && (BREAKS_AFTER.test(letter) || isBeforeBracket)) {
      const penalty = (letter === '(' ? 1 : 0) + (next === ')' ? 1 : 0);
      breaks.push(bestBefore(i + 1, width, target, breaks, (penalty * BRACKET_PENALTY) ** 2));
    }
  });
  const lines: string[] = [];
  let end: Break | undefined = bestBefore(letters.length, width, target, breaks, 'last');
  while (end !== undefined) {
    lines.unshift(
      letters
        .slice(end.before?.at ?? 0, end.at)
        .join('')
        .trim(),
    );
    end = end.before;
  }
  return lines.filter((line) => line !== '');
}

function bestBefore(
  at: number,
  width: number,
  target: number,
  breaks: readonly Break[],
  penalty: number | 'last',
): Break {
  let before: Break | undefined;
  let cost = raggedness(width, target, penalty);
  for (const one of breaks) {
    const with_ = one.cost + raggedness(width - one.width, target, penalty);
    if (with_ <= cost) {
      before = one;
      cost = with_;
    }
  }
  return { at, width, before, cost };
}

/** Cost of a line, with the penalty of its break. A short last line counts half, a long one double. */
function raggedness(width: number, target: number, penalty: number | 'last'): number {
  const square = (width - target) ** 2;
  if (penalty !== 'last') return square + penalty;
  return width < target ? square / 2 : square * 2;
}
