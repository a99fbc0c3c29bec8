// Pixels to at most 256 colours: a chart has few inks and many blends of them, so the most frequent
// colours stay exact and each rare blend takes the nearest of them.

export interface IndexedPixels {
  /** Red, green, blue by threes. */
  readonly palette: Uint8Array;
  /** One a pixel. */
  readonly indices: Uint8Array;
}

const MAX_COLORS = 256;
/** Twice as many as a tile has pixels. */
const SLOTS = 1 << 17;

/** Reused by every tile: colours by hash, how often each occurs, and its index in the palette. */
const keys = new Int32Array(SLOTS);
const counts = new Int32Array(SLOTS);
const chosen = new Int16Array(SLOTS);

/** @param rgba four bytes a pixel; opacity is not looked at */
export function indexed(rgba: Uint8ClampedArray): IndexedPixels {
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const used = countColors(words);
  const frequent = used.sort((a, b) => counts[b]! - counts[a]! || keys[a]! - keys[b]!);
  const kept = frequent.slice(0, MAX_COLORS);
  const palette = new Uint8Array(kept.length * 3);
  kept.forEach((slot, i) => {
    const color = keys[slot]!;
    palette.set([color & 255, (color >> 8) & 255, (color >> 16) & 255], 3 * i);
    chosen[slot] = i;
  });
  for (const slot of frequent.slice(MAX_COLORS)) chosen[slot] = nearest(keys[slot]!, palette);
  const indices = new Uint8Array(words.length);
  let last = -1;
  let index = 0;
  for (let i = 0; i < words.length; i++) {
    const color = words[i]! & 0xffffff;
    if (color !== last) {
      last = color;
      index = chosen[slotOf(color)]!;
    }
    indices[i] = index;
  }
  return { palette, indices };
}

/** Fills the table; @returns the slots in use */
function countColors(words: Uint32Array): number[] {
  keys.fill(-1);
  counts.fill(0);
  const used: number[] = [];
  let last = -1;
  let slot = 0;
  for (let i = 0; i < words.length; i++) {
    const color = words[i]! & 0xffffff;
    if (color !== last) {
      last = color;
      slot = slotOf(color);
      if (keys[slot] === -1) {
        keys[slot] = color;
        used.push(slot);
      }
    }
    counts[slot]!++;
  }
  return used;
}

/** The colour's slot, or the free one it would take. */
function slotOf(color: number): number {
  let slot = (Math.imul(color, 0x9e3779b1) >>> 15) & (SLOTS - 1);
  while (keys[slot] !== -1 && keys[slot] !== color) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

function nearest(color: number, palette: Uint8Array): number {
  const red = color & 255;
  const green = (color >> 8) & 255;
  const blue = (color >> 16) & 255;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < palette.length; i += 3) {
    const dr = palette[i]! - red;
    const dg = palette[i + 1]! - green;
    const db = palette[i + 2]! - blue;
    const distance = dr * dr + dg * dg + db * db;
    if (distance < least) {
      least = distance;
      best = i / 3;
    }
  }
  return best;
}
