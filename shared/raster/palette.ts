// Pixels to at most 256 colours: a chart has few inks and many blends of them, so the most frequent
// colours stay exact and each rare blend takes the nearest of them.

import { NearestColor } from './nearest-color.ts';

export interface IndexedPixels {
  /** Red, green, blue by threes. */
  readonly palette: Uint8Array;
  /** One a pixel. */
  readonly indices: Uint8Array;
}

const MAX_COLORS = 256;
/** Twice as many as a tile has pixels. */
const SLOTS = 1 << 17;
const MAX_PIXELS = SLOTS / 2;
const ALL_COLORS = 2 ** 24;

/**
 * Reused by every tile. Colours are numbered as they are met: by hash the number of a colour, by
 * number its slot, the colour itself, how often it occurs, and its index in the palette.
 */
const numberAt = new Int32Array(SLOTS).fill(-1);
const slotOf = new Int32Array(MAX_PIXELS);
const colorOf = new Int32Array(MAX_PIXELS);
const countOf = new Int32Array(MAX_PIXELS);
const indexOf = new Uint8Array(MAX_PIXELS);
/** Neighbours are mostly alike: runs of one colour, each with its number and where it ends. */
const runNumbers = new Uint16Array(MAX_PIXELS);
const runEnds = new Uint32Array(MAX_PIXELS);

/** @param rgba four bytes a pixel, of at most 65,536; opacity is not looked at */
export function indexed(rgba: Uint8ClampedArray): IndexedPixels {
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const { colors, runs } = numberColors(words);
  const kept = mostFrequent(colors);
  const palette = new Uint8Array(kept.length * 3);
  kept.forEach((number, i) => {
    const color = colorOf[number]!;
    palette[3 * i] = color & 255;
    palette[3 * i + 1] = (color >> 8) & 255;
    palette[3 * i + 2] = (color >> 16) & 255;
    indexOf[number] = i;
    countOf[number] = 0;
  });
  if (colors > kept.length) {
    const nearest = new NearestColor(palette);
    for (let number = 0; number < colors; number++) {
      if (countOf[number] !== 0) indexOf[number] = nearest.indexOf(colorOf[number]!);
    }
  }
  const indices = new Uint8Array(words.length);
  let pixel = 0;
  for (let run = 0; run < runs; run++) {
    const index = indexOf[runNumbers[run]!]!;
    const end = runEnds[run]!;
    while (pixel < end) indices[pixel++] = index;
  }
  return { palette, indices };
}

/** Numbers and counts the colours, and leaves the hash empty; @returns how many of each there are */
function numberColors(words: Uint32Array): { colors: number; runs: number } {
  let colors = 0;
  let runs = 0;
  let pixel = 0;
  while (pixel < words.length) {
    const word = words[pixel]!;
    const start = pixel;
    do pixel++;
    while (pixel < words.length && words[pixel] === word);
    const color = word & 0xffffff;
    let slot = Math.imul(color, 0x9e3779b1) >>> 15;
    let number = numberAt[slot]!;
    while (number !== -1 && colorOf[number] !== color) {
      slot = (slot + 1) & (SLOTS - 1);
      number = numberAt[slot]!;
    }
    if (number === -1) {
      number = colors++;
      numberAt[slot] = number;
      slotOf[number] = slot;
      colorOf[number] = color;
      countOf[number] = 0;
    }
    countOf[number]! += pixel - start;
    runNumbers[runs] = number;
    runEnds[runs++] = pixel;
  }
  for (let i = 0; i < colors; i++) numberAt[slotOf[i]!] = -1;
  return { colors, runs };
}

/** The colours that are kept, the most frequent first; of equally frequent ones the darker. */
function mostFrequent(colors: number): number[] {
  const least = leastKept(colors);
  const found: number[] = [];
  for (let number = 0; number < colors; number++) {
    if (countOf[number]! >= least) found.push(number);
  }
  // One number for both, so that numbers are sorted and nothing is called for it.
  const order = Float64Array.from(
    found,
    (number) => (MAX_PIXELS - countOf[number]!) * ALL_COLORS + colorOf[number]!,
  ).sort();
  const numberOf = new Map(found.map((number) => [colorOf[number]!, number]));
  return Array.from(order.subarray(0, MAX_COLORS), (key) => numberOf.get(key % ALL_COLORS)!);
}

/** Colours that occur less often than this are not among the most frequent. */
function leastKept(colors: number): number {
  if (colors <= MAX_COLORS) return 1;
  // Rare colours are many: of those that occur often there is hardly ever a palette full.
  const rare = new Int32Array(MAX_COLORS);
  let often = 0;
  for (let number = 0; number < colors; number++) {
    const count = countOf[number]!;
    if (count < MAX_COLORS) rare[count]!++;
    else often++;
  }
  let least = MAX_COLORS;
  while (least > 1 && often < MAX_COLORS) often += rare[--least]!;
  return least;
}
