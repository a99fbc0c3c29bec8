// Sets letters along a line, each rotated like its segment, never upside down.

import { GLYPH_EM, type GlyphSet } from './glyphs.ts';
import type { LineAnchor } from './line-anchors.ts';
import type { PlacedGlyph, ShapedText } from './shape-text.ts';

/**
 * The letters of a text centred at an anchor of a line, relative to the anchor, or `undefined` if
 * the line is too short.
 */
export function textAlong(
  shaped: ShapedText,
  glyphs: GlyphSet,
  sizePixels: number,
  line: ArrayLike<number>,
  anchor: LineAnchor,
): PlacedGlyph[] | undefined {
  const from = along(line, anchor, shaped.left);
  const to = along(line, anchor, shaped.right);
  if (from === undefined || to === undefined) return undefined;
  const isReversed = to.x < from.x;
  const placed: PlacedGlyph[] = [];
  for (const glyph of shaped.glyphs) {
    const half = ((glyphs.get(glyph.code)?.advance ?? 0) / GLYPH_EM) * sizePixels * 0.5;
    const middle = glyph.x + half;
    const at = along(line, anchor, isReversed ? -middle : middle);
    if (at === undefined) return undefined;
    const angle = isReversed ? at.angle + Math.PI : at.angle;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    placed.push({
      code: glyph.code,
      x: at.x - anchor.x - half * cos - glyph.y * sin,
      y: at.y - anchor.y - half * sin + glyph.y * cos,
      turnDegrees: (angle * 180) / Math.PI,
    });
  }
  return placed;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** Position at a signed distance from the anchor along the line. */
function along(line: ArrayLike<number>, anchor: LineAnchor, distance: number): Place | undefined {
  const step = distance < 0 ? -1 : 1;
  let rest = Math.abs(distance);
  let { x, y } = anchor;
  let next = step < 0 ? anchor.segment : anchor.segment + 1;
  while (2 * next >= 0 && 2 * next + 1 < line.length) {
    const dx = line[2 * next]! - x;
    const dy = line[2 * next + 1]! - y;
    const length = Math.hypot(dx, dy);
    if (length >= rest && length > 0) {
      const t = rest / length;
      return { x: x + dx * t, y: y + dy * t, angle: Math.atan2(step * dy, step * dx) };
    }
    rest -= length;
    x = line[2 * next]!;
    y = line[2 * next + 1]!;
    next += step;
  }
  return rest === 0 ? { x, y, angle: anchor.angle } : undefined;
}
