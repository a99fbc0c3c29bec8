// Traces the outline of a letter's distance field with marching squares, for painters that need
// paths.

import { GLYPH_BORDER, type Glyph } from './glyphs.ts';

const OUTLINE = 192;

/**
 * Closed rings around the letter in em units (24): x to the right from the pen, y down from the
 * baseline at `top`.
 */
export function traceField({ field, width, height, left, top }: Glyph): number[][] {
  const columns = width + 2 * GLYPH_BORDER;
  const rows = height + 2 * GLYPH_BORDER;
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= columns || y >= rows ? 0 : field[y * columns + x]!;
  // Each crossing of an edge between pixel centres leads to the next one, with the letter on its
  // left.
  const next = new Map<string, { to: string; x: number; y: number }[]>();
  for (let y = -1; y < rows; y++) {
    for (let x = -1; x < columns; x++) {
      const corners = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
      for (const [from, to] of segments(corners)) {
        const start = crossing(x, y, from, corners);
        const end = crossing(x, y, to, corners);
        const others = next.get(start.key) ?? [];
        next.set(start.key, [...others, { to: end.key, x: start.x, y: start.y }]);
      }
    }
  }
  const rings: number[][] = [];
  for (const first of next.keys()) {
    const ring: number[] = [];
    let key = first;
    for (let step = next.get(key)?.pop(); step !== undefined; step = next.get(key)?.pop()) {
      ring.push(step.x - GLYPH_BORDER + 0.5 + left, step.y - GLYPH_BORDER + 0.5 - top);
      key = step.to;
    }
    if (ring.length >= 6) rings.push(ring);
  }
  return rings;
}

/**
 * Pairs of sides (0 top, 1 right, 2 bottom, 3 left) through which the outline enters and leaves a
 * square.
 */
function segments(corners: readonly number[]): readonly (readonly [number, number])[] {
  const inside = corners.map((value) => value >= OUTLINE);
  const found: [number, number][] = [];
  for (let side = 0; side < 4; side++) {
    // Clockwise, the outline enters at the side where the letter starts …
    if (inside[side]! || !inside[(side + 1) % 4]!) continue;
    // … and leaves at the next side where it ends.
    let out = (side + 1) % 4;
    while (inside[(out + 1) % 4]!) out = (out + 1) % 4;
    found.push([side, out]);
  }
  return found;
}

function crossing(x: number, y: number, side: number, corners: readonly number[]) {
  const a = corners[side]!;
  const b = corners[(side + 1) % 4]!;
  const t = (OUTLINE - a) / (b - a);
  if (side === 0) return { x: x + t, y, key: `h${x},${y}` };
  if (side === 1) return { x: x + 1, y: y + t, key: `v${x + 1},${y}` };
  if (side === 2) return { x: x + 1 - t, y: y + 1, key: `h${x},${y + 1}` };
  return { x, y: y + 1 - t, key: `v${x},${y}` };
}
